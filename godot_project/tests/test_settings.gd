extends "res://tests/suite.gd"
## A pass reads the properties of a modifier only if a call may have changed them. Whichever way one
## is set, the next pass knows it.

const POSE: Array[float] = [0.4, -0.7, 0.3]
const POINT: Vector2 = Vector2(-20, 40)
const KINDS: Array[String] = [
	"TendonLookAt2D",
	"TendonTwoBoneIK2D",
	"TendonCCDIK2D",
	"TendonFABRIK2D",
	"TendonSpring2D",
	"TendonSplineIK2D",
	"TendonCopyTransform2D",
	"TendonTrail2D",
	"TendonWave2D",
]
## What has no effect on a figure.
const INEFFECTIVE: Array[String] = [
	"TendonTwoBoneIK2D.match_target_rotation",
	# There is a target node.
	"TendonLookAt2D.target_position",
	"TendonTwoBoneIK2D.target_position",
	"TendonCCDIK2D.target_position",
	"TendonFABRIK2D.target_position",
]


func test_each_property_is_read_when_it_was_set() -> void:
	var count: int = 0
	for kind: String in KINDS:
		for property: Dictionary in ClassDB.class_get_property_list(kind, true):
			if "%s.%s" % [kind, property["name"]] in INEFFECTIVE:
				continue
			if property["type"] in [TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_VECTOR2]:
				for way: String in ["set", "setter"]:
					_check_property(kind, property["name"], way)
					count += 1
	check(count > 100, "%d properties were set" % count)


func test_an_animation_is_seen() -> void:
	var figure: Figure = _figure("TendonLookAt2D")
	var modifier: TendonLookAt2D = figure.rig.get_child(0)
	var player: AnimationPlayer = AnimationPlayer.new()
	var animation: Animation = Animation.new()
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, NodePath("%s:influence" % figure.stage.get_path_to(modifier)))
	animation.track_insert_key(track, 0.0, 0.0)
	animation.track_insert_key(track, 1.0, 1.0)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"fade", animation)
	player.add_animation_library(&"", library)
	figure.stage.add_child(player)
	player.play(&"fade")
	for time: float in [0.25, 0.5, 0.75]:
		player.seek(time, true)
		figure.solve(POINT * time)
		near(_modifier_of(figure)["influence"], time, 1e-6, "influence at %s" % time)


func test_an_effector_is_read_when_it_was_set() -> void:
	var figure: Figure = _figure("TendonFABRIK2D")
	var effector: TendonEffector2D = TendonEffector2D.new()
	effector.tip_bone = figure.bones[1]
	effector.target = figure.target
	figure.rig.get_child(0).add_child(effector)
	for weight: float in [0.25, 0.75]:
		effector.weight = weight
		figure.solve(POINT * weight)
		var solver: Dictionary = _modifier_of(figure)["solver"]
		equal(solver["chain_ik"]["effectors"][0]["weight"], weight, "weight")


## One of two figures gets another value, and the pass after that has to differ.
func _check_property(kind: String, property: String, way: String) -> void:
	var inputs: Array[String] = []
	for is_set: bool in [true, false]:
		var figure: Figure = _figure(kind)
		var modifier: Node = figure.rig.get_child(0)
		if is_set:
			var value: Variant = _other_than(modifier.get(property))
			if way == "set":
				modifier.set(property, value)
			else:
				modifier.call("set_" + property, value)
			equal(modifier.get(property), value, "%s.%s by %s" % [kind, property, way])
		figure.solve(POINT * 0.5)
		inputs.append(JSON.stringify(_modifier_of(figure)))
		figure.stage.free()
	check(inputs[0] != inputs[1], "%s.%s by %s: not read" % [kind, property, way])


func _figure(kind: String) -> Figure:
	var figure: Figure = Figure.new([30, 25, 20], POSE)
	var modifier: Node = figure.add(ClassDB.instantiate(kind))
	if "transition_duration" in modifier:
		# Without one, the curve means nothing.
		modifier.set(&"transition_duration", 0.5)
	add_child(figure.stage)
	figure.solve(POINT)
	return figure


func _other_than(value: Variant) -> Variant:
	match typeof(value):
		TYPE_BOOL:
			return not value
		TYPE_INT:
			return value + 1
		TYPE_FLOAT:
			return value * 0.5 if value != 0.0 else 0.25
		_:
			return value + Vector2(3, 4)


## What went into the last pass.
func _modifier_of(figure: Figure) -> Dictionary:
	return JSON.parse_string(figure.rig.capture())["rig"]["modifiers"][0]


## A property that says that it is from 0 to 1 is.
func test_parts_of_one_are_kept_in_their_range() -> void:
	var count: int = 0
	for kind: String in extension_classes():
		for property: Dictionary in ClassDB.class_get_property_list(kind, true):
			if property["hint_string"] != "0,1,0.001":
				continue
			count += 1
			var node: Node = ClassDB.instantiate(kind)
			var title: String = property["name"]
			for value: float in [2.0, -1.0, 0.25]:
				node.set(title, value)
				var about: String = "%s.%s = %s" % [kind, title, value]
				equal(node.get(title), clampf(value, 0.0, 1.0), about)
			node.free()
	check(count >= 20, "%d properties" % count)
