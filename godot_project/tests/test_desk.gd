extends "res://tests/editor_suite.gd"
## The first hour of a whole character, with the mouse and the keyboard: see
## [code]desk_driver.gd[/code].

const Manikin := preload("res://tools/manikin.gd")

const DRIVER: String = "desk_driver"
const ENGINE_NOISE: PackedStringArray = [
	"leaked at exit",
	"Resource file not found: res:// ",
]

## How many clicks it may take at most: from the bare skeleton to eight keyed poses.
const CLICKS: float = 45.0


func test_a_walk_of_eight_poses_takes_few_clicks() -> void:
	equal(seen["rig"]["modifiers"].size(), 6, "head, hair, arms and legs: %s" % [seen["rig"]])
	equal(seen["rig"]["clicks"], 4.0, "clicks until it is rigged")
	check(seen["clicks"] <= CLICKS, "clicks: %s" % seen["clicks"])
	check(seen["tracks"] > 20.0, "tracks: %s" % seen["tracks"])
	for moment: int in 4:
		for distance: float in seen["moved %d" % moment]:
			check(distance > 2.0, "a pull at moment %d: %s" % [moment, distance])


func test_the_second_half_is_the_first_one_with_sides_exchanged() -> void:
	var poses: Array = seen["poses"]
	var least: float = INF
	for moment: int in 4:
		for part: String in ["Hand_", "Foot_"]:
			for sides: Array in [["L", "R"], ["R", "L"]]:
				var first: Array = poses[moment][part + sides[0]]
				var second: Array = poses[moment + 4][part + sides[1]]
				var gap: Vector2 = Vector2(first[0] - second[0], first[1] - second[1])
				near(gap.length(), 0.0, 2.0, "%s%s at %d" % [part, sides[0], moment])
		least = minf(least, absf(poses[moment]["Foot_L"][0] - poses[moment]["Foot_R"][0]))
	check(poses[0]["Foot_L"][1] < poses[0]["Foot_R"][1] - 10.0, "a foot on the next step")


func test_keys_of_the_keyboard_mirror_and_key_the_poses() -> void:
	equal(seen["keys"], 8.0, "a key for each pose")
	equal(seen["shortcuts"], 5.0, "shortcuts of the menu")
	equal(seen["taken"], [], "those that the editor has, too")
	for moment: int in 4:
		var told: String = "".join(seen["mirrored %d" % moment])
		check("The mirrored pose is pasted: 1 bone" in told, "told: " + told)


func test_only_one_message_is_shown() -> void:
	for moment: int in 4:
		check(seen["messages %d" % moment] <= 1.0, "%s" % seen["messages %d" % moment])


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["panic", "ERROR", "There is no", "Tendon:"], ENGINE_NOISE)


func _make_scenes() -> Dictionary:
	return {"person": person()}


## A character of twenty bones seen from the side, on stairs, with an empty animation.
static func person() -> Node2D:
	var stage: Node2D = Node2D.new()
	stage.name = "Person"
	stage.add_child(_stairs())
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton2D"
	stage.add_child(skeleton)
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2(0, 0), -90.0, 34.0, 34.0)
	# What is far comes first: it is drawn behind.
	_leg(hips, "R")
	var spine: Bone2D = _bone(hips, "Spine", Vector2(34, 0), 4.0, 40.0, 32.0)
	var chest: Bone2D = _bone(spine, "Chest", Vector2(40, 0), 4.0, 56.0, 46.0)
	_arm(chest, "R")
	var neck: Bone2D = _bone(chest, "Neck", Vector2(56, 0), 6.0, 16.0, 14.0)
	var head: Bone2D = _bone(neck, "Head", Vector2(16, 0), 0.0, 50.0, 44.0)
	_bone(head, "Hair", Vector2(40, -12), -150.0, 40.0, 16.0)
	_leg(hips, "L")
	_arm(chest, "L")
	var library: AnimationLibrary = AnimationLibrary.new()
	var walk: Animation = Animation.new()
	walk.length = 1.6
	library.add_animation("walk", walk)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "AnimationPlayer"
	player.add_animation_library("", library)
	stage.add_child(player)
	player.assigned_animation = "walk"
	return stage


static func _leg(hips: Bone2D, side: String) -> void:
	var thigh: Bone2D = _bone(hips, "Thigh_" + side, Vector2(0, 0), 172.0, 84.0, 28.0)
	var shin: Bone2D = _bone(thigh, "Shin_" + side, Vector2(84, 0), 18.0, 80.0, 20.0)
	var foot: Bone2D = _bone(shin, "Foot_" + side, Vector2(80, 0), -66.0, 26.0, 18.0)
	_bone(foot, "Toes_" + side, Vector2(26, 0), -30.0, 14.0, 16.0)


static func _arm(chest: Bone2D, side: String) -> void:
	var upper: Bone2D = _bone(chest, "UpperArm_" + side, Vector2(46, 0), 172.0, 58.0, 20.0)
	var lower: Bone2D = _bone(upper, "Forearm_" + side, Vector2(58, 0), -26.0, 52.0, 16.0)
	_bone(lower, "Hand_" + side, Vector2(52, 0), -6.0, 22.0, 15.0)


static func _bone(
	parent: Node2D, title: String, place: Vector2, degrees: float, length: float, width: float
) -> Bone2D:
	var bone: Bone2D = Bone2D.new()
	bone.name = title
	bone.set_autocalculate_length_and_angle(false)
	bone.set_length(length)
	bone.set_bone_angle(0.0)
	bone.position = place
	bone.rotation = deg_to_rad(degrees)
	bone.rest = bone.transform
	parent.add_child(bone)
	Manikin.carve(bone, length, width, 0.8 * width)
	if title.ends_with("_R"):
		for wood: Polygon2D in bone.get_children():
			wood.self_modulate = Color(0.72, 0.68, 0.74)
	return bone


## Steps up to the right, below the character.
static func _stairs() -> Polygon2D:
	var stairs: Polygon2D = Polygon2D.new()
	stairs.name = "Stairs"
	stairs.color = Color("5d5361")
	var edge: PackedVector2Array = [Vector2(-260, 178)]
	for step: int in 5:
		edge.append(Vector2(40 + 50 * step, 178 - 34 * step))
		edge.append(Vector2(40 + 50 * step, 144 - 34 * step))
	edge.append_array([Vector2(400, 8), Vector2(400, 320), Vector2(-260, 320)])
	stairs.polygon = edge
	return stairs
