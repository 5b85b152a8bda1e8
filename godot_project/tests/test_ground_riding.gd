extends "res://tests/ground_suite.gd"
## Ground that carries: lifts, trains, belts, and a world that is shifted. Seen from what carries
## them, feet do what they would do on ground at rest.

## Tiles and static bodies below a node that moves are where they are drawn. The server has them
## there a tick later.
const CARRIERS: Array[String] = ["animatable body", "static body on a node", "tiles on a node"]


func test_a_gait_does_not_see_that_the_world_is_shifted() -> void:
	var still: Array[PackedVector2Array] = await _walk_shifted(Vector2.ZERO)
	for shift: Vector2 in [Vector2(-100, 0), Vector2(-10000, 0), Vector2(0, 500)]:
		var shifted: Array[PackedVector2Array] = await _walk_shifted(shift)
		var worst: float = 0.0
		for tick: int in still.size():
			for leg: int in still[tick].size():
				worst = maxf(worst, still[tick][leg].distance_to(shifted[tick][leg]))
		check(worst <= 1.0, "shift by %s: a foot is %.1f px off" % [shift, worst])


func test_feet_stay_on_a_lift_that_is_put_elsewhere() -> void:
	for kind: String in BOTH:
		begin()
		box(Vector2(0, 200), Vector2(2000, 40))
		var lift: AnimatableBody2D = AnimatableBody2D.new()
		lift.sync_to_physics = false
		box(Vector2.ZERO, Vector2(200, 16), lift)
		var legs: Legs = stand(kind)
		await ticks(40)
		for by: Vector2 in [Vector2(0, -200), Vector2(150, 40)]:
			var before: PackedVector2Array = _soles_on(legs, lift)
			lift.position += by
			holder_of(legs).position += by
			await ticks(3)
			for leg: int in 2:
				near_point(_soles_on(legs, lift)[leg], before[leg], 0.5, "%s, by %s" % [kind, by])
			equal(legs.planted(), 2, "%s, by %s: planted" % [kind, by])
			await ticks(20)


func test_who_stands_on_a_train_makes_no_step() -> void:
	for kind: String in BOTH:
		for carrier: String in CARRIERS:
			for speed: float in [120.0, 300.0, 2400.0]:
				begin()
				var train: Node2D = _carrier(carrier)
				var legs: Legs = stand(kind)
				await ticks(40)
				var before: PackedVector2Array = _soles_on(legs, train)
				var text: String = "%s on %s, %.0f px/s" % [kind, carrier, speed]
				var worst: float = 0.0
				var lifts: int = 0
				for tick: int in 60:
					train.position.x += speed * TICK
					holder_of(legs).position.x += speed * TICK
					await ticks(1)
					lifts += 2 - legs.planted()
					for leg: int in 2:
						worst = maxf(worst, _soles_on(legs, train)[leg].distance_to(before[leg]))
				check(worst <= 0.5, "%s: a foot moves by %.1f px" % [text, worst])
				equal(lifts, 0, text + ": looks at feet that are not planted")


func test_who_is_carried_up_and_down_stands_on_the_lift() -> void:
	for kind: String in BOTH:
		for carrier: String in CARRIERS:
			begin()
			var lift: Node2D = _carrier(carrier)
			var legs: Legs = stand(kind)
			await ticks(40)
			var worst: float = 0.0
			for tick: int in 90:
				var height: float = 60.0 * sin(tick * 0.07)
				lift.position.y = height
				holder_of(legs).position.y = height
				await ticks(1)
				for leg: int in 2:
					worst = maxf(worst, absf(legs.sole(leg).y - height))
			check(worst <= 0.5, "%s on %s: a sole is %.1f px off" % [kind, carrier, worst])


func test_who_stands_on_a_belt_makes_no_step() -> void:
	for kind: String in BOTH:
		for speed: float in [60.0, -150.0]:
			begin()
			var belt: StaticBody2D = box(Vector2.ZERO, Vector2(6000, 40))
			belt.constant_linear_velocity = Vector2(speed, 0)
			var legs: Legs = await _stand_on(kind)
			var watch: Watch = Watch.new(legs)
			var start: float = legs.global_position.x
			await _stay(legs, 4.0)
			var text: String = "%s, belt of %.0f px/s" % [kind, speed]
			check(absf(legs.global_position.x - start) > 2.0 * absf(speed), text + ": carried")
			equal(watch.lifts, 0, text + ": lifts")
			equal(legs.planted(), 2, text + ": planted")
			check(watch.bob <= 0.5, "%s: the pelvis moves by %.1f px" % [text, watch.bob])


func test_who_walks_against_a_belt_stands_on_it() -> void:
	begin()
	var belt: StaticBody2D = box(Vector2.ZERO, Vector2(6000, 40))
	belt.constant_linear_velocity = Vector2(-100, 0)
	var character: Hero = hero(Vector2(0, -0.1))
	character.play("walk")
	character.speed = 100.0
	await seconds(1.0)
	near(character.position.x, 0.0, 10.0, "goes nowhere")
	var planted: int = 0
	var slid: float = 0.0
	var before: Array[float] = [INF, INF]
	for tick: int in 120:
		await ticks(1)
		for leg: int in 2:
			var at: float = character.legs.sole(leg).x
			if not character.legs.feet[leg].is_planted():
				before[leg] = INF
				continue
			planted += 1
			if is_finite(before[leg]):
				slid = maxf(slid, absf(at - before[leg] + 100.0 * TICK))
			before[leg] = at
	check(planted > 80, "planted in %d of 240 looks" % planted)
	check(slid <= 0.5, "a planted foot slides by %.2f px in a tick on the belt" % slid)


func test_who_stands_on_a_turning_platform_goes_with_it() -> void:
	for kind: String in BOTH:
		begin()
		var platform: AnimatableBody2D = AnimatableBody2D.new()
		platform.sync_to_physics = false
		box(Vector2.ZERO, Vector2(300, 16), platform)
		var legs: Legs = stand(kind)
		await ticks(40)
		var before: PackedVector2Array = _soles_on(legs, platform)
		for tick: int in 30:
			platform.rotation += 0.005
			await ticks(1)
			for leg: int in 2:
				near_point(_soles_on(legs, platform)[leg], before[leg], 0.5, kind)


## Where the feet of a walker are, seen from its body, in a world that is shifted once.
func _walk_shifted(by: Vector2) -> Array[PackedVector2Array]:
	begin()
	await ticks(1)
	box(Vector2.ZERO, Vector2(60000, 40))
	var legs: Legs = put(Legs.stepping(4), Vector2.ZERO)
	var seen: Array[PackedVector2Array] = []
	for tick: int in 160:
		holder_of(legs).position.x = tick * 1.5
		if tick == 100:
			world.position += by
		await ticks(1)
		seen.append(_soles_on(legs, holder_of(legs)))
	return seen


func _carrier(carrier: String) -> Node2D:
	if carrier == "animatable body":
		var body: AnimatableBody2D = AnimatableBody2D.new()
		body.sync_to_physics = false
		return box(Vector2.ZERO, Vector2(400, 16), body)
	var node: Node2D = Node2D.new()
	var ground: Node2D = (
		tiles(Rect2i(-12, 0, 24, 1))
		if carrier.begins_with("tiles")
		else box(Vector2.ZERO, Vector2(400, 16))
	)
	ground.reparent(node)
	world.add_child(node)
	return node


func _soles_on(legs: Legs, ground: Node2D) -> PackedVector2Array:
	var found: PackedVector2Array = []
	for leg: int in legs.feet.size():
		found.append(ground.to_local(legs.sole(leg)))
	return found


## Who is carried by the floor that its body is on.
func _stand_on(kind: String) -> Legs:
	if kind == PLACEMENT:
		var character: Hero = hero(Vector2(0, -0.1))
		character.play("idle")
		await seconds(0.5)
		return character.legs
	var legs: Legs = Legs.stepping(2)
	await fall(carry(legs, Vector2(0, -0.1)), 0.0, 0.5)
	return legs


func _stay(legs: Legs, time: float) -> void:
	if legs.get_parent() is Hero:
		await seconds(time)
	else:
		await fall(legs.get_parent() as CharacterBody2D, 0.0, time)
