extends "res://tests/suite.gd"
## TendonCustomModifier2D: scripts that cause trouble in any of their callbacks, and scripts that
## extend the native class.

const CallbackModifier := preload("res://tests/callback_modifier.gd")

const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736]
const POINT: Vector2 = Vector2(20, 40)
## What the engine says of freeing an object whose method is running.
const LOCKED: String = "locked"
const CALLBACKS: Array[StringName] = [
	&"_enter_tree",
	&"_ready",
	&"_process",
	&"_physics_process",
	&"_process_modification",
	&"_exit_tree",
]
const NATIVE: String = """extends Node

var bone: Bone2D


func _process_modification(delta: float) -> void:
	var rotation: float = call(&"get_pose_rotation", bone)
	call(&"set_pose_rotation", bone, rotation + delta)
"""
const TROUBLES: PackedStringArray = ["error", "NaN", "bone", "rig", "itself"]


func test_trouble_in_any_callback_harms_nothing_else() -> void:
	for where: StringName in CALLBACKS:
		for trouble: String in TROUBLES:
			await _make_trouble(where, trouble)
	forgive([INVALID])


func _make_trouble(where: StringName, trouble: String) -> void:
	var about: String = "%s in %s" % [trouble, where]
	var figure: Figure = _figure()
	var bystander: Figure = _figure()
	var look: TendonLookAt2D = bystander.look_at()
	bystander.target.position = Vector2(60, 50)
	figure.fabrik()
	for rig: TendonRig2D in [figure.rig, bystander.rig]:
		rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	var modifier: CallbackModifier = CallbackModifier.new()
	modifier.where = where
	modifier.act = _cause.bind(trouble, figure)
	figure.rig.add_child(modifier)
	await physics_frames(2)
	if is_instance_valid(modifier) and modifier.is_inside_tree():
		modifier.get_parent().remove_child(modifier)
	await frames(2)
	equal(look.get_status(), TendonLookAt2D.STATUS_REACHED, "another rig, " + about)
	if trouble in ["error", "NaN"]:
		check(modifier.calls > 0, "it was called, " + about)
		figure.target.position = POINT
		figure.rig.advance(0.0)
		check(figure.gap() < 1e-2, "the next modifier, %s: %f" % [about, figure.gap()])
	for bone: Variant in figure.bones:
		if is_instance_valid(bone):
			check((bone as Bone2D).transform.is_finite(), "the bones, " + about)
	if is_instance_valid(modifier):
		modifier.free()
	figure.stage.free()
	bystander.stage.free()
	forgive([LOCKED, "busy", "get_index", "works only while", "is not a bone of this rig", 'Set "'])


## [param modifier] causes [param trouble] in its callback, once.
func _cause(modifier: CallbackModifier, trouble: String, figure: Figure) -> void:
	match trouble:
		"error":
			var nothing: Node = null
			nothing.get_index()
		"NaN":
			modifier.set_pose_rotation(figure.bones[1], NAN)
		"bone":
			if is_instance_valid(figure.bones[1]):
				figure.bones[1].free()
		"rig":
			if is_instance_valid(figure.rig):
				figure.rig.queue_free()
		"itself":
			modifier.queue_free()


## As a script in C# has to do it: it extends Node, and calls the modifier by name.
func test_a_script_may_extend_the_native_class() -> void:
	var figure: Figure = _figure()
	var script: GDScript = GDScript.new()
	script.source_code = NATIVE
	equal(script.reload(), OK, "it compiles")
	var modifier: Node = ClassDB.instantiate(&"TendonCustomModifier2D")
	modifier.set_script(script)
	modifier.set(&"bone", figure.bones[1])
	modifier.set(&"influence", 0.5)
	figure.rig.add_child(modifier)
	figure.rig.advance(0.5)
	near(figure.bones[1].rotation, POSE[1] + 0.25, 1e-6, "half of what it sets")


## A script has another rig run, whose script may free that rig. Each works on its own bones.
func test_a_script_has_another_script_run() -> void:
	for frees: bool in [false, true]:
		var outer: Figure = _figure()
		var inner: Figure = _figure()
		var modifiers: Array[CallbackModifier] = []
		for figure: Figure in [outer, inner]:
			var modifier: CallbackModifier = CallbackModifier.new()
			modifier.where = &"_process_modification"
			figure.rig.add_child(modifier)
			modifiers.append(modifier)
		modifiers[0].act = func(modifier: CallbackModifier) -> void:
			modifier.set_pose_rotation(outer.bones[0], 1.0)
			inner.rig.advance(0.0)
			near(modifier.get_pose_rotation(outer.bones[0]), 1.0, 1e-6, "what it has set before")
			modifier.set_pose_rotation(outer.bones[1], 2.0)
		modifiers[1].act = func(modifier: CallbackModifier) -> void:
			modifier.set_pose_rotation(inner.bones[0], 0.5)
			near(modifiers[0].get_pose_rotation(outer.bones[0]), 1.0, 1e-6, "that of the outer")
			if frees:
				inner.rig.free()
		outer.rig.advance(0.0)
		near(outer.bones[0].rotation, 1.0, 1e-6, "the outer script")
		near(outer.bones[1].rotation, 2.0, 1e-6, "the outer script, afterwards")
		near(inner.bones[0].rotation, POSE[0] if frees else 0.5, 1e-6, "the inner one")
		outer.stage.free()
		inner.stage.free()
		forgive([LOCKED])


func _figure() -> Figure:
	var figure: Figure = Figure.new([30, 25, 20], POSE)
	add_child(figure.stage)
	return figure
