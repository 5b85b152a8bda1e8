# gdlint: disable=max-public-methods
extends "res://tests/suite.gd"
## TendonCustomModifier2D: what a script can read and set in the middle of a pass, and what it can
## do wrong.

const ScriptedModifier := preload("res://tests/scripted_modifier.gd")

const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736]
const POINT: Vector2 = Vector2(20, 40)
## What the engine says of freeing an object whose method is running.
const LOCKED: String = "locked"


func test_sets_rotations() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = _figure(Figure.ANCESTORS[about])
		var modifier: ScriptedModifier = _modifier(figure, _set_all.bind(figure, 0.25))
		figure.rig.advance(0.0)
		equal(figure.pose(), PackedFloat32Array([0.25, 0.25, 0.25]), about)
		equal(modifier.get_status(), TendonCustomModifier2D.STATUS_REACHED, "status, " + about)
		equal(modifier.get_target_distance(), 0.0, "distance, " + about)
		figure.rig.active = false
		equal(figure.pose(), PackedFloat32Array(POSE), "switched off, " + about)


func test_reads_the_working_pose() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = _figure(Figure.ANCESTORS[about])
		figure.fabrik()
		var read: Array = []
		_modifier(
			figure,
			func(modifier: ScriptedModifier, _delta: float) -> void:
				for bone: Bone2D in figure.bones:
					read.append(modifier.get_pose_rotation(bone))
					read.append(modifier.get_pose_transform(bone))
		)
		figure.solve(POINT)
		var into: Transform2D = figure.skeleton.global_transform.affine_inverse()
		for index: int in 3:
			var bone: Bone2D = figure.bones[index]
			equal(read[2 * index], bone.rotation, "rotation, " + about)
			var seen: Transform2D = into * bone.global_transform
			check(_is_near(read[2 * index + 1], seen), "transform, " + about)


func test_a_draft_has_what_was_set() -> void:
	var figure: Figure = _figure()
	var read: Array = []
	_modifier(
		figure,
		func(modifier: ScriptedModifier, _delta: float) -> void:
			modifier.set_pose_rotation(figure.bones[0], 1.0)
			modifier.set_pose_rotation(figure.bones[0], PI / 2)
			read.append(modifier.get_pose_rotation(figure.bones[0]))
			read.append(modifier.get_pose_transform(figure.bones[1]).origin)
			read.append(figure.bones[0].rotation)
	)
	figure.rig.get_child(0).set("influence", 0.5)
	figure.rig.advance(0.0)
	near(read[0], PI / 2, 1e-6, "at full influence")
	near_point(read[1], figure.bones[0].position + Vector2(0, 30), 1e-4, "a bone below")
	near(read[2], POSE[0], 1e-6, "no bone is written before the pass ends")
	near(figure.bones[0].rotation, (POSE[0] + PI / 2) / 2, 1e-6, "blended")


func test_sets_positions_and_scales() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = _figure(Figure.ANCESTORS[about])
		var bone: Bone2D = figure.bones[1]
		var before: Transform2D = bone.transform
		var read: Array = []
		var modifier: ScriptedModifier = _modifier(
			figure,
			func(it: ScriptedModifier, _delta: float) -> void:
				read = [it.get_pose_position(bone), it.get_pose_scale(bone)]
				it.set_pose_position(bone, Vector2(40, -8))
				it.set_pose_scale(bone, Vector2(2, 0.5))
				read.append(it.get_pose_position(bone))
				read.append(it.get_pose_scale(bone))
				read.append(it.get_pose_transform(bone).origin)
		)
		figure.rig.advance(0.0)
		equal(bone.position, Vector2(40, -8), "position, " + about)
		near_point(bone.scale, Vector2(2, 0.5), 1e-5, "scale, " + about)
		modifier.influence = 0.25
		figure.rig.advance(0.0)
		near_point(bone.position, before.origin.lerp(Vector2(40, -8), 0.25), 1e-4, about)
		near_point(bone.scale, Vector2(1.25, 0.875), 1e-5, "scale, blended, " + about)
		figure.rig.active = false
		check(bone.transform.is_equal_approx(before), "put back, " + about)


func test_refuses_positions_and_scales_that_no_bone_can_have() -> void:
	for value: Vector2 in [Vector2(NAN, 1), Vector2(INF, 1), Vector2(0, 1)]:
		var figure: Figure = _figure()
		var modifier: ScriptedModifier = _modifier(
			figure,
			func(it: ScriptedModifier, _delta: float) -> void:
				it.set_pose_scale(figure.bones[1], value)
				if not value.is_finite():
					it.set_pose_position(figure.bones[0], value)
		)
		figure.rig.advance(0.0)
		equal(modifier.get_status(), TendonCustomModifier2D.STATUS_INVALID, str(value))
		equal(figure.pose(), PackedFloat32Array(POSE), "bones stay: %s" % value)
		equal(figure.bones[1].scale, Vector2.ONE, "scale stays: %s" % value)
		figure.stage.free()
	forgive(["finite", "invalid"])


func test_stands_in_its_order() -> void:
	var figure: Figure = _figure()
	_modifier(figure, _set_all.bind(figure, 0.1))
	figure.fabrik()
	figure.solve(POINT)
	reaches(figure, "a chain after it")
	var before: PackedFloat32Array = figure.pose()
	figure.rig.move_child(figure.rig.get_child(0), 1)
	figure.solve(POINT)
	equal(figure.pose(), PackedFloat32Array([0.1, 0.1, 0.1]), "after the chain")
	check(before != figure.pose(), "the order counts")


func test_what_it_adds_does_not_add_up() -> void:
	var figure: Figure = _figure()
	_modifier(
		figure,
		func(modifier: ScriptedModifier, _delta: float) -> void:
			var bone: Bone2D = figure.bones[1]
			modifier.set_pose_rotation(bone, modifier.get_pose_rotation(bone) + 0.3)
	)
	for count: int in 5:
		figure.rig.advance(TICK)
		near(figure.bones[1].rotation, POSE[1] + 0.3, 1e-6, "pass %d" % count)


func test_it_is_called_once_in_each_frame() -> void:
	var figure: Figure = _figure()
	var modifier: ScriptedModifier = _modifier(figure, Callable())
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	await frames(2)
	var before: int = modifier.calls
	await frames(10)
	equal(modifier.calls - before, 10, "calls in 10 frames")
	check(modifier.last_delta > 0.0, "delta")
	modifier.active = false
	await frames(1)
	before = modifier.calls
	await frames(5)
	equal(modifier.calls - before, 0, "calls while inactive")
	equal(modifier.get_status(), TendonCustomModifier2D.STATUS_IDLE, "status")


func test_a_pose_at_rest_is_not_written_again() -> void:
	var figure: Figure = _figure()
	_modifier(figure, _set_all.bind(figure, 0.3))
	figure.rig.advance(TICK)
	var changes: Array[int] = [0]
	figure.bones[0].item_rect_changed.connect(func() -> void: changes[0] += 1)
	for bone: Bone2D in figure.bones:
		bone.set_notify_local_transform(true)
	var before: Array = figure.bones.map(func(bone: Bone2D) -> Transform2D: return bone.transform)
	for count: int in 5:
		figure.rig.advance(TICK)
	equal(
		figure.bones.map(func(bone: Bone2D) -> Transform2D: return bone.transform), before, "bones"
	)
	equal(changes[0], 0, "changes")


func test_delta() -> void:
	var figure: Figure = _figure()
	var modifier: ScriptedModifier = _modifier(figure, Callable())
	for pair: Array in [[0.25, 0.25], [0.0, 0.0], [-1.0, 0.0], [NAN, 0.0]]:
		figure.rig.advance(pair[0])
		equal(modifier.last_delta, pair[1], "delta of %s" % pair[0])


func test_what_is_not_finite_is_kept_out() -> void:
	for value: float in [NAN, INF, -INF]:
		var figure: Figure = _figure()
		var modifier: ScriptedModifier = _modifier(figure, _set_all.bind(figure, 0.2))
		var spoil: Callable = func(custom: ScriptedModifier, _delta: float) -> void:
			custom.set_pose_rotation(figure.bones[0], 0.2)
			custom.set_pose_rotation(figure.bones[1], value)
			check(is_finite(custom.get_pose_rotation(figure.bones[1])), "the draft")
		modifier.act = spoil
		figure.rig.advance(0.0)
		equal(figure.pose(), PackedFloat32Array(POSE), "pose, %f" % value)
		equal(modifier.get_status(), TendonCustomModifier2D.STATUS_INVALID, "status")
		modifier.act = _set_all.bind(figure, 0.2)
		figure.rig.advance(0.0)
		equal(figure.pose(), PackedFloat32Array([0.2, 0.2, 0.2]), "recovered")
	forgive([INVALID])


func test_an_error_in_the_script_harms_nothing_else() -> void:
	var figure: Figure = _figure()
	var fail: Callable = func(custom: ScriptedModifier, _delta: float) -> void:
		custom.set_pose_rotation(figure.bones[0], 0.2)
		var nothing: Node = null
		custom.set_pose_rotation(figure.bones[1], nothing.get_index())
	var modifier: ScriptedModifier = _modifier(figure, fail)
	var other: TendonLookAt2D = figure.look_at()
	other.bone = figure.bones[2]
	figure.solve(POINT)
	expect_errors(["get_index"], "the script's own")
	near(figure.bones[0].rotation, 0.2, 1e-6, "what was set before the error")
	equal(other.get_status(), TendonLookAt2D.STATUS_REACHED, "the next modifier")
	modifier.act = Callable()
	figure.rig.active = false
	equal(figure.pose(), PackedFloat32Array(POSE), "base pose")


func test_calls_that_make_no_sense_are_refused_once() -> void:
	_call_at_the_wrong_time()
	_call_another_modifier()
	_call_with_foreign_bones()


func _call_at_the_wrong_time() -> void:
	var figure: Figure = _figure()
	var modifier: ScriptedModifier = _modifier(figure, Callable())
	for count: int in 3:
		equal(modifier.get_pose_rotation(figure.bones[0]), 0.0, "rotation")
	modifier.set_pose_rotation(figure.bones[0], 1.0)
	equal(modifier.get_pose_transform(null), Transform2D.IDENTITY, "transform")
	expect_errors(["works only while _process_modification() runs"], "once")
	figure.rig.advance(0.0)
	equal(figure.pose(), PackedFloat32Array(POSE), "pose")


## The script of one runs, but not that of the other.
func _call_another_modifier() -> void:
	var figure: Figure = _figure()
	var idle: ScriptedModifier = _modifier(figure, Callable())
	_modifier(figure, _set_all.bind(figure, 0.5))
	var reach_out: Callable = func(_custom: ScriptedModifier, _delta: float) -> void:
		idle.set_pose_rotation(figure.bones[0], 1.0)
	_modifier(figure, reach_out)
	figure.rig.advance(0.0)
	expect_errors(["works only while _process_modification() runs"], "of the other")
	near(figure.bones[0].rotation, 0.5, 1e-6, "rotation")


func _call_with_foreign_bones() -> void:
	var figure: Figure = _figure()
	var other: Figure = _figure()
	var reach_out: Callable = func(custom: ScriptedModifier, _delta: float) -> void:
		custom.set_pose_rotation(other.bones[0], 1.0)
		custom.set_pose_rotation(null, 1.0)
	_modifier(figure, reach_out)
	figure.rig.advance(0.0)
	figure.rig.advance(0.0)
	expect_errors(["not one of this rig's skeleton"], "once")
	equal(other.pose(), PackedFloat32Array(POSE), "the other character")


func test_a_script_may_free_anything() -> void:
	for what: String in ["bone", "next modifier", "target", "rig", "skeleton", "stage", "itself"]:
		for way: String in ["free", "queue_free", "remove"]:
			await _free_in_callback(what, way)


func _free_in_callback(what: String, way: String) -> void:
	var about: String = "%s of the %s" % [way, what]
	var figure: Figure = _figure()
	var bystander: Figure = _figure()
	_modifier(bystander, _set_all.bind(bystander, 0.1))
	var modifier: ScriptedModifier = _modifier(figure, Callable())
	var next: TendonFABRIK2D = figure.fabrik()
	var victims: Dictionary[String, Node] = {
		"bone": figure.bones[1],
		"next modifier": next,
		"target": figure.target,
		"rig": figure.rig,
		"skeleton": figure.skeleton,
		"stage": figure.stage,
		"itself": modifier,
	}
	var victim: Node = victims[what]
	modifier.act = func(custom: ScriptedModifier, _delta: float) -> void:
		custom.set_pose_rotation(figure.bones[0], 0.5)
		match way:
			"free":
				victim.free()
			"queue_free":
				victim.queue_free()
			"remove":
				victim.get_parent().remove_child(victim)
	var rig: TendonRig2D = figure.rig
	figure.target.global_position = figure.skeleton.global_transform * POINT
	rig.advance(0.0)
	await frames(2)
	if is_instance_valid(rig):
		if is_instance_valid(modifier):
			modifier.act = Callable()
		rig.advance(0.0)
		rig.advance(0.0)
	bystander.rig.advance(0.0)
	equal(bystander.pose(), PackedFloat32Array([0.1, 0.1, 0.1]), "bystander, " + about)
	var left: Array = [figure.stage]
	if is_instance_valid(victim):
		left.append(victim)
	if is_instance_valid(modifier):
		left.append(modifier)
	for node: Variant in left:
		if is_instance_valid(node):
			(node as Node).queue_free()
	bystander.stage.free()
	await frames(1)
	forgive([LOCKED, "is not a bone of this rig", 'Set "', "advance() was called"])


func test_a_script_may_call_the_rig() -> void:
	var calls: Dictionary[String, Callable] = {
		"advance": func(figure: Figure) -> void: figure.rig.advance(0.0),
		"restore_pose": func(figure: Figure) -> void: figure.rig.restore_pose(),
		"reset": func(figure: Figure) -> void: figure.rig.reset(),
		"capture": func(figure: Figure) -> void: figure.rig.capture(),
		"off": func(figure: Figure) -> void: figure.rig.active = false,
		"off and on": _switch_off_and_on,
	}
	for about: String in calls:
		var figure: Figure = _figure()
		var modifier: ScriptedModifier = _modifier(figure, Callable())
		modifier.act = func(custom: ScriptedModifier, delta: float) -> void:
			calls[about].call(figure)
			_set_all(custom, delta, figure, 0.4)
		figure.rig.advance(0.0)
		var expected: Array = POSE if about == "off" else [0.4, 0.4, 0.4]
		equal(figure.pose(), PackedFloat32Array(expected), about)
		equal(modifier.calls, 1, "calls, " + about)
		modifier.act = _set_all.bind(figure, 0.6)
		figure.rig.active = true
		figure.rig.advance(0.0)
		equal(figure.pose(), PackedFloat32Array([0.6, 0.6, 0.6]), "afterwards, " + about)
		forgive(["advance() was called from within", "capture() found no pass"])


func _switch_off_and_on(figure: Figure) -> void:
	figure.rig.active = false
	figure.rig.active = true


func test_reset_in_a_script_forgets() -> void:
	var figure: Figure = _figure()
	var memories: Array[int] = []
	figure.fabrik()
	figure.solve(POINT)
	var modifier: ScriptedModifier = _modifier(
		figure, func(_custom: ScriptedModifier, _delta: float) -> void: figure.rig.reset()
	)
	for count: int in 3:
		figure.solve(POINT + Vector2(count, 0))
		var settings: Dictionary = JSON.parse_string(figure.rig.capture())
		memories.append(int("memory" in settings["rig"]["modifiers"][0]["solver"]["chain_ik"]))
	equal(memories[2], 0, "no memory after a reset")
	modifier.act = Callable()
	for count: int in 2:
		figure.solve(POINT)
	var last: Dictionary = JSON.parse_string(figure.rig.capture())
	check("memory" in last["rig"]["modifiers"][0]["solver"]["chain_ik"], "memory without one")


func test_another_rig_may_be_run_from_a_script() -> void:
	var figure: Figure = _figure()
	var other: Figure = _figure()
	_modifier(other, _set_all.bind(other, 0.7))
	var modifier: ScriptedModifier = _modifier(figure, Callable())
	modifier.act = func(custom: ScriptedModifier, delta: float) -> void:
		other.rig.advance(delta)
		_set_all(custom, delta, figure, other.bones[0].rotation)
	figure.rig.advance(0.0)
	equal(figure.bones[0].rotation, other.bones[0].rotation, "copied in the same pass")
	near(figure.bones[0].rotation, 0.7, 1e-6, "rotation")


func test_a_capture_is_replayed_without_the_script() -> void:
	var figure: Figure = _figure()
	figure.fabrik()
	_modifier(figure, _set_all.bind(figure, 0.35)).set("influence", 0.3)
	figure.solve(POINT)
	var captured: Dictionary = JSON.parse_string(figure.rig.capture())
	var scripted: Array = captured["rig"]["modifiers"][1]["solver"]["custom"]["scripted"]
	equal(scripted.size(), 3, "rotations")
	for entry: Dictionary in scripted:
		near(entry["rotation"], 0.35, 1e-6, "rotation of bone %d" % entry["bone"])


func test_without_a_script_it_says_so() -> void:
	var figure: Figure = _figure()
	var modifier: TendonCustomModifier2D = TendonCustomModifier2D.new()
	figure.rig.add_child(modifier)
	figure.rig.advance(0.0)
	expect_warnings(["overrides _process_modification()"], "once")
	equal(modifier.get_status(), TendonCustomModifier2D.STATUS_IDLE, "status")
	modifier.set_script(ScriptedModifier)
	modifier.set("act", _set_all.bind(figure, 0.5))
	figure.rig.advance(0.0)
	equal(figure.pose(), PackedFloat32Array([0.5, 0.5, 0.5]), "with a script")


func test_a_script_that_waits_is_left_to_itself() -> void:
	var figure: Figure = _figure()
	var wait: Callable = func(custom: ScriptedModifier, _delta: float) -> void:
		custom.set_pose_rotation(figure.bones[0], 0.5)
		await get_tree().process_frame
		if is_instance_valid(custom):
			custom.set_pose_rotation(figure.bones[1], 0.5)
	var modifier: ScriptedModifier = _modifier(figure, wait)
	figure.rig.advance(0.0)
	modifier.act = Callable()
	await frames(2)
	expect_errors(["works only while"], "what comes later")
	near(figure.bones[0].rotation, 0.5, 1e-6, "what came in time")


func _figure(above: Array = []) -> Figure:
	var figure: Figure = Figure.new([30, 25, 20], POSE, above)
	add_child(figure.stage)
	return figure


func _modifier(figure: Figure, act: Callable) -> ScriptedModifier:
	var modifier: ScriptedModifier = ScriptedModifier.new()
	modifier.act = act
	figure.rig.add_child(modifier)
	return modifier


func _set_all(modifier: ScriptedModifier, _delta: float, figure: Figure, rotation: float) -> void:
	for bone: Bone2D in figure.bones:
		modifier.set_pose_rotation(bone, rotation)


func _is_near(a: Transform2D, b: Transform2D) -> bool:
	var off: float = a.x.distance_to(b.x) + a.y.distance_to(b.y)
	return off < 1e-3 and a.origin.distance_to(b.origin) < 1e-2
