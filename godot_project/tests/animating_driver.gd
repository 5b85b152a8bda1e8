@tool
extends "editor_tools_driver.gd"
## What [code]test_animating.gd[/code] has an editor do: what an animator does with targets, bones,
## paths and new modifiers, with the mouse. Prints what it has seen as one line of JSON.

const ARM: String = "Skeleton/Rig/Arm"

var _viewport: Control
var _plugin: Node


func _stay() -> void:
	EditorInterface.set_main_screen_editor("2D")
	_viewport = _found("CanvasItemEditorViewport")[0]
	_plugin = root.find_children("*", "TendonGizmoPlugin", true, false)[0]
	await _drag_target_with_auto_key()
	await _drag_target_otherwise()
	await _rotate_driven_bone()
	await _apply_pose_with_reset()
	await _add_custom_modifier()
	await _add_spring()
	await _add_spline()
	await _select_player()
	await _copy_from_what_is_selected()
	await _press_shortcut()


## With "auto insert keys", at a time without a key.
func _drag_target_with_auto_key() -> void:
	await _open_animation("keys")
	var facts: Dictionary = {}
	await _select([ARM])
	_key_button(true).button_pressed = true
	await _wait(3)
	_seek(0.5)
	await _drag("Target:position", Vector2(-40, 32))
	await _wait(5)
	_key_button(true).button_pressed = false
	var animation: Animation = (_node("Player") as AnimationPlayer).get_animation("walk")
	facts["keys"] = []
	for key: int in animation.track_get_key_count(0):
		var value: Vector2 = animation.track_get_key_value(0, key)
		facts["keys"].append([animation.track_get_key_time(0, key), value.x, value.y])
	facts["selected"] = _selected_paths()
	_seen["auto key"] = facts


## Snapped to the grid; named in the history; taken back.
func _drag_target_otherwise() -> void:
	await _open("keys")
	await _select([ARM])
	var facts: Dictionary = {}
	var snap: Button = null
	for button: Button in _found("Button"):
		if button.tooltip_text.begins_with("Toggle grid snapping"):
			snap = button
	snap.button_pressed = true
	await _drag("Target:position", Vector2(-41, 33))
	await _wait(5)
	snap.button_pressed = false
	var place: Vector2 = _node("Target").get("position")
	facts["snapped"] = [place.x, place.y]
	facts["step"] = _history().get_current_action_name()
	var from: Vector2 = _plugin.call("get_handles")["Target:position"]
	_mouse(_viewport, from, true)
	for step: int in 5:
		_mouse(_viewport, from + step * Vector2(5, 3))
	facts["during"] = _node("Target").get("position") != place
	facts["label"] = _plugin.call("get_label")
	var escape: InputEventKey = InputEventKey.new()
	escape.keycode = KEY_ESCAPE
	escape.pressed = true
	_viewport.gui_input.emit(escape)
	await _wait(3)
	facts["taken back"] = _node("Target").get("position") == place
	facts["selected"] = _selected_paths()
	facts["blocked"] = EditorInterface.get_selection().is_blocking_signals()
	_seen["otherwise"] = facts


## With the rotate tool, slowly, so that the rig solves in between.
func _rotate_driven_bone() -> void:
	await _open("keys")
	await _select([UPPER])
	EditorInterface.edit_node(_node(UPPER))
	await _wait(5)
	var facts: Dictionary = {"before": await _base(), "shown": _shown()}
	var before: PackedStringArray = _toasts()
	var version: int = _history().get_version()
	for button: Button in _found("Button"):
		if button.tooltip_text.begins_with("Rotate Mode"):
			button.pressed.emit()
	await _turn(0.5)
	await _turn(0.3)
	facts["after"] = await _base()
	facts["steps"] = _history().get_version() - version
	facts["told"] = _told_since(before)
	for step: int in 2:
		await _press(KEY_Z)
	facts["undone"] = await _base()
	for step: int in 2:
		await _press(KEY_Z, true)
	facts["redone"] = await _base()
	for button: Button in _found("Button"):
		if button.tooltip_text.begins_with("Select Mode"):
			button.pressed.emit()
	_seen["driven"] = facts


func _turn(angle: float) -> void:
	var canvas: Transform2D = EditorInterface.get_editor_viewport_2d().global_canvas_transform
	var joint: Vector2 = canvas * (_node(UPPER) as Node2D).global_position
	var arm: Vector2 = Vector2(60, 0)
	_mouse(_viewport, joint + arm, true)
	for step: int in 6:
		_mouse(_viewport, joint + arm.rotated(angle * step / 5.0))
		await _wait(2)
	await _wait(5)
	_mouse(_viewport, joint + arm.rotated(angle), false)
	await _wait(5)


## Saving goes back to RESET, which has a track for one of the bones.
func _apply_pose_with_reset() -> void:
	await _open("reset")
	await _select(["Skeleton"])
	var facts: Dictionary = {"solved": _shown(), "keys before": _keys()}
	var before: PackedStringArray = _toasts()
	_choose("Apply Solved Pose")
	await _wait(5)
	facts["told"] = _told_since(before)
	facts["applied"] = await _base()
	EditorInterface.save_scene()
	await _wait(3)
	facts["saved"] = await _base()
	facts["file"] = FileAccess.get_file_as_string("res://reset.tscn")
	facts["keys"] = _keys()
	await _press(KEY_Z)
	facts["keys undone"] = _keys()
	_seen["apply"] = facts


func _add_custom_modifier() -> void:
	await _open("keys")
	await _select([LOWER, UPPER])
	var shown: Array = _shown()
	var before: PackedStringArray = _toasts()
	_choose("Add Custom Modifier")
	await _wait(5)
	var node: Node = _node(_selected_paths()[0])
	var script: GDScript = node.get_script()
	var facts: Dictionary = {"source": script.source_code, "same": _shown() == shown}
	facts["bones"] = node.get("bones").map(func(bone: Node) -> String: return str(bone.name))
	facts["told"] = _told_since(before)
	facts["path"] = script.resource_path
	EditorInterface.save_scene()
	await _wait(2)
	facts["file"] = FileAccess.get_file_as_string("res://keys.tscn")
	_seen["custom"] = facts


func _add_spring() -> void:
	await _open("tail")
	await _select(["Skeleton/Bone0"])
	var before: PackedStringArray = _toasts()
	_choose("Add Spring")
	await _wait(5)
	var path: String = _selected_paths()[0]
	var facts: Dictionary = {"frequency": _node(path).get("frequency")}
	facts["told"] = _told_since(before)
	facts["at rest"] = await _read_row(path)
	(_node("Skeleton") as Node2D).position += Vector2(60, 0)
	await _wait(3)
	var row: Control = _row()
	var words: Array = []
	for time: int in 12:
		words.append(_text_of(row).get_slice("|", 0))
		await create_timer(0.05).timeout
	facts["moved"] = words
	_seen["spring"] = facts


## A path beside the chain, whose points are dragged while the modifier is selected.
func _add_spline() -> void:
	await _open("tail")
	await _select(["Skeleton/Bone0"])
	var shown: Array = _shown()
	_choose("Add Spline IK")
	await _wait(5)
	var path: Path2D = _root().find_child("*Path", true, false)
	var facts: Dictionary = {"points": path.curve.point_count, "bones": shown.size()}
	facts["turned by"] = range(shown.size()).map(
		func(bone: int) -> float: return absf(angle_difference(_shown()[bone], shown[bone]))
	)
	var before: Vector2 = path.curve.get_point_position(1)
	var version: int = _history().get_version()
	await _drag("%s:point_1/position" % path.name, Vector2(0, 30))
	var moved: Vector2 = path.curve.get_point_position(1) - before
	facts["moved"] = [moved.x, moved.y]
	facts["follows"] = _shown() != shown
	facts["steps"] = _history().get_version() - version
	await _press(KEY_Z)
	facts["undone"] = path.curve.get_point_position(1) == before
	_seen["spline"] = facts


func _select_player() -> void:
	await _open("keys")
	await _select(["Player"])
	_seen["player"] = {"handles": (_plugin.call("get_handles") as Dictionary).keys()}


func _copy_from_what_is_selected() -> void:
	var facts: Dictionary = {}
	for source: String in ["Target", UPPER]:
		await _open("keys")
		await _select([source, LOWER])
		_choose("Add Copy Transform")
		await _wait(5)
		var node: Node = _node(_selected_paths()[0])
		var names: Array = []
		for property: String in ["bone", "source"]:
			var value: Variant = node.get(property)
			names.append(str(value.name) if value != null else "")
		facts[source] = names
		await _press(KEY_Z)
	_seen["copy"] = facts


func _press_shortcut() -> void:
	await _open("keys")
	await _select(["Player"])
	var shown: Array = []
	for time: int in 2:
		var event: InputEventKey = InputEventKey.new()
		event.keycode = KEY_P
		event.shift_pressed = true
		event.alt_pressed = true
		event.pressed = true
		root.push_input(event)
		await _wait(5)
		shown.append(_node("Skeleton/Rig").get("preview_in_editor"))
	_seen["shortcut"] = shown


## Presses a key together with Ctrl.
func _press(key: Key, shift: bool = false) -> void:
	var event: InputEventKey = InputEventKey.new()
	event.keycode = key
	event.physical_keycode = key
	event.ctrl_pressed = true
	event.shift_pressed = shift
	event.pressed = true
	root.push_input(event)
	await _wait(3)


## Drags a handle, as a user would.
func _drag(key: String, way: Vector2) -> void:
	var from: Vector2 = _plugin.call("get_handles")[key]
	_mouse(_viewport, from, true)
	for step: int in 6:
		_mouse(_viewport, from + way * step / 5.0)
		await _wait(2)
	_mouse(_viewport, from + way, false)
	await _wait(3)


func _seek(time: float) -> void:
	for editor: Node in _found("AnimationTimelineEdit"):
		editor.emit_signal("timeline_changed", time, false)


func _selected_paths() -> Array:
	var nodes: Array = EditorInterface.get_selection().get_selected_nodes()
	return nodes.map(func(node: Node) -> String: return str(_root().get_path_to(node)))
