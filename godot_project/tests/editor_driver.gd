@tool
extends "driver.gd"
## What [code]test_editor.gd[/code] has an editor do, in a small project of its own. Prints what
## it has seen as one line of JSON.


func _stay() -> void:
	await _watch_preview()
	await _watch_stretch()
	_seen["faults"] = await _open_and_read("res://faults.tscn")
	await _change_faults()
	_seen["healing"] = await _open_and_read("res://healing.tscn")
	await _remove_what_is_followed()


func _watch_preview() -> void:
	EditorInterface.open_scene_from_path("res://preview.tscn")
	await _wait(20)
	_seen["preview"] = _pose()
	var rig: Node = EditorInterface.get_edited_scene_root().get_node("Skeleton/Rig")
	_seen["saving"] = EditorInterface.save_scene()
	_seen["just saved"] = _pose()
	_seen["saved"] = FileAccess.get_file_as_string("res://preview.tscn")
	await _wait(5)
	_seen["after saving"] = _pose()
	rig.set("preview_in_editor", false)
	await _wait(5)
	_seen["no preview"] = _pose()
	rig.set("preview_in_editor", true)
	await _wait(5)
	_seen["preview again"] = _pose()
	rig.set("active", false)
	await _wait(5)
	_seen["inactive"] = _pose()


func _watch_stretch() -> void:
	EditorInterface.open_scene_from_path("res://stretched.tscn")
	await _wait(20)
	_seen["stretched"] = _offsets()
	EditorInterface.save_scene()
	_seen["saved stretched"] = FileAccess.get_file_as_string("res://stretched.tscn")
	await _wait(5)
	_seen["stretched after saving"] = _offsets()


## Changes around nodes that have warnings, or should.
func _change_faults() -> void:
	var root: Node = EditorInterface.get_edited_scene_root()
	var rig: Node = ClassDB.instantiate("TendonRig2D")
	root.get_node("Bare").add_child(rig)
	_seen["rig added"] = await _read_warnings()
	rig.free()
	_seen["rig removed"] = await _read_warnings()
	var second: Node = root.find_child("SecondLimit", true, false)
	second.get_parent().move_child(second, 0)
	_seen["limits swapped"] = await _read_warnings()


## As the editor does when nodes are deleted: they can come back, and are not freed.
func _remove_what_is_followed() -> void:
	await _open_and_read("res://followed.tscn")
	var root: Node = EditorInterface.get_edited_scene_root()
	var removed: Array[Node] = []
	for title: String in ["Target", "Path", "Source"]:
		removed.append(root.get_node(title))
		root.remove_child(removed[-1])
	_seen["removed"] = await _read_warnings()
	for node: Node in removed:
		root.add_child(node)
		node.owner = root
	_seen["back"] = await _read_warnings()


func _open_and_read(scene: String) -> Dictionary:
	EditorInterface.open_scene_from_path(scene)
	return await _read_warnings()


func _pose() -> Array:
	var rotations: Array = []
	var node: Node = EditorInterface.get_edited_scene_root().get_node_or_null("Skeleton/Bone0")
	while node != null:
		rotations.append(node.get("rotation"))
		node = node.get_node_or_null("Bone%d" % rotations.size())
	return rotations


## How far each bone is from its parent.
func _offsets() -> Array:
	var offsets: Array = []
	var node: Node = EditorInterface.get_edited_scene_root().get_node_or_null("Skeleton/Bone0")
	while node != null:
		offsets.append((node.get("position") as Vector2).length())
		node = node.get_node_or_null("Bone%d" % offsets.size())
	return offsets
