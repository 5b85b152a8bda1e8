extends "res://tests/suite.gd"
## All GDScript in the documents and in the help of the classes compiles.

const Document := preload("res://tests/document.gd")

const HELP: String = "rust/nodes/src/nodes"
## What fragments may use that they do not declare.
const KNOWN: String = """extends Node2D
@onready var skeleton: Skeleton2D = $Skeleton2D
@onready var rig: TendonRig2D = $Skeleton2D/TendonRig2D
@onready var bone: Bone2D = $Skeleton2D/UpperArm
@onready var target: Node2D = $Target
@onready var goal: float = 0.0
@onready var delta: float = 0.0
"""


func test_scripts_in_documents() -> void:
	var count: int = 0
	for file: String in Document.all():
		for script: String in Document.new(file).scripts():
			if not needs_editor_library(script):
				_expect_script(script, file)
			count += 1
	check(count >= 6, "there are scripts: %d" % count)


## The engine undoes a negative scale of a physics body.
func test_no_script_mirrors_a_physics_body() -> void:
	var mirrors: RegEx = RegEx.create_from_string("(?m)^\\s*(self\\.)?scale(\\.x)? = ")
	var bodies: int = 0
	for script: String in _all_scripts():
		if "extends CharacterBody2D" in script:
			bodies += 1
			check(mirrors.search(script) == null, "a body is mirrored:\n" + script)
	check(bodies >= 2, "scripts of bodies: %d" % bodies)
	for file: String in ["README.md", "docs/guide.md", "docs/rigs-in-code.md"]:
		var text: String = Document.new(file).text.replace("\n", " ")
		check("the engine undoes a negative scale of a physics body when it moves" in text, file)


## What README, guide and help say of turning a character round.
func test_the_engine_mirrors_what_is_between_body_and_skeleton() -> void:
	var body: CharacterBody2D = CharacterBody2D.new()
	var mirror: Node2D = Node2D.new()
	body.add_child(mirror)
	add_child(body)
	body.velocity = Vector2(30, 0)
	for turned: Node2D in [body, mirror]:
		body.transform = Transform2D.IDENTITY
		# When a body moves, the engine makes a turn of its mirroring.
		for frame: int in 2:
			turned.scale.x = -1.0
			body.move_and_slide()
		var is_mirrored: bool = mirror.global_transform.determinant() < 0.0
		equal(is_mirrored, turned == mirror, turned.get_class())
	body.transform = Transform2D.IDENTITY
	body.scale.x = -1.0
	await frames(3)
	equal([body.scale, body.rotation], [Vector2(-1, 1), 0.0], "a body that does not move")
	body.move_and_slide()
	near_angle(body.rotation, PI, 1e-5, "moved: half a turn")
	near(body.scale.y, -1.0, 1e-5, "moved: mirrored in y")
	body.free()


## What tests of scenes that are packed, converted and copied show, and people have to know.
func test_pages_say_what_is_left_to_do() -> void:
	var words: Dictionary[String, Array] = {
		"docs/poses.md": ["PackedScene.pack()", "restore_pose()", "the rest pose is the bind pose"],
		"docs/moving-in.md": ["_local_pose_override_enabled_", "Apply Solved Pose"],
		"docs/troubleshooting.md": ["a copy that `duplicate()` made has no rig"],
		"docs/moving-from-soupik.md": ["SoupStack", "SoupSubStack", "chain_tip", "easing"],
		"docs/csharp.md": ['.Call("', '.Get("', '.Set("'],
	}
	for file: String in words:
		var text: String = Document.new(file).text
		for word: String in words[file]:
			check(word in text, "%s: %s" % [file, word])


func test_pages_name_classes_that_there_are() -> void:
	var classes: RegEx = RegEx.create_from_string("`(Tendon\\w+2D)\\b")
	for file: String in Document.all():
		for found: RegExMatch in classes.search_all(Document.new(file).text):
			var title: String = found.get_string(1)
			check(ClassDB.class_exists(title), "%s: %s" % [file, title])


func test_the_readme_of_the_addon_names_all_modifiers() -> void:
	var text: String = FileAccess.get_file_as_string("res://addons/tendon/README.md")
	for kind: String in modifier_classes():
		check("`%s`" % kind in text, kind)


func test_the_settings_for_the_web_are_those_of_the_gallery() -> void:
	var page: Document = Document.new("docs/web.md")
	var presets: ConfigFile = ConfigFile.new()
	equal(presets.load("res://export_presets.cfg"), OK, "the presets are read")
	var options: Dictionary[String, bool] = {}
	for section: String in presets.get_sections():
		if presets.get_value(section, "platform", "") == "Web":
			for key: String in presets.get_section_keys(section + ".options"):
				var option: String = key.trim_prefix("variant/").capitalize()
				options[option] = presets.get_value(section + ".options", key)
	equal(page.switches(), options, "options of the preset")
	check("the renderer *Compatibility*" in page.text, "the renderer is named")
	var renderer: String = ProjectSettings.get_setting("rendering/renderer/rendering_method")
	equal(renderer, "gl_compatibility", "the renderer")


func test_examples_in_the_help() -> void:
	var with_example: int = 0
	for file: String in _sources(HELP):
		var help: Document = Document.new(file)
		help.text = _comments(help.text)
		check(not "[codeblock" in help.text, file + ": examples are fences of three backticks")
		for script: String in help.scripts():
			_expect_script(script, file)
			with_example += 1
	check(with_example >= 16, "classes and functions have examples: %d" % with_example)


## All files in [param folder] of the repository, and below it.
## Those of documents, and of the help.
func _all_scripts() -> PackedStringArray:
	var scripts: PackedStringArray = []
	for file: String in Document.all():
		scripts.append_array(Document.new(file).scripts())
	for file: String in _sources(HELP):
		var help: Document = Document.new(file)
		help.text = _comments(help.text)
		scripts.append_array(help.scripts())
	return scripts


func _sources(folder: String) -> PackedStringArray:
	var path: String = ProjectSettings.globalize_path("res://").path_join("..").path_join(folder)
	var found: PackedStringArray = []
	for file: String in DirAccess.get_files_at(path):
		found.append(folder.path_join(file))
	for child: String in DirAccess.get_directories_at(path):
		found.append_array(_sources(folder.path_join(child)))
	return found


## The lines of documentation comments, without what makes them comments.
func _comments(source: String) -> String:
	var lines: PackedStringArray = []
	for line: String in source.split("\n"):
		var text: String = line.strip_edges(true, false)
		if text.begins_with("///"):
			lines.append(text.trim_prefix("///").trim_prefix(" "))
	return "\n".join(lines) + "\n"


## [param text] compiles: as a whole script if it is one, otherwise as declarations, or as what a
## function does.
func _expect_script(text: String, about: String) -> void:
	if text.begins_with("extends ") or text.begins_with("@tool"):
		check(_compiles(text), "%s:\n%s" % [about, text])
		return
	var body: String = "func _run() -> void:\n\t" + text.strip_edges().replace("\n", "\n\t") + "\n"
	var is_declared: bool = text.begins_with("@onready") or text.begins_with("func ")
	# What a fragment declares again is not known already.
	var known: PackedStringArray = []
	for line: String in KNOWN.split("\n"):
		if not (line.get_slice(":", 0) + ":") in text or line.is_empty():
			known.append(line)
	var script: String = "\n".join(known) + (text if is_declared else body)
	check(_compiles(script), "%s:\n%s" % [about, text])


func _compiles(text: String) -> bool:
	var script: GDScript = GDScript.new()
	script.source_code = text
	var is_right: bool = script.reload() == OK
	if not is_right:
		forgive(["Parse Error", "Failed to load script", "Compile Error"])
	return is_right
