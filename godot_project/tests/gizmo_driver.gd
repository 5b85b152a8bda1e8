@tool
extends "driver.gd"
## What [code]test_gizmos.gd[/code] has an editor do: take each handle as a user would, by events
## of the viewport. Prints what it has seen as one line of JSON.

const ARM: String = "Skeleton/Rig/Arm"
const BONES: PackedStringArray = ["Skeleton/Bone0", "Skeleton/Bone0/Bone1"]
const LIMITS: PackedStringArray = ["Skeleton/Bone0/Limit", "Skeleton/Bone0/Bone1/Limit"]

var _overlay: Control
var _plugin: Node
## Where the nodes are, below the root: some scenes have ancestors above the skeleton.
var _above: String = ""


func _stay() -> void:
	_overlay = root.find_children("*", "CanvasItemEditorViewport", true, false)[0]
	_plugin = root.find_children("*", "TendonGizmoPlugin", true, false)[0]
	for scene: String in ["plain", "mirrored", "skewed"]:
		await _drag_handles(scene)
	for scene: String in ["path", "mirrored path"]:
		await _drag_path(scene)
	for scene: String in ["ground", "mirrored ground"]:
		await _see_ground(scene)
	await _see_what_is_shown()


func _drag_handles(scene: String) -> void:
	await _open(scene)
	var facts: Dictionary = {}
	await _select([ARM])
	facts["handles"] = _handles().keys()
	for index: int in 2:
		for property: String in ["min_angle", "max_angle"]:
			var key: String = "%s:%s" % [LIMITS[index], property]
			await _select([LIMITS[index]])
			facts["%s %d" % [property, index]] = await _turn(key, index)
	await _select([ARM])
	for place: String in ["Target", "Pole"]:
		facts[place] = await _move(place + ":position")
	_seen[scene] = facts
	if scene == "plain":
		await _see_drags_that_end_otherwise()


## Turns an edge of a limit round its joint, in steps. Tells how far the bone, if it were turned
## to the new angle, would point beside the mouse.
func _turn(key: String, index: int) -> Dictionary:
	var bone: Bone2D = _node(BONES[index])
	var joint: Vector2 = _canvas() * bone.global_position
	var arm: Vector2 = _handles()[_path(key)] - joint
	var way: PackedVector2Array = []
	for step: int in 5:
		way.append(joint + arm.rotated(-0.08 * step))
	var facts: Dictionary = await _drag(key, way)
	var angle: float = facts["after"]
	var above: Transform2D = (bone.get_parent() as Node2D).global_transform
	var rotation: float = bone.rest.get_rotation() + angle
	if index == 1:
		var skeleton: Transform2D = (_node("Skeleton") as Node2D).global_transform
		var direction: float = bone.get_skeleton_rest().get_rotation() + angle
		var across: Transform2D = above.affine_inverse() * skeleton
		rotation = across.basis_xform(Vector2.from_angle(direction)).angle()
	var pointing: Vector2 = _canvas().basis_xform(above.basis_xform(Vector2.from_angle(rotation)))
	facts["miss"] = rad_to_deg(absf(pointing.angle_to(facts["mouse"] - joint)))
	return facts


## Moves a node. Tells how far it then is from the mouse.
func _move(key: String) -> Dictionary:
	var from: Vector2 = _handles()[_path(key)]
	var way: PackedVector2Array = [from]
	for step: int in 5:
		way.append(from + Vector2(5, -7) * step)
	var facts: Dictionary = await _drag(key, way)
	var node: Node2D = _node(key.get_slice(":", 0))
	facts["miss"] = (_canvas() * node.global_position).distance_to(facts["mouse"])
	facts.erase("mouse")
	for moment: String in ["before", "after", "undone", "redone"]:
		facts[moment] = [facts[moment].x, facts[moment].y]
	return facts


## Drags a handle along [param way], takes that back and does it again.
func _drag(key: String, way: PackedVector2Array) -> Dictionary:
	var node: Node = _node(key.get_slice(":", 0))
	var property: String = key.get_slice(":", 1)
	var history: UndoRedo = _history(node)
	var version: int = history.get_version()
	var facts: Dictionary = {"before": node.get(property), "mouse": way[-1]}
	_press(way[0], true)
	for place: Vector2 in way:
		_point(place)
	facts["live"] = node.get(property) != facts["before"] and history.get_version() == version
	_press(way[-1], false)
	await _wait(3)
	facts["steps"] = history.get_version() - version
	facts["after"] = node.get(property)
	history.undo()
	facts["undone"] = node.get(property)
	history.redo()
	facts["redone"] = node.get(property)
	# Values of before, for the next handle.
	history.undo()
	node.set(property, facts["after"])
	await _wait(3)
	return facts


## The handle of a spline.
func _drag_path(scene: String) -> void:
	await _open(scene)
	await _select(["Skeleton/Rig/Spline"])
	_seen[scene] = {"spline progress": await _go_along("Skeleton/Rig/Spline:progress")}


## A gait and a foot placement are drawn, without handles.
func _see_ground(scene: String) -> void:
	await _open(scene)
	var handles: Array = []
	for modifier: String in ["Gait", "Placement", "Placement/Foot0"]:
		await _select(["Skeleton/Rig/" + modifier])
		handles.append_array(_handles().keys())
	_seen[scene] = {"handles": handles}


## Moves the beginning of a chain along its path.
func _go_along(key: String) -> Dictionary:
	var path: Path2D = _node("Skeleton/Path")
	var progress: float = _node(key.get_slice(":", 0)).get("progress")
	var way: PackedVector2Array = []
	for step: int in 5:
		var place: Vector2 = path.curve.sample_baked(progress + 10.0 * step, true)
		way.append(_canvas() * (path.global_transform * place))
	# The handle is beside the place.
	var beside: Vector2 = _handles()[_path(key)] - way[0]
	for step: int in 5:
		way[step] += beside
	var facts: Dictionary = await _drag(key, way)
	facts["miss"] = absf(facts["before"] + 40.0 - facts["after"])
	return facts


func _see_drags_that_end_otherwise() -> void:
	var key: String = LIMITS[0] + ":max_angle"
	await _select([LIMITS[0]])
	var node: Node = _node(LIMITS[0])
	var history: UndoRedo = _history(node)
	var version: int = history.get_version()
	var joint: Vector2 = _canvas() * (_node(BONES[0]) as Node2D).global_position
	var start: Vector2 = _handles()[_path(key)]
	var end: Vector2 = joint + (start - joint).rotated(0.3)
	var facts: Dictionary = {"before": node.get("max_angle")}
	for how: String in ["escape", "right click", "deselected"]:
		_press(start, true)
		_point(end)
		facts["during " + how] = node.get("max_angle")
		if how == "escape":
			var escape: InputEventKey = InputEventKey.new()
			escape.keycode = KEY_ESCAPE
			escape.pressed = true
			_overlay.gui_input.emit(escape)
		elif how == "right click":
			_press(end, true, MOUSE_BUTTON_RIGHT)
		else:
			await _select([])
		facts[how] = node.get("max_angle")
		await _select([LIMITS[0]])
	_press(start, true)
	_point(end, true)
	facts["snapped"] = rad_to_deg(node.get("max_angle"))
	_press(end, true, MOUSE_BUTTON_RIGHT)
	_press(start, true)
	_press(start, false)
	facts["steps"] = history.get_version() - version
	await _select([ARM])
	var pole: Vector2 = _handles()[_path("Pole:position")]
	_press(pole, true)
	_press(pole, false)
	await _wait(3)
	facts["clicked"] = _selected()
	facts["handles"] = _handles().keys()
	_seen["otherwise"] = facts


## For each node that is selected: which handles there are.
func _see_what_is_shown() -> void:
	await _open("plain")
	var shown: Dictionary = {}
	for path: String in ["Target", "Skeleton", "Skeleton/Rig", BONES[0], LIMITS[1], "Other"]:
		await _select([path])
		shown[path] = _handles().keys()
	await _select(["Target", "Pole"])
	shown["Target and Pole"] = _handles().keys()
	_node("Skeleton/Rig").set("active", false)
	await _select([ARM])
	shown["inactive"] = _handles().keys()
	_node(ARM).free()
	await _wait(3)
	shown["freed"] = _handles().keys()
	_seen["shown"] = shown


func _open(scene: String) -> void:
	EditorInterface.open_scene_from_path("res://%s.tscn" % scene)
	await _wait(10)
	var skeleton: Node = EditorInterface.get_edited_scene_root().find_child("Skeleton")
	_above = str(EditorInterface.get_edited_scene_root().get_path_to(skeleton))
	_above = _above.trim_suffix("Skeleton")
	# Away from the rulers, which come first.
	for bar: Node in _overlay.get_parent().find_children("*", "ScrollBar", true, false):
		(bar as Range).value = -400.0
	await _wait(5)


func _select(paths: Array) -> void:
	var selection: EditorSelection = EditorInterface.get_selection()
	selection.clear()
	for path: String in paths:
		selection.add_node(_node(path))
	await _wait(5)


func _selected() -> Array:
	var nodes: Array = EditorInterface.get_selection().get_selected_nodes()
	return nodes.map(func(node: Node) -> String: return str(node.name))


func _node(path: String) -> Node:
	return EditorInterface.get_edited_scene_root().get_node(_path(path))


func _path(path: String) -> String:
	return _above + path if path.begins_with("Skeleton") else path


func _handles() -> Dictionary:
	return _plugin.call(&"get_handles")


func _canvas() -> Transform2D:
	return EditorInterface.get_editor_viewport_2d().global_canvas_transform


func _history(node: Node) -> UndoRedo:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(node))


func _point(place: Vector2, snaps: bool = false) -> void:
	var motion: InputEventMouseMotion = InputEventMouseMotion.new()
	motion.position = place
	motion.ctrl_pressed = snaps
	motion.button_mask = MOUSE_BUTTON_MASK_LEFT
	_overlay.gui_input.emit(motion)


func _press(place: Vector2, pressed: bool, button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	var event: InputEventMouseButton = InputEventMouseButton.new()
	event.position = place
	event.button_index = button
	event.pressed = pressed
	_overlay.gui_input.emit(event)
