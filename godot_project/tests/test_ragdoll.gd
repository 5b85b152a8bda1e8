extends "res://tests/ragdoll_suite.gd"
## TendonRagdoll2D in the world of the engine's own physics.


func test_a_body_falls_lies_and_blends_back() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -200))
	_listen(dummy)
	await _ticks(2)
	var posed: PackedFloat32Array = dummy.rotations()
	dummy.ragdoll.start(Vector2(400, 0))
	var deepest: float = 0.0
	for tick: int in 300:
		await get_tree().physics_frame
		deepest = maxf(deepest, dummy.lowest())
	check(deepest < 1.5, "no limb is deeper than 1.5 px: %s" % deepest)
	check(dummy.lowest() > -0.5, "it lies on the ground")
	check(dummy.bone("Head").global_position.y > -60.0, "the head lies low")
	equal(_told.count("settled"), 1, "it has come to rest once")
	check(_told.count("hit") > 3, "its limbs have hit the ground")
	var lying: PackedFloat32Array = dummy.rotations()
	await _ticks(10)
	equal(dummy.rotations(), lying, "at rest")
	dummy.ragdoll.stop()
	await get_tree().physics_frame
	for tick: int in 40:
		await get_tree().physics_frame
	equal(dummy.rotations(), posed, "the pose is back, to the last bit")
	equal(_told.count("recovered"), 1, "it has recovered once")
	equal(dummy.bones[0].position, Vector2.ZERO, "the hip, too")
	dummy.body.free()
	_free_ground()


func test_limbs_have_masses_of_their_own() -> void:
	# A push at the whole body moves its centre of mass alike; one at the head moves a light head more.
	var speeds: PackedFloat64Array = []
	for mass: float in [0.1, 1.0, 8.0]:
		var masses: Dictionary[String, float] = {"Head": mass}
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -200))
		dummy.ragdoll.gravity_scale = 0.0
		dummy.ragdoll.masses = masses
		await _ticks(2)
		equal(dummy.ragdoll.masses, masses, "it says what it was given")
		var head: Bone2D = dummy.bone("Head")
		var before: Vector2 = head.global_position
		dummy.ragdoll.start(Vector2(60, 0), head)
		await _ticks(4)
		speeds.append(head.global_position.distance_to(before))
		dummy.body.free()
	check(speeds[0] > 1.2 * speeds[1] and speeds[1] > 1.2 * speeds[2], str(speeds))


func test_masses_that_make_no_sense_are_told() -> void:
	for wrong: Array in [
		["Haed", 3.0, '"Haed" in "Masses" is the name of no bone'],
		["Head", 0.0, 'The mass of "Head" in "Masses" is not above 0'],
		["Head", NAN, "is not above 0"],
		["Head", -INF, "is not above 0"],
		["Head", 50.0, "weigh more than the whole body"],
	]:
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -200))
		dummy.ragdoll.masses = {str(wrong[0]): float(wrong[1])}
		await _ticks(2)
		expect_warnings([wrong[2]], str(wrong))
		dummy.ragdoll.start()
		await _ticks(10)
		check(dummy.bone("Head").global_position.y > -330.0, "%s: it falls" % [wrong])
		check(dummy.bone("Head").global_position.is_finite(), "%s: numbers" % [wrong])
		dummy.body.free()


func test_an_idle_rig_shows_what_lies_between_two_ticks() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -200))
	dummy.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	_listen(dummy)
	await _ticks(2)
	dummy.ragdoll.start(Vector2(400, 0))
	await _ticks(300)
	equal(_told.count("settled"), 1, "it has come to rest")
	near(dummy.lowest(), 0.0, 1.0, "it lies on the ground")
	dummy.body.free()
	_free_ground()


func test_stop_moves_the_character_to_where_it_lies() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	for mirror: int in [1, -1]:
		var dummy: Dummy = Dummy.new(self, CharacterBody2D.new(), Vector2(0, -89))
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		(shape.shape as RectangleShape2D).size = Vector2(40, 160)
		shape.position.y = 9.0
		dummy.body.add_child(shape)
		dummy.body.scale.x = mirror
		dummy.ragdoll.body = dummy.body
		await _ticks(2)
		dummy.ragdoll.start(Vector2(2500, 0), dummy.bone("Chest"))
		await _ticks(240)
		var hip: Vector2 = dummy.bones[0].global_position
		check(hip.x > 40.0, "it was thrown to the right: %s" % hip)
		dummy.ragdoll.stop()
		near(dummy.body.position.x, hip.x, 0.5, "the character is where it lies")
		near(dummy.body.position.y, -89.0, 0.5, "and stands on the ground")
		await get_tree().physics_frame
		await get_tree().physics_frame
		near_point(dummy.bones[0].global_position, hip, 3.0, "the body did not leap")
		await _ticks(60)
		near_point(dummy.bones[0].position, Vector2.ZERO, 0.0, "the pose is back")
		dummy.body.free()
	_free_ground()


func test_it_lies_on_the_side_to_which_it_fell() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	for side: int in [1, -1]:
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -89))
		dummy.ragdoll.frequency = 3.0
		await _ticks(2)
		dummy.ragdoll.start(Vector2(2000 * side, -300), dummy.bone("Head"))
		await _ticks(240)
		var expected: int = TendonRagdoll2D.FACING_BELLY
		if side < 0:
			expected = TendonRagdoll2D.FACING_BACK
		equal(dummy.ragdoll.get_facing(), expected, "side %d" % side)
		dummy.body.free()
	_free_ground()


func test_a_rigid_body_is_pushed_and_pushes_back() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var crate: RigidBody2D = RigidBody2D.new()
	crate.mass = 4.0
	_add_ground(Rect2(60, -80, 80, 80), crate)
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(-60, -120))
	await _ticks(5)
	var start: Vector2 = crate.position
	# At 350 px per second it cannot rise by the 80 px of the crate. At 400 it lay on it in some
	# runs.
	dummy.ragdoll.start(Vector2(3500, 0))
	await _ticks(120)
	check(crate.position.x > start.x + 5.0, "the crate was pushed: %s" % crate.position)
	check(crate.position.y < 0.0, "the crate is on the ground")
	check(
		dummy.bones[0].global_position.x < crate.position.x,
		"it did not pass through: %s" % dummy.bones[0].global_position
	)
	dummy.body.free()
	_free_ground()


func test_a_platform_that_moves_carries_it() -> void:
	var platform: AnimatableBody2D = AnimatableBody2D.new()
	platform.sync_to_physics = false
	_add_ground(Rect2(-400, 0, 800, 40), platform)
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -120))
	await _ticks(2)
	_listen(dummy)
	# It falls flat: what sits in balance would topple when the platform starts.
	dummy.ragdoll.start(Vector2(900, 0))
	for tick: int in 600:
		if "settled" not in _told:
			await get_tree().physics_frame
	check("settled" in _told, "it has come to rest")
	var beside: float = dummy.bones[0].global_position.x - platform.position.x
	for tick: int in 120:
		# From standing to 60 px a second within half a second.
		platform.position.x += minf(tick / 30.0, 1.0)
		await get_tree().physics_frame
	near(dummy.bones[0].global_position.x - platform.position.x, beside, 6.0, "it came along")
	platform.free()
	await _ticks(30)
	var hip: Vector2 = dummy.bones[0].global_position
	check(hip.y > 60.0, "without the platform it falls: %s" % hip)
	dummy.body.free()


## What fifty bodies in one scene do, and what that costs, printed.
func test_fifty_fall_at_once() -> void:
	_add_ground(Rect2(-4000, 0, 8000, 100))
	var dummies: Array[Dummy] = []
	for index: int in 50:
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(60 * index - 1500, -200))
		dummy.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
		dummies.append(dummy)
	await _ticks(2)
	for dummy: Dummy in dummies:
		dummy.rig.advance(TICK)
		dummy.ragdoll.start(Vector2(900, 0))
	var times: PackedInt64Array = []
	for tick: int in 240:
		var began: int = Time.get_ticks_usec()
		for dummy: Dummy in dummies:
			dummy.rig.advance(TICK)
		times.append(Time.get_ticks_usec() - began)
		await get_tree().physics_frame
	for dummy: Dummy in dummies:
		near(dummy.lowest(), 0.0, 1.5, "it lies on the ground")
		dummy.body.free()
	var falling: PackedInt64Array = times.slice(0, 120)
	falling.sort()
	print("   fifty bodies: %d us a tick while they fall, %d at rest" % [falling[60], times[-1]])
	_free_ground()


## Whatever the settings, the pose is finite, and the body can be stopped.
func test_settings_at_their_ends() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var ends: Array[Dictionary] = [
		{"frequency": 1e6, "root_frequency": 1e6},
		{"frequency": 20.0, "damping_ratio": 0.0},
		{"damping_ratio": 1e6, "frequency": 3.0},
		{"mass": 1e-6},
		{"mass": 1e9},
		{"radius": 500.0},
		{"friction": 1e6, "bounce": 1.0},
		{"gravity_scale": 1e4},
		{"gravity_scale": -50.0},
		{"self_collision": true, "radius": 30.0},
	]
	for settings: Dictionary in ends:
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -150))
		dummy.body.skew = 0.4
		dummy.body.scale = Vector2(-1.3, 0.8)
		await _ticks(2)
		var posed: PackedFloat32Array = dummy.rotations()
		for property: String in settings:
			dummy.ragdoll.set(property, settings[property])
		dummy.ragdoll.start(Vector2(3000, -2000))
		await _ticks(60)
		for limb: Bone2D in dummy.bones:
			check(limb.global_transform.is_finite(), "%s: %s" % [settings, limb.global_transform])
		dummy.ragdoll.stop()
		await _ticks(60)
		equal(dummy.rotations(), posed, "%s: the pose is back" % settings)
		dummy.body.free()
	_free_ground()


func test_limbs_meet_if_they_are_told_to() -> void:
	var least: Dictionary[bool, float] = {}
	for meets: bool in [false, true]:
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2.ZERO)
		dummy.bone("ArmL").rotation -= deg_to_rad(50)
		dummy.bone("ArmR").rotation += deg_to_rad(50)
		dummy.ragdoll.gravity_scale = 0.0
		dummy.ragdoll.self_collision = meets
		await _ticks(2)
		dummy.ragdoll.start()
		dummy.ragdoll.apply_impulse(Vector2(-400, 0), dummy.end_of(4), dummy.bone("HandL"))
		dummy.ragdoll.apply_impulse(Vector2(400, 0), dummy.end_of(6), dummy.bone("HandR"))
		least[meets] = INF
		for tick: int in 60:
			await get_tree().physics_frame
			for part: int in 11:
				var left: Vector2 = dummy.bone("HandL").global_transform * Vector2(3 * part, 0)
				for other: int in 11:
					var right: Vector2 = Vector2(3 * other, 0)
					right = dummy.bone("HandR").global_transform * right
					least[meets] = minf(least[meets], left.distance_to(right))
		dummy.body.free()
	check(least[false] < 9.0, "without it they pass: %s" % least[false])
	check(least[true] > 11.0, "with it they do not: %s" % least[true])


func test_a_one_way_platform_holds_from_above_only() -> void:
	var platform: PhysicsBody2D = _add_ground(Rect2(-400, 0, 800, 16))
	(platform.get_child(0) as CollisionShape2D).one_way_collision = true
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, 200))
	await _ticks(2)
	dummy.ragdoll.start(Vector2(0, -8500))
	await _ticks(45)
	var hip: Vector2 = dummy.bones[0].global_position
	check(hip.y < -60.0, "it came up through it: %s" % hip)
	await _ticks(220)
	near(dummy.lowest(), 0.0, 1.5, "and lies on it")
	dummy.body.free()
	_free_ground()


func test_a_mask_that_is_set_as_it_is_let_go_counts() -> void:
	var ground: PhysicsBody2D = _add_ground(Rect2(-2000, 0, 4000, 100))
	ground.collision_layer = 1 << 19
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -120))
	await _ticks(3)
	dummy.ragdoll.collision_mask = 1 << 19
	dummy.ragdoll.start()
	await _ticks(120)
	near(dummy.lowest(), 0.0, 1.5, "it lies on the ground")
	dummy.body.free()
	_free_ground()


func test_areas_have_gravity_of_their_own() -> void:
	var area: Area2D = Area2D.new()
	area.gravity_space_override = Area2D.SPACE_OVERRIDE_REPLACE
	area.gravity_direction = Vector2.RIGHT
	area.gravity = 500.0
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = CircleShape2D.new()
	(shape.shape as CircleShape2D).radius = 2000.0
	area.add_child(shape)
	add_child(area)
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2.ZERO)
	await _ticks(3)
	dummy.ragdoll.start()
	await _ticks(61)
	near(dummy.bones[1].global_position.x, 250.0, 20.0, "it falls to the right")
	near(dummy.bones[1].global_position.y, -30.0, 10.0, "and not down")
	dummy.body.free()
	area.free()


func test_it_hangs_from_a_hook_until_it_is_released() -> void:
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2.ZERO)
	var hook: Marker2D = Marker2D.new()
	add_child(hook)
	await _ticks(2)
	hook.position = dummy.end_of(4)
	dummy.ragdoll.grab(dummy.bone("HandL"), hook.position, hook)
	dummy.ragdoll.start()
	await _ticks(240)
	near_point(dummy.end_of(4), hook.position, 4.0, "it hangs")
	dummy.ragdoll.release()
	await _ticks(30)
	check(dummy.end_of(4).y > hook.position.y + 60.0, "it falls")
	dummy.ragdoll.grab(dummy.bone("HandL"), dummy.end_of(4), hook)
	hook.free()
	await _ticks(5)
	dummy.body.free()


func test_only_what_hangs_on_the_root_bone_is_limp() -> void:
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2.ZERO)
	dummy.ragdoll.root_bone = dummy.bone("ArmL")
	await _ticks(2)
	var posed: PackedFloat32Array = dummy.rotations()
	dummy.bone("Chest").rotation = 0.6
	dummy.ragdoll.start()
	await _ticks(240)
	for index: int in posed.size():
		if index not in [1, 3, 4]:
			equal(dummy.bones[index].rotation, posed[index], Dummy.NAMES[index])
	var arm: Vector2 = dummy.end_of(4) - dummy.bone("ArmL").global_position
	check(absf(arm.x) < 12.0 and arm.y > 50.0, "the arm hangs: %s" % arm)
	dummy.body.free()


func test_handlers_may_free_stop_and_start() -> void:
	for action: String in ["free", "stop", "start", "free body", "free collider"]:
		var ground: PhysicsBody2D = _add_ground(Rect2(-2000, 0, 4000, 100))
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -120))
		var ragdoll: TendonRagdoll2D = dummy.ragdoll
		ragdoll.hit.connect(
			func(_bone: Bone2D, _impulse: Vector2, _collider: Node) -> void:
				match action:
					"free":
						ragdoll.queue_free()
					"stop":
						ragdoll.stop()
					"start":
						ragdoll.start(Vector2(0, -200))
					"free body":
						dummy.body.queue_free()
					"free collider":
						ground.queue_free()
		)
		await _ticks(2)
		ragdoll.start()
		await _ticks(60)
		check(true, action + " is survived")
		if is_instance_valid(dummy.body):
			dummy.body.free()
		_free_ground()


func test_a_state_goes_on_to_the_same_bits() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -150))
	dummy.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	await _ticks(2)
	dummy.ragdoll.start(Vector2(900, 0))
	for tick: int in 20:
		dummy.rig.advance(TICK)
	var state: PackedByteArray = dummy.rig.get_state()
	var there: Array[PackedFloat32Array] = []
	for tick: int in 60:
		dummy.rig.advance(TICK)
		there.append(dummy.rotations())
	dummy.rig.set_state(state)
	for tick: int in 60:
		dummy.rig.advance(TICK)
		equal(dummy.rotations(), there[tick], "tick %d" % tick)
	dummy.body.free()
	_free_ground()


func test_a_chest_is_as_wide_as_its_shoulders() -> void:
	# It falls on its side onto a block that is narrower than the chest is long.
	for beside: float in [0.0, 18.0, 30.0]:
		var ground: PhysicsBody2D = _add_ground(Rect2(24, 0, 12, 200))
		var skeleton: Skeleton2D = Skeleton2D.new()
		var chest: Bone2D = _automatic_bone(skeleton, Vector2(0, -60))
		_automatic_bone(chest, Vector2(60, 0))
		_automatic_bone(chest, Vector2(50, beside))
		_automatic_bone(chest, Vector2(50, -beside))
		var ragdoll: TendonRagdoll2D = TendonRagdoll2D.new()
		var rig: TendonRig2D = TendonRig2D.new()
		rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
		rig.add_child(ragdoll)
		skeleton.add_child(rig)
		add_child(skeleton)
		await _ticks(2)
		var heights: PackedFloat32Array = []
		ragdoll.hit.connect(
			func(_bone: Bone2D, _impulse: Vector2, _collider: Node) -> void:
				heights.append(-(chest.global_transform * Vector2(30, 0)).y)
		)
		ragdoll.start()
		for tick: int in 60:
			if heights.is_empty():
				await get_tree().physics_frame
		check(not heights.is_empty(), "it hits the block")
		near(heights[0], maxf(12.0, beside), 2.0, "%s px beside" % beside)
		skeleton.free()
		ground.free()


## A bone as the editor makes it: the engine calculates its length by its first child.
func _automatic_bone(above: Node2D, place: Vector2) -> Bone2D:
	var bone: Bone2D = Bone2D.new()
	bone.position = place
	above.add_child(bone)
	bone.rest = bone.transform
	return bone
