@tool
extends "menu_driver.gd"
## What [code]test_moving_in.gd[/code] has an editor do with scenes as real projects have them.

const KINDS: PackedStringArray = ["LookAt", "TwoBoneIK", "CCDIK", "FABRIK", "Jiggle"]
## Physics frames after which a jiggle is at rest.
const JIGGLE_TIME: int = 60


func _stay() -> void:
	_seen["arms"] = {}
	for kind: String in KINDS:
		for scene: String in ["physics_%s" % kind, "mirrored_%s" % kind]:
			_seen["arms"][scene] = await _convert_arm(scene)
	for scene: String in ["long_FABRIK", "stretched_LookAt", "stretched_TwoBoneIK"]:
		_seen["arms"][scene] = await _convert_arm(scene)
	await _add_beside_a_stack()
	await _save_beside_a_stack()
	for scene: String in ["manual", "stale", "off", "leftovers", "disordered", "physical", "limp"]:
		_seen[scene] = await _convert_and_describe(scene)
		if scene == "off":
			_seen["aid"] = await _pose_with_a_rig_that_is_off()
	await _convert_an_instance()
	await _convert_an_heir()
	await _convert_a_shared_stack()
	await _sort()
	_seen["deleted"] = await _delete_and_undo("deleted", "Skeleton/Arm/Forearm/Hand")
	_seen["deleted arm"] = await _delete_and_undo("deleted", "Skeleton/Arm")
	_seen["deleted skeleton"] = await _delete_and_undo("deleted", "Skeleton")
	_seen["deleted, engine alone"] = await _delete_and_undo("unrigged", "Skeleton/Arm/Forearm/Hand")
	await _bake_a_loop()
	await _follow_the_readme()


## Converts in the very frame in which the stack has run, as a click may.
func _convert_arm(scene: String) -> Dictionary:
	await _open(scene)
	await _wait(30)
	var facts: Dictionary = {"given": _file_of(scene)}
	facts["before"] = await _save()
	await _wait(5)
	if "Jiggle" in scene:
		for frame: int in JIGGLE_TIME:
			await physics_frame
	# What is drawn when the stack has run in physics frames.
	for kind_of_frame: int in [1, 0]:
		_node("Skeleton").call("execute_modifications", 0.0, kind_of_frame)
	facts["seen"] = _stands()
	facts["engine's gap"] = _gap()
	await _wait(5)
	await _select(["Skeleton"])
	await physics_frame
	_choose("Convert Modification Stack")
	var passes: Array = []
	var record: Callable = func() -> void:
		passes.append([_stands(), _points(), root.get_process_delta_time()])
	_rigs("Skeleton")[0].connect("modification_processed", record)
	facts["report"] = await _told()
	# The bones may swing over, and settle.
	await _at_rest(_stands)
	_rigs("Skeleton")[0].disconnect("modification_processed", record)
	facts["in that frame"] = passes[0][0] if not passes.is_empty() else []
	facts["moves"] = _moves(passes)
	facts["converted"] = _stands()
	facts["gap"] = _gap()
	facts["after"] = await _save()
	await _wait(5)
	_node("Skeleton/TendonRig2D").set("active", false)
	facts["base"] = _stands()
	_node("Skeleton/TendonRig2D").set("active", true)
	await _wait(3)
	_press_menu("Undo")
	await _wait(5)
	facts["undone"] = await _save()
	_press_menu("Redo")
	await _wait(5)
	facts["redone"] = await _save()
	EditorInterface.reload_scene_from_path(_root().scene_file_path)
	await _wait(20)
	facts["reopened"] = _gap()
	facts["without memory"] = _stands()
	facts["stack is on"] = _stack_is_on("Skeleton")
	return facts


## Where the bones and the end of the last one are.
func _points() -> Array:
	var bones: Array[Node] = _bones()
	var points: Array = bones.map(func(bone: Bone2D) -> Vector2: return bone.global_position)
	return points + [bones[-1].to_global(Vector2(10, 0))]


## How far a point has moved at most from each pass to the next, and the seconds between them.
func _moves(passes: Array) -> Array:
	var moves: Array = []
	for index: int in range(1, passes.size()):
		var most: float = 0.0
		for point: int in passes[index][1].size():
			var before: Vector2 = passes[index - 1][1][point]
			most = maxf(most, before.distance_to(passes[index][1][point]))
		moves.append([most, passes[index][2]])
	return moves


func _add_beside_a_stack() -> void:
	var files: Dictionary = {}
	for kind: String in KINDS:
		await _open("beside_%s" % kind)
		await _wait(20)
		var before: String = await _save()
		await _wait(5)
		await _select(["Skeleton/Arm"])
		await physics_frame
		_choose("Add Two-Bone IK")
		await _wait(20)
		files[kind] = [before, await _save()]
	_seen["added beside"] = files


func _save_beside_a_stack() -> void:
	await _open("both")
	var before: String = _file_of("both")
	await _wait(30)
	_node("Target").set("position", Vector2(45, -20))
	await _wait(10)
	_seen["both"] = [before, await _save()]


func _convert_and_describe(scene: String) -> Dictionary:
	await _open(scene)
	await _wait(10)
	var facts: Dictionary = {"base": _stands(), "drawings": [_drawings()]}
	await _act(scene, ["Skeleton"], "Convert Modification Stack")
	facts["report"] = await _told()
	facts["drawings"].append(_drawings())
	facts["gap"] = _gap()
	facts["converted"] = _stands()
	facts["nodes"] = {}
	for type: String in ["TendonRig2D", "TendonJointLimit2D"]:
		for node: Node in _node("Skeleton").find_children("*", type, true, false):
			facts["nodes"][str(_root().get_path_to(node))] = _describe(node)
			for child: Node in node.get_children():
				facts["nodes"][str(child.name)] = _describe(child)
	return facts


## The parent of each drawing of a limp arm, and where it is.
func _drawings() -> Dictionary:
	var drawings: Dictionary = {}
	for title: String in ["Sprite", "Shape"]:
		var nodes: Array[Node] = _root().find_children(title, "Node2D", true, false)
		for node: Node2D in nodes:
			var above: String = node.get_parent().name
			var place: Transform2D = node.global_transform
			var numbers: Array = [place.x.x, place.x.y, place.y.x, place.y.y]
			var limb: String = {"Arm": "Upper", "Forearm": "Lower"}.get(above, above)
			drawings["%s %s" % [limb, title]] = (
				[above] + numbers + [place.origin.x, place.origin.y]
			)
	return drawings


## Switches the rig on, moves the target, applies what is seen, and switches the rig off again.
func _pose_with_a_rig_that_is_off() -> Dictionary:
	var rig: Node = _node("Skeleton/TendonRig2D")
	var facts: Dictionary = {"off": _stands()}
	rig.set("active", true)
	(_node("Target") as Node2D).position += Vector2(-6, 9)
	await _wait(10)
	facts["on"] = _stands()
	await _select(["Skeleton"])
	await _choose("Apply Solved Pose")
	rig.set("active", false)
	await _wait(10)
	facts["off again"] = _stands()
	return facts


## One of two instances of a scene, under Editable Children.
func _convert_an_instance() -> void:
	await _open("outer")
	await _wait(20)
	var facts: Dictionary = {"before": [_gap("A/"), _gap("B/")]}
	await _select(["A/Skeleton"])
	_choose("Convert Modification Stack")
	facts["report"] = await _told()
	await _wait(10)
	_node("B/Target").set("position", Vector2(-65, 30))
	await _wait(10)
	facts["after"] = [_gap("A/"), _gap("B/")]
	await _save()
	facts["inner"] = _file_of("inner")
	EditorInterface.reload_scene_from_path("res://outer.tscn")
	await _wait(20)
	facts["reopened"] = [_stack_is_on("A/Skeleton"), _stack_is_on("B/Skeleton")]
	facts["rigs"] = [_rigs("A").size(), _rigs("B").size()]
	facts["gap"] = _gap("A/")
	_seen["instance"] = facts


## A base scene, and then one that inherits it and has a stack of its own.
func _convert_an_heir() -> void:
	await _open("base")
	await _wait(10)
	await _select(["Skeleton"])
	_choose("Convert Modification Stack")
	await _told()
	await _save()
	await _open("heir")
	await _wait(20)
	await _select(["Skeleton"])
	_choose("Convert Modification Stack")
	var facts: Dictionary = {"report": await _told()}
	await _wait(10)
	facts["modifiers"] = _rigs(".")[0].get_child_count()
	_seen["heir"] = facts


## A stack in a file of its own, which two scenes use.
func _convert_a_shared_stack() -> void:
	await _open("user_a")
	await _wait(20)
	var facts: Dictionary = {"before": _file_of("shared.tres")}
	await _select(["Skeleton"])
	_choose("Convert Modification Stack")
	facts["report"] = await _told()
	await _wait(10)
	facts["gap"] = _gap()
	await _save()
	facts["after"] = _file_of("shared.tres")
	await _open("user_b")
	await _wait(20)
	facts["other is on"] = _stack_is_on("Skeleton")
	facts["other's gap"] = _gap()
	EditorInterface.reload_scene_from_path("res://user_a.tscn")
	await _wait(20)
	facts["is on"] = _stack_is_on("Skeleton")
	_seen["shared"] = facts


func _sort() -> void:
	await _open("unsorted")
	await _wait(10)
	await _act("sort", ["Skeleton"], "Sort Modifiers")
	await _wait(5)
	_seen["sorted"] = _rigs(".")[0].get_children().map(func(node: Node) -> String: return node.name)
	_seen["sorted gap"] = _gap()
	await _select(["Skeleton"])
	_seen["sorted again"] = _greyed_out().get("Sort Modifiers", "")


## As the scene dock deletes.
func _delete_and_undo(scene: String, path: String) -> Array:
	await _open(scene)
	await _wait(10)
	var before: String = await _save()
	await _wait(5)
	var node: Node = _node(path)
	var parent: Node = node.get_parent()
	var undo_redo: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("Delete", UndoRedo.MERGE_DISABLE, _root())
	undo_redo.add_do_method(parent, "remove_child", node)
	undo_redo.add_undo_method(parent, "add_child", node)
	undo_redo.add_undo_method(parent, "move_child", node, node.get_index())
	for owned: Node in [node] + node.find_children("*", "", true, false):
		undo_redo.add_undo_method(owned, "set_owner", _root())
	undo_redo.add_undo_reference(node)
	undo_redo.commit_action()
	await _wait(10)
	_press_menu("Undo")
	await _wait(10)
	return [before, await _save()]


## An animation that loops without a key at its end.
func _bake_a_loop() -> void:
	await _open("loop")
	await _wait(5)
	var facts: Dictionary = {"solved": await _play(true)}
	facts["refused"] = _bake_by_script(0.0, 2.0, 60.0)
	await _wait(3)
	facts["baked"] = await _play(false)
	_seen["loop"] = facts


## The nodes that the menu makes for README.md's first rig.
func _follow_the_readme() -> void:
	await _open("readme")
	await _select(["Skeleton2D/UpperArm"])
	_choose("Add Two-Bone IK")
	await _wait(5)
	var paths: Array = []
	for node: Node in _root().find_children("*", "", true, false):
		paths.append(str(_root().get_path_to(node)))
	_seen["readme"] = paths


func _rigs(path: String) -> Array[Node]:
	return _node(path).find_children("*", "TendonRig2D", true, false)


func _stack_is_on(path: String) -> bool:
	var stack: Resource = _node(path).call("get_modification_stack")
	return stack != null and stack.get("enabled")


## How each bone stands: rotation, X and Y.
func _stands() -> Array:
	var stands: Array = []
	for bone: Bone2D in _bones():
		stands.append([bone.rotation, bone.position.x, bone.position.y])
	return stands


## How far the hand is from the target; for a look-at, from the way to it.
func _gap(above: String = "") -> float:
	var hand: Node2D = _node(above + "Skeleton").find_child("Hand")
	var target: Node2D = _node(above + "Target")
	if "long" in _root().scene_file_path:
		return hand.to_global(Vector2(10, 0)).distance_to(target.global_position)
	if "LookAt" in _root().scene_file_path or "Jiggle" in _root().scene_file_path:
		var arm: Node2D = _node(above + "Skeleton/Arm")
		var forearm: Node2D = _node(above + "Skeleton/Arm/Forearm")
		var along: Vector2 = forearm.global_position - arm.global_position
		return absf(along.angle_to(target.global_position - arm.global_position))
	return hand.global_position.distance_to(target.global_position)


func _file_of(scene: String) -> String:
	var file: String = scene if "." in scene else scene + ".tscn"
	return FileAccess.get_file_as_string("res://" + file)
