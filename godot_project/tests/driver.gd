@tool
extends SceneTree
## What the scripts share that drive an editor. Suites start them on a project of their own: see
## [code]editor_suite.gd[/code]. What a script has seen is printed as one line of JSON.

var _seen: Dictionary = {}


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	await _wait(30)
	while EditorInterface.get_resource_filesystem().is_scanning():
		await _wait(5)
	await _stay()
	print("SEEN ", JSON.stringify(_seen, "", false, true))
	quit()


## What the script does in the editor.
func _stay() -> void:
	pass


func _wait(count: int) -> void:
	for frame: int in count:
		await process_frame


## A menu, and all its submenus.
func _with_submenus(menu: PopupMenu) -> Array[PopupMenu]:
	var menus: Array[PopupMenu] = [menu]
	for item: int in menu.item_count:
		var submenu: PopupMenu = menu.get_item_submenu_node(item)
		if submenu != null:
			menus.append(submenu)
	return menus


## All of a short message at the bottom of the window: in its tooltip, if there was no room.
func _whole(label: Control) -> String:
	var panel: Node = label
	while panel is Control and not panel is PanelContainer:
		panel = panel.get_parent()
	var tip: String = (panel as Control).tooltip_text if panel is Control else ""
	return tip if tip != "" else label.get("text")


## What [param read] returns once it no longer changes. A slow machine makes few frames in a second.
func _at_rest(read: Callable) -> Variant:
	var last: Variant = null
	var now: Variant = read.call()
	while now != last:
		last = now
		await create_timer(0.25).timeout
		now = read.call()
	return now


## The configuration warnings of each node, as the scene dock shows them.
func _read_warnings() -> Dictionary:
	# The dock takes half a second after the last change.
	await _wait(30)
	await create_timer(1.0).timeout
	var warnings: Dictionary = {}
	var base: Control = EditorInterface.get_base_control()
	for dock: Node in base.find_children("*", "SceneTreeEditor", true, false):
		for tree: Tree in dock.find_children("*", "Tree", true, false):
			_read_item(tree.get_root(), warnings)
	return warnings


func _read_item(item: TreeItem, warnings: Dictionary) -> void:
	if item == null:
		return
	for index: int in item.get_button_count(0):
		var tooltip: String = item.get_button_tooltip_text(0, index)
		if "warning" in tooltip:
			warnings[item.get_text(0)] = tooltip
	for child: TreeItem in item.get_children():
		_read_item(child, warnings)


## How much of a place in a triangle of a polygon each corner has, or nothing beside it.
func _parts_at(polygon: Polygon2D, corners: PackedInt32Array, place: Vector2) -> Vector3:
	var a: Vector2 = polygon.polygon[corners[0]]
	var b: Vector2 = polygon.polygon[corners[1]] - a
	var c: Vector2 = polygon.polygon[corners[2]] - a
	var part: Vector2 = Transform2D(b, c, a).affine_inverse() * place
	if part.x >= -1e-4 and part.y >= -1e-4 and part.x + part.y <= 1.0 + 1e-4:
		return Vector3(1.0 - part.x - part.y, part.x, part.y)
	return Vector3.ZERO


## In milliseconds, that of this thread where the system tells it: a machine may do other work.
func _processor_time() -> float:
	var file: FileAccess = FileAccess.open("/proc/thread-self/schedstat", FileAccess.READ)
	if file == null:
		return Time.get_ticks_usec() / 1e3
	return file.get_line().get_slice(" ", 0).to_float() / 1e6
