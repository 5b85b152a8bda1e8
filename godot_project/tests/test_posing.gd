extends "res://tests/posing_suite.gd"
## Pose mode, in an editor: see [code]posing_driver.gd[/code].

const DRIVER: String = "posing_driver"


func test_the_bone_follows_the_mouse() -> void:
	for zoom: float in [0.1, 0.37, 1.0, 3.0, 10.0]:
		near(seen["zoom %s" % zoom], zoom, 0.01, "seen at zoom %s" % zoom)
	for scene: String in SCENES:
		var facts: Dictionary = seen[scene]
		check(facts["drags"] >= 150, "%s: drags: %s" % [scene, facts["drags"]])
		check(facts["miss"] < 0.5, "%s: misses by %s px" % [scene, facts["miss"]])
		check(facts["back"] < 0.1, "%s: comes back to %s°" % [scene, facts["back"]])
		check(facts["over limit"] < 1e-4, "%s: beyond a limit: %s" % [scene, facts["over limit"]])


func test_a_drag_is_one_step_and_turns_only_the_limb() -> void:
	for scene: String in SCENES:
		var facts: Dictionary = seen[scene]
		equal(facts["others"], 0.0, scene + ": bones outside of the limb")
		equal(facts["during"], 0.0, scene + ": steps during drags")
		equal(facts["steps"], facts["drags"], scene + ": steps")
		equal(facts["undone"], facts["drags"], scene + ": undone to the bit")
		check(facts["same"], scene + ": nothing else is stored, to the bit")


func test_pose_mode_has_a_toggle_with_a_shortcut() -> void:
	equal(seen["button"], [true, "Alt+Shift+B", true], "the toggle")


func test_other_ways_to_drag() -> void:
	var facts: Dictionary = seen["otherwise"]
	equal(facts["alone"], ["Hand"], "with Shift")
	check(facts["escaped"] and facts["right click"], "taken back")
	equal(facts["limb"], ["Hand", "Upper", "Lower", "Hand"], "up to the branch")
	equal(facts["limb below Upper"], ["Hand", "Lower", "Hand"], "up to a pin")
	var whole: Array = ["Hand", "Spine", "Upper", "Lower", "Hand"]
	equal(facts["limb below Hips"], whole, "up to a pin beyond the branch")
	equal(facts["clicked"], ["Hand"], "a click selects")
	# The arm is too short, so that the spine leans.
	equal(facts["without selection"], whole.slice(1), "nothing is selected")
	equal(facts["steps"], 0.0, "steps")


func test_the_target_of_a_driven_bone_is_moved() -> void:
	var facts: Dictionary = seen["driven"]
	near(facts["moved"][0], -30.0, 1.0, "moved")
	near(facts["moved"][1], -20.0, 1.0, "moved")
	equal(facts["base after"], facts["base"], "base pose")


func test_a_limb_follows_at_once_while_its_target_is_out_of_reach() -> void:
	var facts: Dictionary = seen["driven"]["beyond"]
	equal(facts["status"], 2.0, "out of reach")
	# The editor's tool moves nodes by whole pixels.
	check(facts["gap"] < 0.75, "from the mouse: %s px" % facts["gap"])
	check(facts["gap after"] < 0.75, "released: %s px" % facts["gap after"])
	equal(facts["steps"], 1.0, "one step")
	check(facts["undone"], "undone")


func test_keys_follow_auto_insert_keys() -> void:
	var off: Dictionary = seen["keys"]["off"]
	equal(off["keys"], off["before"], "off: no keys")
	var on: Dictionary = seen["keys"]["on"]
	for path: String in on["keys"]:
		var bone: String = path.get_slice(":", 0).get_file()
		var is_meant: bool = bone == "Lower" and path.ends_with(":rotation")
		equal(on["keys"][path].size(), 2 if is_meant else 1, path)
		if is_meant:
			near_angle(on["keys"][path][1], on["rotations"][bone], 1e-5, path)
	equal(on["steps"], 1.0, "one step")
	check(on["undone"], "undone: %s, %s" % [on["before"], on["after"]])
	check('"Upper"' in on["told"] and "track" in on["told"], "told: %s" % on["told"])


func test_poses_are_copied_pasted_and_reset() -> void:
	var facts: Dictionary = seen["poses"]
	check("Copy a pose first" in facts["refused"], "nothing is copied: %s" % facts["refused"])
	check("5 bones" in facts["told"], "told: %s" % facts["told"])
	equal(facts["steps of a copy"], 0.0, "steps of a copy")
	check(facts["reset"] < 1e-5, "rest pose: %s" % facts["reset"])
	check(facts["undone"], "undone to the bit")
	check(facts["pasted"] < 1e-5, "the pose comes back: %s" % facts["pasted"])
	equal(facts["steps"], 3.0, "one step each")
	equal(facts["in another scene"], ["Arm_L"], "in another scene: what is copied")
	near(facts["turn"], 0.7, 1e-5, "counts from the rest pose")
	equal(facts["reset alone"], ["Arm_L"], "the selection is reset")
	check("no bones" in facts["no such bones"], "other names: %s" % facts["no such bones"])


func test_a_mirrored_pose_is_the_image_of_the_pose() -> void:
	var facts: Dictionary = seen["poses"]
	var others: Dictionary[String, String] = {
		"Hips": "Hips", "Arm_L": "Arm_R", "Arm_R": "Arm_L", "Hand_L": "Hand_R", "Hand_R": "Hand_L"
	}
	for bone: String in others:
		var before: Array = facts["mirrored"]["before"][bone]
		var after: Array = facts["mirrored"]["after"][others[bone]]
		if bone != "Hips":
			near(after[0], -before[0], 1e-2, bone)
			near(after[1], before[1], 1e-2, bone)
	check(facts["twice"] < 1e-5, "twice: %s" % facts["twice"])
	check("already" in facts["again"][0], "told: %s" % [facts["again"]])
	equal(facts["again"][1], 0.0, "no step for nothing")
	equal(facts["other arm"], ["Arm_R"], "the other side of what is selected")


func test_the_halves_of_a_walk_are_mirrored_poses() -> void:
	var facts: Dictionary = seen["walk"]
	check(facts["stride"] > 1.0, "the legs stride: %s" % facts["stride"])
	check(facts["gap"] < 1e-5, "the halves differ: %s" % facts["gap"])


func test_the_base_pose_is_copied() -> void:
	var facts: Dictionary = seen["solved poses"]
	check(facts["base"] != facts["shown"], "the rig is previewed")
	check("already" in facts["told"], "told: %s" % facts["told"])
	equal(facts["steps"], 0.0, "steps")
	equal(facts["base after"], facts["base"], "base pose")
	for bone: int in facts["base"].size():
		near(facts["base pasted"][bone], facts["base"][bone], 1e-5, "base pose after pasting")


func test_pasted_poses_insert_keys() -> void:
	var facts: Dictionary = seen["keyed poses"]
	for path: String in facts["keys"]:
		# Of the properties that the editor's buttons choose: these, and not the scale.
		var is_meant: bool = "Lower:rotation" in path or "Lower:position" in path
		equal(facts["keys"][path].size(), 2 if is_meant else 1, path)
	check("the position of" in facts["told"], "told: %s" % facts["told"])
	check("the rotation of" in facts["told"], "told: %s" % facts["told"])
	check(facts["undone"], "undone")


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["ERROR", "panic", "Tendon:"], ENGINE_NOISE)
