extends "res://tests/editor_suite.gd"
## In the editor: what is previewed never reaches the saved scene, byte for byte, whatever is done
## to it; and the inspector, the help, and loading the extension anew. An editor is started for
## this: see [code]preview_visit.gd[/code].

const LENGTHS: Array[float] = [30.0, 25.0, 22.0]
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736]

const PUBLIC: PackedStringArray = [
	"TendonRig2D",
	"TendonLookAt2D",
	"TendonTwoBoneIK2D",
	"TendonCCDIK2D",
	"TendonFABRIK2D",
	"TendonJointLimit2D",
	"TendonEffector2D",
]

## What the editor has seen. It is asked once, for all tests.
static var _seen: Dictionary = {}
static var _output: String = ""


func test_saving() -> void:
	await _answers(["saved again and again", "follows at once", "reset:"], 4 + 4 + 3)


func test_undo_and_redo() -> void:
	await _answers(["undone", "redone", "is saved"], 2 * 2 * 5 + 1)


func test_copies() -> void:
	await _answers(["cop"], 2 * 5)


func test_tabs() -> void:
	await _answers(["background", "tab"], 2 * 2)


func test_status_in_the_inspector() -> void:
	await _answers(["status:"], 8)


func test_reloading_the_extension() -> void:
	await _answers(["reload:"], 5)
	if _output.is_empty():
		return
	var reload: String = _output.get_slice("RELOAD begins", 1).get_slice("RELOAD ends", 0)
	expect_no_trouble(reload, ["ERROR", "WARNING"])


func test_help_is_complete() -> void:
	if not await _ask_editor():
		return
	var pages: Dictionary = _seen.get("help", {})
	for kind: String in PUBLIC:
		_check_page(kind, str(pages.get(kind, "")))


func test_no_trouble() -> void:
	if not await _ask_editor():
		return
	expect_no_trouble(_output, ["panic", "SCRIPT ERROR", "Tendon", "RELOAD stops"])
	check(not _seen.is_empty(), "the editor has answered")


## Every member of [param kind] has its place on the page, and a text below it.
func _check_page(kind: String, page: String) -> void:
	check(not "currently no description" in page, kind + ": something has no description")
	for rust: String in ["Link", "Option", "Gd", "f32", "i64"]:
		for word: String in page.split("\n"):
			check(not (rust + " " in word or rust + "<" in word), "%s: %s" % [kind, word])
	check(page.length() > 500, "%s has a page" % kind)
	var details: String = page.get_slice("Property Descriptions", 1)
	for property: Dictionary in ClassDB.class_get_property_list(kind, true):
		if property["usage"] & PROPERTY_USAGE_GROUP == 0:
			var type: String = _type_name(property)
			var title: String = "● %s%s [default:" % [type, property["name"]]
			check(title in details.replace(type + " ", type), "%s: %s" % [kind, title])
	for method: Dictionary in ClassDB.class_get_method_list(kind, true):
		var hidden: bool = _is_accessor(kind, method["name"]) or method["name"].begins_with("_")
		check(hidden or method["name"] + "(" in details, "%s.%s()" % [kind, method["name"]])
	for heard: Dictionary in ClassDB.class_get_signal_list(kind, true):
		check("● %s(" % heard["name"] in page, "%s.%s" % [kind, heard["name"]])
	for constant: String in ClassDB.class_get_integer_constant_list(kind, true):
		var after: String = page.get_slice("● %s = " % constant, 1)
		var text: String = after.get_slice("\n", 1).strip_edges()
		check(text.length() > 5 and not text.begins_with("●"), "%s.%s" % [kind, constant])


func _type_name(property: Dictionary) -> String:
	if property["hint"] == PROPERTY_HINT_TYPE_STRING:
		return "Array[%s]" % str(property["hint_string"]).get_slice(":", 1)
	if property["type"] == TYPE_OBJECT:
		return property["hint_string"]
	if property["hint"] == PROPERTY_HINT_ENUM:
		return str(property["class_name"]).get_slice(".", 1)
	return type_string(property["type"])


func _is_accessor(kind: String, method: String) -> bool:
	for property: Dictionary in ClassDB.class_get_property_list(kind, true):
		for prefix: String in ["set_", "get_", "is_"]:
			if method == prefix + str(property["name"]):
				return true
	return false


## The answers to the questions in which one of [param words] occurs.
func _answers(words: PackedStringArray, at_least: int) -> void:
	if not await _ask_editor():
		return
	var count: int = 0
	for question: String in _seen:
		for word: String in words:
			if word in question and question != "help":
				count += 1
				_check_answer(question, _seen[question])
				break
	check(count >= at_least, "%s: %d questions, not %d" % [words, count, at_least])


func _check_answer(question: String, answer: Dictionary) -> void:
	var found: String = str(answer["found"])
	var expected: String = str(answer["expected"])
	if found == expected:
		check(true, question)
		return
	var lines: PackedStringArray = expected.split("\n")
	for line: String in found.split("\n"):
		if not line in lines:
			found = line
			break
	check(false, "%s: %s" % [question, found])


## Whether there is an editor. Starts it, the first time, and waits for its answer.
func _ask_editor() -> bool:
	check_count += 1
	if not OS.has_feature("editor"):
		return false
	if _output.is_empty():
		var folder: DirAccess = _make_project()
		_output = await run_editor(folder.get_current_dir(), "res://tests/preview_visit.gd")
		_seen = seen_in(_output)
	return true


func _make_project() -> DirAccess:
	var folder: DirAccess = make_project()
	var project: String = folder.get_current_dir()
	var limb: Figure = _figure(2)
	limb.two_bone()
	save(limb.stage, project.path_join("limb.tscn"))
	var tail: Figure = _figure()
	tail.fabrik().stretch = 1.5
	tail.ccd().tolerance = 0.25
	save(tail.stage, project.path_join("tail.tscn"))
	var reset: Figure = _figure()
	reset.fabrik()
	_add_reset(reset)
	save(reset.stage, project.path_join("reset.tscn"))
	save(Node2D.new(), project.path_join("empty.tscn"))
	write(project.path_join("level.tscn"), _level())
	write(project.path_join("heir.tscn"), _heir())
	return folder


func _figure(bones: int = 3) -> Figure:
	var figure: Figure = Figure.new(LENGTHS.slice(0, bones), POSE)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.target.position = Vector2(-20, 40)
	return figure


func _add_reset(figure: Figure) -> void:
	var animation: Animation = Animation.new()
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, NodePath("Skeleton/Bone0/Bone1:rotation"))
	animation.track_insert_key(track, 0.0, 0.33)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"RESET", animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.add_animation_library(&"", library)
	figure.stage.add_child(player)


## A scene with an instance whose children are edited: one bone is turned.
func _level() -> String:
	return """[gd_scene load_steps=2 format=3]

[ext_resource type="PackedScene" path="res://tail.tscn" id="1"]

[node name="Level" type="Node2D"]

[node name="Stage" parent="." instance=ExtResource("1")]
position = Vector2(10, 20)

[node name="Bone1" parent="Stage/Skeleton/Bone0" index="0"]
rotation = 0.6172839

[editable path="Stage"]
"""


## A scene that inherits from another.
func _heir() -> String:
	return """[gd_scene load_steps=2 format=3]

[ext_resource type="PackedScene" path="res://limb.tscn" id="1"]

[node name="Heir" instance=ExtResource("1")]

[node name="Bone0" parent="Skeleton" index="0"]
rotation = 0.3141593
"""
