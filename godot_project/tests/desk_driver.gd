@tool
extends "hand.gd"
## What [code]test_desk.gd[/code] has an editor do, with the mouse and the keyboard: rigs a
## character of twenty bones, makes the first half of a walk on stairs, mirrors it to the second
## half, and keys all. Prints how often it has clicked, and what came of it, as one line of JSON.

const SCENE: String = "res://person.tscn"
const WINDOW: Vector2i = Vector2i(1600, 900)
## The keyed moments of half a walk, in seconds, and from one to the next.
const STEP: float = 0.2
const HALF: int = 4
## Where the character's parts are pulled at each moment of the first half: the near foot climbs a
## step, and the body follows.
const PULLS: Array[Dictionary] = [
	{"Shin_L": Vector2(50, -34), "Forearm_L": Vector2(-44, -10), "Forearm_R": Vector2(40, -18)},
	{"Hips": Vector2(10, 8), "Forearm_L": Vector2(16, 4), "Forearm_R": Vector2(-14, 4)},
	{"Hips": Vector2(14, -14), "Shin_R": Vector2(16, -22), "Forearm_L": Vector2(26, 2)},
	{"Hips": Vector2(16, -16), "Shin_R": Vector2(34, -28), "Forearm_R": Vector2(-30, 6)},
]


func _stay() -> void:
	root.size = WINDOW
	EditorInterface.set_main_screen_editor("2D")
	await _open_person()
	await _show_character()
	await _picture("skeleton")
	await _rig()
	await _open_animation()
	await _key(KEY_B, [KEY_ALT, KEY_SHIFT])
	_typed += 1
	for moment: int in HALF:
		await _pose_at(moment)
	for moment: int in HALF:
		await _mirror(moment)
	_seen["clicks"] = _clicks
	_seen["typed"] = _typed
	_seen["poses"] = _poses()
	_seen["taken"] = _taken_shortcuts()
	_seen["tracks"] = _walk().get_track_count()
	_seen["keys"] = _walk().track_get_key_count(0)
	if _pictures > 0:
		print("TAKEN %d" % _pictures)


## Opens the scene of the suite. Where pictures are taken there is none yet.
func _open_person() -> void:
	var is_there: bool = FileAccess.file_exists(SCENE)
	if not is_there:
		var suite: GDScript = load("res://tests/test_desk.gd")
		suite.call("save_scene", suite.call("person"), SCENE)
	EditorInterface.open_scene_from_path(SCENE)
	await _wait(30)
	if not is_there:
		DirAccess.remove_absolute(SCENE)


func _rig() -> void:
	var facts: Dictionary = {}
	await _pick("Skeleton2D")
	await _choose("Rig a Character…")
	await _picture("dialog")
	await _click(_dialog_button("Add"))
	await _wait(20)
	await _picture("rigged")
	var rig: Node = _root().get_node_or_null("Skeleton2D/TendonRig2D")
	facts["modifiers"] = (
		[] if rig == null else rig.get_children().map(func(it: Node) -> String: return it.name)
	)
	facts["clicks"] = _clicks
	_seen["rig"] = facts


func _dialog_button(text: String) -> Vector2:
	for window: AcceptDialog in root.find_children("*", "AcceptDialog", true, false):
		if window.visible and window.get_ok_button().text == text:
			var button: Button = window.get_ok_button()
			return Vector2(window.position) + button.get_global_rect().get_center()
	printerr("No dialog has the button " + text)
	return Vector2.ZERO


## The panel of animations shows that of the player which is selected.
func _open_animation() -> void:
	await _pick("AnimationPlayer")
	await _wait(30)
	await _show_character()
	await _picture("animation")


func _pose_at(moment: int) -> void:
	await _seek(STEP * moment)
	var before: Dictionary = _places()
	for part: String in PULLS[moment]:
		var bone: Bone2D = _root().find_child(part)
		var from: Vector2 = _on_screen(bone.global_position) if part == "Hips" else _end_of(bone)
		await _drag(from, from + PULLS[moment][part] * _zoom())
	await _choose("Key Whole Character", "Animation")
	await _picture("pose_%d" % moment)
	var after: Dictionary = _places()
	_seen["moved %d" % moment] = PULLS[moment].keys().map(
		func(part: String) -> float:
			var end: String = part.replace("Shin", "Foot").replace("Forearm", "Hand")
			return before[end].distance_to(after[end])
	)
	_seen["messages %d" % moment] = _messages().size()


## The pose of the other half at the same moment of it, with left and right exchanged.
func _mirror(moment: int) -> void:
	await _seek(STEP * moment)
	await _key(KEY_C, [KEY_ALT, KEY_SHIFT])
	await _seek(STEP * (moment + HALF))
	await _key(KEY_M, [KEY_ALT, KEY_SHIFT])
	await _wait(20)
	_seen["mirrored %d" % moment] = _messages()
	await _key(KEY_K, [KEY_ALT, KEY_SHIFT])
	_typed += 3
	await _picture("mirrored_%d" % moment)


## Shortcuts that both the editor and the Tendon menu have. The engine tells its own from 4.6 on.
func _taken_shortcuts() -> Array:
	var ours: Array[InputEvent] = []
	for menu: PopupMenu in _with_submenus((_button("Tendon") as MenuButton).get_popup()):
		for item: int in menu.item_count:
			var shortcut: Shortcut = menu.get_item_shortcut(item)
			if shortcut != null:
				ours.append_array(shortcut.events)
	_seen["shortcuts"] = ours.size()
	var settings: EditorSettings = EditorInterface.get_editor_settings()
	if not settings.has_method("get_shortcut_list"):
		return []
	var paths: Array = settings.call("get_shortcut_list")
	return paths.filter(
		func(path: String) -> bool:
			var theirs: Shortcut = settings.call("get_shortcut", path)
			return ours.any(theirs.matches_event)
	)


## Types the time into the field of the animation editor.
func _seek(time: float) -> void:
	for field: SpinBox in root.find_children("*", "SpinBox", true, false):
		if field.is_visible_in_tree() and field.tooltip_text.begins_with("Animation position"):
			await _click(field.get_line_edit().get_global_rect().get_center())
			field.get_line_edit().text = "%.1f" % time
			await _key(KEY_ENTER)
			_typed += 1
	await _wait(10)


## At each keyed moment, where hands and feet are from the hips.
func _poses() -> Array:
	var player: AnimationPlayer = _root().get_node("AnimationPlayer")
	var rig: Node = _root().get_node("Skeleton2D/TendonRig2D")
	var poses: Array = []
	for moment: int in 2 * HALF:
		rig.call("restore_pose")
		player.assigned_animation = "walk"
		player.seek(STEP * moment, true)
		rig.call("advance", 0.0)
		var places: Dictionary = {}
		for part: String in _places():
			var place: Vector2 = _places()[part] - _places()["Hips"]
			places[part] = [place.x, place.y]
		poses.append(places)
	return poses


func _places() -> Dictionary:
	var places: Dictionary = {}
	for part: String in ["Hips", "Hand_L", "Hand_R", "Foot_L", "Foot_R"]:
		places[part] = (_root().find_child(part) as Node2D).global_position
	return places


func _walk() -> Animation:
	return (_root().get_node("AnimationPlayer") as AnimationPlayer).get_animation("walk")


func _root() -> Node:
	return EditorInterface.get_edited_scene_root()


func _viewport() -> Control:
	for viewport: Control in root.find_children("*", "CanvasItemEditorViewport", true, false):
		if viewport.is_visible_in_tree():
			return viewport
	return null


func _on_screen(place: Vector2) -> Vector2:
	var canvas: Transform2D = EditorInterface.get_editor_viewport_2d().global_canvas_transform
	return _viewport().get_global_position() + canvas * place


func _zoom() -> float:
	return EditorInterface.get_editor_viewport_2d().global_canvas_transform.get_scale().x


func _end_of(bone: Bone2D) -> Vector2:
	var end: Vector2 = Vector2.from_angle(bone.get_bone_angle()) * bone.get_length()
	return _on_screen(bone.global_transform * end)


## Frames the character in the viewport: F, with the mouse over it.
func _show_character() -> void:
	for time: int in 2:
		for widget: Node in root.find_children("*", "EditorZoomWidget", true, false):
			if (widget as Control).is_visible_in_tree():
				widget.emit_signal("zoom_changed", 0.9)
		await _wait(5)
		var half: Vector2 = _viewport().size / 2.0 / _zoom()
		for bar: Range in _viewport().get_parent().find_children("*", "ScrollBar", true, false):
			bar.allow_lesser = true
			bar.allow_greater = true
			bar.value = -half.x if bar is HScrollBar else -half.y + 10.0
		await _wait(5)
