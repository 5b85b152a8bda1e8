extends "res://tests/ragdoll_suite.gd"
## What others do to ragdolls: handlers, hooks that go, wild numbers, threads, processes.

const WARNING: String = "TendonRagdoll2D"


## Whatever a handler does, also to itself, the next frames run.
func test_handlers_of_all_signals_may_do_anything() -> void:
	var acts: Array[Callable] = [
		_free_ragdoll, _free_body, _free_rig, _stop_and_start, _reparent, _leave_and_return, _reset
	]
	acts.append_array([_grab_and_free, _state_back, _wild_settings, _duplicate, _hide])
	for heard: String in ["hit", "joint_broken", "settled", "recovered"]:
		for act: Callable in acts:
			_add_ground(Rect2(-2000, 0, 4000, 100))
			var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -110))
			await _ticks(2)
			var heard_it: Array[bool] = [false]
			var handler: Callable = func() -> void:
				heard_it[0] = true
				act.call(dummy)
			var arguments: int = {"hit": 3, "joint_broken": 1}.get(heard, 0)
			dummy.ragdoll.connect(heard, handler.unbind(arguments) if arguments > 0 else handler)
			dummy.ragdoll.break_torque = 1000.0 if heard == "joint_broken" else 0.0
			dummy.ragdoll.settled.connect(dummy.ragdoll.stop)
			dummy.ragdoll.start(Vector2(500, 0))
			for tick: int in 420:
				if not heard_it[0]:
					await get_tree().physics_frame
			check(heard_it[0], "%s comes" % heard)
			await _ticks(20)
			if is_instance_valid(dummy.body):
				for bone: Variant in dummy.bones:
					if is_instance_valid(bone):
						var place: Transform2D = (bone as Bone2D).global_transform
						check(place.is_finite(), "%s, %s" % [heard, act.get_method()])
				dummy.body.free()
			_free_ground()
	forgive([WARNING])


func test_numbers_that_are_not_finite_are_refused() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -110))
	await _ticks(2)
	for bad: float in [NAN, INF, -INF]:
		dummy.ragdoll.start(Vector2(bad, 0), dummy.bones[1])
		dummy.ragdoll.apply_impulse(Vector2.ONE, Vector2(0, bad))
		for property: String in ["mass", "radius", "frequency", "friction", "gravity_scale"]:
			dummy.ragdoll.set(property, bad)
		await _ticks(5)
	for huge: float in [3e38, -3e38, 1e-38]:
		dummy.ragdoll.apply_impulse(Vector2(huge, huge), Vector2.ZERO)
		dummy.ragdoll.apply_impulse(Vector2.ONE, Vector2(huge, 0))
		await _ticks(5)
	for mass: float in [0.0, -5.0, 1e-30, 1e30]:
		dummy.ragdoll.mass = mass
		await _ticks(5)
	for bone: Bone2D in dummy.bones:
		check(bone.global_transform.is_finite(), "%s" % bone.global_transform)
	dummy.ragdoll.stop()
	await _ticks(60)
	near_point(dummy.bones[0].position, Vector2.ZERO, 0.0, "the pose is back")
	dummy.body.free()
	_free_ground()
	forgive([WARNING])


func test_a_hook_that_goes_lets_go() -> void:
	for act: String in ["free", "queue_free", "leave", "not finite"]:
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -110))
		var hook: Marker2D = Marker2D.new()
		add_child(hook)
		await _ticks(2)
		hook.position = dummy.end_of(4)
		dummy.ragdoll.grab(dummy.bone("HandL"), hook.position, hook)
		dummy.ragdoll.start()
		await _ticks(60)
		near_point(dummy.end_of(4), hook.position, 30.0, "it hangs")
		var before: float = dummy.bones[0].global_position.y
		match act:
			"leave":
				remove_child(hook)
			"not finite":
				hook.position = Vector2(NAN, 0)
			_:
				hook.call(act)
		await _ticks(40)
		var fallen: float = dummy.bones[0].global_position.y - before
		check(fallen > 60.0 and is_finite(fallen), "%s: it falls by %s" % [act, fallen])
		if is_instance_valid(hook):
			hook.free()
		dummy.body.free()


func test_what_was_freed_is_not_grabbed() -> void:
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2.ZERO)
	var gone: Array[Node2D] = [Bone2D.new(), Marker2D.new()]
	await _ticks(2)
	for node: Node2D in gone:
		node.free()
	dummy.ragdoll.callv(&"grab", [gone[0], Vector2.ZERO, dummy.body])
	dummy.ragdoll.callv(&"grab", [dummy.bones[0], Vector2.ZERO, gone[1]])
	dummy.ragdoll.callv(&"start", [Vector2(50, 0), gone[0]])
	dummy.ragdoll.callv(&"apply_impulse", [Vector2(50, 0), Vector2.ZERO, gone[0]])
	dummy.ragdoll.start()
	await _ticks(30)
	check(dummy.bones[0].global_position.y > 50.0, "it falls")
	dummy.body.free()
	forgive([WARNING])


## A limb is not drawn through a wall by its hand.
func test_a_wall_holds_what_is_pulled_through_it() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	_add_ground(Rect2(60, -600, 12, 600))
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -110))
	var hook: Marker2D = Marker2D.new()
	add_child(hook)
	await _ticks(2)
	hook.position = dummy.end_of(4)
	dummy.ragdoll.grab(dummy.bone("HandL"), hook.position, hook)
	dummy.ragdoll.start()
	var farthest: float = -INF
	for tick: int in 180:
		hook.position.x = minf(hook.position.x + 8.0, 400.0)
		await get_tree().physics_frame
		for index: int in dummy.bones.size():
			farthest = maxf(farthest, dummy.end_of(index).x)
	check(farthest < 66.0, "it stays before the wall: %s" % farthest)
	dummy.body.free()
	hook.free()
	_free_ground()


func test_it_falls_alike_in_all_kinds_of_processes() -> void:
	var lowest: Dictionary[String, float] = {}
	for kind: String in ["plain", "group", "paused", "disabled"]:
		_add_ground(Rect2(-2000, 0, 4000, 100))
		var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -110))
		if kind == "group":
			dummy.rig.process_thread_group = Node.PROCESS_THREAD_GROUP_MAIN_THREAD
		await _ticks(2)
		dummy.ragdoll.start(Vector2(500, 0))
		await _ticks(20)
		match kind:
			"paused":
				get_tree().paused = true
			"disabled":
				dummy.body.process_mode = Node.PROCESS_MODE_DISABLED
		var held: PackedFloat32Array = dummy.rotations()
		await _ticks(60)
		if kind in ["paused", "disabled"]:
			equal(dummy.rotations(), held, kind + ": it stands still in the air")
		get_tree().paused = false
		dummy.body.process_mode = Node.PROCESS_MODE_INHERIT
		await _ticks(240)
		lowest[kind] = dummy.lowest()
		dummy.body.free()
		_free_ground()
	for kind: String in lowest:
		near(lowest[kind], 0.0, 1.5, kind + ": it lies on the ground")


## What a script on the node itself defines, the engine calls.
func test_a_script_may_define_what_the_engine_calls() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var script: GDScript = GDScript.new()
	script.source_code = """extends TendonRagdoll2D
var calls: int = 0
func _enter_tree() -> void: calls += 1
func _exit_tree() -> void: calls += 1
func _ready() -> void: calls += 1
func _process(_delta: float) -> void: calls += 1
func _physics_process(_delta: float) -> void: calls += 1
func _notification(_what: int) -> void: calls += 1
"""
	script.reload()
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -110))
	dummy.ragdoll.set_script(script)
	dummy.ragdoll.set_process(true)
	dummy.ragdoll.set_physics_process(true)
	await _ticks(2)
	dummy.ragdoll.start(Vector2(500, 0))
	await _ticks(240)
	near(dummy.lowest(), 0.0, 1.5, "it lies on the ground")
	check(dummy.ragdoll.get("calls") > 200, "the script runs")
	dummy.body.free()
	_free_ground()


func _free_ragdoll(dummy: Dummy) -> void:
	dummy.ragdoll.queue_free()


func _free_body(dummy: Dummy) -> void:
	dummy.body.queue_free()


func _free_rig(dummy: Dummy) -> void:
	dummy.rig.queue_free()


func _stop_and_start(dummy: Dummy) -> void:
	for time: int in 3:
		dummy.ragdoll.stop()
		dummy.ragdoll.start(Vector2(300, -200), dummy.bones[2])


func _reparent(dummy: Dummy) -> void:
	dummy.body.reparent(get_parent())
	dummy.bone("ArmL").reparent(dummy.bone("Spine"))


func _leave_and_return(dummy: Dummy) -> void:
	remove_child(dummy.body)
	add_child(dummy.body)


func _reset(dummy: Dummy) -> void:
	dummy.rig.reset()


func _grab_and_free(dummy: Dummy) -> void:
	if not is_instance_valid(dummy.bones[4]):
		return
	var hook: Marker2D = Marker2D.new()
	dummy.body.add_child(hook)
	dummy.ragdoll.grab(dummy.bone("HandL"), dummy.end_of(4), hook)
	dummy.bone("HandL").queue_free()
	hook.queue_free()


func _state_back(dummy: Dummy) -> void:
	dummy.rig.set_state(dummy.rig.get_state())


func _wild_settings(dummy: Dummy) -> void:
	dummy.ragdoll.mass = 0.0
	dummy.ragdoll.collision_mask = 0xFFFFFFFF
	dummy.ragdoll.root_bone = dummy.bone("ArmR")
	dummy.ragdoll.frequency = 1e9


func _duplicate(dummy: Dummy) -> void:
	dummy.body.add_child(dummy.skeleton.duplicate())


func _hide(dummy: Dummy) -> void:
	dummy.rig.set(&"skip_when_invisible", true)
	dummy.body.hide()
