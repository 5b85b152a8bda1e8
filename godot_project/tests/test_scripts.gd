extends "res://tests/suite.gd"
## The scripts of this project, with the library that users have.

const FOLDERS: PackedStringArray = ["bench", "scenes", "shared", "tests", "tools"]


func test_every_script_compiles() -> void:
	if not OS.has_feature("editor"):
		check(true, "those of the editor need one")
		return
	var scripts: PackedStringArray = []
	for folder: String in FOLDERS:
		_list("res://" + folder, scripts)
	check(scripts.size() > 100, "found: %s" % scripts.size())
	for path: String in scripts:
		if needs_editor_library(FileAccess.get_file_as_string(path)):
			continue
		var script: GDScript = load(path)
		check(script != null and script.can_instantiate(), path)


func _list(folder: String, scripts: PackedStringArray) -> void:
	for file: String in DirAccess.get_files_at(folder):
		if file.ends_with(".gd"):
			scripts.append(folder.path_join(file))
	for inner: String in DirAccess.get_directories_at(folder):
		_list(folder.path_join(inner), scripts)
