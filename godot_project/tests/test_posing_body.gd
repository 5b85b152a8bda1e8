extends "res://tests/posing_suite.gd"
## Pose mode with pins and the whole body, in an editor: see [code]posing_body_driver.gd[/code].

const Manikin := preload("res://tools/manikin.gd")
const DRIVER: String = "posing_body_driver"
const BODIES: Dictionary[String, String] = {
	"manikin": "plain",
	"mirrored manikin": "mirrored in x",
	"stretched manikin": "stretched",
	"skewed manikin": "stretched, skewed and mirrored",
	"limited manikin": "plain",
	"straight manikin": "plain",
	"nested manikin": "plain",
	"rigged manikin": "plain",
	"armed manikin": "plain",
	"mirrored armed manikin": "mirrored in x",
}
## Those that hold a skeleton in a hand, on which another one hangs.
const CARRIERS: Dictionary[String, String] = {
	"carrying manikin": "plain",
	"mirrored carrying manikin": "mirrored in x",
}


func _make_scenes() -> Dictionary:
	var scenes: Dictionary = {}
	for scene: String in BODIES:
		scenes[scene] = _manikin(scene, BODIES[scene])
	for scene: String in CARRIERS:
		scenes[scene] = _manikin(scene, CARRIERS[scene])
		_arm(scenes[scene])
	scenes["keyed manikin"] = _manikin("armed manikin", "plain")
	_animate(scenes["keyed manikin"], "lean", ["Spine:rotation", "TargetArmL:position"])
	scenes["body manikin"] = _manikin("body manikin", "plain")
	_rig_body(scenes["body manikin"])
	return scenes


## The manikin, with other nodes above it.
func _manikin(scene: String, ancestors: String) -> Node2D:
	var stage: Node2D = Manikin.pack().instantiate()
	var skeleton: Skeleton2D = stage.find_child("Skeleton2D", true, false)
	skeleton.name = "Skeleton"
	skeleton.owner = null
	var place: Node = stage
	for transform: Transform2D in Figure.ANCESTORS[ancestors]:
		var ancestor: Node2D = Node2D.new()
		ancestor.transform = transform
		place.add_child(ancestor)
		place = ancestor
	skeleton.reparent(place, false)
	match scene:
		"limited manikin":
			_limit_knees(stage)
		"straight manikin":
			for title: String in ["Shin_L", "Shin_R", "Thigh_L", "Thigh_R"]:
				var bone: Bone2D = stage.find_child(title, true, false)
				bone.rotation = PI if "Thigh" in title else 0.0
				bone.rest = bone.transform
		"nested manikin":
			_carry(stage, skeleton)
		"rigged manikin":
			_rig(stage, skeleton, "Leg", ["Thigh_", "Shin_", "Foot_"])
		"armed manikin", "mirrored armed manikin":
			_rig(stage, skeleton, "Leg", ["Thigh_", "Shin_", "Foot_"])
			_rig(stage, skeleton, "Arm", ["UpperArm_", "Forearm_", "Hand_"])
	return stage


## Lets the knees bend to one side only, which is the other one for the other leg.
func _limit_knees(stage: Node) -> void:
	for side: String in ["L", "R"]:
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = -0.1 if side == "L" else -2.0
		limit.max_angle = 2.0 if side == "L" else 0.1
		stage.find_child("Shin_" + side, true, false).add_child(limit)


## Hangs a skeleton on the bone of another one.
func _carry(stage: Node, skeleton: Node) -> void:
	var outer: Skeleton2D = Skeleton2D.new()
	outer.name = "Outer"
	outer.position = Vector2(-150, 90)
	stage.add_child(outer)
	var cart: Bone2D = Figure.branch(outer, Vector2.ZERO, [60.0], [0.4])[0]
	cart.name = "Cart"
	skeleton.reparent(cart, false)
	skeleton.position = Vector2(90, 20)


## Gives the right hand a sword, whose skeleton is mirrored, and the sword a flag.
func _arm(stage: Node) -> void:
	var carrier: Node = stage.find_child("Hand_R", true, false)
	for weapon: Array in [["Sword", "Hilt", "Blade"], ["Banner", "Pole", "Flag"]]:
		var holder: Node2D = Node2D.new()
		holder.transform = Transform2D(-0.6, Vector2(1.2, -1.2), 0.0, Vector2(26, 0))
		carrier.add_child(holder)
		var skeleton: Skeleton2D = Skeleton2D.new()
		skeleton.name = weapon[0]
		holder.add_child(skeleton)
		var bones: Array = Figure.branch(skeleton, Vector2(2, 3), [24.0, 60.0], [0.2, -0.5])
		for index: int in 2:
			bones[index].name = weapon[index + 1]
		carrier = bones[0]


## Has one body bring hands and feet to targets.
func _rig_body(stage: Node) -> void:
	var rig: TendonRig2D = TendonRig2D.new()
	rig.name = "Rig"
	stage.find_child("Skeleton", true, false).add_child(rig)
	add_child(stage)
	var body: TendonFullBody2D = rig.add_full_body(stage.find_child("Hips", true, false))
	for title: String in ["Hand_L", "Hand_R", "Foot_L", "Foot_R"]:
		var bone: Bone2D = stage.find_child(title, true, false)
		var target: Marker2D = Marker2D.new()
		target.name = "Target" + title
		stage.add_child(target)
		target.global_position = Figure.axis_end(bone)
		target.global_rotation = bone.global_rotation
		body.add_effector(bone, target).match_target_rotation = "Foot" in title
	remove_child(stage)


## Has targets hold the ankles or the wrists.
func _rig(stage: Node, skeleton: Node, title: String, bones: Array) -> void:
	var rig: TendonRig2D = skeleton.get_node_or_null("Rig")
	if rig == null:
		rig = TendonRig2D.new()
		rig.name = "Rig"
		skeleton.add_child(rig)
	add_child(stage)
	for side: String in ["L", "R"]:
		var limb: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
		limb.name = title + side
		rig.add_child(limb)
		limb.bone_one = stage.find_child(bones[0] + side, true, false)
		limb.bone_two = stage.find_child(bones[1] + side, true, false)
		var target: Marker2D = Marker2D.new()
		target.name = "Target" + limb.name
		stage.add_child(target)
		var end: Bone2D = stage.find_child(bones[2] + side, true, false)
		target.position = end.global_position
		limb.target = target
	remove_child(stage)


func test_feet_stay_while_hips_and_hands_are_pulled() -> void:
	for scene: String in BODIES:
		var facts: Dictionary = seen[scene]
		equal(facts["pins"], ["Foot_L", "Foot_R"], scene + ": pinned feet")
		for pull: String in ["hips", "far", "near", "back", "knee"]:
			if pull not in facts:
				continue
			var about: String = "%s, %s: %s" % [scene, pull, facts[pull]]
			check(facts[pull]["moved"] < 0.05, "feet stay: " + about)
			check(facts[pull]["turned"] < 0.1, "feet keep their angle: " + about)
			# What comes back is no step.
			equal(facts[pull]["steps"], 0.0 if pull == "back" else 1.0, "steps: " + about)
			check(facts[pull]["undone"], "undone: " + about)
		check(facts["hips"]["miss"] < 0.5, "%s: hips: %s" % [scene, facts["hips"]])
		check(facts["near"]["gap"] < 0.75, "%s: within reach: %s" % [scene, facts["near"]])
		check(facts["far"]["body"] > 4.0, "%s: the body leans: %s" % [scene, facts["far"]])
		check(facts["back"]["apart"] < 0.1, "%s: comes back: %s" % [scene, facts["back"]])


func test_nothing_leaps_on_the_way() -> void:
	# The way has 160 steps of less than three pixels.
	var leap: float = seen["manikin"]["far"]["leap"]
	check(leap > 0.01 and leap < 0.3, "a joint turns by %s rad in a step" % leap)


func test_a_place_that_is_pinned_stays() -> void:
	for scene: String in BODIES:
		var facts: Dictionary = seen[scene]["place"]
		check(facts["pinned"] and not facts["released"], "%s: %s" % [scene, facts])
		check(facts["moved"] < 0.05, "%s: the tip of the hand stays: %s" % [scene, facts])
		# The wrist stays at its target, if it has one.
		var may_turn: bool = "armed" not in scene
		check((facts["turned"] > 1.0) == may_turn, "%s: and may turn: %s" % [scene, facts])


func test_without_pins_the_root_stays() -> void:
	for scene: String in BODIES:
		var facts: Dictionary = seen[scene]["free"]
		equal(facts["hips"], 0.0, scene + ": the hips stay")
		check(facts["spine"] > 3.0, "%s: the spine leans: %s" % [scene, facts])
		check(facts["within"] < 1e-3, "%s: the arm is enough: %s" % [scene, facts])


func test_pins_hold_in_skeletons_that_bones_carry() -> void:
	for scene: String in CARRIERS:
		for case: String in seen[scene]:
			var facts: Dictionary = seen[scene][case]
			equal(facts["pins"], [case.get_slice(",", 0)], scene + ": pinned")
			for pulled: String in ["Hips", "Hand_L"]:
				var pull: Dictionary = facts[pulled]
				var about: String = "%s, %s, %s: %s" % [scene, case, pulled, pull]
				check(pull["moved"] < 0.05, "what is pinned stays: " + about)
				if "angle" in case:
					check(pull["turned"] < 0.1, "and keeps its angle: " + about)
				equal(pull["told"], "", "nothing is told: " + about)
				equal(pull["steps"], 1.0, "steps: " + about)
				check(pull["undone"], "undone: " + about)


func test_a_lean_gets_keys() -> void:
	var facts: Dictionary = seen["keyed manikin"]
	var paths: Array = facts["keys"].keys()
	var spine: Array = paths.filter(func(path: String) -> bool: return "Spine" in path)
	var target: Array = paths.filter(func(path: String) -> bool: return "TargetArmL" in path)
	equal([spine.size(), target.size()], [1, 1], "tracks: %s" % [facts])
	for path: String in spine + target:
		equal(facts["before"][path].size(), 1, "before: " + path)
		equal(facts["keys"][path].size(), 2, "a key: " + path)
	var turned: float = facts["keys"][spine[0]][1] - facts["before"][spine[0]][0]
	check(absf(turned) > 0.05, "the spine leans by %s rad" % turned)
	near_angle(facts["keys"][spine[0]][1], facts["spine"], 1e-5, "as it is shown")
	equal(facts["steps"], 1.0, "one step")
	check(facts["undone"] and facts["redone"], "undone and redone: %s" % facts)


func test_an_effector_of_a_body_is_pulled_by_its_target() -> void:
	var facts: Dictionary = seen["body manikin"]
	check(facts["gap"] < 0.75, "at the mouse: %s" % facts)
	check(facts["moved"] < 0.05 and facts["turned"] < 0.1, "feet stay: %s" % facts)
	check(facts["body"] > 1.0, "the hips go along: %s" % facts)
	equal(facts["steps"], 1.0, "one step")
	check(facts["undone"], "undone")


func test_strange_situations() -> void:
	for scene: String in ["manikin", "armed manikin"]:
		var facts: Dictionary = seen["strange " + scene]
		for title: String in ["tool", "many", "undo", "pin gone", "rig off"]:
			var about: String = "%s, %s: %s" % [scene, title, facts[title]]
			check(facts[title]["gap"] < 1.0, "at the mouse: " + about)
			equal(facts[title]["steps"], 1.0, "steps: " + about)
			check(facts[title]["undone"], "undone: " + about)
		var locked: Dictionary = facts["lock"]
		equal(locked["steps"], 0.0, "%s, what is locked stays: %s" % [scene, locked])
		equal("is locked" in str(locked["told"]), "armed" in scene, "%s" % locked)
		check(facts["zoom"]["gap"] < 1.0, "%s, zoomed: %s" % [scene, facts["zoom"]])
		for title: String in ["zoom", "tab", "deleted"]:
			check(facts[title]["as before"], "%s, %s: is as before" % [scene, title])


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["ERROR", "panic", "Tendon:"], ENGINE_NOISE)
