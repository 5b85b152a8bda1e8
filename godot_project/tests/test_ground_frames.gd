extends "res://tests/ground_suite.gd"
## Scaled skeletons, low frame rates, planets.


func test_soles_stand_on_ground_under_a_stretched_skeleton() -> void:
	for stretch: Vector2 in [Vector2(0.7, 1.4), Vector2(1.5, 0.8), Vector2(-1.2, 0.6)]:
		begin()
		box(Vector2(0, 5), Vector2(2000, 40))
		var character: Hero = hero(Vector2.ZERO)
		character.falls = false
		character.legs.scale = stretch
		character.play("idle")
		await seconds(1.0)
		for leg: int in 2:
			near(character.legs.sole(leg).y, 5.0, 0.3, "scale %s, foot %d" % [stretch, leg])


## The rig runs in each of several physics ticks, the animation once in a frame.
func test_a_foot_is_planted_once_in_a_step_at_low_frame_rates() -> void:
	begin()
	box(Vector2.ZERO, Vector2(4000, 40))
	var character: Hero = hero(Vector2(0, -0.1))
	character.player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_IDLE
	character.play("walk")
	character.speed = 100.0
	await seconds(0.5)
	Engine.physics_ticks_per_second = 240
	var planted: Array[int] = [0]
	for foot: TendonFoot2D in character.legs.feet:
		foot.planted.connect(func() -> void: planted[0] += 1)
	await seconds(3.0)
	Engine.physics_ticks_per_second = 60
	# A cycle of both legs takes 0.7 seconds.
	check(planted[0] >= 6 and planted[0] <= 12, "planted %d times in 3 seconds" % planted[0])


func test_feet_stand_on_a_planet() -> void:
	for radius: float in [150.0, 400.0]:
		begin()
		var planet: StaticBody2D = StaticBody2D.new()
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = CircleShape2D.new()
		(shape.shape as CircleShape2D).radius = radius
		planet.add_child(shape)
		world.add_child(planet)
		var character: Hero = hero(Vector2(0, -radius))
		character.falls = false
		character.play("walk")
		var worst: float = 0.0
		var planted: int = 0
		for tick: int in 300:
			character.rotation = 100.0 * tick * TICK / radius
			character.position = Vector2.UP.rotated(character.rotation) * radius
			character.legs.placement.up = Vector2.UP.rotated(character.rotation)
			await ticks(1)
			for leg: int in 2:
				if tick > 20 and character.legs.feet[leg].is_planted():
					planted += 1
					worst = maxf(worst, absf(character.legs.sole(leg).length() - radius))
		check(planted > 100, "radius %.0f: planted in %d looks" % [radius, planted])
		check(worst <= 1.5, "radius %.0f: a planted sole is %.1f px off" % [radius, worst])


## A rig that runs in idle frames sees the physics as they are drawn.
func test_feet_stand_on_carriers_in_idle_frames() -> void:
	for kind: String in BOTH:
		for speed: Vector2 in [Vector2(300, 0), Vector2(0, -120), Vector2(90, 60)]:
			begin()
			var carrier: AnimatableBody2D = AnimatableBody2D.new()
			carrier.sync_to_physics = false
			box(Vector2.ZERO, Vector2(400, 16), carrier)
			var legs: Legs = stand(kind)
			legs.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
			await ticks(40)
			var before: PackedVector2Array = [legs.sole(0), legs.sole(1)]
			var worst: float = 0.0
			for tick: int in 60:
				carrier.position += speed * TICK
				holder_of(legs).position += speed * TICK
				await ticks(1)
				for leg: int in 2:
					var away: Vector2 = legs.sole(leg) - carrier.position - before[leg]
					worst = maxf(worst, away.length())
			check(worst <= 0.5, "%s at %s: a sole is %.1f px off" % [kind, speed, worst])
			equal(legs.planted(), 2, "%s at %s: planted" % [kind, speed])


func test_feet_find_the_floor_after_a_drop_through_in_idle_frames() -> void:
	begin()
	box(Vector2(0, 60), Vector2(2000, 20))
	one_way(Vector2.ZERO, Vector2(80, 10))
	var character: Hero = hero(Vector2(0, -0.1))
	character.legs.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	character.play("idle")
	await seconds(0.6)
	var watch: Watch = Watch.new(character.legs)
	character.position.y += 2.0
	await seconds(1.5)
	for leg: int in 2:
		near(character.legs.sole(leg).y, 60.0, 1.0, "sole %d" % leg)
	equal(watch.broken_laws(), "", "in the fall")


func test_feet_stand_at_other_rates_and_in_slow_motion() -> void:
	for rate: int in [30, 60, 120]:
		for slow: float in [1.0, 0.25]:
			begin()
			box(Vector2.ZERO, Vector2(4000, 400), StaticBody2D.new(), 0.2)
			Engine.physics_ticks_per_second = rate
			Engine.time_scale = slow
			var character: Hero = hero(Vector2(0, -4))
			character.floor_snap_length = 10.0
			character.play("walk")
			character.speed = 100.0
			await ticks(rate)
			var watch: Watch = Watch.new(character.legs)
			await ticks(2 * rate)
			Engine.physics_ticks_per_second = 60
			Engine.time_scale = 1.0
			var text: String = "%d ticks a second, %.2f of the speed" % [rate, slow]
			equal(watch.broken_laws(), "", text)
			check(watch.planted_looks > watch.looks / 4, text + ": planted")
			check(watch.height <= 1.0, "%s: a planted sole is %.1f px up" % [text, watch.height])
