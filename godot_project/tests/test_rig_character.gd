extends "res://tests/editor_suite.gd"
## A rig for a whole character, by the Tendon menu: see [code]rig_character_driver.gd[/code].

# The engine inverts rest poses, also of bones that have none.
const DRIVER: String = "rig_character_driver"
const ENGINE_NOISE: PackedStringArray = [
	"leaked at exit", '"t" is null', "Resource file not found: res:// ", "det == 0"
]


func test_a_character_is_rigged_in_one_step() -> void:
	var facts: Dictionary = seen["character"]
	check("LeftArmIK: " in facts["told"], "told: %s" % facts["told"])
	check('nothing is added: "Belt"' in facts["told"], "not understood: %s" % facts["told"])
	equal(facts["offers"], {"Joint limits": false}, "no feet without legs")
	equal(facts["steps"], 1.0, "one step")
	var expected: Array = ["HeadLookAt TendonLookAt2D", "HairSpring TendonSpring2D"]
	for side: String in ["Left", "Right"]:
		expected.append("%sArmIK TendonTwoBoneIK2D" % side)
	equal(facts["added"], expected, "modifiers")
	var targets: Array = ["Hips/HeadTarget", "Hips/LeftHandTarget", "Hips/RightHandTarget"]
	equal(facts["targets"], targets, "targets move with what carries the limbs")
	equal(facts["motions"]["LeftArm"], ["IK", "FK", "Spring"], "a choice for each limb")
	equal(facts["motions"]["Head"], ["Look-At", "FK", "Spring"], "and for the head")
	equal(facts["selected"], ["TendonRig2D"], "not all modifiers, whose gizmos would cover it")
	check(facts["moved"] < 1e-3, "every limb keeps its bend: %s" % facts["moved"])
	check("already" in facts["again"], "again: %s" % facts["again"])
	check(facts["undone"], "undone")


func test_feet_and_limits_are_offered_and_made_in_the_same_step() -> void:
	var facts: Dictionary = seen["walker"]
	equal(facts["offers"], {"Feet on the ground": true, "Joint limits": false}, "it walks")
	check('below "hips": LeftFoot, RightFoot' in facts["told"], "told: %s" % facts["told"])
	check(not "Joint limits:" in facts["told"], "no limits yet: %s" % facts["told"])
	check("LeftShin " in facts["told of both"], "told: %s" % facts["told of both"])
	equal(facts["steps"], 1.0, "one step")
	equal(facts["order"][0], "TendonFootPlacement2D", "above the legs: %s" % [facts["order"]])
	equal(facts["names"][0], "HipsFootPlacement", "its name")
	check(facts["choices stay"], "they stay where they are as the text grows")
	equal(facts["feet"]["LeftFoot"], ["LeftLegIK", "LeftFoot"], "a foot")
	equal(facts["feet"].size(), 2, "two feet")
	check(facts["led"], "the feet lead the legs, no targets do")
	equal(facts["warnings"], {}, "warnings")
	equal(facts["limits"].size(), 6, "three joints of each leg: %s" % [facts["limits"]])
	var knees: Array = [facts["limits"]["LeftShin"], facts["limits"]["RightShin"]]
	for knee: Array in knees:
		check(absf(knee[0] + knee[1]) > 90.0, "a knee bends to one side: %s" % [knee])
	check(facts["moved"] < 1e-3, "nothing moves: %s" % facts["moved"])
	check(facts["undone"], "undone")
	check("Animations turn LeftLeg" in facts["told of targets"], facts["told of targets"])
	check(not "Animations turn" in facts["told of choice"], facts["told of choice"])
	equal(facts["chosen"], ["RightLegSpring"], "what was chosen for each limb")


func test_a_missing_rest_pose_is_told_and_taken() -> void:
	var facts: Dictionary = seen["restless"]
	check(facts["posing"], "pose mode says it")
	equal(
		facts["offers"],
		{"Joint limits": false, "Take the present pose as rest pose": true},
		"it is offered"
	)
	check("becomes the rest pose of 12 bones" in facts["told"], "told: %s" % facts["told"])
	check("There is no rest pose of 12 bones" in facts["told without"], facts["told without"])
	check(not "LeftForearm -" in facts["told without"], "no limits: %s" % facts["told without"])
	check("LeftForearm " in facts["told of limits"], "limits: %s" % facts["told of limits"])
	equal(facts["steps"], 1.0, "one step")
	equal(facts["rests"], 12.0, "each bone has it")
	check(facts["limits"] > 0.0, "limits count from it")
	equal(facts["undone"], 0.0, "undone")


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["panic", "ERROR", "Tendon:"], ENGINE_NOISE)


func _make_scenes() -> Dictionary:
	return {"person": _person(), "walker": _walker(), "restless": _restless()}


## Two legs, and an animation that moves them.
func _walker() -> Node2D:
	var figure: Figure = Figure.new([50.0], [-PI / 2])
	figure.rig.free()
	figure.target.free()
	var hips: Bone2D = figure.bones[0]
	hips.name = "hips"
	for side: String in ["Left", "Right"]:
		var leg: Array = Figure.branch(
			hips, Vector2.ZERO, [50.0, 45.0, 14.0], [PI - 0.2, 0.4, -1.5]
		)
		_name(leg, [side + "Thigh", side + "Shin", side + "Foot"])
	var walk: Animation = Animation.new()
	var track: int = walk.add_track(Animation.TYPE_VALUE)
	walk.track_set_path(track, "Skeleton/hips/LeftThigh:rotation")
	walk.track_insert_key(track, 0.0, PI - 0.2)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation("walk", walk)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library("", library)
	figure.stage.add_child(player)
	return figure.stage


## A character whose bones have no rest pose.
func _restless() -> Node2D:
	var person: Node2D = _person()
	for bone: Bone2D in person.find_children("*", "Bone2D", true, false):
		bone.rest = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
	return person


## A character whose bones are named after what they are, but for one.
func _person() -> Node2D:
	var figure: Figure = Figure.new([50.0], [-PI / 2])
	figure.rig.free()
	figure.target.free()
	var hips: Bone2D = figure.bones[0]
	hips.name = "Hips"
	var head: Array = Figure.branch(hips, Vector2(52, 0), [12.0, 20.0], [0.1, 0.2])
	_name(head, ["Neck", "Head"])
	_name(Figure.branch(head[1], Vector2(20, 0), [14.0, 14.0], [2.0, 0.3]), ["hair", "hair_tip"])
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
