extends "res://tests/suite.gd"
## What suites share that start an editor: without a window, on a project of its own with the
## extension and a few scenes, driven by a script that prints what it has seen.

## Seconds after which an editor is taken for one that hangs. None takes as long, on any machine.
const EDITOR_PATIENCE: float = 3600.0

## What each driver has seen, and all output of its editor. An editor is started once for all
## tests of a suite.
static var _answers: Dictionary[String, Dictionary] = {}

## What the editor of this suite has seen.
var seen: Dictionary = {}
var output: String = ""


func _init() -> void:
	patience = EDITOR_PATIENCE


## All tests of a suite with the constant [code]DRIVER[/code] are about what that has an editor see.
func prepare() -> bool:
	var driver: Variant = get_script().get_script_constant_map().get("DRIVER")
	return driver == null or await ask_editor(driver)


## The scenes of the editor's project, by their names.
func _make_scenes() -> Dictionary:
	return {}


## Whether there is an editor. Starts it, the first time, with the script [param driver], and waits
## for its answer.
func ask_editor(driver: String) -> bool:
	check_count += 1
	if not OS.has_feature("editor"):
		return false
	if not _answers.has(driver):
		var folder: DirAccess = _make_project(_make_scenes())
		_answers[driver] = await _run_editor(folder.get_current_dir(), driver)
	output = _answers[driver]["output"]
	equal(_answers[driver]["code"], 0, "the exit code of the editor")
	for line: String in output.split("\n"):
		if line.begins_with("SEEN "):
			seen = JSON.parse_string(line.trim_prefix("SEEN "))
	return true


## The editor has answered, and neither the engine nor Tendon has complained, except in lines with
## one of [param noise].
func expect_no_errors(signs: PackedStringArray, noise: PackedStringArray = []) -> void:
	for line: String in output.split("\n"):
		if Array(noise).any(func(part: String) -> bool: return part in line):
			continue
		for sign_of_trouble: String in signs:
			var is_trouble: bool = sign_of_trouble in line and not line.begins_with("SEEN ")
			check(not is_trouble, line)
	check(not seen.is_empty(), "the editor has answered")


## Saves the nodes below [param root] as a scene, and frees them.
static func save_scene(root: Node, file: String) -> void:
	for node: Node in root.find_children("*", "", true, false):
		node.owner = root
	var scene: PackedScene = PackedScene.new()
	scene.pack(root)
	ResourceSaver.save(scene, file)
	root.free()


## All output of the editor, and its exit code.
func _run_editor(project: String, driver: String) -> Dictionary:
	var script: String = ProjectSettings.globalize_path("res://tests/%s.gd" % driver)
	# Timers count frames, too: however slow the machine is, the same happens between two steps.
	var arguments: PackedStringArray = ["--headless", "--fixed-fps", "60", "--editor"]
	arguments.append_array(["--path", project, "--script", script])
	var pipe: Dictionary = OS.execute_with_pipe(engine(), arguments, false)
	var deadline: int = Time.get_ticks_msec() + int(1000 * EDITOR_PATIENCE * slowness()) - 5000
	var bytes: PackedByteArray = []
	while OS.is_process_running(pipe["pid"]) and Time.get_ticks_msec() < deadline:
		bytes.append_array(pipe["stdio"].get_buffer(1 << 16))
		bytes.append_array(pipe["stderr"].get_buffer(1 << 16))
		await frames()
	for stream: String in ["stderr", "stdio"]:
		bytes.append_array(pipe[stream].get_buffer(1 << 20))
	if OS.is_process_running(pipe["pid"]):
		OS.kill(pipe["pid"])
	var code: int = OS.get_process_exit_code(pipe["pid"])
	return {"output": bytes.get_string_from_utf8(), "code": code}


## A project with the extension and [param scenes], nodes or texts, in a folder that goes with the
## result. Texts may have a file name with an ending of its own.
func _make_project(scenes: Dictionary) -> DirAccess:
	var folder: DirAccess = DirAccess.create_temp("tendon")
	var project: String = folder.get_current_dir()
	_write(project.path_join("project.godot"), "config_version=5\n")
	var addon: String = ProjectSettings.globalize_path("res://addons/tendon")
	var extension: String = FileAccess.get_file_as_string("res://addons/tendon/tendon.gdextension")
	extension = extension.replace("res://addons/tendon", addon).replace('"bin/', '"%s/bin/' % addon)
	extension = extension.left(extension.find("[icons]"))
	_write(project.path_join("tendon.gdextension"), extension)
	folder.make_dir(".godot")
	_write(project.path_join(".godot/extension_list.cfg"), "res://tendon.gdextension\n")
	for title: String in scenes:
		var file: String = project.path_join(title if "." in title else title + ".tscn")
		DirAccess.make_dir_recursive_absolute(file.get_base_dir())
		if scenes[title] is Node:
			save_scene(scenes[title], file)
		else:
			_write(file, scenes[title])
	return folder


func _write(file: String, text: String) -> void:
	FileAccess.open(file, FileAccess.WRITE).store_string(text)
