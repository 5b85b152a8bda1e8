extends "res://tests/suite.gd"
## What [code]TendonRig2D.rig_character()[/code] and [code]add_legs()[/code] make of bodies: which
## bones they know, where targets go, and how far joints may turn.

## Names of thigh and shin of both legs.
const STYLES: Array[Array] = [
	["LThigh", "LShin", "RThigh", "RShin"],
	["LLeg", "LFoot", "RLeg", "RFoot"],
	["ThighL", "ShinL", "ThighR", "ShinR"],
	["thigh.L", "shin.L", "thigh.R", "shin.R"],
	["Leg_L", "Foot_L", "Leg_R", "Foot_R"],
	["leftleg", "leftfoot", "rightleg", "rightfoot"],
	["lleg", "lfoot", "rleg", "rfoot"],
	["upperleg1", "lowerleg1", "upperleg2", "lowerleg2"],
	["leg1_upper", "leg1_lower", "leg2_upper", "leg2_lower"],
	["LUpLeg", "LLoLeg", "RUpLeg", "RLoLeg"],
	["left_leg", "left_feet", "right_leg", "right_feet"],
	["FrontTopLeg", "FrontShin", "BackTopLeg", "BackShin"],
	["front-thigh", "front-shin", "rear-thigh", "rear-shin"],
	["mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:RightUpLeg", "mixamorig:RightLeg"],
	["Bip001 L Thigh", "Bip001 L Calf", "Bip001 R Thigh", "Bip001 R Calf"],
	["Bone2D", "Bone2D2", "Bone2D3", "Bone2D4"],
]


func test_legs_are_known_by_names_of_many_styles() -> void:
	for names: Array in STYLES:
		var skeleton: Skeleton2D = _skeleton()
		var hips: Bone2D = _bone(skeleton, "Hips", Vector2(0, -80), -PI / 2, 20)
		for side: int in 2:
			var leg: Bone2D = _bone(hips, names[2 * side], Vector2(0, 6 * side), PI - 0.2, 40)
			_bone(leg, names[2 * side + 1], Vector2(40, 0), 0.4, 38)
		var rig: TendonRig2D = TendonRig2D.rig_character(skeleton, true)
		var made: Array = rig.get_children().map(func(it: Node) -> String: return it.name)
		equal(rig.get_child(0).get_child_count(), 2, "feet of %s" % [names])
		equal(made.size(), 3, "%s: %s" % [names, made])
		for modifier: Node in rig.get_children():
			check("TwoBoneIK" in modifier.get_class() or modifier.get_index() == 0, str(made))
		skeleton.get_parent().free()


func test_limbs_are_told_apart_by_all_words_of_a_side() -> void:
	var cases: Dictionary[Array, Array] = {
		["hind_far", "hind_near", "fore_far", "fore_near"]:
		["FarBackLegIK", "NearBackLegIK", "FarFrontLegIK", "NearFrontLegIK"],
		["P_Leg%s_F", "P_Leg%s_N"]: ["FarLegIK", "NearLegIK"],
		["leg_%s_n", "leg_%s_f"]: ["NearLegIK", "FarLegIK"],
		["Leg%sNear", "FarLeg%s"]: ["NearLegIK", "FarLegIK"],
		["leg_F", "leg_B"]: ["FrontLegIK", "BackLegIK"],
		["leg_fl", "leg_br"]: ["LeftFrontLegIK", "RightBackLegIK"],
		["arm_small", "arm_big"]: ["SmallArmIK", "BigArmIK"],
		["arm_0", "arm_1"]: ["Arm0IK", "Arm1IK"],
	}
	for stems: Array in cases:
		var skeleton: Skeleton2D = _skeleton()
		var hips: Bone2D = _bone(skeleton, "Hips", Vector2(0, -80), 0.0, 20)
		for index: int in stems.size():
			var names: Array = ["upper", "lower", "paw"].map(
				func(part: String) -> String:
					var stem: String = stems[index]
					return stem % part.left(2).capitalize() if "%s" in stem else stem + "_" + part
			)
			if "arm" in stems[index]:
				names.pop_back()
			var above: Node2D = hips
			for title: String in names:
				var at: Vector2 = Vector2(30 * index, 0) if above == hips else Vector2(25, 0)
				above = _bone(above, title, at, 1.2 if above == hips else 0.3, 25)
		var rig: TendonRig2D = TendonRig2D.rig_character(skeleton)
		var made: Array = rig.get_children().map(func(it: Node) -> String: return it.name)
		equal(made, cases[stems], "limbs of %s" % [stems])
		skeleton.get_parent().free()


func test_a_skull_is_a_head() -> void:
	for title: String in ["P_Skull", "skull"]:
		var skeleton: Skeleton2D = _skeleton()
		var trunk: Bone2D = _bone(skeleton, "Trunk", Vector2(0, -80), -PI / 2, 20)
		_bone(_bone(trunk, "P_Neck", Vector2(20, 0), 0.0, 0), title, Vector2(8, 0), 0.0, 20)
		var rig: TendonRig2D = TendonRig2D.rig_character(skeleton)
		check(rig != null and rig.has_node("HeadLookAt"), title)
		skeleton.get_parent().free()


func test_what_is_added_knows_where_it_ends() -> void:
	var skeleton: Skeleton2D = _skeleton()
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2(0, -80), 0.0, 20)
	var tail: Bone2D = _bone(
		_bone(hips, "Tail", Vector2.ZERO, 3.0, 0), "Tail2", Vector2(20, 0), 0.1, 0
	)
	var fore: Bone2D = _bone(
		_bone(hips, "LeftUpperArm", Vector2(20, 0), 1.0, 0), "LeftForearm", Vector2(30, 0), 0.4, 0
	)
	_bone(hips, "Head", Vector2(20, -10), -1.0, 0)
	add_child(skeleton.get_parent())
	var rig: TendonRig2D = TendonRig2D.rig_character(skeleton)
	for modifier: Node in rig.get_children():
		check(modifier.get("tip") is Marker2D, modifier.name)
	for bone: Bone2D in [tail, fore]:
		var tip: Node2D = bone.get_child(0)
		equal(str(tip.name), bone.name + "Tip", "a marker at its end")
		near(tip.position.y, 0.0, 1e-4, "on its axis")
	skeleton.get_parent().free()


func test_the_pelvis_of_a_dog_carries_all_legs() -> void:
	var skeleton: Skeleton2D = _skeleton()
	var rig: TendonRig2D = TendonRig2D.rig_character(_dog(skeleton, true), true)
	var placement: TendonFootPlacement2D = rig.get_child(0)
	equal(placement.pelvis.name, &"Hips", "pelvis")
	var names: Array = placement.get_children().map(func(it: Node) -> String: return it.name)
	var expected: Array = ["BackFoot", "BackFoot2", "FrontFoot", "FrontFoot2"]
	equal(names, expected, "no two are called alike")
	skeleton.get_parent().free()


func test_legs_without_names_are_those_that_stand() -> void:
	var skeleton: Skeleton2D = _dog(_skeleton(), false)
	equal(
		_feet_of(skeleton), ["1 2", "3 4", "6 7", "8 9"], "a dog, whose fore legs hang on its spine"
	)
	skeleton.get_parent().free()
	# Thigh, shin, foot and toes; arms that hang to the hips, a tail.
	skeleton = _skeleton()
	var hips: Bone2D = _bone(skeleton, "0", Vector2(0, -85), 0.0, 10)
	for side: int in 2:
		var thigh: Bone2D = _bone(hips, "t%d" % side, Vector2(0, 2 * side), PI / 2 - 0.2, 0)
		var shin: Bone2D = _bone(thigh, "s%d" % side, Vector2(40, 0), 0.4, 0)
		var foot: Bone2D = _bone(shin, "f%d" % side, Vector2(38, 0), -1.7, 0)
		_bone(foot, "z%d" % side, Vector2(12, 0), 0.0, 7)
	var spine: Bone2D = _bone(hips, "b", Vector2(0, 0), -PI / 2, 0)
	for side: int in 2:
		var arm: Bone2D = _bone(spine, "a%d" % side, Vector2(40, side), PI, 0)
		_bone(arm, "h%d" % side, Vector2(24, 0), 0.1, 22)
	_bone(_bone(hips, "y", Vector2(-3, 0), PI - 0.6, 0), "z", Vector2(20, 0), 0.1, 20)
	equal(_feet_of(skeleton), ["t0 s0 f0", "t1 s1 f1"], "a biped with toes")
	skeleton.get_parent().free()
	# Three bones reach in a digitigrade leg.
	skeleton = _skeleton()
	hips = _bone(skeleton, "0", Vector2(0, -75), 0.0, 10)
	for side: int in 2:
		var thigh: Bone2D = _bone(hips, "t%d" % side, Vector2(0, 2 * side), PI / 2 - 0.5, 0)
		var shin: Bone2D = _bone(thigh, "s%d" % side, Vector2(30, 0), 1.2, 0)
		var hock: Bone2D = _bone(shin, "k%d" % side, Vector2(30, 0), -0.9, 0)
		_bone(hock, "p%d" % side, Vector2(24, 0), -1.2, 9)
	equal(_feet_of(skeleton), ["t0 k0 p0", "t1 k1 p1"], "digitigrade legs")
	skeleton.get_parent().free()


func test_a_last_bone_of_automatic_length_ends_on_its_axis() -> void:
	for is_automatic: bool in [true, false]:
		var skeleton: Skeleton2D = _skeleton()
		var upper: Bone2D = _bone(skeleton, "LeftUpperArm", Vector2.ZERO, 0.3, 0)
		var fore: Bone2D = _bone(
			upper, "LeftForearm", Vector2(80, 0), 0.7, 0.0 if is_automatic else 60.0
		)
		add_child(skeleton.get_parent())
		var rig: TendonRig2D = TendonRig2D.rig_character(skeleton, false, true)
		for count: int in 3:
			rig.advance(TICK)
		near(fore.rotation, 0.7, 1e-4, "automatic %s: it stays" % is_automatic)
		equal(_limit_of(fore), [-40, 110], "automatic %s: the elbow" % is_automatic)
		skeleton.get_parent().free()


func test_limits_contain_the_pose_and_the_animations() -> void:
	var skeleton: Skeleton2D = _skeleton()
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2.ZERO, 0.0, 20)
	var thigh: Bone2D = _bone(hips, "LeftThigh", Vector2.ZERO, 1.3, 0)
	var shin: Bone2D = _bone(thigh, "LeftShin", Vector2(40, 0), 0.4, 38)
	var player: AnimationPlayer = AnimationPlayer.new()
	var walk: Animation = Animation.new()
	var track: int = walk.add_track(Animation.TYPE_VALUE)
	walk.track_set_path(track, "Skeleton/Hips/LeftThigh/LeftShin:rotation")
	walk.track_insert_key(track, 0.0, 0.4)
	walk.track_insert_key(track, 0.5, -0.3)
	track = walk.add_track(Animation.TYPE_BEZIER)
	walk.track_set_path(track, "Skeleton/Hips/LeftThigh:rotation")
	walk.bezier_track_insert_key(track, 0.0, 1.3)
	walk.bezier_track_insert_key(track, 1.0, 4.0)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation("walk", walk)
	player.add_animation_library("", library)
	skeleton.get_parent().add_child(player)
	TendonRig2D.rig_character(skeleton, false, true)
	check(
		_limit_of(shin)[0] <= rad_to_deg(-0.7), "a knee that runs both ways: %s" % [_limit_of(shin)]
	)
	check(_limit_of(thigh)[1] >= rad_to_deg(2.7), "a wide step: %s" % [_limit_of(thigh)])
	skeleton.get_parent().free()


func test_a_collapsed_limb_gets_a_limit_that_lets_it_bend() -> void:
	var skeleton: Skeleton2D = _skeleton()
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2.ZERO, 0.0, 20)
	var thigh: Bone2D = _bone(hips, "LeftThigh", Vector2.ZERO, 1.3, 0)
	var shin: Bone2D = _bone(thigh, "LeftShin", Vector2(40, 0), 0.4, 0)
	_bone(shin, "LeftFoot", Vector2.ZERO, 0.0, 10)
	TendonRig2D.rig_character(skeleton, false, true)
	equal(_limit_of(shin), [-150, 150], "to either side")
	skeleton.get_parent().free()


func test_hands_and_head_move_with_the_body_and_feet_stay_flat() -> void:
	for mirror: float in [1.0, -1.0]:
		var skeleton: Skeleton2D = _person()
		skeleton.scale.x = mirror
		add_child(skeleton.get_parent())
		var rig: TendonRig2D = TendonRig2D.rig_character(skeleton)
		rig.advance(TICK)
		var hips: Bone2D = skeleton.get_node("Hips")
		var head: TendonLookAt2D = rig.get_node("HeadLookAt")
		var ahead: Vector2 = skeleton.to_local(head.target.global_position)
		check(ahead.x > 30.0, "the target of the head is in front of its face: %v" % ahead)
		near(ahead.y, -155.0, 3.0, "at its height")
		var elbow: Bone2D = rig.get_node("LeftArmIK").get("bone_two")
		var foot: Bone2D = skeleton.get_node("Hips/LeftThigh/LeftShin/LeftFoot")
		var knee: Bone2D = foot.get_parent()
		var before: Array[float] = [elbow.rotation, head.bone.rotation, knee.rotation]
		var flat: float = foot.global_rotation
		hips.position.y += 10.0
		for count: int in 10:
			rig.advance(TICK)
		near(elbow.rotation, before[0], 1e-3, "an elbow")
		near(head.bone.rotation, before[1], 1e-3, "the head")
		check(absf(knee.rotation - before[2]) > 0.1, "knees bend")
		near_angle(foot.global_rotation, flat, 1e-3, "a foot stays flat")
		skeleton.get_parent().free()


func test_a_foot_and_toes_by_name_have_the_leg_above_them() -> void:
	var skeleton: Skeleton2D = _skeleton()
	add_child(skeleton.get_parent())
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2(0, -90), 0.0, 10)
	for side: String in ["A", "B"]:
		var upper: Bone2D = _bone(hips, side + "_0", Vector2.ZERO, 1.3, 0)
		var lower: Bone2D = _bone(upper, side + "_1", Vector2(45, 0), 0.5, 0)
		var foot: Bone2D = _bone(lower, side + "_foot", Vector2(45, 0), -1.6, 0)
		_bone(foot, side + "_toe", Vector2(14, 0), -0.1, 7)
	equal(_feet_of(skeleton), ["A_0 A_1 A_foot", "B_0 B_1 B_foot"], "legs")
	skeleton.get_parent().free()


func test_static_builders_work_on_threads_outside_the_tree() -> void:
	var thread: Thread = Thread.new()
	thread.start(_build)
	var skeleton: Skeleton2D = thread.wait_to_finish()
	equal(skeleton.find_children("*", "TendonTwoBoneIK2D", true, false).size(), 2, "a character")
	check(not skeleton.find_children("*", "TendonJointLimit2D", true, false).is_empty(), "limits")
	add_child(skeleton.get_parent())
	thread = Thread.new()
	thread.start(
		func() -> Bone2D: return TendonRig2D.add_bone(skeleton, "No", Transform2D.IDENTITY)
	)
	equal(thread.wait_to_finish(), null, "not in the tree")
	forgive(["another thread"])
	skeleton.get_parent().free()


func _build() -> Skeleton2D:
	var skeleton: Skeleton2D = _skeleton()
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2.ZERO, 0.0, 20)
	for side: String in ["Left", "Right"]:
		var thigh: Bone2D = _bone(hips, side + "Thigh", Vector2.ZERO, 1.3, 0)
		var shin: Bone2D = _bone(thigh, side + "Shin", Vector2(40, 0), 0.4, 38)
		TendonRig2D.pose_limb(thigh, shin, Vector2(20, 60))
	TendonRig2D.rig_character(skeleton, true, true)
	return skeleton


func _person() -> Skeleton2D:
	var skeleton: Skeleton2D = _skeleton()
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2(0, -85), -PI / 2, 0)
	var chest: Bone2D = _bone(hips, "Chest", Vector2(20, 0), 0.0, 30)
	_bone(chest, "Head", Vector2(40, 0), 0.05, 20)
	for side: String in ["Left", "Right"]:
		var arm: Bone2D = _bone(chest, side + "UpperArm", Vector2(35, 0), PI + 0.2, 0)
		var fore: Bone2D = _bone(arm, side + "Forearm", Vector2(28, 0), -0.4, 0)
		_bone(fore, side + "Hand", Vector2(26, 0), 0.1, 10)
		var thigh: Bone2D = _bone(hips, side + "Thigh", Vector2(0, 0), PI - 0.3, 0)
		var shin: Bone2D = _bone(thigh, side + "Shin", Vector2(42, 0), 0.5, 0)
		_bone(shin, side + "Foot", Vector2(42, 0), -1.6, 14)
	return skeleton


## Hind legs on the hips, fore legs on the chest.
func _dog(skeleton: Skeleton2D, is_named: bool) -> Skeleton2D:
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2(0, -54), 0.0, 0)
	var names: Array = ["BackThigh", "BackShin", "BackThigh2", "BackShin2"]
	_legs(hips, names if is_named else ["1", "2", "3", "4"], 0.0)
	var spine: Bone2D = _bone(hips, "Spine" if is_named else "5", Vector2.ZERO, 0.0, 62)
	names = ["FrontThigh", "FrontShin", "FrontThigh2", "FrontShin2"]
	_legs(spine, names if is_named else ["6", "7", "8", "9"], 60.0)
	_bone(spine, "Head" if is_named else "10", Vector2(62, -5), -0.4, 20)
	return skeleton


func _legs(above: Bone2D, names: Array, at: float) -> void:
	for leg: int in 2:
		var thigh: Bone2D = _bone(above, names[2 * leg], Vector2(at + 2 * leg, 0), 1.3, 0)
		_bone(thigh, names[2 * leg + 1], Vector2(28, 0), 0.5, 27)


## The bones of the legs that a placement finds: the first and the last of each limb, and its foot.
func _feet_of(skeleton: Skeleton2D) -> Array:
	var rig: TendonRig2D = TendonRig2D.new()
	var placement: TendonFootPlacement2D = TendonFootPlacement2D.new()
	placement.pelvis = skeleton.get_child(0)
	rig.add_child(placement)
	skeleton.add_child(rig)
	return placement.add_legs().map(
		func(foot: TendonFoot2D) -> String:
			var is_limb: bool = foot.limb is TendonTwoBoneIK2D
			var ends: Array = ["bone_one", "bone_two"] if is_limb else ["root_bone", "tip_bone"]
			var bones: Array = ends.map(func(end: String) -> Bone2D: return foot.limb.get(end))
			bones.append(foot.foot_bone)
			var there: Array = bones.filter(func(bone: Bone2D) -> bool: return bone != null)
			return " ".join(there.map(func(bone: Bone2D) -> String: return bone.name))
	)


func _limit_of(bone: Bone2D) -> Array:
	for limit: TendonJointLimit2D in bone.find_children("*", "TendonJointLimit2D", false, false):
		return [roundi(rad_to_deg(limit.min_angle)), roundi(rad_to_deg(limit.max_angle))]
	return []


func _skeleton() -> Skeleton2D:
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	var stage: Node2D = Node2D.new()
	stage.add_child(skeleton)
	return skeleton


func _bone(above: Node2D, title: String, at: Vector2, angle: float, length: float) -> Bone2D:
	return TendonRig2D.add_bone(above, title, Transform2D(angle, at), length)
