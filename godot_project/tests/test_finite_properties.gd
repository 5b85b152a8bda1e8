extends "res://tests/suite.gd"
## Properties that are numbers or vectors refuse what is not finite, whichever way it comes.

const NUMBERS: Array[float] = [NAN, INF, -INF]
## Greater than any number of 32 bits.
const TOO_GREAT: float = 1e39
const SCENE: String = "user://not_finite.tscn"


func test_no_property_takes_them() -> void:
	for title: String in _titles():
		var node: Node = ClassDB.instantiate(title.get_slice(".", 0))
		var property: String = title.get_slice(".", 1)
		var before: Variant = node.get(property)
		for value: Variant in _bad_values(before):
			node.set(property, value)
			equal(node.get(property), before, "%s = %s" % [title, value])
			node.call("set_" + property, value)
			equal(node.get(property), before, "%s, by its setter, = %s" % [title, value])
		node.free()
	forgive([REFUSAL])


## In an engine of its own, where no other test has set such numbers.
func test_each_property_is_told_of_once() -> void:
	var project: String = ProjectSettings.globalize_path("res://")
	var arguments: PackedStringArray = ["--headless", "--path", project]
	arguments.append_array(["--script", "res://tests/run.gd", "--"])
	arguments.append("test_finite_properties.test_no_property_takes_them")
	var output: Array = []
	OS.execute(engine(), arguments, output, true)
	for title: String in _titles():
		equal(output[0].count("%s %s" % [title, REFUSAL]), 1, title + ", warnings")


## The engine passes the arguments of typed calls in another way.
func test_typed_calls() -> void:
	var spring: TendonSpring2D = TendonSpring2D.new()
	spring.set_frequency(2.5)
	spring.set_gravity(Vector2(3, 4))
	for number: float in NUMBERS + [TOO_GREAT]:
		spring.set_frequency(number)
		equal(spring.get_frequency(), 2.5, "frequency %s" % number)
		spring.set_gravity(Vector2(0, number))
		equal(spring.get_gravity(), Vector2(3, 4), "gravity %s" % number)
	spring.free()
	forgive([REFUSAL])


func test_scenes() -> void:
	var text: String = '[gd_scene format=3]\n[node name="Spring" type="TendonSpring2D"]\n'
	text += "frequency = nan\ndamping_ratio = inf\ngravity = Vector2(inf, nan)\ninertia = 0.5\n"
	FileAccess.open(SCENE, FileAccess.WRITE).store_string(text)
	var scene: PackedScene = ResourceLoader.load(SCENE, "", ResourceLoader.CACHE_MODE_IGNORE)
	var spring: TendonSpring2D = scene.instantiate()
	var fresh: TendonSpring2D = TendonSpring2D.new()
	for property: String in ["frequency", "damping_ratio", "gravity"]:
		equal(spring.get(property), fresh.get(property), property)
	equal(spring.inertia, 0.5, "what is finite")
	spring.free()
	fresh.free()
	forgive([REFUSAL])


## What other types mean is left to the setters.
func test_whole_numbers_and_whole_vectors() -> void:
	var spring: TendonSpring2D = TendonSpring2D.new()
	spring.set("frequency", 4)
	spring.set("gravity", Vector2i(5, 6))
	equal(spring.frequency, 4.0, "frequency")
	equal(spring.gravity, Vector2(5, 6), "gravity")
	spring.free()


## All properties of Tendon's nodes that are numbers or vectors, with their classes.
func _titles() -> PackedStringArray:
	var found: PackedStringArray = []
	for kind: String in extension_classes():
		if not ClassDB.can_instantiate(kind) or not ClassDB.is_parent_class(kind, "Node"):
			continue
		if ClassDB.class_get_api_type(kind) == ClassDB.API_EDITOR_EXTENSION:
			continue
		for property: Dictionary in ClassDB.class_get_property_list(kind, true):
			if property["type"] in [TYPE_FLOAT, TYPE_VECTOR2]:
				found.append("%s.%s" % [kind, property["name"]])
	check(found.size() > 30, "%d properties" % found.size())
	return found


func _bad_values(good: Variant) -> Array:
	if good is float:
		return NUMBERS + [TOO_GREAT]
	var values: Array = []
	for number: float in NUMBERS:
		values.append_array([Vector2(number, 1), Vector2(1, number)])
	return values
