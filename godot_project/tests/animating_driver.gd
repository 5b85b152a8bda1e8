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
	await _undo_at_another_time()
	await _reset_with_targets()
	await _press_shortcut_in_the_dock()
	await _open_menus()
	await _cancel_with_the_right_button()
	await _propose_what_is_open()
	_read_tooltips()


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
	facts["label after"] = _plugin.call("get_label")
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


## Steps that have nothing to do with the pose, and one of a bone, are undone at another time.
func _undo_at_another_time() -> void:
	await _open_animation("moments")
	await _show_animation("walk")
	_seek(0.5)
	await _wait(5)
	var facts: Dictionary = {"at 0.5": _pose_of_moments()}
	await _set_with_undo(_node("Marker"), "visible", false)
	_history().undo()
	await _wait(5)
	facts["undone"] = _pose_of_moments()
	_history().redo()
	await _wait(5)
	facts["redone"] = _pose_of_moments()
	var hips: Bone2D = _node("Skeleton/Hips")
	_node("Skeleton/Rig").call("restore_pose")
	await _set_with_undo(hips, "rotation", 0.9)
	_seek(1.0)
	await _wait(5)
	facts["at 1.0"] = _pose_of_moments()
	_history().undo()
	await _wait(5)
	facts["turn undone"] = _pose_of_moments()
	_seek(0.25)
	await _wait(5)
	facts["at 0.25"] = _pose_of_moments()
	await _set_with_undo(_node("Marker"), "visible", true)
	_history().undo()
	await _wait(5)
	facts["told"] = await _choose_and_listen("Key Whole Character")
	facts["keyed"] = _keys_at(0.25)
	_seen["moments"] = facts


func _set_with_undo(node: Node, property: String, value: Variant) -> void:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	manager.create_action("Set " + property, UndoRedo.MERGE_DISABLE, _root())
	manager.add_do_property(node, property, value)
	manager.add_undo_property(node, property, node.get(property))
	manager.commit_action()
	await _wait(5)


## The base pose: the height of the hips, and all rotations.
func _pose_of_moments() -> Array:
	var rig: TendonRig2D = _node("Skeleton/Rig")
	var pose: Array = [(_node("Skeleton/Hips") as Bone2D).position.y]
	pose.append_array(_bones().map(func(it: Bone2D) -> float: return rig.get_base_rotation(it)))
	return pose


## What keys at this time set, by path.
func _keys_at(time: float) -> Dictionary:
	var animation: Animation = (_node("Player") as AnimationPlayer).get_animation("walk")
	var keys: Dictionary = {}
	for track: int in animation.get_track_count():
		var key: int = animation.track_find_key(track, time, Animation.FIND_MODE_APPROX)
		if key >= 0:
			var value: Variant = animation.track_get_key_value(track, key)
			keys[str(animation.track_get_path(track))] = value.y if value is Vector2 else value
	return keys


func _choose_and_listen(entry: String) -> String:
	var before: PackedStringArray = _toasts()
	_choose(entry)
	await _wait(5)
	return _told_since(before)


func _reset_with_targets() -> void:
	await _open("moments")
	await _select(["Skeleton"])
	var target: Node2D = _node("Skeleton/Hips/LeftTarget")
	target.position += Vector2(-30, 25)
	var reach: Node = _root().find_child("LeftReach")
	var flips: bool = reach.get("flip_bend_direction")
	reach.set("flip_bend_direction", not flips)
	await _wait(5)
	var facts: Dictionary = {"told": await _choose_and_listen("Reset Pose")}
	facts["rest"] = _rests()
	facts["shown"] = _shown()
	facts["moved"] = [target.position.x, target.position.y]
	facts["bends"] = [reach.get("flip_bend_direction") == flips]
	_history().undo()
	await _wait(5)
	facts["undone"] = [target.position.x, target.position.y]
	facts["bends"].append(reach.get("flip_bend_direction") == flips)
	_seen["reset with targets"] = facts


## With the skeleton clicked in the scene dock, which has the focus then; and copies of what
## selected targets mean.
func _press_shortcut_in_the_dock() -> void:
	await _open("moments")
	var facts: Dictionary = {}
	for selected: Array in [
		["Skeleton"], ["Skeleton/Hips/LeftTarget", "Skeleton/Hips/RightTarget"]
	]:
		await _select(selected)
		var dock: Node = _found("SceneTreeEditor")[0]
		(dock.find_children("*", "Tree", true, false)[0] as Tree).grab_focus()
		await _wait(3)
		var before: PackedStringArray = _toasts()
		await _type(KEY_C)
		facts[",".join(selected)] = _told_since(before)
	_seen["in the dock"] = facts


## Alt, Shift and a key, as the system tells of it: with the letter.
func _type(key: Key) -> void:
	for is_pressed: bool in [true, false]:
		var event: InputEventKey = InputEventKey.new()
		event.keycode = key
		event.physical_keycode = key
		event.unicode = key
		event.shift_pressed = true
		event.alt_pressed = true
		event.pressed = is_pressed
		await _send(event)


## Which menus leave what is shown while they are open.
func _open_menus() -> void:
	await _open("keys")
	await _select(["Target"])
	var shown: Array = _shown()
	var facts: Dictionary = {}
	var editor: Node = _found("CanvasItemEditor")[0]
	var menus: Dictionary = {"mouse": editor.find_children("*", "PopupMenu", false, false)[0]}
	for button: MenuButton in _found("MenuButton"):
		if button.text == "View" and editor.is_ancestor_of(button):
			menus["View"] = button.get_popup()
		if button.text == "Skeleton2D" and editor.is_ancestor_of(button):
			menus["Skeleton2D"] = button.get_popup()
		if "Animation" in button.text and _is_below("AnimationPlayerEditor", button):
			menus["Animation"] = button.get_popup()
	for menu: PopupMenu in _found("SceneTreeDock")[0].find_children("*", "PopupMenu", false, false):
		menus["dock %d" % menu.get_index()] = menu
	for title: String in menus:
		var menu: PopupMenu = menus[title]
		menu.popup()
		await _wait(4)
		facts[title] = _shown() == shown
		menu.hide()
		await _wait(4)
	_seen["menus"] = facts


func _is_below(type: String, node: Node) -> bool:
	var above: Node = node
	while above != null and not above.is_class(type):
		above = above.get_parent()
	return above != null


## A handle is pressed, or dragged, when the right button is pressed.
func _cancel_with_the_right_button() -> void:
	var facts: Dictionary = {}
	for steps: int in [0, 1, 6]:
		await _open("keys")
		await _select([ARM])
		var target: Node2D = _node("Target")
		var before: Vector2 = target.position
		var place: Vector2 = (_plugin.call("get_handles") as Dictionary)["Target:position"]
		_mouse(_viewport, place, true)
		for step: int in steps:
			_mouse(_viewport, place + Vector2(4, 3) * step)
		var event: InputEventMouseButton = InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_RIGHT
		event.pressed = true
		event.position = place
		_viewport.gui_input.emit(event)
		await _wait(3)
		var open: Array = _found("PopupMenu").filter(
			func(menu: PopupMenu) -> bool: return menu.visible
		)
		facts["%d steps" % steps] = [open.size(), target.position == before]
		open.map(func(menu: PopupMenu) -> void: menu.hide())
		_mouse(_viewport, place, false)
		await _wait(3)
	_seen["right button"] = facts


func _propose_what_is_open() -> void:
	var facts: Dictionary = {}
	for open: String in ["", "run"]:
		await _open("moments" if open != "" else "unopened")
		if open != "":
			await _open_animation("moments")
			await _show_animation(open)
		await _select(["Skeleton"])
		_choose("Bake to Animation…")
		await _wait(5)
		for dialog: ConfirmationDialog in _found("ConfirmationDialog"):
			if dialog.visible and dialog.title == "Bake to Animation":
				var lists: Array[Node] = dialog.find_children("*", "OptionButton", true, false)
				facts[open] = [(lists[1] as OptionButton).text, (lists[1] as OptionButton).selected]
				dialog.hide()
	_seen["proposed"] = facts
	_choose("Bake to Targets…")
	await _wait(5)
	for dialog: ConfirmationDialog in _found("ConfirmationDialog"):
		if dialog.visible and dialog.title == "Bake to Targets":
			_seen["targets"] = await _see_targets(dialog)
			dialog.hide()


## What is proposed, and that nothing is baked without a target.
func _see_targets(dialog: ConfirmationDialog) -> Dictionary:
	var lists: Array[Node] = dialog.find_children("*", "OptionButton", true, false)
	var facts: Dictionary = {"animation": (lists[1] as OptionButton).text}
	var button: Button = dialog.get_ok_button()
	facts["greyed"] = [button.disabled]
	for choice: CheckBox in dialog.find_children("*", "CheckBox", true, false):
		choice.button_pressed = false
	await _wait(2)
	facts["greyed"].append(button.disabled)
	facts["words"] = false
	for label: Label in dialog.find_children("*", "Label", true, false):
		if label.is_visible_in_tree() and label.text.begins_with("Choose a modifier"):
			facts["words"] = true
	var height: int = dialog.size.y
	dialog.hide()
	_choose("Bake to Targets…")
	await _wait(5)
	facts["greyed"].append(button.disabled)
	facts["grows"] = dialog.size.y > height
	return facts


## Chooses an animation in the animation editor.
func _show_animation(title: String) -> void:
	for list: OptionButton in _found("OptionButton"):
		for item: int in list.item_count:
			if _is_below("AnimationPlayerEditor", list) and list.get_item_text(item) == title:
				list.select(item)
				list.item_selected.emit(item)
	await _wait(5)


## The engine begins a tooltip with the name of the shortcut.
func _read_tooltips() -> void:
	for button: Button in _found("Button"):
		if button.text == "Pose" and button.toggle_mode:
			_seen["tooltip"] = button.shortcut.resource_name


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
