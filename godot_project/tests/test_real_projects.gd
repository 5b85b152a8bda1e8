extends "res://tests/suite.gd"
## Shapes that rigs of real projects have, in a running game. What an editor does to them is in
## [code]test_moving_in.gd[/code].

const EngineStack := preload("res://tests/engine_stack.gd")

const STACKS: PackedStringArray = [
	EngineStack.LOOK_AT, EngineStack.TWO_BONE, EngineStack.CCD, EngineStack.FABRIK
]
const PHYSICS_FRAMES: int = 1
## What the engine says of a stack that is made in code.
const ENGINE_NOISE: PackedStringArray = [
	"Bone2D cache", "cache is out of date", "No Bone2D children", "Cannot calculate bone length"
]


func test_a_child_added_beside_a_stack_in_physics_frames_throws_no_bone() -> void:
	if not EngineStack.exists():
		return check(true, "an engine without stacks")
	var thrown: Dictionary[String, int] = {}
	for with_rig: bool in [false, true]:
		for kind: String in STACKS:
			var about: String = "%s, %s" % [kind, "rig" if with_rig else "engine alone"]
			thrown[about] = await _count_thrown(kind, with_rig)
	print("   thrown bones: ", thrown)
	for about: String in thrown:
		equal(thrown[about], 0, about)
	forgive(ENGINE_NOISE)
	log_watch.take(true)


## How many of six bones are no longer where they were, some frames after a child was added.
func _count_thrown(kind: String, with_rig: bool) -> int:
	var count: int = 0
	for try: int in 3:
		var figure: Figure = Figure.new([30, 25], [0.3, 0.5 + 0.1 * try])
		add_child(figure.stage)
		var offsets: Array = figure.bones.map(func(bone: Bone2D) -> Vector2: return bone.position)
		figure.target.position = Vector2(30, 35)
		if with_rig:
			figure.two_bone()
			figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
		else:
			figure.rig.active = false
		await physics_frames(2)
		EngineStack.give(figure, kind).set("execution_mode", PHYSICS_FRAMES)
		for round: int in 4:
			await physics_frames(2)
			figure.bones[0].add_child(Node2D.new())
			await frames(3)
		figure.skeleton.call("get_modification_stack").set("enabled", false)
		await frames(3)
		figure.rig.active = false
		await frames(3)
		for index: int in figure.bones.size():
			count += int(figure.bones[index].position.distance_to(offsets[index]) > 0.01)
		figure.stage.free()
	return count
