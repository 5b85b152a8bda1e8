extends "res://tests/suite.gd"
## What suites share that start an editor, without a window and on a project of its own.

## Seconds that the editor may take.
const EDITOR_PATIENCE: float = 240.0


func _init() -> void:
	patience = EDITOR_PATIENCE


## A project with the extension, in a folder that goes with the result.
func make_project() -> DirAccess:
	var folder: DirAccess = DirAccess.create_temp("tendon")
	var project: String = folder.get_current_dir()
	write(project.path_join("project.godot"), "config_version=5\n")
	var addon: String = ProjectSettings.globalize_path("res://addons/tendon")
	var extension: String = FileAccess.get_file_as_string("res://addons/tendon/tendon.gdextension")
	extension = extension.replace("res://addons/tendon", addon).replace('"bin/', '"%s/bin/' % addon)
	extension = extension.left(extension.find("[icons]"))
	write(project.path_join("tendon.gdextension"), extension)
	folder.make_dir(".godot")
	write(project.path_join(".godot/extension_list.cfg"), "res://tendon.gdextension\n")
	return folder


## Has an editor open [param project] and run [param visit], and waits for its output.
func run_editor(project: String, visit: String) -> String:
	var pipe: Dictionary = OS.execute_with_pipe(
		OS.get_executable_path(),
		[
			"--headless",
			"--editor",
			"--path",
			project,
			"--script",
			ProjectSettings.globalize_path(visit)
		],
		false
	)
	var deadline: int = Time.get_ticks_msec() + int(1000 * EDITOR_PATIENCE) - 5000
	var bytes: PackedByteArray = []
	while OS.is_process_running(pipe["pid"]) and Time.get_ticks_msec() < deadline:
		bytes.append_array(pipe["stdio"].get_buffer(1 << 16))
		bytes.append_array(pipe["stderr"].get_buffer(1 << 16))
		await frames()
	for stream: String in ["stderr", "stdio"]:
		bytes.append_array(pipe[stream].get_buffer(1 << 20))
	if OS.is_process_running(pipe["pid"]):
		OS.kill(pipe["pid"])
	return bytes.get_string_from_utf8()


## What the visit has told of in [param output], as one line of JSON.
func seen_in(output: String) -> Dictionary:
	for line: String in output.split("\n"):
		if line.begins_with("SEEN "):
			return JSON.parse_string(line.trim_prefix("SEEN "))
	return {}


## Lines of [param output] that tell of trouble.
func expect_no_trouble(output: String, signs_of_trouble: PackedStringArray) -> void:
	for line: String in output.split("\n"):
		for sign_of_trouble: String in signs_of_trouble:
			var is_trouble: bool = sign_of_trouble in line and not line.begins_with("SEEN ")
			check(not is_trouble, line)


## Saves [param root] with all nodes below it.
func save(root: Node, file: String) -> void:
	for node: Node in root.find_children("*", "", true, false):
		node.owner = root
	var scene: PackedScene = PackedScene.new()
	scene.pack(root)
	ResourceSaver.save(scene, file)
	root.free()


func write(file: String, text: String) -> void:
	FileAccess.open(file, FileAccess.WRITE).store_string(text)
