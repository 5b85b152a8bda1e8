extends "res://tests/editor_suite.gd"
## The Tendon menu, in an editor: see [code]menu_driver.gd[/code].

const DRIVER: String = "menu_driver"
## The bones of the arm's scene, in tree order.
const HIP: int = 0
const UPPER: int = 1
const LOWER: int = 2
const TAIL: int = 4
const ARM_BONES: int = 6
const UPPER_PATH: String = "Skeleton/Hip/Upper"
## How far an animation may be from what was baked: the tolerance of the driver, and rounding.
const BAKE_TOLERANCE: float = deg_to_rad(0.1) + 1e-5
const BAKE_LENGTH_TOLERANCE: float = 0.1 + 1e-4
## How much greater the tolerance is that the dialog offers.
const DIALOG_TOLERANCE: float = 5.0
## What a script adds to the tail: once back and forth in a second.
const WAVE: float = 0.3
const WAVING: String = """@tool
extends TendonCustomModifier2D

@export var bone: Bone2D

var time: float = 0.0


func _process_modification(delta: float) -> void:
	time += delta
	set_pose_rotation(bone, get_pose_rotation(bone) + 0.3 * sin(TAU * time))
"""
## What the engine says of scenes with a stack, where there is nothing to draw on, and of any script
## without a file.
const ENGINE_NOISE: PackedStringArray = [
	'Parameter "t" is null',
	"Bone index is out of range",
	"leaked at exit",
	"bone index not found!",
	"Resource file not found: res:// ",
]


func test_menu_is_there_while_a_skeleton_is_selected() -> void:
	var visible: Array = seen.get("menu")
	equal(visible, [false, true, true, true], "no skeleton; one, selected, another node selected")
	equal(seen["entries of modifiers"], float(modifier_classes().size()), "one for each class")
	equal(seen["menu of another node"], seen["entries"], "nothing fits another node")
	check(seen["menu height"] < 720.0, "it fits a small screen: %s" % seen["menu height"])
	equal(seen["menu of a sprite"][0], false, "a sprite stands for the bone above it")
	# Icons of classes are not where this project has the addon.
	for entry: String in seen["entries without icons"]:
		var is_class: bool = entry.begins_with("Add ") or entry.begins_with("Rig ")
		check(is_class or entry == "Preview in Editor", "no icon: " + entry)
	check(not "Add Tip Marker" in seen["entries without icons"], "icons of the editor")
	check('"Lower"' in seen["menu of a sprite"][1], "named: %s" % [seen["menu of a sprite"]])


func test_every_action_is_one_undo_step() -> void:
	var count: int = 0
	for key: String in seen:
		if not key.ends_with(" files"):
			continue
		count += 1
		var files: Dictionary = seen[key]
		check(files["before"] != files["after"], key + ": something is done")
		equal(files["undone"], files["before"], key + ": undone")
		_same_file(files["redone"], files["after"], key + ": redone")
	equal(count, 26, "actions")


func test_new_modifiers() -> void:
	var arm: String = "Skeleton/Hip/Upper"
	_expect_new("look at", "HandLookAt", {"bone": arm + "/Lower/Hand"})
	var bones: Dictionary = {"bone_one": arm, "bone_two": arm + "/Lower"}
	_expect_new("two bones of one", "LowerTwoBoneIK", bones)
	bones["tip"] = arm + "/Lower/Hand"
	_expect_new("two bones of three", "LowerTwoBoneIK", bones)
	_expect_new("ccd", "LowerCCDIK", {"root_bone": arm, "tip_bone": arm + "/Lower"})
	var chain: Dictionary = {"root_bone": "Skeleton/Hip", "tip_bone": arm + "/Lower/Hand"}
	_expect_new("fabrik", "HandFABRIK", chain)
	_expect_added("full body", "HipFullBody", {"root_bone": "Skeleton/Hip"})
	_expect_new("spline", "HandSplineIK", chain)
	var tail: Dictionary = {
		"root_bone": "Skeleton/Hip/Tail", "tip_bone": "Skeleton/Hip/Tail/TailEnd"
	}
	_expect_added("spring", "TailEndSpring", tail)
	_expect_added("copy", "HandCopyTransform", {"bone": arm + "/Lower/Hand"})
	_expect_added("script", "CustomModifier", {})
	_expect_new("second", "HandLookAt", {"target": "HandTarget2"})
	_expect_legs()
	equal(seen.get("rigs"), 1.0, "rigs")
	var poses: Array[String] = ["look at", "two bones of one", "ccd", "fabrik", "spline", "second"]
	for about: String in poses + ["full body"]:
		var pose: Array = seen.get(about + " pose", [])
		equal(pose.size(), seen["base"].size(), about + ", bones")
		for index: int in pose.size():
			# A path goes along the joints with few points.
			var most: float = 0.05 if about == "spline" else 1e-4
			near_angle(pose[index], seen["base"][index], most, about + " moves no bone")


func test_new_effectors_and_tips() -> void:
	equal(seen.get("effector selected"), ["Skeleton/TendonRig2D/HandFABRIK/LowerEffector"], "path")
	var facts: Dictionary = seen["effector"]
	equal(facts["tip_bone"], "Skeleton/Hip/Upper/Lower", "bone")
	equal(facts["target"], "LowerTarget", "target")
	equal(seen.get("tip selected"), ["Skeleton/Hip/Upper/Lower/LowerTip"], "a marker at the bone")


func test_a_skeleton_that_is_the_scene() -> void:
	_expect_new("bare", "Bone1TwoBoneIK", {"bone_one": "Bone0", "bone_two": "Bone0/Bone1"})


func test_the_extension_loaded_anew() -> void:
	equal(seen.get("menus after reload"), 1.0, "menus")
	_expect_new("reloaded", "Bone1FABRIK", {"root_bone": "Bone0", "tip_bone": "Bone0/Bone1"})


func test_new_limits() -> void:
	for limit: Dictionary in seen.get("limits", []):
		equal(limit["class"], "TendonJointLimit2D", "class")
		equal(limit["owned"], true, "is saved")
	equal(seen["limits"].size(), 2, "limits")
	equal(seen["limits selected"].size(), 2, "selected")
	check("joint limit already" in seen.get("limited", ""), "one is enough: %s" % seen["limited"])


func test_what_does_not_fit_says_why() -> void:
	var reasons: Dictionary = seen.get("reasons", {})
	_expect_reason(reasons["Skeleton"], "Add Look-At", "Select the one bone")
	_expect_reason(reasons["Skeleton"], "Add Joint Limit", "Select the bones")
	_expect_reason(reasons["Skeleton"], "Sort Modifiers", "order that works")
	_expect_reason(reasons["Skeleton"], "Bake to Animation…", "AnimationPlayer")
	_expect_reason(reasons["Bone0"], "Apply Solved Pose", "no TendonRig2D")
	_expect_reason(reasons["Bone0"], "Bake to Animation…", "no TendonRig2D")
	_expect_reason(reasons["Skeleton"], "Convert Modification Stack", "no modification stack")
	_expect_reason(reasons["Skeleton/Hip/Upper/Lower/Hand"], "Add Two-Bone IK", "the upper of")
	for title: String in ["Add Two-Bone IK", "Add CCD IK", "Add FABRIK"]:
		_expect_reason(reasons["Skeleton/Hip/Upper Skeleton/Hip/Tail"], title, "not one line")
		_expect_reason(reasons["Skeleton"], title, "Select the ")
		if title != "Add FABRIK":
			check(not reasons[UPPER_PATH].has(title), "what fits is not greyed out: " + title)
	_expect_reason(reasons[UPPER_PATH], "Add FABRIK", "does that already")
	check('"Upper", "Lower"' in seen["tooltip"], "names the bones: %s" % seen["tooltip"])
	equal(float(reasons["Skeleton Other"].size()), seen["entries"], "two skeletons: nothing fits")
	equal(float(reasons["Stray"].size()), seen["entries"], "a bone astray: nothing fits")
	check("does not belong" in seen.get("told", ""), "told: %s" % [seen.get("told")])


func test_apply_pose() -> void:
	_near_stands("applied", seen["solved"])
	check(seen["solved"][ARM_BONES + LOWER] > 31.0, "is stretched: %s" % [seen["solved"]])


func test_apply_pose_without_preview() -> void:
	var applied: Array = seen["applied unseen"]
	check(absf(applied[UPPER]) > 0.1, "is turned: %s" % [applied])
	check(applied[ARM_BONES + LOWER] > 31.0, "is stretched: %s" % [applied])


func test_reset_to_rest() -> void:
	var expected: Array = seen["not applied"].duplicate()
	for bone: int in [UPPER, LOWER]:
		expected[bone] = 0.0
	_near_stands("reset", expected)
	_near_stands("reset all", [0, 0, 0, 0, 0, 0, 0, 10, 30, 25, 8, 12])
	var again: String = seen.get("reset again", "")
	check("already" in again and "Preview in Editor" in again, "again: %s" % again)
	equal(seen.get("preview"), false, "and the preview can be switched off")


func test_a_converted_stack_reaches() -> void:
	for scene: String in ["stack", "mirrored_stack"]:
		var facts: Dictionary = seen.get(scene, {})
		for limb: String in ["Head", "Arm", "Ccd", "Fabrik"]:
			var gap: float = facts["after"][limb]
			near(gap, 0.0, 1e-3, "%s, %s" % [scene, limb])
			check(gap <= facts["before"][limb] + 1e-3, "%s, %s: as before" % [scene, limb])
	# What the engine makes of the same character when it is mirrored.
	check(seen["stack"]["before"]["Fabrik"] < 1.0, "FABRIK before: %s" % [seen["stack"]])
	check(seen["mirrored_stack"]["before"]["Fabrik"] > 20.0, "mirrored FABRIK before")


func test_a_converted_stack() -> void:
	var facts: Dictionary = seen["stack"]
	var nodes: Dictionary = facts["nodes"]
	equal(nodes["HeadLookAt"]["bone"], "Skeleton/Head", "bone")
	near(nodes["HeadLookAt"]["additional_rotation"], 0.0, 0.0, "additional rotation")
	equal(nodes["Arm"]["flip_bend_direction"], true, "bend")
	equal(nodes["Arm"]["max_distance"], 52.0, "greatest distance")
	equal(nodes["Ccd2CCDIK"]["tip"], "Skeleton/Ccd/Ccd1/Ccd2/CcdTip", "tip")
	equal(nodes["Ccd2CCDIK"]["root_first"], false, "from the tip")
	equal(nodes["Fabrik2FABRIK"]["tip_bone"], "Skeleton/Fabrik/Fabrik1/Fabrik2", "tip bone")
	equal(nodes["Fabrik2FABRIK"]["match_target_rotation"], false, "rotation")
	# What the engine calls -80 to 80 degrees, inverted: just that.
	_expect_limit(nodes["Skeleton/Head/JointLimit"], -80.0, 80.0, 0)
	_expect_limit(nodes["Skeleton/Ccd/Ccd1/JointLimit"], 0.0, 120.0, 0)
	for fragment: String in ["4 of 5", "limits: 2.", "magnets", "Jiggle", "bones were not found"]:
		check(fragment in facts["report"], "%s in: %s" % [fragment, facts["report"]])
	check("counterparts of all" in facts["again"], "again: %s" % facts["again"])
	var saved: String = seen["stack files"]["after"]
	check("enabled = false" in saved and "SkeletonModification2DCCDIK" in saved, "the old stack")


func test_a_stack_with_odd_modifications() -> void:
	var nodes: Dictionary = seen["odd_stack"]["nodes"]
	var rig: Dictionary = nodes["Skeleton/TendonRig2D"]
	near(rig["influence"], 0.5, 1e-6, "influence of the rig")
	equal(rig["callback_mode_process"], float(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS), "frames")
	near(nodes["Inner"]["influence"], 0.25, 1e-6, "influence of one in a stack within the stack")
	near(nodes["Inner"]["additional_rotation"], 0.3, 1e-6, "additional rotation")
	equal(nodes["Inner"]["active"], false, "one that was not enabled")
	_expect_limit(nodes["Skeleton/A/JointLimit"], -60.0, 10.0, 1)
	equal(nodes["A2CCDIK"]["root_first"], true, "from the root")
	equal(nodes["BCCDIK"]["tip_bone"], "Skeleton/B", "last bone that moves the tip")
	var report: String = seen["odd_stack"]["report"]
	for fragment: String in [
		"3 of 5",
		"fixed to the screen",
		"turned towards the target by themselves",
		'left out the bone "A1"',
		"below its tip",
		"not in a line",
		"no physical bones",
		"has a limit already",
		"its target was not found"
	]:
		check(fragment in report, "%s in: %s" % [fragment, report])


func test_baking() -> void:
	var facts: Dictionary = seen["bake"]
	equal(facts["asked"], [true, 0.0, 2.0], "the dialog offers the whole length")
	equal(facts["state after"], facts["state"], "all is as before")
	_near_motion(facts["baked"], facts["solved"], range(121), "baked", DIALOG_TOLERANCE)
	var keys: Dictionary = facts["keys"]
	var arm: String = "Skeleton/Hip/Upper"
	equal(keys["Goal:position"][0], 9.0, "keys of the target")
	equal(keys["Skeleton/Hip/Tail:rotation"][0], 9.0, "keys of the tail")
	equal(keys.size(), 6, "tracks: %s" % [keys])
	for track: String in [
		":rotation", "/Lower:rotation", "/Lower:position", "/Lower/Hand:position"
	]:
		var count: int = int(keys[arm + track][0])
		check(count > 2 and count < 61, "keys of %s: %d" % [track, count])
	# The arm goes all the way round.
	var turn: float = keys[arm + ":rotation"][1]
	check(turn <= 3.0, "no two keys are half a turn apart: %s" % turn)


func test_baking_a_part() -> void:
	var facts: Dictionary = seen["bake"]
	check("a rate above 0" in facts["refused"], "no rate: %s" % facts["refused"])
	equal(facts["not refused"], "", "a part")
	_near_motion(facts["part"], facts["solved"], range(30, 61), "within")
	# Bones without a track of their own keep the nearest baked pose.
	for step: int in range(0, 30) + range(61, 121):
		var actual: float = facts["part"][step][UPPER]
		near_angle(actual, facts["unbaked"][step][UPPER], BAKE_TOLERANCE, "outside, step %d" % step)


func test_baking_springs_and_scripts() -> void:
	var facts: Dictionary = seen["bake springs"]
	equal(facts["refused"], "", "a loop")
	var lag: float = 0.0
	var step: float = 0.0
	for index: int in range(1, 120):
		var now: float = facts["baked"][index][TAIL]
		lag = maxf(lag, absf(angle_difference(facts["unbaked"][index][TAIL], now)))
		step = maxf(step, absf(angle_difference(facts["baked"][index - 1][TAIL], now)))
	check(lag > 0.02, "the tail lags behind: %f" % lag)
	var seam: float = angle_difference(facts["baked"][119][TAIL], facts["baked"][0][TAIL])
	check(absf(seam) < step + 2.0 * BAKE_TOLERANCE, "the loop comes round: %f, %f" % [seam, step])
	# Without a run-up it would begin at rest.
	var start: float = angle_difference(facts["unbaked"][0][TAIL], facts["baked"][0][TAIL])
	check(absf(start) > 0.01, "it begins as it ends: %f" % start)
	_expect_scripts_baked()


## The script waves the tail twice in the length of the animation, by its own time.
func _expect_scripts_baked() -> void:
	var facts: Dictionary = seen["bake scripts"]
	equal(facts["refused"], "", "a loop")
	var added: PackedFloat64Array = []
	for index: int in 121:
		added.append(angle_difference(facts["unbaked"][index][TAIL], facts["baked"][index][TAIL]))
	# Where its time is when the animation begins is left to the run-up. A quarter of a wave is
	# 15 steps.
	var phase: Vector2 = Vector2(added[15], added[0])
	near(phase.length(), WAVE, 2.0 * BAKE_TOLERANCE, "how far it waves")
	for index: int in 121:
		var wanted: float = WAVE * sin(TAU * index / 60.0 + phase.angle())
		near(added[index], wanted, 3.0 * BAKE_TOLERANCE, "step %d" % index)
	_expect_scale_baked(facts)


## A mapping scales the end of the tail.
func _expect_scale_baked(facts: Dictionary) -> void:
	var scales: Array = facts["scaled"]
	check(
		scales.max() - scales.min() > 0.2, "it is scaled: %s to %s" % [scales.min(), scales.max()]
	)
	for index: int in 121:
		near(facts["baked scale"][index], scales[index], BAKE_TOLERANCE, "scale, step %d" % index)
	var count: int = int(facts["scale keys"][0])
	check(count > 2 and count < 121, "keys of the scale: %d" % count)
	equal(facts["reset scale"], str(Vector2.ONE), "RESET of the scale")


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["panic", "ERROR", "TendonRig", "TendonMenu"], ENGINE_NOISE)


func _expect_new(about: String, title: String, properties: Dictionary) -> void:
	var facts: Dictionary = seen.get(about, {})
	equal(facts.get("name"), title, about + ", name")
	equal(facts.get("owned"), true, about + ", is saved")
	var is_child: bool = str(facts.get("target", "")).begins_with(title.trim_suffix("x").left(4))
	check(is_child, about + ", name of the target: %s" % facts.get("target"))
	equal(facts.get("target's parent"), ".", about + ", the target's parent")
	near(facts.get("distance", INF), 0.0, 0.02, about + ", the target is at the tip")
	for property: String in properties:
		equal(facts.get(property), properties[property], "%s, %s" % [about, property])
	equal(seen.get(about + " selected", []).size(), 1, about + ", is selected")


## The same for a modifier without a target.
func _expect_added(about: String, title: String, properties: Dictionary) -> void:
	var facts: Dictionary = seen.get(about, {})
	equal(facts.get("name"), title, about + ", name")
	equal(facts.get("owned"), true, about + ", is saved")
	for property: String in properties:
		equal(facts.get(property), properties[property], "%s, %s" % [about, property])
	equal(seen.get(about + " selected", []).size(), 1, about + ", is selected")


func _expect_reason(reasons: Dictionary, title: String, fragment: String) -> void:
	check(fragment in str(reasons.get(title, "")), "%s: %s" % [title, reasons.get(title)])


func _expect_limit(limit: Dictionary, low: float, high: float, space: int) -> void:
	near(rad_to_deg(limit["min_angle"]), low, 1e-3, "least angle")
	near(rad_to_deg(limit["max_angle"]), high, 1e-3, "greatest angle")
	equal(limit["space"], float(space), "space")


## Scrubbing the baked animation changes nothing that is saved: RESET has the base pose.
func test_baking_makes_reset_tracks() -> void:
	var facts: Dictionary = seen["bake"]
	var arm: String = "Skeleton/Hip/Upper"
	var reset: Dictionary = facts["reset"]
	near(reset.get(arm + ":rotation", INF), facts["at rest"][UPPER], 1e-5, "RESET of the upper arm")
	near(reset.get(arm + "/Lower:rotation", INF), facts["at rest"][LOWER], 1e-5, "of the lower one")
	check(reset.has(arm + "/Lower:position"), "of what is stretched: %s" % [reset])


func test_baking_into_a_copy() -> void:
	var facts: Dictionary = seen["bake"]
	equal(facts["copied"], "", "into a copy")
	equal(facts["left alone"], true, "the animation stays")
	check("walk_baked" in facts["list"], "the copy: %s" % [facts["list"]])
	equal(facts["list undone"], ["walk"], "undone")


## The bones' rotations and positions.
func _near_stands(moment: String, expected: Array) -> void:
	var actual: Array = seen.get(moment, [])
	equal(actual.size(), expected.size(), moment)
	for index: int in mini(actual.size(), expected.size()):
		near(actual[index], expected[index], 1e-4, "%s, %d" % [moment, index])


func _near_motion(
	actual: Array, expected: Array, steps: Array, about: String, share: float = 1.0
) -> void:
	for step: int in steps:
		for index: int in ARM_BONES:
			var message: String = "%s, step %d, bone %d" % [about, step, index]
			near_angle(actual[step][index], expected[step][index], share * BAKE_TOLERANCE, message)
			var place: int = index + ARM_BONES
			near(actual[step][place], expected[step][place], share * BAKE_LENGTH_TOLERANCE, message)


## The same text, but for the last digits of rotations and scales: the engine itself rewrites them
## whenever it saves.
func _same_file(actual: String, expected: String, message: String) -> void:
	var lines: PackedStringArray = actual.split("\n")
	var expected_lines: PackedStringArray = expected.split("\n")
	equal(lines.size(), expected_lines.size(), message + ", lines")
	for index: int in mini(lines.size(), expected_lines.size()):
		var prefix: String = "rotation = "
		if lines[index].begins_with(prefix) and expected_lines[index].begins_with(prefix):
			var angle: float = lines[index].trim_prefix(prefix).to_float()
			near(angle, expected_lines[index].trim_prefix(prefix).to_float(), 1e-6, message)
		else:
			equal(lines[index], expected_lines[index], message)


func _expect_legs() -> void:
	var arm: String = "Skeleton/Hip/Upper"
	var legs: Dictionary = seen.get("legs", {})
	equal(seen.get("legs selected"), ["Skeleton/TendonRig2D/HipGait"], "the gait is selected")
	equal(legs.size(), 5, "a gait, two feet and two limbs: %s" % [legs.keys()])
	equal(legs["HipGait"]["pelvis"], "Skeleton/Hip", "pelvis")
	equal(legs["LowerTwoBoneIK"]["bone_one"], arm, "of three bones, the first two")
	equal(legs["LowerTwoBoneIK"]["tip"], arm + "/Lower/Hand", "and the third at the end")
	equal(legs["UpperFoot"]["foot_bone"], arm + "/Lower/Hand", "which is the foot")
	equal(legs["UpperFoot"]["limb"], "Skeleton/TendonRig2D/LowerTwoBoneIK", "its limb")
	equal(legs["TailFoot"]["limb"], "Skeleton/TendonRig2D/TailEndTwoBoneIK", "the other's limb")
	check(not legs["TailFoot"].get("foot_bone"), "no foot")
	var placed: Array = seen.get("placed legs", [])
	equal(placed.size(), 3, "a placement, the leg that was there, and a new one: %s" % [placed])
	equal(placed[0], "HipFootPlacement", "the placement is above them")
	check("TailEndFABRIK" in placed, "the modifier that was there: %s" % [placed])
	check("TailEndFABRIK" in seen.get("placed feet", []), "its foot: %s" % [seen["placed feet"]])
	equal(seen.get("placement undone"), 1, "one step takes all of it away")


func _make_scenes() -> Dictionary:
	return {
		"arm": _arm(),
		"nothing": _nothing(),
		"bare": _bare(),
		"posed": _posed(),
		"stack": _stacked(false),
		"mirrored_stack": _stacked(true),
		"odd_stack": _oddly_stacked(),
		"walk": _walking(),
		"swing": _swinging(),
		"scripted": _waving(),
	}


## A scene without a skeleton.
func _nothing() -> Node2D:
	var root: Node2D = Node2D.new()
	root.name = "Root"
	return root


## A skeleton with an arm and a tail on a hip, turned and mirrored; another, and a bone astray.
func _arm() -> Node2D:
	var root: Node2D = Node2D.new()
	root.name = "Root"
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	skeleton.transform = Transform2D(0.3, Vector2(-1.5, 1.5), 0.0, Vector2(40, 30))
	root.add_child(skeleton)
	_named(_limb(skeleton, Vector2.ZERO, [10, 30, 25, 12]), ["Hip", "Upper", "Lower", "Hand"])
	_named(_limb(skeleton.get_node("Hip"), Vector2(0, 8), [12, 11]), ["Tail", "TailEnd"])
	var sprite: Sprite2D = Sprite2D.new()
	sprite.name = "Sprite"
	skeleton.get_node("Hip/Upper/Lower").add_child(sprite)
	var other: Skeleton2D = Skeleton2D.new()
	other.name = "Other"
	root.add_child(other)
	_limb(other, Vector2.ZERO, [10, 10])
	_named(_limb(root, Vector2.ZERO, [10]), ["Stray"])
	var plain: Node2D = Node2D.new()
	plain.name = "Plain"
	root.add_child(plain)
	return root


func _bare() -> Skeleton2D:
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Bare"
	_limb(skeleton, Vector2.ZERO, [20, 15])
	return skeleton


## The same with a rig at work, one bone of whose arm stretches.
func _posed() -> Node2D:
	var root: Node2D = _arm()
	var skeleton: Skeleton2D = root.get_node("Skeleton")
	var rig: TendonRig2D = TendonRig2D.new()
	rig.name = "Rig"
	skeleton.add_child(rig)
	var target: Marker2D = Marker2D.new()
	target.name = "Goal"
	target.position = Vector2(-60, 80)
	root.add_child(target)
	var arm: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
	arm.name = "Arm"
	arm.bone_one = skeleton.get_node("Hip/Upper")
	arm.bone_two = skeleton.get_node("Hip/Upper/Lower")
	arm.target = target
	arm.stretch = 1.5
	rig.add_child(arm)
	return root


## The same, animated: the target goes round the shoulder once, and the arm and the tail swing.
func _walking() -> Node2D:
	var root: Node2D = _posed()
	var animation: Animation = Animation.new()
	animation.length = 2.0
	animation.loop_mode = Animation.LOOP_LINEAR
	var goal: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(goal, "Goal:position")
	var swing: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(swing, "Skeleton/Hip/Upper:rotation")
	var tail: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(tail, "Skeleton/Hip/Tail:rotation")
	animation.track_set_interpolation_type(goal, Animation.INTERPOLATION_CUBIC)
	for key: int in 9:
		var around: Vector2 = Vector2(32, 38) + Vector2(78, 0).rotated(key * TAU / 8.0)
		animation.track_insert_key(goal, key * 0.25, around)
		animation.track_insert_key(swing, key * 0.25, 0.5 * sin(key * TAU / 8.0))
		animation.track_insert_key(tail, key * 0.25, 0.3 * cos(key * TAU / 8.0))
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"walk", animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library(&"", library)
	root.add_child(player)
	return root


## The same, with a tail that lags behind.
func _swinging() -> Node2D:
	var root: Node2D = _walking()
	var tail: TendonSpring2D = TendonSpring2D.new()
	tail.name = "Swing"
	tail.root_bone = root.get_node("Skeleton/Hip/Tail")
	tail.tip_bone = root.get_node("Skeleton/Hip/Tail/TailEnd")
	tail.frequency = 1.5
	root.get_node("Skeleton/Rig").add_child(tail)
	return root


## The same, with a script that waves the tail, and a mapping that scales its end.
func _waving() -> Node2D:
	var root: Node2D = _walking()
	var wave: TendonCustomModifier2D = TendonCustomModifier2D.new()
	wave.name = "Wave"
	var script: GDScript = GDScript.new()
	script.source_code = WAVING
	script.reload()
	wave.set_script(script)
	wave.set("bone", root.get_node("Skeleton/Hip/Tail"))
	root.get_node("Skeleton/Rig").add_child(wave)
	var mapping: TendonCopyTransform2D = TendonCopyTransform2D.new()
	mapping.name = "Grow"
	mapping.bone = root.get_node("Skeleton/Hip/Tail/TailEnd")
	mapping.source = root.get_node("Goal")
	mapping.source_channel = TendonCopyTransform2D.CHANNEL_POSITION_X
	mapping.bone_channel = TendonCopyTransform2D.CHANNEL_SCALE_X
	mapping.source_max = 100.0
	mapping.bone_min = 1.0
	mapping.bone_max = 1.5
	mapping.relative = false
	root.get_node("Skeleton/Rig").add_child(mapping)
	return root


## Four limbs, one for each kind of modification, with targets that they can reach; and one
## modification that has no counterpart.
func _stacked(mirrored: bool) -> Node2D:
	var root: Node2D = Node2D.new()
	root.name = "Root"
	root.scale = Vector2(-1 if mirrored else 1, 1)
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	root.add_child(skeleton)
	var targets: Node2D = Node2D.new()
	targets.name = "Targets"
	root.add_child(targets)
	_target(targets, "Head", Vector2(30, 40))
	_named(_limb(skeleton, Vector2.ZERO, [20]), ["Head"])
	_target(targets, "Arm", Vector2(130, 30))
	_named(_limb(skeleton, Vector2(100, 0), [30, 25]), ["Arm", "Forearm"])
	_target(targets, "Ccd", Vector2(240, 30))
	_named(_limb(skeleton, Vector2(200, 0), [20, 20, 20]), ["Ccd", "Ccd1", "Ccd2"])
	_target(targets, "Fabrik", Vector2(340, 35))
	_named(_limb(skeleton, Vector2(300, 0), [20, 20, 20]), ["Fabrik", "Fabrik1", "Fabrik2"])
	for tip: Array in [
		["Head", "Head"], ["Arm", "Forearm"], ["Ccd", "Ccd2"], ["Fabrik", "Fabrik2"]
	]:
		var bone: Bone2D = skeleton.find_child(tip[1], true, false)
		var marker: Marker2D = Marker2D.new()
		marker.name = tip[0] + "Tip"
		marker.position = Vector2(bone.get_length(), 0)
		bone.add_child(marker)
	skeleton.set_modification_stack(_stack())
	return root


func _stack() -> SkeletonModificationStack2D:
	var look_at: SkeletonModification2DLookAt = SkeletonModification2DLookAt.new()
	look_at.bone2d_node = "Head"
	look_at.target_nodepath = "../Targets/Head"
	look_at.set_enable_constraint(true)
	look_at.set_constraint_angle_min(deg_to_rad(-80))
	look_at.set_constraint_angle_max(deg_to_rad(80))
	look_at.set_constraint_angle_invert(true)
	var arm: SkeletonModification2DTwoBoneIK = SkeletonModification2DTwoBoneIK.new()
	arm.resource_name = "Arm"
	arm.target_nodepath = "../Targets/Arm"
	arm.flip_bend_direction = true
	arm.target_maximum_distance = 52.0
	arm.set_joint_one_bone2d_node("Arm")
	arm.set_joint_two_bone2d_node("Arm/Forearm")
	var ccd: SkeletonModification2DCCDIK = SkeletonModification2DCCDIK.new()
	ccd.target_nodepath = "../Targets/Ccd"
	ccd.tip_nodepath = "Ccd/Ccd1/Ccd2/CcdTip"
	ccd.ccdik_data_chain_length = 3
	var path: String = "Ccd/Ccd1/Ccd2"
	for joint: int in 3:
		ccd.set_ccdik_joint_bone2d_node(joint, path)
		path = path.get_base_dir()
	ccd.set_ccdik_joint_enable_constraint(1, true)
	ccd.set_ccdik_joint_constraint_angle_min(1, 0.0)
	ccd.set_ccdik_joint_constraint_angle_max(1, deg_to_rad(120))
	var fabrik: SkeletonModification2DFABRIK = SkeletonModification2DFABRIK.new()
	fabrik.target_nodepath = "../Targets/Fabrik"
	fabrik.fabrik_data_chain_length = 3
	path = "Fabrik"
	for joint: int in 3:
		fabrik.set_fabrik_joint_bone2d_node(joint, path)
		path += "/Fabrik%d" % (joint + 1)
	fabrik.set_fabrik_joint_magnet_position(1, Vector2(0, 1))
	var jiggle: SkeletonModification2DJiggle = SkeletonModification2DJiggle.new()
	var stack: SkeletonModificationStack2D = SkeletonModificationStack2D.new()
	for modification: SkeletonModification2D in [look_at, arm, ccd, fabrik, jiggle]:
		stack.add_modification(modification)
	jiggle.enabled = false
	stack.enabled = true
	return stack


## What has no counterpart, or not quite.
func _oddly_stacked() -> Node2D:
	var root: Node2D = Node2D.new()
	root.name = "Root"
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	skeleton.scale = Vector2(-1, 1)
	root.add_child(skeleton)
	var targets: Node2D = Node2D.new()
	targets.name = "Targets"
	root.add_child(targets)
	_named(_limb(skeleton, Vector2.ZERO, [20, 20, 20]), ["A", "A1", "A2"])
	_named(_limb(skeleton, Vector2(90, 0), [20, 20]), ["B", "B1"])
	var tip: Marker2D = Marker2D.new()
	tip.name = "Tip"
	skeleton.get_node("A/A1/A2").add_child(tip)
	var inner: SkeletonModification2DLookAt = SkeletonModification2DLookAt.new()
	inner.resource_name = "Inner"
	inner.bone2d_node = "A"
	inner.set_additional_rotation(0.3)
	inner.set_enable_constraint(true)
	# On the screen; in the mirrored skeleton, that is from -60 to 10 degrees.
	inner.set_constraint_angle_min(deg_to_rad(170))
	inner.set_constraint_angle_max(deg_to_rad(240))
	inner.set("constraint_in_localspace", false)
	var held: SkeletonModificationStack2D = SkeletonModificationStack2D.new()
	held.add_modification(inner)
	held.strength = 0.25
	var holder: SkeletonModification2DStackHolder = SkeletonModification2DStackHolder.new()
	holder.set_held_modification_stack(held)
	var gap: SkeletonModification2DCCDIK = _ccd(["A", "A/A1/A2"], "A/A1/A2/Tip")
	gap.set_ccdik_joint_rotate_from_joint(0, true)
	gap.set_ccdik_joint_enable_constraint(0, true)
	gap.set_ccdik_joint_constraint_angle_max(0, 1.0)
	var fabrik: SkeletonModification2DFABRIK = SkeletonModification2DFABRIK.new()
	fabrik.fabrik_data_chain_length = 2
	fabrik.set_fabrik_joint_bone2d_node(0, "A")
	fabrik.set_fabrik_joint_bone2d_node(1, "B")
	var stack: SkeletonModificationStack2D = SkeletonModificationStack2D.new()
	var bones: Resource = SkeletonModification2DPhysicalBones.new()
	for modification: SkeletonModification2D in [
		holder, gap, _ccd(["B/B1", "B"], "B/B1"), fabrik, bones
	]:
		stack.add_modification(modification)
		# Tendon is asked here, not the engine.
		modification.enabled = false
		modification.execution_mode = 1
	inner.execution_mode = 1
	stack.strength = 0.5
	stack.enabled = true
	skeleton.set_modification_stack(stack)
	return root


func _ccd(joints: Array, tip: NodePath) -> SkeletonModification2DCCDIK:
	var ccd: SkeletonModification2DCCDIK = SkeletonModification2DCCDIK.new()
	ccd.tip_nodepath = tip
	ccd.ccdik_data_chain_length = joints.size()
	for joint: int in joints.size():
		ccd.set_ccdik_joint_bone2d_node(joint, joints[joint])
	return ccd


func _target(parent: Node, title: String, at: Vector2) -> void:
	var target: Marker2D = Marker2D.new()
	target.name = title
	target.position = at
	parent.add_child(target)


## A line of bones in a rest pose from which they are turned a little.
func _limb(parent: Node, at: Vector2, lengths: Array) -> Array[Bone2D]:
	var bones: Array[Bone2D] = Figure.branch(parent, at, lengths)
	for index: int in bones.size():
		bones[index].rotation = _steady(0.1 + 0.07 * index)
	return bones


## A rotation near [param angle] that the engine leaves as it is: when it saves a scene, it takes
## the transforms of bones apart, which changes others to the last bit each time.
func _steady(angle: float) -> float:
	var node: Node2D = Node2D.new()
	var steady: bool = false
	while not steady:
		angle += 1e-3
		node.rotation = angle
		angle = node.rotation
		node.transform = node.transform
		steady = node.rotation == angle and node.scale == Vector2.ONE and node.skew == 0.0
	node.free()
	return angle


func _named(bones: Array[Bone2D], titles: Array) -> void:
	for index: int in bones.size():
		bones[index].name = titles[index]
