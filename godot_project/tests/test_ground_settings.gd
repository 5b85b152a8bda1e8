extends "res://tests/ground_suite.gd"
## What a game maker sets and asks: exceptions, legs added in one step, a body to ask, influence of
## one foot, how hard feet land, how fast the character goes, and up in the skeleton's own frame.

## The value of `up_space` for the skeleton's own frame.
const UP_IN_SKELETON: int = 1


func test_an_exception_is_no_ground_until_it_is_removed() -> void:
	for kind: String in BOTH:
		begin()
		box(Vector2(0, 10), Vector2(2000, 40))
		var mat: CollisionObject2D = box(Vector2.ZERO, Vector2(400, 10))
		var legs: Legs = stand(kind)
		await ticks(60)
		if (
			not _has(_grounded(legs), "add_exception")
			or not _has(_grounded(legs), "remove_exception")
		):
			continue
		_grounded(legs).call("add_exception", mat)
		await ticks(60)
		for leg: int in 2:
			near(legs.sole(leg).y, 10.0, 0.5, kind + ": with the exception")
		_grounded(legs).call("remove_exception", mat)
		await ticks(60)
		for leg: int in 2:
			near(legs.sole(leg).y, 0.0, 0.5, kind + ": without")
		_grounded(legs).call("add_exception", mat)
		mat.free()
		await ticks(20)
		equal(legs.planted(), 2, kind + ": an exception that is freed")


func test_a_leg_is_added_in_one_step() -> void:
	for kind: String in BOTH:
		begin()
		box(Vector2(0, 4), Vector2(2000, 400), StaticBody2D.new(), 0.1)
		var legs: Legs = stand(kind)
		var grounded: Node = _grounded(legs)
		for node: Node in legs.feet as Array[Node] + (legs.limbs as Array[Node]):
			node.free()
		legs.feet.clear()
		if not _has(grounded, "add_leg"):
			continue
		for leg: int in 2:
			var foot: TendonFoot2D = grounded.call("add_leg", legs.uppers[leg], legs.lowers[leg])
			check(foot != null and foot.limb is TendonTwoBoneIK2D, kind + ": a foot with its limb")
			equal(foot.get_parent(), grounded, kind + ": below its node")
			legs.feet.append(foot)
		await ticks(90)
		equal(legs.planted(), 2, kind + ": planted")
		for leg: int in 2:
			var sole: Vector2 = legs.sole(leg)
			near(sole.y, 4.0 + sole.x * tan(0.1), 0.5, "%s: sole %d" % [kind, leg])


func test_legs_that_are_there_get_feet_in_one_step() -> void:
	for kind: String in BOTH:
		begin()
		box(Vector2.ZERO, Vector2(2000, 400))
		var legs: Legs = stand(kind)
		var grounded: Node = _grounded(legs)
		for foot: TendonFoot2D in legs.feet:
			foot.free()
		legs.rig.move_child(grounded, -1)
		if not _has(grounded, "add_legs"):
			continue
		legs.feet.assign(grounded.call("add_legs"))
		equal(legs.feet.size(), 2, kind + ": a foot for each leg")
		equal(grounded.get_index(), 0, kind + ": above the legs")
		for leg: int in legs.feet.size():
			equal(legs.feet[leg].limb, legs.limbs[leg], kind + ": the limb that is there")
		equal(grounded.call("add_legs"), [], kind + ": no foot twice")
		near(grounded.get("max_pelvis_drop"), roundf(0.5 * legs.reach()), 0.1, kind + ": by length")
		await ticks(90)
		equal(legs.planted(), 2, kind + ": planted")


func test_a_look_at_is_no_leg() -> void:
	begin()
	var legs: Legs = stand(PLACEMENT)
	var look: TendonLookAt2D = TendonLookAt2D.new()
	look.bone = legs.uppers[0]
	legs.rig.add_child(look)
	legs.feet[0].limb = look
	await ticks(2)
	expect_warnings(["cannot reach for the ground"], "told")


func test_a_foot_tells_how_hard_it_landed() -> void:
	for height: float in [60.0, 150.0]:
		begin()
		box(Vector2.ZERO, Vector2(2000, 40))
		var character: Hero = hero(Vector2(0, -height))
		character.play("idle")
		var speeds: Array[float] = []
		for foot: TendonFoot2D in character.legs.feet:
			if not _has(foot, "get_landing_speed"):
				return
			foot.planted.connect(func() -> void: speeds.append(foot.get_landing_speed()))
		await seconds(1.2)
		equal(speeds.size(), 2, "both feet have landed")
		for speed: float in speeds:
			near(speed, sqrt(2.0 * GRAVITY * height), 25.0, "from %.0f" % height)


func test_speed_is_measured_against_the_ground() -> void:
	for kind: String in BOTH:
		begin()
		var train: AnimatableBody2D = box(
			Vector2(-800, 0), Vector2(4000, 40), AnimatableBody2D.new()
		)
		train.sync_to_physics = false
		var legs: Legs = stand(kind)
		if not _has(_grounded(legs), "get_ground_velocity"):
			continue
		await seconds(0.5)
		for tick: int in 60:
			train.position.x += 5.0
			holder_of(legs).position.x += 5.0 + 50.0 * TICK
			await ticks(1)
		var measured: Vector2 = _grounded(legs).call("get_ground_velocity")
		near_point(measured, Vector2(50, 0), 1.0, kind)


func test_influence_of_one_foot_leaves_it_to_its_animation() -> void:
	begin()
	box(Vector2(0, 8), Vector2(2000, 40))
	var legs: Legs = stand(PLACEMENT)
	await ticks(60)
	near(legs.sole(0).y, 8.0, 0.5, "with all of it")
	if not _has_property(legs.feet[0], "influence"):
		return
	legs.feet[0].set("influence", 0.0)
	await ticks(90)
	near(legs.rig.get_base_rotation(legs.lowers[0]), legs.lowers[0].rotation, 1e-6, "the knee")
	check(not legs.feet[0].is_planted(), "planted")
	near(legs.sole(1).y, 8.0, 0.5, "the other one")


func test_a_foot_tells_whether_it_is_in_the_air() -> void:
	for kind: String in BOTH:
		begin()
		var ground: CollisionObject2D = box(Vector2.ZERO, Vector2(2000, 40))
		var legs: Legs = stand(kind)
		await ticks(40)
		if not _has(legs.feet[0], "is_in_air"):
			continue
		for leg: int in 2:
			check(not legs.feet[leg].call("is_in_air"), kind + ": it stands")
		ground.free()
		await ticks(40)
		for leg: int in 2:
			check(legs.feet[leg].call("is_in_air"), kind + ": it has lost its ground")


## Without a script that fades anything.
func test_placement_is_off_in_the_air_and_on_at_touch() -> void:
	begin()
	box(Vector2(0, 0), Vector2(4000, 400), StaticBody2D.new(), 0.15)
	var character: Hero = hero(Vector2(0, -4))
	character.floor_snap_length = 8.0
	character.play("idle")
	await seconds(1.0)
	equal(character.legs.planted(), 2, "before")
	character.jump = 420.0
	await seconds(0.35)
	check(not character.is_on_floor(), "it has leapt")
	equal(character.legs.planted(), 0, "planted in the air")
	var legs: Legs = character.legs
	for bone: Bone2D in legs.uppers + legs.lowers:
		near_angle(bone.rotation, legs.rig.get_base_rotation(bone), 1e-3, "as animated")
	for tick: int in 120:
		await ticks(1)
		if character.is_on_floor():
			break
	await ticks(15)
	equal(legs.planted(), 2, "after landing")
	for leg: int in 2:
		near(height_above_ground(legs.sole(leg)), 0.0, 0.7, "sole %d" % leg)


## A body that leaves its floor for some ticks, as over the gap between two crates, does not let go.
func test_feet_stay_planted_while_the_floor_flickers() -> void:
	begin()
	for index: int in 60:
		box(Vector2(-200 + 20.0 * index, -0.4 * (index % 2)), Vector2(19.6, 40))
	var character: Hero = hero(Vector2(0, -1))
	character.floor_snap_length = 0.0
	character.play("walk")
	character.speed = 100.0
	await seconds(0.7)
	var watch: Watch = Watch.new(character.legs)
	await seconds(2.8)
	var share: float = float(watch.planted_looks) / watch.looks
	check(share > 0.4, "planted in %.2f of the looks, in the animation 0.6" % share)
	check(watch.added_turn <= 0.3, "a joint turns by %.2f more in a tick" % watch.added_turn)


func test_up_in_the_skeletons_own_frame() -> void:
	for kind: String in BOTH:
		begin()
		var planet: StaticBody2D = StaticBody2D.new()
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = CircleShape2D.new()
		(shape.shape as CircleShape2D).radius = 300.0
		planet.add_child(shape)
		world.add_child(planet)
		var legs: Legs = stand(kind)
		var holder: Node2D = holder_of(legs)
		if not _has_property(_grounded(legs), "up_space"):
			continue
		_grounded(legs).set("up_space", UP_IN_SKELETON)
		var worst: float = 0.0
		var planted: int = 0
		for tick: int in 300:
			holder.rotation = 60.0 * tick * TICK / 300.0
			holder.position = Vector2.UP.rotated(holder.rotation) * 300.0
			await ticks(1)
			for leg: int in 2:
				if tick > 20 and legs.feet[leg].is_planted():
					planted += 1
					worst = maxf(worst, absf(legs.sole(leg).length() - 300.0))
		check(planted > 100, "%s: planted in %d looks" % [kind, planted])
		check(worst <= 1.5, "%s: a planted sole is %.1f px off" % [kind, worst])


func _grounded(legs: Legs) -> Node:
	return legs.placement if legs.placement != null else legs.gait


func _has(node: Node, method: String) -> bool:
	check(node.has_method(method), "%s.%s()" % [node.get_class(), method])
	return node.has_method(method)


func _has_property(node: Node, property: String) -> bool:
	check(property in node, "%s.%s" % [node.get_class(), property])
	return property in node
