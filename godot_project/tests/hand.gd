@tool
extends "driver.gd"
## The hand of a driver that works as a person does: it clicks, drags and types in the editor's
## window, and counts that. With a folder as an argument, pictures of the window are saved there.

## How often a button of the mouse was pressed, and how many keys or words were typed.
var _clicks: int = 0
var _typed: int = 0
var _pictures: int = 0


func _click(place: Vector2) -> void:
	await _go(place)
	_clicks += 1
	for is_pressed: bool in [true, false]:
		_press(place, is_pressed)
		await _wait(3)


func _drag(from: Vector2, to: Vector2) -> void:
	await _go(from)
	_clicks += 1
	_press(from, true)
	await _wait(2)
	for share: float in [0.1, 0.4, 0.7, 1.0, 1.0]:
		await _go(from.lerp(to, share), MOUSE_BUTTON_MASK_LEFT)
	_press(to, false)
	await _wait(5)


func _press(place: Vector2, is_pressed: bool) -> void:
	var event: InputEventMouseButton = InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_LEFT
	event.button_mask = MOUSE_BUTTON_MASK_LEFT if is_pressed else 0
	event.pressed = is_pressed
	event.position = place
	event.global_position = place
	Input.parse_input_event(event)


func _go(place: Vector2, mask: int = 0) -> void:
	var motion: InputEventMouseMotion = InputEventMouseMotion.new()
	motion.position = place
	motion.global_position = place
	motion.button_mask = mask
	Input.parse_input_event(motion)
	await _wait(2)


func _key(code: Key, modifiers: Array = []) -> void:
	for is_pressed: bool in [true, false]:
		var event: InputEventKey = InputEventKey.new()
		event.keycode = code
		event.physical_keycode = code
		event.alt_pressed = KEY_ALT in modifiers
		event.shift_pressed = KEY_SHIFT in modifiers
		event.pressed = is_pressed
		Input.parse_input_event(event)
	await _wait(2)


## Clicks a node in the scene dock.
func _pick(title: String) -> void:
	var docks: Array[Node] = root.find_children("*", "SceneTreeEditor", true, false)
	var trees: Array[Node] = docks[0].find_children("*", "Tree", true, false)
	var tree: Tree = trees[0]
	var item: TreeItem = tree.get_root()
	while item != null and item.get_text(0) != title:
		item = item.get_next_visible()
	tree.scroll_to_item(item)
	await _wait(3)
	var place: Rect2 = tree.get_item_area_rect(item, 0)
	var left: Vector2 = Vector2(place.position.x + 60, place.get_center().y)
	await _click(tree.get_global_position() + left)
	await _wait(10)


## Opens the Tendon menu and chooses an entry, of a submenu if there is a second title. Menus do not
## tell where their entries are, so the keyboard does what would be one click.
func _choose(entry: String, submenu: String = "") -> void:
	await _click(_button("Tendon").get_global_rect().get_center())
	await _wait(5)
	var menu: PopupMenu = (_button("Tendon") as MenuButton).get_popup()
	if submenu != "":
		await _walk_to(menu, submenu)
		await _key(KEY_RIGHT)
		await _wait(5)
		menu = menu.get_item_submenu_node(menu.get_focused_item())
	await _walk_to(menu, entry)
	await _key(KEY_ENTER)
	_clicks += 1
	await _wait(15)


func _walk_to(menu: PopupMenu, entry: String) -> void:
	for step: int in menu.item_count:
		var item: int = menu.get_focused_item()
		if item >= 0 and menu.get_item_text(item) == entry:
			return
		await _key(KEY_DOWN)
	printerr("There is no entry " + entry)


## The button with this text that is seen.
func _button(text: String) -> Button:
	for button: Button in root.find_children("*", "Button", true, false):
		if button.text == text and button.is_visible_in_tree():
			return button
	return null


## What the short messages say that are seen now.
func _messages() -> PackedStringArray:
	var messages: PackedStringArray = []
	var toaster: Node = EditorInterface.get_editor_toaster()
	for label: Label in toaster.find_children("*", "Label", true, false):
		var panel: CanvasItem = label
		while panel != null and not panel is PanelContainer:
			panel = panel.get_parent() as CanvasItem
		if (
			panel != null
			and panel.is_visible_in_tree()
			and panel.modulate.a > 0.5
			and label.text.length() > 3
		):
			messages.append(_whole(label))
	return messages


## A picture of the window, if there is one.
func _picture(title: String) -> void:
	var folders: PackedStringArray = OS.get_cmdline_user_args()
	if folders.is_empty() or DisplayServer.get_name() == "headless":
		return
	await _wait(10)
	RenderingServer.force_draw()
	_pictures += 1
	var file: String = "%02d_%s.png" % [_pictures, title]
	root.get_texture().get_image().save_png(folders[0].path_join(file))
