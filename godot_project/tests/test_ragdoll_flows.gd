extends "res://tests/ragdoll_suite.gd"
## What games do with TendonRagdoll2D: characters that are hit as they run, hidden, and put on feet.

## The ways in which a character that runs is let go.
const FLOWS: PackedStringArray = [
	"own physics frame",
	"node before",
	"node after",
	"click",
	"body entered",
	"paused animation",
	"teleported then",
	"runs on",
	"stands for a frame",
]


## A character that runs to the right at 300 px/s, with an arm that swings at 9 rad/s.
class Runner:
	extends CharacterBody2D
	var dummy: Dummy
	var runs: bool = true
	var dies_at: int = -1
	var frames: int = 0

	func _physics_process(_delta: float) -> void:
		if not runs:
			return
		frames += 1
		velocity = Vector2(300, 0)
		move_and_slide()
		dummy.bone("ArmR").rotation += 9.0 / 60.0
		if frames == dies_at:
			die()

	func die() -> void:
		runs = false
		dummy.ragdoll.start()


## A node that lets a runner go in a physics frame, before or after it.
class Killer:
	extends Node
	var runner: Runner

	func _physics_process(_delta: float) -> void:
		if runner.frames >= 20 and runner.runs:
			runner.die()


## Sees where the hip and the arm are when a frame is drawn: after all rigs.
class Eye:
	extends Node
	var dummy: Dummy
	var place: Vector2
	var turn: float

	func _process(_delta: float) -> void:
		place = dummy.bones[0].global_position
		turn = dummy.bone("ArmR").global_rotation - dummy.bone("Chest").global_rotation


func test_a_runner_goes_on_at_its_speed() -> void:
	for mode: int in [
		TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS, TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	]:
		for flow: String in FLOWS:
			await _check_flow(flow, mode)


func _check_flow(flow: String, mode: int) -> void:
	var runner: Runner = Runner.new()
	runner.motion_mode = CharacterBody2D.MOTION_MODE_FLOATING
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = CircleShape2D.new()
	runner.add_child(shape)
	var dummy: Dummy = Dummy.new(self, runner, Vector2(0, -200))
	runner.dummy = dummy
	var arm: Bone2D = dummy.bone("ArmR")
	(arm.get_child(1) as TendonJointLimit2D).min_angle = -3.0
	(arm.get_child(1) as TendonJointLimit2D).max_angle = 3.0
	arm.rotation -= 1.5
	dummy.rig.callback_mode_process = mode as TendonRig2D.CallbackModeProcess
	dummy.ragdoll.gravity_scale = 0.0
	dummy.ragdoll.joint_damping = 0.0
	dummy.ragdoll.linear_damp = 0.0
	dummy.ragdoll.body = runner
	var area: Area2D = Area2D.new()
	var killer: Killer = Killer.new()
	killer.runner = runner
	match flow:
		"own physics frame":
			runner.dies_at = 20
		"node before", "node after":
			killer.process_physics_priority = -10 if flow == "node before" else 10
			add_child(killer)
		"body entered":
			var gate: CollisionShape2D = CollisionShape2D.new()
			gate.shape = RectangleShape2D.new()
			area.add_child(gate)
			area.position = Vector2(120, -200)
			area.body_entered.connect(func(_body: Node2D) -> void: runner.die())
			add_child(area)
	var eye: Eye = Eye.new()
	eye.dummy = dummy
	eye.process_priority = 200
	add_child(eye)
	var places: PackedVector2Array = []
	var turns: PackedFloat64Array = []
	var begins: int = -1
	for tick: int in 40:
		await get_tree().process_frame
		if runner.frames == 20 and runner.runs:
			match flow:
				"click", "paused animation":
					runner.die()
				"teleported then":
					runner.position.x += 150.0
					runner.die()
				"runs on":
					dummy.ragdoll.start()
				"stands for a frame":
					runner.runs = false
		elif flow == "stands for a frame" and not runner.runs:
			runner.die()
		await get_tree().physics_frame
		places.append(eye.place)
		turns.append(eye.turn)
		if begins < 0 and dummy.ragdoll.simulating:
			begins = tick
		if begins >= 0 and tick == begins + 8:
			break
	var named: String = "%s, mode %d" % [flow, mode]
	check(begins > 0, named + ": it is let go")
	for tick: int in range(begins + 1, begins + 8):
		var way: float = places[tick].x - places[tick - 1].x
		# The frame in which it is moved elsewhere is none of its motion.
		if flow != "teleported then" or way < 100.0:
			near(way * 60.0, 300.0, 25.0, "%s: hip, frame %d" % [named, tick - begins])
	var mean: float = (places[begins + 8].x - places[begins + 3].x) * 12.0
	near(mean, 300.0, 15.0, named + ": hip")
	var turned: float = angle_difference(turns[begins], turns[begins + 1]) * 60.0
	# An arm has no speed of its own as a character has.
	if flow != "stands for a frame":
		near(turned, 9.0, 1.2, named + ": arm in the first frame")
	runner.free()
	area.free()
	killer.free()
	eye.free()


func test_a_body_that_is_stopped_in_flight_goes_on_and_slows_down() -> void:
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -400))
	dummy.ragdoll.body = dummy.body
	await _ticks(2)
	dummy.ragdoll.start(Vector2(4000, -1000))
	await _ticks(20)
	var speeds: PackedFloat64Array = []
	var before: Vector2 = dummy.bones[0].global_position
	for tick: int in 6:
		await get_tree().physics_frame
		speeds.append(dummy.bones[0].global_position.distance_to(before) * 60.0)
		before = dummy.bones[0].global_position
		if tick == 1:
			dummy.ragdoll.stop()
	check(speeds[1] > 200.0, "it flies: %s" % speeds)
	for tick: int in range(2, 6):
		var part: float = speeds[tick] / speeds[tick - 1]
		check(part > 0.6 and part < 1.15, "no leap of its speed: %s" % speeds)
	await _ticks(60)
	near_point(dummy.bones[0].position, Vector2.ZERO, 0.0, "the pose is back")
	dummy.body.free()


func test_a_character_that_turns_round_as_it_is_stopped_does_not_leap() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = await _lying(Vector2(0, -120))
	var places: Array[Vector2] = []
	for bone: Bone2D in dummy.bones:
		places.append(bone.global_position)
	dummy.ragdoll.stop()
	dummy.skeleton.scale.x = -1.0
	await _ticks(2)
	for index: int in dummy.bones.size():
		near_point(dummy.bones[index].global_position, places[index], 8.0, Dummy.NAMES[index])
	await _ticks(60)
	near_point(dummy.bones[0].position, Vector2.ZERO, 0.0, "the pose is back")
	dummy.body.free()
	_free_ground()


func test_what_is_switched_off_keeps_how_it_lies() -> void:
	for how: String in ["hidden", "rig off", "node off", "out of the tree"]:
		_add_ground(Rect2(-2000, 0, 4000, 100))
		var dummy: Dummy = await _lying(Vector2(0, -120))
		var lies: PackedFloat32Array = dummy.rotations()
		var hip: Vector2 = dummy.bones[0].global_position
		dummy.rig.skip_when_invisible = true
		match how:
			"hidden":
				dummy.body.hide()
			"rig off":
				dummy.rig.active = false
			"node off":
				dummy.ragdoll.active = false
			_:
				remove_child(dummy.body)
		await _ticks(30)
		dummy.ragdoll.apply_impulse(Vector2(9000, 0), hip)
		dummy.ragdoll.apply_impulse(Vector2(9000, 0), hip)
		match how:
			"hidden":
				dummy.body.show()
			"rig off":
				dummy.rig.active = true
			"node off":
				dummy.ragdoll.active = true
			_:
				add_child(dummy.body)
		await _ticks(40)
		near_point(dummy.bones[0].global_position, hip, 3.0, how + ": the hip")
		for index: int in lies.size():
			near_angle(dummy.bones[index].rotation, lies[index], 0.1, "%s: bone %d" % [how, index])
		expect_warnings(["has no effect while the body is not simulated"], how)
		dummy.body.free()
		_free_ground()


func test_an_impulse_that_can_have_no_effect_is_told_once() -> void:
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -200))
	var other: Dummy = Dummy.new(self, Node2D.new(), Vector2(400, -200))
	await _ticks(2)
	for push: int in 5:
		dummy.ragdoll.apply_impulse(Vector2(900, 0), Vector2.ZERO)
	await _ticks(2)
	expect_warnings(["apply_impulse() has no effect"], "not simulated")
	dummy.ragdoll.gravity_scale = 0.0
	dummy.ragdoll.start()
	await _ticks(2)
	dummy.ragdoll.apply_impulse(Vector2(900, 0), Vector2.ZERO, other.bones[0])
	await _ticks(10)
	expect_warnings(["is no limb of this ragdoll"], "another body's bone")
	near_point(dummy.bones[0].global_position, Vector2(0, -200), 1.0, "nothing was pushed")
	dummy.body.free()
	other.body.free()


func test_an_impulse_on_a_limb_moves_the_body_by_its_momentum() -> void:
	for bone_name: String in ["Head", "HandL", "FootR", "Chest"]:
		for size: float in [500.0, 20000.0, 1e6]:
			var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2.ZERO)
			dummy.ragdoll.gravity_scale = 0.0
			dummy.ragdoll.collision_mask = 0
			await _ticks(3)
			var before: Vector2 = _centre(dummy)
			dummy.ragdoll.start(Vector2(0.6, -0.8) * size, dummy.bone(bone_name))
			await _ticks(3)
			var speed: Vector2 = (_centre(dummy) - before) * 20.0
			var expected: Vector2 = Vector2(0.6, -0.8) * size / 10.0
			near_point(speed, expected, 0.02 * expected.length(), "%s, %s" % [bone_name, size])
			dummy.body.free()


## The centre of mass.
func _centre(dummy: Dummy) -> Vector2:
	var sum: Vector2 = Vector2.ZERO
	var mass: float = 0.0
	for index: int in dummy.bones.size():
		var radius: float = Dummy.LIMBS[index][4]
		var length: float = Dummy.LIMBS[index][3]
		var own: float = radius * (2.0 * length + PI * radius)
		sum += own * (dummy.bones[index].global_transform * Vector2(0.5 * length, 0.0))
		mass += own
	return sum / mass


func test_stop_puts_the_character_onto_what_the_body_lies_on() -> void:
	for where: String in [
		"floor", "over a pit", "in a gap", "beside a wall", "in the air", "no shape"
	]:
		_add_ground(Rect2(-2000, 0, 4000, 100))
		if where == "beside a wall":
			_add_ground(Rect2(14, -600, 200, 600))
		var body: Node2D = Node2D.new() if where == "no shape" else CharacterBody2D.new()
		var dummy: Dummy = Dummy.new(self, body, Vector2(0, -90))
		if where != "no shape":
			var shape: CollisionShape2D = CollisionShape2D.new()
			shape.shape = RectangleShape2D.new()
			(shape.shape as RectangleShape2D).size = Vector2(40, 160)
			shape.position.y = 9.0
			body.add_child(shape)
		dummy.ragdoll.body = body
		if where == "in the air":
			body.position.y = -500.0
		await _ticks(2)
		dummy.ragdoll.start()
		await _ticks(5 if where == "in the air" else 240)
		var hip: Vector2 = dummy.bones[0].global_position
		var top: float = hip.y - 6.0 if where == "in a gap" else 0.0
		if where in ["over a pit", "in a gap"]:
			_free_ground()
			_add_ground(Rect2(hip.x - 2012, top, 2000, 100))
			_add_ground(Rect2(hip.x + 12, top, 2000, 100))
			_add_ground(Rect2(-2000, 900, 4000, 100))
			await _ticks(2)
		check(dummy.ragdoll.can_stop(), where + ": there is room")
		dummy.ragdoll.stop()
		match where:
			"in the air":
				near_point(body.position, hip, 4.0, "it stays in the air")
			"no shape":
				near(body.position.y, -82.0, 2.0, "it stands on its feet")
			_:
				near(body.position.y, top - 89.0, 1.0, where + ": it stands on the ground")
		if body is CharacterBody2D:
			var moved: CharacterBody2D = body
			check(
				not moved.test_move(body.global_transform, Vector2(0, -1)), where + ": it is free"
			)
		dummy.body.free()
		_free_ground()


func test_below_a_low_ceiling_there_is_no_room_to_stand() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	_add_ground(Rect2(-2000, -170, 4000, 100))
	var body: CharacterBody2D = CharacterBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(40, 160)
	body.add_child(shape)
	var dummy: Dummy = Dummy.new(self, body, Vector2(0, -25))
	dummy.ragdoll.body = body
	check(dummy.ragdoll.can_stop(), "before it is let go")
	dummy.skeleton.rotation = PI / 2
	await _ticks(2)
	dummy.ragdoll.start()
	await _ticks(180)
	check(not dummy.ragdoll.can_stop(), "there is no room")
	dummy.body.free()
	_free_ground()


func test_bones_that_are_excluded_are_no_limbs() -> void:
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -200))
	dummy.ragdoll.exclude_bones = [dummy.bone("ArmL"), dummy.bone("FootR")]
	await _ticks(2)
	var posed: PackedFloat32Array = dummy.rotations()
	dummy.ragdoll.start(Vector2(900, 0), dummy.bone("Head"))
	await _ticks(40)
	for index: int in posed.size():
		var is_limb: bool = Dummy.NAMES[index] not in ["ArmL", "HandL", "FootR"]
		equal(dummy.bones[index].rotation != posed[index], is_limb, Dummy.NAMES[index])
	dummy.body.free()


func test_joints_have_frequencies_of_their_own() -> void:
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -200))
	dummy.ragdoll.frequency = 8.0
	dummy.ragdoll.frequencies = {"ArmL": 0.0, "HandL": 0.0}
	dummy.skeleton.rotation = PI / 2
	dummy.ragdoll.root_frequency = 8.0
	await _ticks(2)
	var posed: PackedFloat32Array = dummy.rotations()
	dummy.ragdoll.start()
	await _ticks(120)
	check(absf(dummy.bone("ArmL").rotation - posed[3]) > 0.5, "the limp arm hangs")
	near(dummy.bone("ArmR").rotation, posed[5], 0.1, "the other one does not")
	dummy.body.free()


func test_damping_is_as_of_the_engine() -> void:
	for damp: Vector2 in [Vector2.ZERO, Vector2(2.0, 0.0), Vector2(0.0, 4.0)]:
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2.ZERO)
		var rigid: RigidBody2D = RigidBody2D.new()
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = CircleShape2D.new()
		rigid.add_child(shape)
		rigid.collision_layer = 0
		rigid.collision_mask = 0
		rigid.gravity_scale = 0.0
		rigid.position = Vector2(0, 500)
		add_child(rigid)
		dummy.ragdoll.gravity_scale = 0.0
		dummy.ragdoll.linear_damp = damp.x
		rigid.linear_damp = damp.x
		dummy.ragdoll.angular_damp = damp.y
		rigid.angular_damp = damp.y
		await _ticks(3)
		dummy.ragdoll.start(Vector2(4000, 0))
		rigid.linear_velocity = Vector2(400, 0)
		var before: Vector2 = Vector2(_centre(dummy).x, rigid.position.x)
		await _ticks(60)
		var ways: Vector2 = Vector2(_centre(dummy).x, rigid.position.x) - before
		near(ways.x / ways.y, 1.0, 0.03, "%s: %s" % [damp, ways])
		dummy.body.free()
		rigid.free()


func test_a_grab_pulls_with_no_more_than_its_force_and_may_be_one_of_several() -> void:
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2.ZERO)
	var hooks: Array[Marker2D] = [Marker2D.new(), Marker2D.new()]
	await _ticks(2)
	for index: int in 2:
		add_child(hooks[index])
		var limb: int = 4 + 2 * index
		hooks[index].position = dummy.end_of(limb)
		dummy.ragdoll.grab(dummy.bones[limb], hooks[index].position, hooks[index])
	dummy.ragdoll.start()
	await _ticks(240)
	for index: int in 2:
		near_point(dummy.end_of(4 + 2 * index), hooks[index].position, 12.0, "hand %d" % index)
	dummy.ragdoll.release(dummy.bone("HandL"))
	await _ticks(120)
	check(dummy.end_of(4).distance_to(hooks[0].position) > 20.0, "one hand is free")
	near_point(dummy.end_of(6), hooks[1].position, 12.0, "the other is not")
	# It weighs 9,800.
	dummy.ragdoll.grab_force = 5000.0
	await _ticks(60)
	check(dummy.end_of(6).y > hooks[1].position.y + 100.0, "too heavy: %s" % dummy.end_of(6))
	dummy.body.free()
	hooks[0].free()
	hooks[1].free()


func test_joints_break_when_they_are_told_to_and_when_they_bear_too_much() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -200))
	var broken: Array[String] = []
	dummy.ragdoll.joint_broken.connect(func(bone: Bone2D) -> void: broken.append(String(bone.name)))
	var head: Bone2D = dummy.bone("Head")
	var place: Vector2 = head.position
	await _ticks(2)
	dummy.ragdoll.start()
	await _ticks(5)
	dummy.ragdoll.break_joint(head)
	dummy.ragdoll.apply_impulse(Vector2(300, -200), head.global_position, head)
	await _ticks(10)
	equal(broken, ["Head"] as Array[String], "it is told once")
	check(dummy.ragdoll.is_broken(head), "the head is broken off")
	check(not dummy.ragdoll.is_broken(dummy.bones[0]), "the hip is not")
	var state: PackedByteArray = dummy.rig.get_state()
	_listen(dummy)
	await _until_settled()
	check(head.position.distance_to(place) > 60.0, "it lies elsewhere: %s" % head.position)
	near(dummy.lowest(), 0.0, 1.5, "on the ground")
	check(dummy.rig.set_state(state), "the state of a broken body is one")
	await _ticks(1)
	check(dummy.ragdoll.is_broken(head), "it has what is broken")
	dummy.ragdoll.stop()
	await _ticks(60)
	equal(head.position, place, "the head is at its joint again")
	check(not dummy.ragdoll.is_broken(head), "it is whole")
	dummy.ragdoll.break_torque = 100.0
	dummy.ragdoll.break_torque = -100.0
	equal(dummy.ragdoll.break_torque, 100.0, "a torque is not negative")
	expect_errors(["break_torque was not set: -100 is less than nothing"], "it is told")
	dummy.ragdoll.start()
	await _ticks(120)
	check(broken.size() > 3, "weak joints break in a fall: %s" % [broken])
	dummy.body.free()
	_free_ground()


func test_a_body_that_loses_a_limb_goes_on_without_it() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -400))
	await _ticks(2)
	dummy.ragdoll.start(Vector2(3000, -2000), dummy.bone("Head"))
	await _ticks(10)
	dummy.ragdoll.break_joint(dummy.bone("ShinR"))
	dummy.ragdoll.break_joint(dummy.bone("HandL"))
	await _ticks(5)
	var kept: Array[Bone2D] = []
	for bone: Bone2D in dummy.bones:
		if bone.name not in [&"ArmL", &"HandL"]:
			kept.append(bone)
	var before: Array = kept.map(_place)
	await _ticks(1)
	var middle: Array = kept.map(_place)
	dummy.bone("ArmL").free()
	await _ticks(1)
	var after: Array = kept.map(_place)
	for index: int in kept.size():
		var jerk: Vector2 = before[index] - 2.0 * middle[index] + after[index]
		check(jerk.length() < 3.0, "%s goes on: %s px" % [kept[index].name, jerk])
	check(dummy.ragdoll.is_broken(dummy.bone("ShinR")), "what is broken stays that")
	_listen(dummy)
	await _until_settled()
	dummy.bone("Head").get_parent().remove_child(dummy.bone("Head"))
	var lay: Array = [kept[0].global_position, kept[0].global_rotation]
	await _ticks(3)
	near(kept[0].global_position.distance_to(lay[0]), 0.0, 2.0, "it lies where it lay")
	near(angle_difference(kept[0].global_rotation, lay[1]), 0.0, 0.1, "as it lay")
	dummy.bone("Head").free()
	dummy.body.free()
	_free_ground()


func _place(bone: Bone2D) -> Vector2:
	return bone.global_position
