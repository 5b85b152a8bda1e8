@tool
extends "menu_driver.gd"
## What [code]test_parts_to_bones.gd[/code] has an editor do. Prints what it has seen as one line of
## JSON.

const CutOut := preload("cut_out.gd")


func _stay() -> void:
	await _open("figure")
	_prepare()
	var files: Dictionary = {"before": await _save()}
	var before: PackedScene = _saved()
	var version: int = _history().get_version()
	_seen["library before"] = FileAccess.get_file_as_string("res://more.tres")
	await _select(["."])
	_choose("Parts to Bones…")
	await _wait(5)
	var window: AcceptDialog = _dialog("Parts to Bones")
	_seen["asked"] = window.dialog_text
	window.hide()
	window.confirmed.emit()
	await _wait(10)
	_seen["report"] = await _told()
	_seen["steps"] = _history().get_version() - version
	files["after"] = await _save()
	_seen["compared"] = _compare(before)
	await _undo_and_redo(files)
	_seen["files"] = files
	_press_menu("Undo")
	await _wait(5)
	await _save()
	_seen["undone compared"] = _compare(before)
	_press_menu("Redo")
	await _wait(5)
	await _save()
	_seen["library after"] = FileAccess.get_file_as_string("res://more.tres")
	await _rig()
	await _open("line")
	await _select(["Arm"])
	_seen["line"] = _greyed_out().get("Parts to Bones…", "")


## The scene has a script, and a library that is a file.
func _prepare() -> void:
	var player: AnimationPlayer = _node("Player")
	var library: AnimationLibrary = player.get_animation_library("more")
	ResourceSaver.save(library, "res://more.tres")
	library.take_over_path("res://more.tres")
	_root().set_script(load("res://hero.gd"))


func _rig() -> void:
	EditorInterface.reload_scene_from_path("res://figure.tscn")
	await _wait(20)
	var bones: Dictionary = {}
	for bone: Bone2D in _node("Skeleton2D").find_children("*", "Bone2D", true, false):
		bones[str(bone.name)] = {
			"length": bone.get_length(),
			"angle": bone.get_bone_angle(),
			"is at rest": bone.rest.is_equal_approx(bone.transform),
		}
	_seen["bones"] = bones
	await _select(["Skeleton2D"])
	_choose("Rig a Character…")
	await _wait(5)
	var window: AcceptDialog = _dialog("Rig a Character")
	window.hide()
	window.confirmed.emit()
	await _wait(20)
	var names: Array = []
	for modifier: Node in _node("Skeleton2D/TendonRig2D").get_children():
		names.append(str(modifier.name))
	_seen["rigged"] = names


## What is saved, apart from the edited scene.
func _saved() -> PackedScene:
	var mode: ResourceLoader.CacheMode = ResourceLoader.CACHE_MODE_IGNORE_DEEP
	return ResourceLoader.load(_root().scene_file_path, "", mode)


func _compare(before: PackedScene) -> Dictionary:
	var place: SubViewport = SubViewport.new()
	root.add_child(place)
	var figures: Array[Node2D] = []
	for scene: PackedScene in [before, _saved()]:
		figures.append(scene.instantiate())
		place.add_child(figures.back())
	var compared: Dictionary = CutOut.compare(figures[0], figures[1])
	place.free()
	return compared


func _history() -> UndoRedo:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(_root()))
