@tool
extends "driver.gd"
## What [code]test_editor_tools.gd[/code] has an editor do: what animators do with bones that a rig
## turns. It uses the editor's own buttons and menus. Prints what it has seen as one line of JSON.

const UPPER: String = "Skeleton/Bone0"
const LOWER: String = "Skeleton/Bone0/Bone1"


func _stay() -> void:
	EditorInterface.set_main_screen_editor("2D")
	await _overwrite_rest()
	await _key_in_inspector()
	await _key_in_toolbar()
	await _key_by_shortcut()
	await _key_in_track()
	await _key_after_drag()
	await _copy_and_paste_pose()
	await _choose_from_a_menu()
	for limb: String in ["bent", "bent back", "straight", "mirrored", "skewed", "driven"]:
		_seen["added to " + limb] = await _add_each("add " + limb)
	await _see_faults()
	await _see_statuses()
	await _see_bone_row()
	await _type_a_rotation()
	await _type_for_several()
	await _reset_to_rest()
	await _point_and_click()
	await _measure_labels()
	_measure_toasts()


## Three times, as each would let a limited bone turn further.
func _overwrite_rest() -> void:
	await _open("limb")
	var facts: Dictionary = {"base": await _base(), "shown": _shown()}
	await _select(["Skeleton"])
	for time: int in 3:
		await _choose("Overwrite Rest Pose")
		await _wait(5)
	facts["rest"] = _rests()
	facts["shown after"] = _shown()
	facts["base after"] = await _base()
	var version: int = _history().get_version()
	await _choose("Overwrite Rest Pose")
	await _wait(3)
	facts["steps"] = _history().get_version() - version
	_history().undo()
	await _wait(3)
	facts["undone"] = _rests()
	_history().redo()
	await _wait(3)
	facts["redone"] = _rests()
	_seen["rest"] = facts


## The key symbol beside a property: of a bone that has no track yet, with the question whether to
## make one and one in RESET, and of a bone that has one.
func _key_in_inspector() -> void:
	await _open_animation("limb")
	var facts: Dictionary = {"base": await _base(), "shown": _shown()}
	for path: String in [UPPER, LOWER]:
		await _select([path])
		EditorInterface.edit_node(_node(path))
		await _wait(5)
		var field: EditorProperty = _field("rotation")
		EditorInterface.get_inspector().ensure_control_visible(field)
		await _wait(5)
		# The symbol is at the end of the row.
		await _click_at(field, Vector2(field.size.x - 10.0, field.size.y / 2.0))
		await _wait(5)
		_confirm()
		await _wait(5)
	facts["keys"] = _keys()
	var version: int = _history().get_version()
	_history().undo()
	_history().redo()
	facts["same version"] = _history().get_version() == version
	await _wait(3)
	facts["redone"] = _keys()
	_seen["inspector"] = facts


func _key_in_toolbar() -> void:
	await _open_animation("bar")
	var facts: Dictionary = {"base": await _base(), "shown": _shown()}
	await _select([UPPER, LOWER])
	await _choose("Insert Key")
	await _wait(5)
	_confirm()
	await _wait(5)
	facts["keys"] = _keys()
	_seen["toolbar"] = facts


## The key that does the same as the button beside the menu.
func _key_by_shortcut() -> void:
	await _open_animation("bar by shortcut")
	var facts: Dictionary = {"base": await _base(), "shown": _shown()}
	await _select([UPPER, LOWER])
	_found("CanvasItemEditorViewport")[0].grab_focus()
	var event: InputEventKey = InputEventKey.new()
	event.keycode = KEY_INSERT
	event.pressed = true
	await _send(event)
	await _wait(5)
	_confirm()
	await _wait(5)
	facts["keys"] = _keys()
	_seen["shortcut"] = facts


## "Insert Key" in the menu of a track.
func _key_in_track() -> void:
	await _open_animation("track")
	var facts: Dictionary = {"base": await _base(), "shown": _shown()}
	for track: Control in _found("AnimationTrackEdit"):
		await _click_at(track, track.size / 2.0, MOUSE_BUTTON_RIGHT)
		for popup: PopupMenu in track.find_children("*", "PopupMenu", true, false):
			for item: int in popup.item_count:
				if popup.get_item_text(item).begins_with("Insert Key"):
					await _choose_item(popup, item)
	await _wait(10)
	facts["keys"] = _keys()
	_seen["track"] = facts


## With "auto insert keys" a drag in the viewport ends with keys. The mouse rests a moment before it
## is released, so that the bone shows the solved pose again.
func _key_after_drag() -> void:
	await _open_animation("auto")
	var facts: Dictionary = {}
	await _select([LOWER])
	_key_button(true).button_pressed = true
	await _wait(3)
	var viewport: Control = _found("CanvasItemEditorViewport")[0]
	var canvas: Transform2D = EditorInterface.get_editor_viewport_2d().global_canvas_transform
	var bone: Bone2D = _node(LOWER)
	var joint: Vector2 = canvas * bone.global_position
	var tool_button: Button = null
	for button: Button in _found("Button"):
		if button.tooltip_text.begins_with("Rotate Mode"):
			tool_button = button
	tool_button.pressed.emit()
	_mouse(viewport, joint + Vector2(60, 0), true)
	for step: int in 6:
		_mouse(viewport, joint + Vector2(60, 0).rotated(0.1 * step))
		await _wait(2)
	await _wait(5)
	facts["shown"] = _shown()
	_mouse(viewport, joint + Vector2(60, 0).rotated(0.5), false)
	await _wait(5)
	_confirm()
	_key_button(true).button_pressed = false
	_mouse(viewport, joint, false)
	await _wait(3)
	facts["base"] = await _base()
	facts["keys"] = _keys()
	_seen["drag"] = facts


## What the bones hold while a menu is open, and when one of its entries acts, whose listener was
## connected first.
func _choose_from_a_menu() -> void:
	await _open("limb")
	var facts: Dictionary = {"base": await _base(), "shown": _shown()}
	var menu: PopupMenu = PopupMenu.new()
	menu.add_item("Read")
	menu.id_pressed.connect(func(_id: int) -> void: facts["first"] = _shown())
	EditorInterface.get_base_control().add_child(menu)
	menu.index_pressed.connect(func(_index: int) -> void: facts["last"] = _shown())
	menu.popup()
	await _wait(3)
	facts["while open"] = _shown()
	menu.set_focused_item(0)
	# A menu tells of a pressed key after it has acted.
	for is_pressed: bool in [true, false]:
		var event: InputEventKey = InputEventKey.new()
		event.keycode = KEY_ENTER
		event.pressed = is_pressed
		await _send(event)
	facts["is open"] = menu.visible
	facts["after"] = _shown()
	menu.free()
	_seen["menu"] = facts


func _copy_and_paste_pose() -> void:
	await _open_animation("pose")
	var facts: Dictionary = {"base": await _base()}
	await _select([UPPER, LOWER])
	await _choose("Copy Pose")
	await _wait(3)
	var target: Node2D = _root().find_child("Target")
	target.position += Vector2(9, 4)
	await _wait(5)
	await _choose("Paste Pose")
	await _wait(5)
	facts["after"] = await _base()
	_seen["pose"] = facts


## Adds each modifier for the root bone, and takes it back. By its entry in the menu: by how much a
## bone turns at most.
func _add_each(scene: String) -> Dictionary:
	await _open(scene)
	var moved: Dictionary = {}
	var before: Array = _shown()
	var menu: PopupMenu = _tendon_menu()
	for item: int in menu.item_count:
		if menu.is_item_separator(item):
			break
		var title: String = menu.get_item_text(item)
		await _select(["Skeleton/Bone0"])
		menu.about_to_popup.emit()
		if menu.is_item_disabled(item):
			# No legs hang from the bone.
			continue
		var version: int = _history().get_version()
		menu.id_pressed.emit(menu.get_item_id(item))
		await _wait(20)
		moved[title] = 0.0 if _history().get_version() > version else INF
		var after: Array = _shown()
		for bone: int in after.size():
			moved[title] = maxf(moved[title], absf(angle_difference(before[bone], after[bone])))
		_history().undo()
		await _wait(5)
	return moved


func _tendon_menu() -> PopupMenu:
	for button: MenuButton in _found("MenuButton"):
		if button.text == "Tendon":
			return button.get_popup()
	return null


## Nodes that cannot work: the symbols in the scene dock, and what the inspector says.
func _see_faults() -> void:
	await _open("faults")
	var facts: Dictionary = {"before": await _read_warnings()}
	var target: Node = _node("Target")
	var history: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	history.create_action("Delete", UndoRedo.MERGE_DISABLE, _root())
	history.add_do_method(target.get_parent(), "remove_child", target)
	history.add_undo_method(target.get_parent(), "add_child", target)
	history.add_undo_reference(target)
	history.commit_action()
	facts["deleted"] = await _read_warnings()
	facts["idle rig"] = await _read_row("Skeleton/Second/Lost")
	facts["effector"] = await _read_row("Skeleton/Rig/Effector")
	_node("Skeleton/Rig").free()
	facts["first rig gone"] = await _read_warnings()
	await _open("no_end")
	facts["no end"] = await _read_warnings()
	await _select(["Skeleton/Bone0/Bone1"])
	var menu: PopupMenu = _tendon_menu()
	for item: int in menu.item_count:
		if menu.get_item_text(item) == "Add Tip Marker":
			menu.id_pressed.emit(menu.get_item_id(item))
	facts["tip added"] = await _read_warnings()
	var tip: Node2D = _node("Skeleton/Rig/TendonTwoBoneIK2D").get("tip")
	facts["tip"] = str(_root().get_path_to(tip)) if tip != null else ""
	facts["ahead"] = tip.position.angle() if tip != null else INF
	_seen["faults"] = facts


func _see_statuses() -> void:
	await _open("statuses")
	var facts: Dictionary = {"look-at": await _read_row("Skeleton/Rig/Look")}
	facts["partial"] = await _see_partial_influence()
	facts["limited"] = await _read_row("Skeleton/Rig/Limited")
	facts["height"] = _row().size.y
	_node("Far").set("position", Vector2(62, 3))
	await create_timer(0.4).timeout
	facts["height, reached"] = _row().size.y
	facts["reached"] = _text_of(_row())
	var first: Array = []
	for field: Node in EditorInterface.get_inspector().find_children(
		"*", "EditorProperty", true, false
	):
		first.append(str(field.call("get_edited_property")))
	facts["fields"] = first
	facts["visible"] = []
	for field: Control in EditorInterface.get_inspector().find_children(
		"*", "EditorProperty", true, false
	):
		if field.is_visible_in_tree():
			facts["visible"].append(str(field.call("get_edited_property")))
	_seen["statuses"] = facts


## What the inspector says of modifiers whose result is applied in part: the text, and whether the
## word is as green as "Reached" is.
func _see_partial_influence() -> Dictionary:
	var rig: TendonRig2D = _node("Skeleton/Rig")
	var partial: Dictionary = {}
	for path: String in ["Look", "Tree", "Tree/Effector", ""]:
		var full: String = ("Skeleton/Rig/" + path).trim_suffix("/")
		partial[path + ", full"] = [await _read_row(full), _is_green(_row())]
		rig.influence = 0.25
		partial[path] = [await _read_row(full), _is_green(_row())]
		rig.influence = 1.0
	rig.get_node("Look").set("influence", 0.5)
	partial["half"] = [await _read_row("Skeleton/Rig/Look"), _is_green(_row())]
	rig.get_node("Look").set("influence", 1.0)
	await _wait(5)
	return partial


func _is_green(row: Control) -> bool:
	var word: Label = row.find_children("*", "Label", true, false)[0]
	var green: Color = EditorInterface.get_editor_theme().get_color("success_color", "Editor")
	return word.get_theme_color("font_color").is_equal_approx(green)


func _see_bone_row() -> void:
	await _open("limb")
	var facts: Dictionary = {"base": await _base(), "shown": _shown()}
	facts["row"] = await _read_row(LOWER)
	_node("Skeleton/Rig").set("preview_in_editor", false)
	await create_timer(0.4).timeout
	facts["not previewed"] = _text_of(_row())
	_node("Skeleton/Rig").set("preview_in_editor", true)
	_seen["bone row"] = facts


## Types a rotation into the row of a bone that a modifier turns, and takes it back.
func _type_a_rotation() -> void:
	await _open("limb")
	await _select([LOWER])
	EditorInterface.edit_node(_node(LOWER))
	await create_timer(0.4).timeout
	var facts: Dictionary = {"base": await _base(), "shown": _shown()}
	var row: EditorProperty = _field("rotation")
	var version: int = _history().get_version()
	var number: EditorSpinSlider = await _type_into(row, facts)
	facts["shown after"] = _shown()
	# What the rig has solved is a value like any other.
	number.value = rad_to_deg(_shown()[1])
	var solved: float = _shown()[1]
	await create_timer(0.4).timeout
	facts["solved"] = [solved, (await _base())[1]]
	while _history().get_version() > version:
		_history().undo()
	await create_timer(0.4).timeout
	facts["undone"] = await _base()
	facts["row undone"] = number.value
	_node("Skeleton/Rig").set("preview_in_editor", false)
	await create_timer(0.4).timeout
	facts["not previewed"] = [row.label, number.value]
	_node("Skeleton/Rig").set("preview_in_editor", true)
	_seen["typing"] = facts


## Types 33 into the row and notes what that does. Returns the row's field.
func _type_into(row: EditorProperty, facts: Dictionary) -> EditorSpinSlider:
	facts["label"] = row.label
	var number: EditorSpinSlider = row.find_children("*", "EditorSpinSlider", true, false)[0]
	facts["before"] = number.value
	var version: int = _history().get_version()
	number.value = 33.0
	await create_timer(0.4).timeout
	facts["typed"] = number.value
	facts["base after"] = await _base()
	facts["steps"] = _history().get_version() - version
	return number


## The same with several nodes selected, one of them no bone.
func _type_for_several() -> void:
	await _open("limb")
	await _select([LOWER, UPPER, "Target"])
	await create_timer(0.4).timeout
	var edited: Object = EditorInterface.get_inspector().get_edited_object()
	var facts: Dictionary = {"edited": edited.get_class(), "base": await _base()}
	var version: int = _history().get_version()
	await _type_into(_field("rotation"), facts)
	facts["other after"] = _node("Target").get("rotation")
	while _history().get_version() > version:
		_history().undo()
	await create_timer(0.4).timeout
	facts["undone"] = await _base()
	_seen["typing for several"] = facts


## Puts the base pose back to rest while the rig is previewed, and while it is not.
func _reset_to_rest() -> void:
	await _open("limb")
	var facts: Dictionary = {"rest": _rests()}
	for shows: bool in [true, false]:
		_node("Skeleton/Rig").set("preview_in_editor", shows)
		_node(LOWER).set("rotation", 0.9)
		await _wait(5)
		await _select([UPPER, LOWER])
		var before: PackedStringArray = _toasts()
		await _choose("Reset Pose")
		await _wait(5)
		var about: String = "previewed" if shows else "not previewed"
		facts[about] = {"base": await _base(), "shown": _shown()}
		facts[about]["told"] = _told_since(before)
	_node("Skeleton/Rig").set("preview_in_editor", true)
	_seen["reset"] = facts


## What the editor has said at the bottom of its window, in the order in which it did.
func _toasts() -> PackedStringArray:
	var texts: PackedStringArray = []
	var toaster: Node = EditorInterface.get_editor_toaster()
	for type: String in ["Label", "RichTextLabel"]:
		for label: Control in toaster.find_children("*", type, true, false):
			if label.get("text") != "":
				texts.append(_whole(label))
	return texts


## What the editor says now, and did not when [method _toasts] returned [param before]. It frees the
## oldest beyond a few, so their number tells nothing.
func _told_since(before: PackedStringArray) -> String:
	var told: Array = Array(_toasts())
	for text: String in before:
		told.erase(text)
	return "|".join(told)


## The messages that the engine would cut off, of all that there are: it gives them half of the
## window, which is never narrower than 1024 pixels. And those that were too long.
func _measure_toasts() -> void:
	var room: float = maxf(root.size.x, 1024.0 * EditorInterface.get_editor_scale()) / 2.0
	var facts: Dictionary = {"cut off": [], "shortened": []}
	var toaster: Node = EditorInterface.get_editor_toaster()
	for label: Label in toaster.find_children("*", "Label", true, false):
		var font: Font = label.get_theme_font("font")
		var size: int = label.get_theme_font_size("font_size")
		var width: float = font.get_string_size(label.text, HORIZONTAL_ALIGNMENT_LEFT, -1, size).x
		if width > ceilf(room):
			facts["cut off"].append(label.text)
		# A message that comes again has a second label, for their number.
		if label.text != "" and _whole(label) != label.text:
			facts["shortened"].append([label.text, _whole(label)])
	_seen["toasts"] = facts


## By how much the label of each property is wider than the room for it, at the width that the
## inspector has at first. Beside the label there is the button that resets the property.
func _measure_labels() -> void:
	await _open("limb")
	var inspector: EditorInspector = EditorInterface.get_inspector()
	var too_wide: Dictionary = {}
	var count: int = 0
	var widths: Array = []
	for type: String in ClassDB.get_class_list():
		var is_node: bool = type.begins_with("Tendon") and ClassDB.can_instantiate(type)
		if not is_node or ClassDB.get_parent_class(type) not in ["Node", "Node2D"]:
			continue
		var node: Node = ClassDB.instantiate(type)
		_node("Skeleton/Rig").add_child(node)
		EditorInterface.edit_node(node)
		await _unfold_all()
		var own: Array = ClassDB.class_get_property_list(type, true).map(
			func(property: Dictionary) -> String: return property["name"]
		)
		for row: EditorProperty in inspector.find_children("*", "EditorProperty", true, false):
			if str(row.get_edited_property()) in own and row.is_visible_in_tree():
				count += 1
				widths.append(_width(row))
				var missing: float = _missing_width(row)
				if missing > 0.0:
					too_wide["%s: %s" % [type, row.label]] = missing
		node.free()
	EditorInterface.edit_node(_node(LOWER))
	await _unfold_all()
	var rotation_row: EditorProperty = _field("rotation")
	if _missing_width(rotation_row) > 0.0:
		too_wide["Bone2D: " + rotation_row.label] = _missing_width(rotation_row)
	_seen["labels"] = {"too wide": too_wide, "count": count, "widths": [widths.min(), widths.max()]}


func _unfold_all() -> void:
	await _wait(5)
	var inspector: EditorInspector = EditorInterface.get_inspector()
	for section: Node in inspector.find_children("*", "EditorInspectorSection", true, false):
		section.call("unfold")
	await _wait(5)


## How wide a row is in the inspector of a new editor, beside a scroll bar.
func _width(row: EditorProperty) -> float:
	const INSPECTOR: float = 280.0
	var inspector: EditorInspector = EditorInterface.get_inspector()
	var bar: VScrollBar = inspector.get_v_scroll_bar()
	var missing_bar: float = 0.0 if bar.is_visible_in_tree() else bar.get_combined_minimum_size().x
	return row.size.x + INSPECTOR - inspector.size.x - missing_bar


func _missing_width(row: EditorProperty) -> float:
	# What the engine keeps free around the label and around the button, seen in a picture.
	const GAPS: float = 20.0
	var label_size: Vector2 = row.get_theme_font("font").get_string_size(
		row.label, HORIZONTAL_ALIGNMENT_LEFT, -1, row.get_theme_font_size("font_size")
	)
	var button: Texture2D = EditorInterface.get_editor_theme().get_icon(
		"ReloadSmall", "EditorIcons"
	)
	var share: Variant = row.get("name_split_ratio")
	var room: float = (0.5 if share == null else share as float) * _width(row)
	room -= row.get_theme_constant("font_offset") + button.get_width() + GAPS
	return label_size.x - room


func _field(property: String) -> EditorProperty:
	for field: EditorProperty in EditorInterface.get_inspector().find_children(
		"*", "EditorProperty", true, false
	):
		if field.get_edited_property() == property:
			return field
	return null


## The label at a handle goes when the mouse leaves the viewport; the arrow of a bend is clicked.
func _point_and_click() -> void:
	await _open("limb")
	var path: String = "Skeleton/Rig/TendonTwoBoneIK2D"
	await _select([path])
	await _wait(5)
	var viewport: Control = _found("CanvasItemEditorViewport")[0]
	var plugin: Node = root.find_children("*", "TendonGizmoPlugin", true, false)[0]
	var handles: Dictionary = plugin.call("get_handles")
	var arrow: Vector2 = handles.get(path + ":flip_bend_direction", Vector2.INF)
	var facts: Dictionary = {"handles": handles.keys()}
	var motion: InputEventMouseMotion = InputEventMouseMotion.new()
	motion.position = arrow
	viewport.gui_input.emit(motion)
	await _wait(3)
	facts["over"] = plugin.call("get_label")
	viewport.mouse_exited.emit()
	await _wait(3)
	facts["outside"] = plugin.call("get_label")
	var version: int = _history().get_version()
	facts["flipped"] = [_node(path).get("flip_bend_direction")]
	_mouse(viewport, arrow, true)
	_mouse(viewport, arrow, false)
	await _wait(3)
	facts["flipped"].append(_node(path).get("flip_bend_direction"))
	facts["steps"] = _history().get_version() - version
	_seen["pointing"] = facts


func _read_row(path: String) -> String:
	await _select([path])
	EditorInterface.edit_node(_node(path))
	await create_timer(0.4).timeout
	await _wait(5)
	return _text_of(_row()) if _row() != null else "no row"


func _row() -> Control:
	var rows: Array[Node] = EditorInterface.get_inspector().find_children(
		"*", "TendonStatusRow", true, false
	)
	return rows[0] if rows.size() == 1 else null


func _text_of(row: Node) -> String:
	var parts: PackedStringArray = []
	for label: Label in row.find_children("*", "Label", true, false):
		parts.append(label.text)
	return "|".join(parts)


func _mouse(viewport: Control, place: Vector2, pressed: Variant = null) -> void:
	var event: InputEventMouse = InputEventMouseMotion.new()
	if pressed != null:
		event = InputEventMouseButton.new()
		event.set("button_index", MOUSE_BUTTON_LEFT)
		event.set("pressed", pressed)
	else:
		event.button_mask = MOUSE_BUTTON_MASK_LEFT
	event.position = place
	event.global_position = place
	viewport.gui_input.emit(event)


## The button that inserts keys, or the one that has drags insert them.
func _key_button(is_toggle: bool) -> Button:
	for button: Button in _found("Button"):
		var tip: String = button.tooltip_text
		if button.toggle_mode == is_toggle and tip.to_lower().contains("insert keys"):
			return button
	return null


## Chooses an entry of one of the 2D toolbar's menus. The editor's own come before that of Tendon.
func _choose(title: String) -> void:
	var editor: Node = _found("CanvasItemEditor")[0]
	for popup: PopupMenu in editor.find_children("*", "PopupMenu", true, false):
		for item: int in popup.item_count:
			if popup.get_item_text(item) == title:
				await _choose_item(popup, item)
				return


## Chooses an entry after the menu was open for some frames.
func _choose_item(popup: PopupMenu, item: int) -> void:
	if not popup.visible:
		popup.popup()
	await _wait(3)
	popup.id_pressed.emit(popup.get_item_id(item))
	popup.hide()


## A button of the mouse, as the system tells of it: pressed and released.
func _click_at(control: Control, place: Vector2, button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	for is_pressed: bool in [true, false]:
		var event: InputEventMouseButton = InputEventMouseButton.new()
		event.button_index = button
		event.pressed = is_pressed
		event.position = control.get_global_transform_with_canvas() * place
		event.global_position = event.position
		await _send(event)


func _send(event: InputEvent) -> void:
	Input.parse_input_event(event)
	await _wait(3)


## Agrees to what the animation editor asks.
func _confirm() -> void:
	for dialog: ConfirmationDialog in _found("ConfirmationDialog"):
		if dialog.visible:
			dialog.get_ok_button().pressed.emit()


func _found(type: String) -> Array[Node]:
	return EditorInterface.get_base_control().find_children("*", type, true, false)


func _open(scene: String) -> void:
	EditorInterface.open_scene_from_path("res://%s.tscn" % scene)
	await _wait(20)


## Opens a scene, and its animation in the animation editor.
func _open_animation(scene: String) -> void:
	await _open(scene)
	await _select(["Player"])
	EditorInterface.edit_node(_node("Player"))
	await _wait(10)


func _root() -> Node:
	return EditorInterface.get_edited_scene_root()


func _node(path: String) -> Node:
	return _root().get_node(path)


func _history() -> UndoRedo:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(_root()))


func _select(paths: Array) -> void:
	var selection: EditorSelection = EditorInterface.get_selection()
	selection.clear()
	for path: String in paths:
		selection.add_node(_node(path))
	await _wait(5)


func _bones() -> Array[Node]:
	return _node("Skeleton").find_children("*", "Bone2D", true, false)


func _shown() -> Array:
	return _bones().map(func(bone: Bone2D) -> float: return bone.rotation)


func _rests() -> Array:
	return _bones().map(func(bone: Bone2D) -> float: return bone.rest.get_rotation())


## The rotations that the rig starts from.
func _base() -> Array:
	var rig: TendonRig2D = _node("Skeleton/Rig")
	await _wait(2)
	return _bones().map(func(bone: Bone2D) -> float: return rig.get_base_rotation(bone))


## The last key of each track of each animation.
func _keys() -> Dictionary:
	var player: AnimationPlayer = _node("Player")
	var keys: Dictionary = {}
	for title: String in player.get_animation_list():
		var animation: Animation = player.get_animation(title)
		for track: int in animation.get_track_count():
			var path: String = "%s %s" % [title, animation.track_get_path(track)]
			var values: Array = []
			for key: int in animation.track_get_key_count(track):
				values.append(animation.track_get_key_value(track, key))
			keys[path] = values
	return keys
