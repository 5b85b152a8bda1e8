extends "res://tests/suite.gd"
## Every method of every class of Tendon, called on another thread beside running frames: nothing
## panics, nothing changes, and the rig goes on. Outside the tree another thread may do as it likes.

const POSE: Array[float] = [0.4, -0.7, 0.3]
const POINT: Vector2 = Vector2(-20, 40)
const FRAMES: int = 60
## The warning of a method that is called on another thread.
const ADVICE: String = "call_deferred"

## What a static method says of the skeleton that it was given.
const NO_SKELETON: String = "the skeleton is null"
## What a node says that stands alone.
const MISPLACED: String = "Make this node a child"

var _stops: bool = false
var _calls: int = 0


func test_in_the_tree() -> void:
	var figure: Figure = Figure.new([30, 25, 20], POSE)
	figure.fabrik()
	var nodes: Array[Node] = _nodes(figure)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	add_child(figure.stage)
	await frames(2)
	var before: Array = nodes.map(_properties_of)
	var thread: Thread = Thread.new()
	thread.start(_call_until_stopped.bind(nodes, figure.bones[0]))
	for frame: int in FRAMES:
		figure.target.global_position = figure.skeleton.to_global(POINT.rotated(0.05 * frame))
		await get_tree().process_frame
		var gap: float = figure.gap()
		check(gap < 1.0, "frame %d: left by %s beside another thread" % [frame, gap])
	# On a busy machine the thread gets few turns.
	var patience: int = 100000
	while _calls <= 1000 and patience > 0:
		await get_tree().process_frame
		patience -= 1
	_stops = true
	thread.wait_to_finish()
	check(_calls > 1000, "%d calls in %d frames" % [_calls, FRAMES])
	equal(nodes.map(_properties_of), before, "properties, after calls on another thread")
	forgive([ADVICE, MISPLACED, NO_RIG, NO_SKELETON])
	figure.solve_anew(POINT)
	reaches(figure, "afterwards")


func test_out_of_the_tree() -> void:
	var figure: Figure = Figure.new([30, 25, 20], POSE)
	var thread: Thread = Thread.new()
	thread.start(_set_up.bind(figure))
	thread.wait_to_finish()
	equal(figure.rig.influence, 0.5, "influence, set on another thread")
	add_child(figure.stage)
	figure.rig.influence = 1.0
	figure.solve(POINT)
	reaches(figure, "made on another thread")


func _set_up(figure: Figure) -> void:
	figure.fabrik()
	figure.rig.influence = 0.5


## The rig of [param figure], and below it a node of each class that can be in a scene.
func _nodes(figure: Figure) -> Array[Node]:
	var nodes: Array[Node] = [figure.rig]
	for kind: String in extension_classes():
		var is_scene_class: bool = ClassDB.class_get_api_type(kind) == ClassDB.API_EXTENSION
		if not is_scene_class or not ClassDB.is_parent_class(kind, "Node"):
			continue
		if kind == "TendonRig2D" or kind.begins_with("TendonBench"):
			continue
		if not ClassDB.can_instantiate(kind) or ClassDB.is_parent_class(kind, "EditorPlugin"):
			continue
		var node: Node = ClassDB.instantiate(kind)
		# Not below the rig: it would only warn of what is not set up.
		figure.stage.add_child(node)
		nodes.append(node)
	check(nodes.size() > 8, "%d classes" % nodes.size())
	return nodes


func _call_until_stopped(nodes: Array[Node], bone: Bone2D) -> void:
	while not _stops:
		for node: Node in nodes:
			for method: Dictionary in ClassDB.class_get_method_list(node.get_class(), true):
				if method["flags"] & METHOD_FLAG_VIRTUAL == 0:
					var values: Array = method["args"].map(_value_of.bind(bone))
					node.callv(method["name"], values)
					_calls += 1


## A value of the type of [param argument].
func _value_of(argument: Dictionary, bone: Bone2D) -> Variant:
	if argument["type"] == TYPE_OBJECT:
		return bone if argument["class_name"] in ["Bone2D", "Node2D"] else null
	return type_convert(null, argument["type"])


func _properties_of(node: Node) -> Array:
	var values: Array = []
	for property: Dictionary in ClassDB.class_get_property_list(node.get_class(), true):
		if property["usage"] & PROPERTY_USAGE_STORAGE != 0:
			values.append(node.get(property["name"]))
	return values
