extends "res://tests/editor_suite.gd"
## A rig for a whole character, by the Tendon menu: see [code]rig_character_driver.gd[/code].

const ENGINE_NOISE: PackedStringArray = ["leaked at exit", "Resource file not found: res:// "]


func test_a_character_is_rigged_in_one_step() -> void:
	if not await _ask_editor():
		return
	var facts: Dictionary = seen["character"]
	check("LeftArmIK: " in facts["told"], "told: %s" % facts["told"])
	check('nothing is added: "Belt"' in facts["told"], "not understood: %s" % facts["told"])
	equal(facts["steps"], 1.0, "one step")
	var expected: Array = ["HeadLookAt TendonLookAt2D", "HairSpring TendonSpring2D"]
	for side: String in ["Left", "Right"]:
		expected.append("%sArmIK TendonTwoBoneIK2D" % side)
	equal(facts["added"], expected, "modifiers")
	var targets: Array = ["HeadTarget", "LeftHandTarget", "RightHandTarget"]
	equal(facts["targets"], targets, "targets")
	check(facts["moved"] < 1e-3, "every limb keeps its bend: %s" % facts["moved"])
	check("already" in facts["again"], "again: %s" % facts["again"])
	check(facts["undone"], "undone")


func test_the_editor_logs_no_errors() -> void:
	if not await _ask_editor():
		return
	expect_no_errors(["panic", "ERROR", "Tendon:"], ENGINE_NOISE)


func _ask_editor() -> bool:
	return await ask_editor(
		"rig_character_driver", func() -> Dictionary: return {"person": _person()}
	)


## A character whose bones are named after what they are, but for one.
func _person() -> Node2D:
	var figure: Figure = Figure.new([50.0], [-PI / 2])
	figure.rig.free()
	figure.target.free()
	var hips: Bone2D = figure.bones[0]
	hips.name = "Hips"
	var head: Array = Figure.branch(hips, Vector2(52, 0), [12.0, 20.0], [0.1, 0.2])
	_name(head, ["Neck", "Head"])
	_name(Figure.branch(head[1], Vector2(20, 0), [14.0, 14.0], [2.0, 0.3]), ["Hair", "HairTip"])
	for side: String in ["Left", "Right"]:
		var way: float = 1.0 if side == "Left" else -1.0
		var turns: Array = [1.9 * way, -0.5 * way, 0.1]
		var arm: Array = Figure.branch(hips, Vector2(45, 10 * way), [40.0, 35.0, 12.0], turns)
		_name(arm, [side + "UpperArm", side + "Forearm", side + "Hand"])
	_name(Figure.branch(hips, Vector2(5, 0), [9.0]), ["Belt"])
	return figure.stage


func _name(bones: Array, names: Array) -> void:
	for index: int in bones.size():
		bones[index].name = names[index]
