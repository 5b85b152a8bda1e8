@tool
extends "driver.gd"
## What [code]test_first_steps.gd[/code] has an editor do: the steps of the documents, as a reader
## would do them. Prints the scenes that come of it as one line of JSON.


func _stay() -> void:
	var stories: Dictionary = JSON.parse_string(FileAccess.get_file_as_string("res://steps.json"))
	for scene: String in stories:
		EditorInterface.open_scene_from_path("res://%s.tscn" % scene)
		await _wait(20)
		for step: Dictionary in stories[scene]:
			await _do(step)
		_seen["menu"] = _entries("Tendon")
		EditorInterface.save_scene()
		await _wait(3)
		_seen[scene] = FileAccess.get_file_as_string("res://%s.tscn" % scene)


func _do(step: Dictionary) -> void:
	if step.has("drag"):
		_node(step["drag"]).reparent(_node(step["onto"]))
	else:
		var selection: EditorSelection = EditorInterface.get_selection()
		selection.clear()
		for title: String in step["select"]:
			selection.add_node(_node(title))
		await _wait(3)
		_choose(step["menu"], step["entry"])
	await _wait(5)


## Chooses an entry of a menu of the toolbar.
func _choose(menu: String, entry: String) -> void:
	for popup: PopupMenu in _with_submenus(_popup(menu)):
		for item: int in popup.item_count:
			if popup.get_item_text(item) == entry and not popup.is_item_disabled(item):
				popup.id_pressed.emit(popup.get_item_id(item))
				return
	printerr("There is no %s > %s" % [menu, entry])


func _entries(menu: String) -> PackedStringArray:
	var entries: PackedStringArray = []
	var button: PopupMenu = _popup(menu)
	for popup: PopupMenu in _with_submenus(button) if button != null else []:
		# As documents write it.
		var above: String = "" if popup == button else popup.name + " → "
		for item: int in popup.item_count:
			entries.append(above + popup.get_item_text(item))
	return entries


## The menu of the toolbar that is called [param menu], as it opens now.
func _popup(menu: String) -> PopupMenu:
	var base: Control = EditorInterface.get_base_control()
	for button: MenuButton in base.find_children("*", "MenuButton", true, false):
		if button.text == menu and button.visible:
			button.get_popup().about_to_popup.emit()
			return button.get_popup()
	return null


func _node(title: String) -> Node:
	var scene: Node = EditorInterface.get_edited_scene_root()
	return scene if scene.name == title else scene.find_child(title)
