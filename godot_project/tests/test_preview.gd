extends "res://tests/editor_suite.gd"
## In the editor: what is previewed never reaches the saved scene, byte for byte, whatever is done
## to it; and the inspector, the help, and loading the extension anew. An editor is started for
## this: see [code]preview_driver.gd[/code].

const LENGTHS: Array[float] = [30.0, 25.0, 22.0]
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736]

## The classes with a page of help, beside the modifiers.
const OTHER_CLASSES: PackedStringArray = ["TendonRig2D", "TendonJointLimit2D", "TendonEffector2D"]


func test_saving() -> void:
	await _expect_answers(["saved again and again", "follows at once", "reset:"], 6 + 6 + 3)


func test_undo_and_redo() -> void:
	await _expect_answers(["undone", "redone", "is saved"], 2 * 2 * 5 + 1)


func test_copies() -> void:
	await _expect_answers(["cop"], 2 * 5)


func test_tabs() -> void:
	await _expect_answers(["background", "tab"], 2 * 2)


func test_status_in_the_inspector() -> void:
	await _expect_answers(["status:"], 8)


func test_reloading_the_extension() -> void:
	await _expect_answers(["reload:"], 5)
	var reload: String = output.get_slice("RELOAD begins", 1).get_slice("RELOAD ends", 0)
	for line: String in reload.split("\n"):
		check(not ("ERROR" in line or "WARNING" in line), line)


func test_help_is_complete() -> void:
	if not await _ask_editor():
		return
	var pages: Dictionary = seen.get("help", {})
	for kind: String in OTHER_CLASSES + modifier_classes():
		_check_page(kind, str(pages.get(kind, "")))


func test_the_editor_logs_no_errors() -> void:
	if not await _ask_editor():
		return
	expect_no_errors(["panic", "SCRIPT ERROR", "Tendon"])


## Every member of [param kind] has its place on the page, and a text below it.
func _check_page(kind: String, page: String) -> void:
	equal(page.count("currently no description"), 0, kind + ": what has no description")
	for rust: String in ["Link", "Option", "Gd", "f32", "i64"]:
		for word: String in page.split("\n"):
			check(not (rust + " " in word or rust + "<" in word), "%s: %s" % [kind, word])
	check(page.length() > 500, "%s has a page" % kind)
	var details: String = page.get_slice("Property Descriptions", 1)
	for property: Dictionary in ClassDB.class_get_property_list(kind, true):
		if property["usage"] & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP) == 0:
			var type: String = _type_name(property, kind)
			# What is not saved has no default.
			var is_saved: bool = property["usage"] & PROPERTY_USAGE_STORAGE != 0
			var title: String = (
				"● %s%s%s" % [type, property["name"], " [default:" if is_saved else ""]
			)
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


## An enum of the engine is shown as what it is stored as.
func _type_name(property: Dictionary, kind: String) -> String:
	if property["type"] == TYPE_DICTIONARY:
		var sides: PackedStringArray = []
		for side: String in str(property["hint_string"]).split(";"):
			sides.append(type_string(side.to_int()))
		return "Dictionary[%s]" % ", ".join(sides)
	if property["hint"] == PROPERTY_HINT_TYPE_STRING:
		return "Array[%s]" % str(property["hint_string"]).get_slice(":", 1)
	if property["type"] == TYPE_OBJECT:
		return property["hint_string"]
	var full_name: String = property["class_name"]
	if full_name.begins_with("Tendon") and "." in full_name:
		return full_name.trim_prefix(kind + ".")
	return type_string(property["type"])


func _is_accessor(kind: String, method: String) -> bool:
	for property: Dictionary in ClassDB.class_get_property_list(kind, true):
		for prefix: String in ["set_", "get_", "is_"]:
			if method == prefix + str(property["name"]):
				return true
	return false


## The answers to the questions in which one of [param words] occurs.
func _expect_answers(words: PackedStringArray, at_least: int) -> void:
	if not await _ask_editor():
		return
	var count: int = 0
	for question: String in seen:
		for word: String in words:
			if word in question and question != "help":
				count += 1
				_check_answer(question, seen[question])
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


func _ask_editor() -> bool:
	return await ask_editor("preview_driver")


func _make_scenes() -> Dictionary:
	var limb: Figure = _figure(2)
	limb.two_bone()
	var tail: Figure = _figure()
	tail.fabrik().stretch = 1.5
	tail.ccd().tolerance = 0.25
	var reset: Figure = _figure()
	reset.fabrik()
	_add_reset(reset)
	return {
		"limb": limb.stage,
		"remote": _remote().stage,
		"tail": tail.stage,
		"reset": reset.stage,
		"empty": Node2D.new(),
		"mapped": _mapped().stage,
		"level": _level(),
		"heir": _heir(),
	}


## A bone that carries a picture from afar.
func _remote() -> Figure:
	var figure: Figure = _figure(2)
	figure.two_bone()
	var drawn: Sprite2D = Sprite2D.new()
	drawn.name = "Drawn"
	figure.stage.add_child(drawn)
	var remote: RemoteTransform2D = RemoteTransform2D.new()
	remote.position = Vector2(12, 3)
	figure.bones[1].add_child(remote)
	remote.remote_path = remote.get_path_to(drawn)
	return figure


## A bone that is turned, moved and scaled by the target's height.
func _mapped() -> Figure:
	var figure: Figure = _figure()
	for channel: int in [
		TendonCopyTransform2D.CHANNEL_ROTATION,
		TendonCopyTransform2D.CHANNEL_POSITION_X,
		TendonCopyTransform2D.CHANNEL_SCALE_X,
		TendonCopyTransform2D.CHANNEL_SCALE_Y,
	]:
		var mapping: TendonCopyTransform2D = TendonCopyTransform2D.new()
		mapping.bone = figure.bones[1]
		mapping.source = figure.target
		mapping.source_channel = TendonCopyTransform2D.CHANNEL_POSITION_Y
		mapping.source_max = 100.0
		mapping.bone_channel = channel as TendonCopyTransform2D.Channel
		mapping.bone_min = 0.7
		mapping.bone_max = 1.3
		figure.rig.add_child(mapping)
	return figure


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
