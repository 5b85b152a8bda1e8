extends "res://tests/posing_suite.gd"
## What pose mode and poses have beside plain drags, in an editor: see
## [code]posing_tools_driver.gd[/code].

const DRIVER: String = "posing_tools_driver"


func test_what_is_at_the_end_keeps_its_angle() -> void:
	var facts: Dictionary = seen["kept angles"]
	for scene: String in ["plain", "skewed"]:
		for bone: String in ["Lower", "Hand"]:
			var drag: String = "%s %s " % [scene, bone]
			check(
				absf(facts[drag + "0"]) > 0.02, drag + "turns without Alt: %s" % facts[drag + "0"]
			)
			near(facts[drag + "1"], 0.0, 1e-3, drag + "keeps its angle")
			check(facts[drag + "miss"] < 0.5, drag + "misses by %s px" % facts[drag + "miss"])
			equal(facts[drag + "steps"], 1.0, drag + "steps")
			check(facts[drag + "undone"], drag + "undone to the bit")
			equal(facts[drag + "turned"], ["Upper", "Lower", "Hand"], drag + "turned")


func test_drags_snap_as_the_editor_does() -> void:
	var facts: Dictionary = seen["snapped"]
	check(facts["false 1"] < 0.01 and facts["true 0"] < 0.01, "to the grid: %s" % facts)
	check(facts["false 0"] > 0.1 and facts["true 1"] > 0.1, "not to the grid: %s" % facts)
	check(facts["alone false 1"] < 1e-4, "by steps: %s" % facts)
	check(facts["alone false 0"] > 1e-3 and facts["alone true 0"] > 1e-3, "freely: %s" % facts)


func test_names_of_the_sides_can_be_set() -> void:
	var facts: Dictionary = seen["sides"]
	equal(facts["default"], ["Left/Right", "left/right", "LEFT/RIGHT", "L/R", "l/r"], "default")
	equal(facts["turned"], ["ArmB"], "the other side: %s" % facts["told A/B"])
	check('"no pair" is no pair' in facts["told no pair"], "told: %s" % facts["told no pair"])


func test_the_solved_pose_becomes_keys() -> void:
	var facts: Dictionary = seen["key solved"]
	check("No animation is open" in facts["without"], "nothing is edited: %s" % facts["without"])
	check("2 bones" in facts["told"], "told: %s" % facts["told"])
	equal(facts["steps"], 1.0, "one step")
	for bone: int in 2:
		var path: String = "swing Skeleton/Bone0%s:rotation" % ["", "/Bone1"][bone]
		var before: int = facts["keys before"].get(path, []).size()
		equal(facts["keys"].get(path, []).size(), before + 1, path)
		near_angle(facts["played"][bone], facts["shown"][bone], 1e-4, path + ", played")
		near_angle(facts["shown after"][bone], facts["shown"][bone], 1e-4, path + ", shown")
		near_angle(facts["base"][bone], facts["shown"][bone], 1e-4, path + ", base pose")
		near_angle(facts["base undone"][bone], facts["before"][bone], 1e-5, path + ", undone")
		check(absf(facts["shown"][bone] - facts["before"][bone]) > 0.05, path + ", solved")
	check(facts["keys"].has("RESET Skeleton/Bone0/Bone1:rotation"), "RESET: %s" % facts["keys"])
	check(not facts["keys"].has("swing Skeleton/Bone0:position"), "no bone has moved")
	check(facts["undone"], "undone")
	var upper: String = "swing Skeleton/Bone0:rotation"
	equal(facts["of one bone"][upper].size(), facts["keys before"][upper].size(), "not selected")
	equal(facts["of one bone"]["swing Skeleton/Bone0/Bone1:rotation"].size(), 1, "selected")


func test_keys_of_bones_become_keys_of_targets() -> void:
	var facts: Dictionary = seen["targets"]
	check(facts["open"], "asks")
	equal(facts["offered"], [["Arm", true], ["Bake into a copy", false]], "offers")
	check("Baked 1 target into" in facts["told"], "told: %s" % facts["told"])
	check("flip_bend" not in facts["told"], "told: %s" % facts["told"])
	equal(facts["steps"], 1.0, "one step")
	equal(facts["base after"], facts["base"], "base pose")
	var keys: Dictionary = facts["keys"]
	check(keys["swing Target:position"].size() > 5, "keys: %s" % [keys["swing Target:position"]])
	check(keys.has("RESET Target:position"), "RESET")
	for path: String in facts["keys before"]:
		equal(keys[path], facts["keys before"][path], path)
	check(facts["worst"]["angle"] < 0.6, "solved angles: %s°" % facts["worst"]["angle"])
	check(facts["worst"]["gap"] < 0.2, "solved ends: %s px" % facts["worst"]["gap"])
	check(facts["undone"], "undone")


func test_a_library_of_poses() -> void:
	var facts: Dictionary = seen["library"]
	equal(facts["empty"], 0.0, "begins empty")
	check("res://poses.tres" in facts["told"], "told: %s" % facts["told"])
	check(facts["file"].begins_with('[gd_resource type="TendonPoseLibrary"'), facts["file"])
	equal(facts["listed"], ["Bent"], "listed")
	check(facts["applied"] < 1e-5, "applied: %s" % facts["applied"])
	equal(facts["steps"], 1.0, "one step")
	check(facts["half"] < 1e-5, "half of the way: %s" % facts["half"])
	equal(facts["steps while held"], 1.0, "no step while the slider is held")
	check(facts["stays"], "what is shown becomes the step")
	equal(facts["steps of the slider"], 2.0, "one step of the slider")
	check(facts["undone"] < 1e-5, "undone: %s" % facts["undone"])
	equal(facts["renamed"], ["Crouch"], "renamed")
	equal(facts["chosen"], [0.0], "still chosen")
	equal(facts["second"], ["Crouch", "Second"], "a second pose")
	equal(facts["taken back"], ["Crouch"], "taken back")
	equal(facts["in the file"], ["Crouch"], "the file, too")
	near(facts["in another scene"], 0.0, 1e-5, "counts from the rest pose")
	equal(facts["removed"], [], "removed")
	check(facts["closed"], "closed")


func test_poses_have_targets() -> void:
	var facts: Dictionary = seen["targets held"]
	check(facts["applied"] < 1e-3, "applied: %s" % facts["applied"])
	for bone: int in facts["shown"].size():
		near_angle(facts["shown after"][bone], facts["shown"][bone], 1e-3, "shown")
	equal(facts["steps"], 1.0, "one step")
	check(facts["half"] < 1e-3, "half of the way: %s" % facts["half"])
	check(facts["undone"], "undone to the bit")
	check(facts["pasted"] < 1e-3, "pasted: %s" % facts["pasted"])


func test_the_side_to_which_a_limb_bends_is_part_of_its_pose() -> void:
	for scene: String in seen["bends"]:
		var facts: Dictionary = seen["bends"][scene]
		check(
			absf(facts["flipped"][1] - facts["at first"][1]) > 0.5,
			scene + ": it bends the other way"
		)
		check("rest pose again" in facts["told"], "%s, told: %s" % [scene, facts["told"]])
		equal(facts["reset"], [false, 1.0], scene + ", reset, as one step")
		check(facts["reset undone"], scene + ", undone")
		equal(facts["applied"], [true, 2.0], scene + ", applied, as one step")
		for bone: int in 2:
			near_angle(facts["shown when applied"][bone], facts["flipped"][bone], 1e-3, scene)
			near_angle(facts["shown when reset"][bone], facts["at rest"][bone], 1e-3, scene)
		equal([facts["at 0.2"], facts["at 0.9"]], [false, true], scene + ", the nearer one")
		check(not facts["undone"], scene + ", taken back")
		check(facts["pasted"], scene + ", pasted")


func test_mirrored_poses_exchange_targets() -> void:
	var facts: Dictionary = seen["targets mirrored"]
	check("2 targets" in facts["told"], "told: %s" % facts["told"])
	for pair: Array in [["Arm_L", "Arm_R"], ["Hand_L", "Hand_R"]]:
		for index: int in 2:
			var before: Array = facts["before"][pair[index]]
			var after: Array = facts["after"][pair[1 - index]]
			near(after[0], -before[0], 0.1, pair[index])
			near(after[1], before[1], 0.1, pair[index])
	check(facts["twice"] < 1e-4, "twice: %s" % facts["twice"])


func test_a_whole_character_or_a_limb_gets_keys() -> void:
	var facts: Dictionary = seen["keyed pose"]
	check("AnimationPlayer" in facts["without"], "without an animation: %s" % facts["without"])
	var bones: Dictionary[String, int] = {"Key Limb": 3, "Key Whole Character": 10}
	for title: String in bones:
		var case: Dictionary = facts[title]
		var turned: Array = []
		for path: String in case["keys"]:
			var before: int = (case["before"] as Dictionary).get(path, []).size()
			if path.ends_with(":rotation") and case["keys"][path].size() == before + 1:
				turned.append(path)
		var own: Array = turned.filter(func(it: String) -> bool: return it.begins_with("walk "))
		equal(own.size(), bones[title], "%s: %s" % [title, own])
		check("%s bones" % bones[title] in case["told"], "told: %s" % case["told"])
		near_angle(case["posed"], 0.0, 1e-4, title + ": the pose")
		near_angle(case["reset"], 0.0, 1e-4, title + ": RESET has the rest pose")
		near(case["stays"], 0.4, 1e-4, title + ": the bone stays")
		equal(case["steps"], 1.0, title + ": one step")
		check(case["undone"], title + ": undone")
	equal(facts["interpolations"], [2.0, 2.0], "cubic, as in another animation; RESET, too")
	var whole: Dictionary = facts["Key Whole Character"]["keys"]
	check(whole.has("walk Skeleton/Hips:position"), "the root's place: %s" % [whole.keys()])
	check(whole.has("RESET Skeleton/Hips:rotation"), "RESET: %s" % [whole.keys()])
	check("swing Target:position" in facts["with a target"], "%s" % [facts["with a target"]])
	check(facts["target stays"], "the target stays")
	check(facts["target at rest"] < 0.01, "RESET: off by %s px" % facts["target at rest"])


func test_bones_can_be_hidden() -> void:
	var facts: Dictionary = seen["hidden"]
	equal(facts["before"][0], "Hand", "taken before")
	check("Select the bones" in facts["none"], facts["none"])
	check("No bone" in facts["none to show"], facts["none to show"])
	check("Hand" not in facts["hidden"], "hidden: %s" % [facts["hidden"]])
	check(facts["stays"], "a drag leaves it alone")
	check("hidden already" in facts["again"], facts["again"])
	check(facts["saved"], "saved with the scene")
	equal(facts["undone"], facts["before"], "undone")
	equal(facts["shown"], facts["before"], "shown again")


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["ERROR", "panic", "Tendon:"], ENGINE_NOISE)
