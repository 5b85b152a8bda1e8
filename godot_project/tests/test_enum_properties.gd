extends "res://tests/suite.gd"
## Properties that are enums refuse numbers that are none of their values, and say which there are.

const BAD: Array[int] = [-1, 99, 2147483647, -9223372036854775807 - 1]
const SCENE: String = "user://no_value.tscn"
## In the warning of a property that was set to one. Each is told of once in a run.
const UNKNOWN: String = "is not a value of"


func test_no_property_takes_them() -> void:
	for title: String in _titles():
		var node: Object = ClassDB.instantiate(title.get_slice(".", 0))
		var property: String = title.get_slice(".", 1)
		var before: Variant = node.get(property)
		for value: int in BAD:
			node.set(property, value)
			_expect_refusal(node, title, before, value)
			node.call("set_" + property, value)
			_expect_refusal(node, title, before, value)
		if node is Node:
			node.free()


## In an engine of its own, where no other test has set such numbers.
func test_each_property_is_told_of_once() -> void:
	var project: String = ProjectSettings.globalize_path("res://")
	var arguments: PackedStringArray = ["--headless", "--path", project]
	arguments.append_array(["--script", "res://tests/run.gd", "--"])
	arguments.append("test_enum_properties.test_no_property_takes_them")
	var output: Array = []
	OS.execute(engine(), arguments, output, true)
	for title: String in _titles():
		var said: String = "%s was not set: %d %s" % [title, BAD[0], UNKNOWN]
		equal(output[0].count(said), 1, title + ", warnings")
		equal(output[0].count(title + " was not set"), 1, title + ", all warnings")


## The engine passes the arguments of typed calls in another way.
func test_typed_calls() -> void:
	var rig: TendonRig2D = TendonRig2D.new()
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	for value: int in BAD:
		@warning_ignore("int_as_enum_without_cast", "int_as_enum_without_match")
		rig.callback_mode_process = value
		_expect_refusal(rig, "TendonRig2D.callback_mode_process", 1, value)
		@warning_ignore("int_as_enum_without_cast", "int_as_enum_without_match")
		limit.set_space(value)
		_expect_refusal(limit, "TendonJointLimit2D.space", 0, value)
	rig.free()
	limit.free()


func test_scenes() -> void:
	var text: String = '[gd_scene format=3]\n[node name="Rig" type="TendonRig2D"]\n'
	text += "callback_mode_process = 77\ninfluence = 0.5\n"
	FileAccess.open(SCENE, FileAccess.WRITE).store_string(text)
	var scene: PackedScene = ResourceLoader.load(SCENE, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(SCENE)
	var rig: TendonRig2D = scene.instantiate()
	_expect_refusal(rig, "TendonRig2D.callback_mode_process", 1, 77)
	equal(rig.influence, 0.5, "what is right")
	rig.free()


func _expect_refusal(node: Object, title: String, before: Variant, value: int) -> void:
	var about: String = "%s = %d" % [title, value]
	equal(node.get(title.get_slice(".", 1)), before, about)
	expect_errors([], about)
	forgive([UNKNOWN])


## All properties of Tendon's classes that are enums, with their classes.
func _titles() -> PackedStringArray:
	var found: PackedStringArray = []
	for kind: String in extension_classes():
		if not ClassDB.can_instantiate(kind):
			continue
		for property: Dictionary in ClassDB.class_get_property_list(kind, true):
			var usage: int = property["usage"]
			if usage & PROPERTY_USAGE_CLASS_IS_ENUM:
				found.append("%s.%s" % [kind, property["name"]])
	check(found.size() > 5, "%d properties: %s" % [found.size(), found])
	return found
