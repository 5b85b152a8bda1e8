extends "res://tests/suite.gd"
## Scripts that define every function that the engine calls of a node: each node does the same
## with it.

const EveryFunction := preload("res://tests/every_function.gd")
const FaultCharacter := preload("res://tests/fault_character.gd")

## What the engine calls of every node here.
const CALLED: PackedStringArray = [
	"_enter_tree", "_ready", "_process", "_physics_process", "_exit_tree", "_notification"
]
const FRAMES: int = 3


func test_every_class_works_below_a_script_with_every_function() -> void:
	var seen: Dictionary[String, bool] = {}
	for number: int in FaultCharacter.PLANS.size():
		await _compare(number, seen)
	for kind: String in extension_classes():
		var is_scene_class: bool = ClassDB.class_get_api_type(kind) == ClassDB.API_EXTENSION
		if is_scene_class and ClassDB.get_parent_class(kind) == &"Node" and not "Bench" in kind:
			check(kind in seen, "no character has a " + kind)


## Runs the same frames with two characters, one of which has the scripts.
func _compare(number: int, seen: Dictionary[String, bool]) -> void:
	var plain: FaultCharacter = FaultCharacter.new(number, self)
	var scripted: FaultCharacter = FaultCharacter.new(number, self)
	var scripts: Array[Node] = _give_scripts(scripted, seen)
	var characters: Array[FaultCharacter] = [plain, scripted]
	for character: FaultCharacter in characters:
		_enter_again(character)
	for mode: int in [
		TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS,
		TendonRig2D.CALLBACK_MODE_PROCESS_IDLE,
		TendonRig2D.CALLBACK_MODE_PROCESS_FRAME_END,
	]:
		for character: FaultCharacter in characters:
			character.rig().callback_mode_process = mode
		for frame: int in FRAMES:
			for character: FaultCharacter in characters:
				_aim(character, frame)
			await physics_frames(1)
			await frames(1)
			equal(scripted.pose(), plain.pose(), "mode %d: %s" % [mode, plain.plan])
		# Legs that stand already are left alone.
		if not plain.plan.begins_with("gait"):
			check(scripted.pose() != scripted.base_pose(), "mode %d moves: %s" % [mode, plain.plan])
	for node: Node in scripts:
		node.process_mode = Node.PROCESS_MODE_ALWAYS
		node.set_process(true)
		node.set_physics_process(true)
	await physics_frames(2)
	await frames(2)
	var stage: Node = scripted.part(&"Stage")
	stage.get_parent().remove_child(stage)
	equal(scripted.pose(), scripted.base_pose(), "let go of: " + plain.plan)
	for node: Node in scripts:
		for title: String in CALLED:
			var about: String = "%s of the script of %s" % [title, node.get_class()]
			check(title in node.get("called"), about + " is called")
	stage.free()
	for character: FaultCharacter in characters:
		character.free_all()


func _enter_again(character: FaultCharacter) -> void:
	var stage: Node = character.part(&"Stage")
	var holder: Node = stage.get_parent()
	holder.remove_child(stage)
	stage.request_ready()
	for node: Node in character.all():
		node.request_ready()
	holder.add_child(stage)


func _aim(character: FaultCharacter, frame: int) -> void:
	var skeleton: Node2D = character.part(&"Skeleton")
	var target: Node2D = character.part(&"Target")
	target.global_position = skeleton.global_transform * FaultCharacter.POINTS[frame % 2]


## Gives all nodes of this extension a script. Returns them.
func _give_scripts(character: FaultCharacter, seen: Dictionary[String, bool]) -> Array[Node]:
	var given: Array[Node] = []
	for node: Node in character.all():
		var kind: String = node.get_class()
		if not kind in extension_classes():
			continue
		seen[kind] = true
		node.set_script(EveryFunction.script_for(node))
		given.append(node)
	return given
