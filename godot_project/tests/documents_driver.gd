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
	_seen["found"] = await _search(["elbow", "jiggle", "hair", "inverse", "aim", "ragdoll", "foot"])
	_seen["filtered"] = await _filter("TendonSpring2D", ["stiff", "wind"])


## What the window for new nodes finds by each of [param words].
func _search(words: Array[String]) -> Dictionary:
	var base: Control = EditorInterface.get_base_control()
	# The editor's own help is there.
	var paths: EditorPaths = EditorInterface.get_editor_paths()
	while not DirAccess.get_files_at(paths.get_cache_dir()).has(_cache_of_help()):
		await create_timer(0.25).timeout
	await create_timer(2.0).timeout
	var dock: Node = base.find_children("*", "SceneTreeDock", true, false)[0]
	var add: Button = dock.find_children("*", "Button", true, false)[0]
	add.pressed.emit()
	await _wait(10)
	var window: Window = dock.find_children("*", "CreateDialog", false, false)[0]
	var field: LineEdit = window.find_children("*", "LineEdit", true, false)[0]
	var found: Dictionary = {}
	for word: String in words:
		field.text = word
		field.text_changed.emit(word)
		await _wait(2)
		found[word] = _texts(window.find_children("*", "Tree", true, false).back())
	window.hide()
	return found


func _cache_of_help() -> String:
	var version: Dictionary = Engine.get_version_info()
	return "editor_doc_cache-%d.%d.res" % [version["major"], version["minor"]]


func _texts(tree: Tree) -> PackedStringArray:
	var texts: PackedStringArray = []
	var item: TreeItem = tree.get_root()
	while item != null:
		texts.append(item.get_text(0))
		item = item.get_next_in_tree()
	return texts


## Which properties of a node of [param type] the inspector shows for each of [param words].
func _filter(type: String, words: Array[String]) -> Dictionary:
	var node: Node = ClassDB.instantiate(type)
	EditorInterface.get_edited_scene_root().add_child(node)
	EditorInterface.edit_node(node)
	await _wait(10)
	var inspector: EditorInspector = EditorInterface.get_inspector()
	var dock: Node = (
		EditorInterface.get_base_control().find_children("*", "InspectorDock", true, false)[0]
	)
	var is_filter: Callable = func(it: LineEdit) -> bool: return "Filter" in it.placeholder_text
	var field: LineEdit = dock.find_children("*", "LineEdit", true, false).filter(is_filter)[0]
	var shown: Dictionary = {}
	for word: String in words:
		field.text = word
		field.text_changed.emit(word)
		await _wait(10)
		var names: PackedStringArray = []
		for editor: EditorProperty in inspector.find_children("*", "EditorProperty", true, false):
			names.append(editor.get_edited_property())
		shown[word] = names
	field.text = ""
	field.text_changed.emit("")
	node.free()
	return shown


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
