extends "res://tests/editor_suite.gd"
## Scenes as real projects have them, converted, saved, reopened and undone in an editor: see
## [code]moving_in_driver.gd[/code]. What they do in a running game is in
## [code]test_real_projects.gd[/code].

const StackedArm := preload("res://tests/stacked_arm.gd")

const DRIVER: String = "moving_in_driver"
const KINDS: PackedStringArray = ["LookAt", "TwoBoneIK", "CCDIK", "FABRIK", "Jiggle"]
## What the engine says of scenes with a stack, and where there is nothing to draw on.
const ENGINE_NOISE: PackedStringArray = [
	'Parameter "t" is null',
	"Bone index is out of range",
	"leaked at exit",
	"bone index not found!",
	"cannot update",
	"Cannot update",
	"does not exist",
	"is not a Bone2D",
	"Node not found",
]
const OUTER: String = """[gd_scene load_steps=2 format=3]

[ext_resource type="PackedScene" path="res://inner.tscn" id="1"]

[node name="Outer" type="Node2D"]

[node name="A" parent="." instance=ExtResource("1")]

[node name="B" parent="." instance=ExtResource("1")]
position = Vector2(200, 0)

[editable path="A"]
[editable path="B"]
"""

const TWO_BONE: String = """
[sub_resource type="SkeletonModification2DTwoBoneIK" id="m"]
target_nodepath = NodePath("../Target")
joint_one_bone_idx = 0
joint_one_bone2d_node = NodePath("Arm")
joint_two_bone_idx = 1
joint_two_bone2d_node = NodePath("Arm/Forearm")
"""

const STACK: String = """
enabled = true
modification_count = 1
modifications/0 = SubResource("m")
"""

const HEIR: String = (
	"""[gd_scene load_steps=4 format=3]

[ext_resource type="PackedScene" path="res://base.tscn" id="1"]
"""
	+ TWO_BONE
	+ """
[sub_resource type="SkeletonModificationStack2D" id="s"]"""
	+ STACK
	+ """
[node name="Heir" instance=ExtResource("1")]

[node name="Skeleton" parent="." index="0"]
modification_stack = SubResource("s")
"""
)

const SHARED: String = (
	"""[gd_resource type="SkeletonModificationStack2D" load_steps=2 format=3]
"""
	+ TWO_BONE
	+ """
[resource]"""
	+ STACK
)

const USER: String = """[gd_scene load_steps=2 format=3]

[ext_resource type="SkeletonModificationStack2D" path="res://shared.tres" id="1"]

[node name="Root" type="Node2D"]

[node name="Skeleton" type="Skeleton2D" parent="."]
modification_stack = ExtResource("1")

[node name="Arm" type="Bone2D" parent="Skeleton"]
position = Vector2(-90, 5)
rotation = 0.3
rest = Transform2D(1, 0, 0, 1, -90, 5)

[node name="Forearm" type="Bone2D" parent="Skeleton/Arm"]
position = Vector2(30, 0)
rotation = 0.4
rest = Transform2D(1, 0, 0, 1, 30, 0)

[node name="Hand" type="Bone2D" parent="Skeleton/Arm/Forearm"]
position = Vector2(25, 0)
rest = Transform2D(1, 0, 0, 1, 25, 0)
auto_calculate_length_and_angle = false
length = 10.0

[node name="Target" type="Marker2D" parent="."]
position = Vector2(-60, 35)
"""

## Above a skeleton whose two-bones the engine misses with.
const STRETCH: Transform2D = Transform2D(Vector2(1.5, 0), Vector2(0.3, 0.8), Vector2.ZERO)
## How far an animation may be from what was baked, in radians, and rounding.
const BAKE_TOLERANCE: float = deg_to_rad(0.1) + 1e-5
## Less than this is no motion: radians and pixels.
const HARDLY_MOVED: float = deg_to_rad(0.05)


func test_converting_beside_physics_frames_moves_no_bone() -> void:
	var overridden: int = 0
	for scene: String in seen.get("arms", {}):
		# The lines that the engine leaves at the bones of a stack.
		overridden += int("_local_pose_override_" in seen["arms"][scene]["before"])
		check("_local_pose_override_" not in seen["arms"][scene]["after"], scene + ": lines")
	check(overridden > 0, "the engine leaves such lines")
	var damaged: Dictionary[String, Array] = {}
	var changes: Dictionary[String, float] = {}
	for scene: String in seen.get("arms", {}):
		var facts: Dictionary = seen["arms"][scene]
		damaged[scene] = []
		for moment: String in ["before", "after", "undone", "redone"]:
			damaged[scene].append(_count_damaged(facts["given"], facts[moment]))
		equal(damaged[scene], [0, 0, 0, 0], scene + ": damaged in the files")
		near(facts["gap"], 0.0, 0.01, scene + ": reaches")
		near(facts["reopened"], 0.0, 0.01, scene + ": reopened")
		equal(facts["stack is on"], false, scene + ": the stack stays off")
		changes[scene] = rad_to_deg(_greatest_turn(facts["seen"], facts["in that frame"]))
		var has_missed: bool = facts["engine's gap"] > 0.5
		equal("px away from a target" in facts["report"], has_missed, scene + ": is told")
		equal(facts["in that frame"].size(), 3, scene + ": has passed")
		near(changes[scene], 0.0, 0.05, scene + ": degrees in the frame of conversion")
		if "CCDIK" in scene or "FABRIK" in scene or "stretched" in scene:
			_check_way(scene, facts)
		else:
			near(
				_greatest_turn(facts["in that frame"], facts["converted"]),
				0.0,
				HARDLY_MOVED,
				scene + ": stays"
			)
		var gaps: Array = [facts["engine's gap"], facts["gap"]]
		print("   %s: px off the target before, by the engine, and after: %s" % [scene, gaps])
	print("   damaged bones when saved before, converted, undone, redone: ", damaged)
	print("   degrees by which the pose changed: ", changes)
	equal(damaged.size(), 13, "scenes")


## A converted chain goes from where the engine has left it to where it settles, without a jump.
func _check_way(scene: String, facts: Dictionary) -> void:
	var reach: float = 65.0 if scene.begins_with("long") else 55.0
	if scene.begins_with("stretched"):
		reach *= STRETCH.get_scale().x
	var moves: Array = facts["moves"]
	check(not moves.is_empty(), scene + ": passes")
	if moves.is_empty():
		return
	var most: float = 0.0
	for move: Array in moves:
		# An eighth of the reach in a sixtieth of a second. A frame of the editor may take longer, and
		# how long it took is known to some per cent only, the fewer the less else runs.
		most = maxf(most, move[0] / maxf(1.0, 60.0 * move[1]))
	check(most <= 1.1 * reach / 8.0, scene + ": px in a frame: %.3f" % most)
	# For a look-at, the gap is an angle.
	var seen_gap: float = deg_to_rad(1.0) if "LookAt" in scene else 0.5
	var has_way: bool = scene.begins_with("long") or facts["engine's gap"] > seen_gap
	if scene == "stretched_TwoBoneIK":
		check(has_way, scene + ": the engine misses")
	equal(most > 0.01, has_way, scene + ": moves")
	near(moves.back()[0], 0.0, 0.001, scene + ": comes to rest")
	near(
		rad_to_deg(_greatest_turn(facts["converted"], facts["without memory"])),
		0.0,
		0.05,
		scene + ": settles in the pose that a reopened scene shows"
	)
	print("   %s: most px in a frame, of a reach of %s: %.3f" % [scene, reach, most])


func test_adding_a_modifier_beside_a_stack_moves_no_bone() -> void:
	var files: Dictionary = seen.get("added beside", {})
	for kind: String in files:
		equal(_count_damaged(files[kind][0], files[kind][1]), 0, kind + ": damaged")
		check("TendonTwoBoneIK2D" in files[kind][1], kind + ": is added")
	equal(files.size(), 5, "scenes")


func test_saving_a_rig_beside_a_stack_saves_no_pose_of_either() -> void:
	equal(_count_damaged(seen["both"][0], seen["both"][1]), 0, "damaged")


func test_baking_a_loop_without_a_closing_key() -> void:
	var facts: Dictionary = seen["loop"]
	equal(facts["refused"], "", "baked")
	var most: float = 0.0
	for step: int in 120:
		for bone: int in 3:
			var off: float = angle_difference(
				facts["solved"][step][bone], facts["baked"][step][bone]
			)
			most = maxf(most, absf(off))
	print("   most degrees off, from the last key to the end too: %.3f" % rad_to_deg(most))
	near(most, 0.0, BAKE_TOLERANCE, "radians off")


func test_converting_one_of_two_instances() -> void:
	var facts: Dictionary = seen["instance"]
	near(facts["before"][1], 0.0, 0.5, "the other one reaches before")
	near(facts["after"][0], 0.0, 0.01, "the converted one reaches")
	near(facts["after"][1], 0.0, 0.5, "the other one follows its own stack")
	equal(facts["reopened"], [false, true], "stacks that are on, reopened")
	equal(facts["rigs"], [1.0, 0.0], "rigs, reopened")
	near(facts["gap"], 0.0, 0.01, "reaches, reopened")
	check("enabled = true" in facts["inner"], "the instanced scene is as it was")
	check("taken from this skeleton" in facts["report"], "report: " + facts["report"])


func test_converting_an_heir_doubles_nothing() -> void:
	equal(seen["heir"]["modifiers"], 1.0, "modifiers")
	check("does that already" in seen["heir"]["report"], "report: %s" % [seen["heir"]])


func test_what_is_left_out_leaves_no_limit() -> void:
	var nodes: Dictionary = seen["stale"]["nodes"]
	for title: String in nodes:
		check(nodes[title]["class"] != "TendonJointLimit2D", "a limit at " + title)
	check("bones were not found" in seen["stale"]["report"], seen["stale"]["report"])
	check("1 of 2" in seen["stale"]["report"], seen["stale"]["report"])


func test_a_shared_stack_stays_on_for_others() -> void:
	var facts: Dictionary = seen["shared"]
	check("enabled = true" in facts["after"], "the file: " + facts["after"])
	equal(facts["is on"], false, "off for the converted one")
	equal(facts["other is on"], true, "on for the other one")
	near(facts["gap"], 0.0, 0.01, "the converted one reaches")
	near(facts["other's gap"], 0.0, 0.5, "the other one reaches")
	check("shared.tres" in facts["report"], "report: " + facts["report"])


func test_a_stack_that_is_switched_off() -> void:
	var facts: Dictionary = seen["off"]
	equal(facts["nodes"]["Skeleton/TendonRig2D"]["active"], false, "so is the rig")
	equal(facts["converted"], facts["base"], "no bone moves")
	check("so is the new rig" in facts["report"], "report: " + facts["report"])
	check('Switch on its "Active" to use it' in facts["report"], "what to do: " + facts["report"])


## As docs/moving-in.md says.
func test_a_rig_that_is_off_is_an_aid_for_posing() -> void:
	var facts: Dictionary = seen["aid"]
	var moved: float = _greatest_turn(facts["off"], facts["on"])
	check(moved > 0.05, "switched on, it follows its target: %s" % moved)
	near(_greatest_turn(facts["on"], facts["off again"]), 0.0, 1e-4, "the pose was applied")


func test_a_manual_length_that_disagrees_with_the_child_bone() -> void:
	var facts: Dictionary = seen["manual"]
	equal(facts["nodes"]["ForearmTwoBoneIK"]["tip"], "Skeleton/Arm/Forearm/Hand", "tip")
	near(facts["gap"], 0.0, 0.01, "the hand reaches")


func test_what_has_no_counterpart_is_told_in_plain_words() -> void:
	var report: String = seen["leftovers"]["report"]
	for fragment: String in [
		"bones were not found", "no physical bones", "holds no stack", "magnets were left out"
	]:
		check(fragment in report, "%s in: %s" % [fragment, report])


func test_physical_bones_become_a_ragdoll() -> void:
	var facts: Dictionary = seen["physical"]
	check("it became a TendonRagdoll2D" in facts["report"], "report: " + facts["report"])
	check("1 of 1 modifications. New joint limits: 1" in facts["report"], facts["report"])
	var files: Dictionary = seen["physical files"]
	var after: String = str(files["after"])
	for fragment: String in [
		'type="TendonRagdoll2D"',
		"mass = 5.0",
		'"Arm": 2.0',
		'"Forearm": 3.0',
		"min_angle = -0.5",
		"max_angle = 0.25"
	]:
		check(fragment in after, "%s in: %s" % [fragment, after])
	check(not "root_bone" in after.get_slice("TendonRagdoll2D", 1), "all of it falls: " + after)


## That they are made in the editor, where the engine writes paths from the physical bones.
func test_physical_bones_beside_their_bones() -> void:
	var facts: Dictionary = seen["limp"]
	check("1 of 1 modifications" in facts["report"], facts["report"])
	check("is now below the bones" in facts["report"], facts["report"])
	var after: String = seen["limp files"]["after"]
	for fragment: String in ['"Arm": 2.0', '"Forearm": 3.0', "mass = 5.0"]:
		check(fragment in after, "%s in: %s" % [fragment, after])
	check(
		'^"Skeleton/Arm/Forearm/Sprite:modulate"' in after.replace('NodePath("', '^"'),
		"track: " + after
	)
	for drawing: String in ["Upper Sprite", "Upper Shape", "Lower Sprite", "Lower Shape"]:
		var was: Array = facts["drawings"][0][drawing]
		var now: Array = facts["drawings"][1][drawing]
		equal(now[0], "Arm" if drawing.begins_with("Upper") else "Forearm", drawing + ": parent")
		for number: int in range(1, 7):
			near(now[number], was[number], 1e-4, drawing + ": place")


func test_converting_sorts() -> void:
	var facts: Dictionary = seen["disordered"]
	var saved: String = seen["disordered files"]["after"]
	check(saved.find('"SpineLookAt"') < saved.find('"ForearmTwoBoneIK"'), "the spine first")
	near(facts["gap"], 0.0, 0.01, "the hand reaches")
	check("order that works" in facts["report"], "report: " + facts["report"])


func test_sorting() -> void:
	equal(
		seen.get("sorted"), ["Spine", "Other", "Arm"], "order; what is no modifier keeps its place"
	)
	near(seen["sorted gap"], 0.0, 0.01, "the hand reaches")
	check("in an order that works" in seen["sorted again"], "again: %s" % seen["sorted again"])


func test_every_action_is_one_undo_step() -> void:
	for about: String in [
		"manual", "stale", "off", "leftovers", "disordered", "physical", "limp", "sort"
	]:
		var files: Dictionary = seen[about + " files"]
		check(files["before"] != files["after"], about + ": something is done")
		equal(files["undone"], files["before"], about + ": undone")
		equal(files["redone"], files["after"], about + ": redone")


func test_deleting_a_bone_and_undoing_saves_it_as_it_was() -> void:
	for what: String in ["deleted", "deleted arm", "deleted skeleton"]:
		check(not str(seen[what][0]).is_empty(), what + ": there is a file")
		equal(seen[what][1], seen[what][0], what)
	var changed: bool = seen["deleted, engine alone"][0] != seen["deleted, engine alone"][1]
	print("   without a rig the engine changes the file: ", changed)


## The paths in README.md's script are those of what the menu makes.
func test_the_readme_names_what_the_menu_makes() -> void:
	var file: String = ProjectSettings.globalize_path("res://").path_join("../README.md")
	var paths: RegEx = RegEx.create_from_string("= \\$([\\w/]+)")
	var found: Array[RegExMatch] = paths.search_all(FileAccess.get_file_as_string(file))
	for path: RegExMatch in found:
		check(path.get_string(1) in seen.get("readme", []), path.get_string(1))
	equal(found.size(), 4, "paths in the script")


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["panic", "SCRIPT ERROR", 'TendonRig2D "', "TendonMenu"], ENGINE_NOISE)


## How many bones of the scene file [param after] stand elsewhere than in [param before].
func _count_damaged(before: String, after: String) -> int:
	var given: Dictionary = _bones_in(before)
	var found: Dictionary = _bones_in(after)
	var count: int = 0
	for bone: String in given:
		var stand: Array = found.get(bone, [INF, Vector2.INF])
		var turn: float = absf(angle_difference(given[bone][0], stand[0]))
		count += int(turn > 1e-5 or given[bone][1].distance_to(stand[1]) > 1e-3)
	check(not given.is_empty(), "there are bones")
	return count


## Rotation and position of each bone in a scene file.
func _bones_in(text: String) -> Dictionary:
	var bones: Dictionary = {}
	var bone: String = ""
	for line: String in text.split("\n"):
		if line.begins_with("["):
			bone = line.get_slice('"', 1) if 'type="Bone2D"' in line else ""
			if not bone.is_empty():
				bones[bone] = [0.0, Vector2.ZERO]
		elif not bone.is_empty() and line.begins_with("rotation = "):
			bones[bone][0] = line.trim_prefix("rotation = ").to_float()
		elif not bone.is_empty() and line.begins_with("position = "):
			bones[bone][1] = str_to_var(line.trim_prefix("position = "))
	return bones


func _greatest_turn(before: Array, after: Array) -> float:
	var most: float = 0.0
	for index: int in mini(before.size(), after.size()):
		most = maxf(most, absf(angle_difference(before[index][0], after[index][0])))
	return most


func _make_scenes() -> Dictionary:
	var scenes: Dictionary[String, Variant] = {}
	for kind: String in KINDS:
		scenes["physics_" + kind] = StackedArm.make([StackedArm.modification(kind)], true)
		scenes["mirrored_" + kind] = _mirrored(
			StackedArm.make([StackedArm.modification(kind)], true)
		)
		scenes["beside_" + kind] = StackedArm.make([StackedArm.modification(kind)], true)
	for kind: String in ["LookAt", "TwoBoneIK"]:
		var stretched: Node2D = StackedArm.make([StackedArm.modification(kind)], true)
		stretched.transform = STRETCH
		scenes["stretched_" + kind] = stretched
	scenes["long_FABRIK"] = StackedArm.make([StackedArm.modification("FABRIK", 3)], true)
	scenes["both"] = _rigged(StackedArm.make([StackedArm.modification("TwoBoneIK")]))
	scenes["manual"] = _manual()
	scenes["stale"] = StackedArm.make([StackedArm.modification("TwoBoneIK"), _stale()])
	scenes["off"] = StackedArm.make([StackedArm.modification("TwoBoneIK")], false, false)
	scenes["leftovers"] = _leftovers()
	scenes["disordered"] = _disordered()
	scenes["physical"] = _physical()
	scenes["limp"] = _limp()
	scenes["inner"] = StackedArm.make([StackedArm.modification("TwoBoneIK")])
	scenes["outer"] = OUTER
	scenes["base"] = StackedArm.make([StackedArm.modification("TwoBoneIK")])
	scenes["heir"] = HEIR
	scenes["shared.tres"] = SHARED
	scenes["user_a"] = USER
	scenes["user_b"] = USER
	scenes["unsorted"] = _unsorted()
	scenes["deleted"] = _rigged(StackedArm.make([]))
	scenes["unrigged"] = StackedArm.make([])
	scenes["loop"] = _loop()
	scenes["readme"] = _readme()
	return scenes


func _mirrored(root: Node2D) -> Node2D:
	root.scale = Vector2(-1, 1)
	return root


## Paths that lead nowhere, beside the indices of other bones.
func _stale() -> SkeletonModification2D:
	var ccd: SkeletonModification2DCCDIK = SkeletonModification2DCCDIK.new()
	ccd.target_nodepath = "../Target"
	ccd.ccdik_data_chain_length = 2
	for joint: int in 2:
		ccd.set_ccdik_joint_bone_index(joint, joint)
		ccd.set_ccdik_joint_bone2d_node(joint, "Gone/Bone%d" % joint)
		ccd.set_ccdik_joint_enable_constraint(joint, true)
		ccd.set_ccdik_joint_constraint_angle_max(joint, 1.0)
	return ccd


## The forearm ends elsewhere than at the hand.
func _manual() -> Node2D:
	var root: Node2D = StackedArm.make([StackedArm.modification("TwoBoneIK")])
	var forearm: Bone2D = root.get_node("Skeleton/Arm/Forearm")
	forearm.set_autocalculate_length_and_angle(false)
	forearm.set_length(40.0)
	forearm.set_bone_angle(1.2)
	return root


## An arm of physical bones, whose elbow has a pin with limits.
func _physical() -> Node2D:
	var bones: SkeletonModification2DPhysicalBones = SkeletonModification2DPhysicalBones.new()
	bones.enabled = false
	bones.physical_bone_chain_length = 2
	var root: Node2D = StackedArm.make([bones])
	for index: int in 2:
		var path: NodePath = [^"Arm", ^"Arm/Forearm"][index]
		var physical: PhysicalBone2D = PhysicalBone2D.new()
		physical.name = "Physical"
		physical.mass = 2.0 + index
		physical.bone2d_nodepath = path
		physical.bone2d_index = index
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.name = "Shape"
		shape.shape = CapsuleShape2D.new()
		physical.add_child(shape)
		var pin: PinJoint2D = PinJoint2D.new()
		pin.name = "Pin"
		pin.angular_limit_enabled = index == 1
		pin.angular_limit_lower = -0.5
		pin.angular_limit_upper = 0.25
		physical.add_child(pin)
		root.get_node("Skeleton").get_node(path).add_child(physical)
		bones.set_physical_bone_node(index, NodePath(str(path) + "/Physical"))
	return root


## As the editor makes them: below the skeleton, with paths from the physical bones, and with the
## drawings. The second path is that of a bone that was moved.
func _limp() -> Node2D:
	var bones: SkeletonModification2DPhysicalBones = SkeletonModification2DPhysicalBones.new()
	bones.enabled = false
	bones.physical_bone_chain_length = 2
	var root: Node2D = StackedArm.make([bones])
	for index: int in 2:
		var physical: PhysicalBone2D = PhysicalBone2D.new()
		physical.name = ["Upper", "Lower"][index]
		physical.mass = 2.0 + index
		physical.bone2d_nodepath = [^"../Arm", ^"../Gone/Forearm"][index]
		physical.bone2d_index = index
		physical.transform = Transform2D(0.4, Vector2(1.5, -0.5), 0.0, Vector2(20, 5 + index))
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.name = "Shape"
		shape.shape = CapsuleShape2D.new()
		physical.add_child(shape)
		var sprite: Sprite2D = Sprite2D.new()
		sprite.name = "Sprite"
		sprite.position = Vector2(7, 3)
		sprite.rotation = 0.3
		physical.add_child(sprite)
		physical.add_child(PinJoint2D.new())
		root.get_node("Skeleton").add_child(physical)
		bones.set_physical_bone_node(index, NodePath(physical.name))
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	root.add_child(player)
	player.add_animation_library(&"", AnimationLibrary.new())
	var blush: Animation = Animation.new()
	var track: int = blush.add_track(Animation.TYPE_VALUE)
	blush.track_set_path(track, ^"Skeleton/Lower/Sprite:modulate")
	blush.track_insert_key(track, 0.0, Color.RED)
	player.get_animation_library(&"").add_animation(&"blush", blush)
	return root


func _leftovers() -> Node2D:
	var fabrik: SkeletonModification2D = StackedArm.modification("FABRIK")
	fabrik.call("set_fabrik_joint_magnet_position", 1, Vector2(0, 5))
	var all: Array[SkeletonModification2D] = [
		fabrik,
		SkeletonModification2DJiggle.new(),
		SkeletonModification2DPhysicalBones.new(),
		SkeletonModification2DStackHolder.new()
	]
	for modification: SkeletonModification2D in all:
		modification.enabled = modification == fabrik
	return StackedArm.make(all)


## The arm hangs on a spine, whose modification comes later.
func _disordered() -> Node2D:
	var spine: SkeletonModification2DLookAt = SkeletonModification2DLookAt.new()
	spine.target_nodepath = "../Far"
	spine.bone2d_node = "Spine"
	var arm: SkeletonModification2DTwoBoneIK = SkeletonModification2DTwoBoneIK.new()
	arm.target_nodepath = "../Target"
	arm.set_joint_one_bone2d_node("Spine/Arm")
	arm.set_joint_two_bone2d_node("Spine/Arm/Forearm")
	return _with_spine(StackedArm.make([arm, spine]))


func _with_spine(root: Node2D) -> Node2D:
	var skeleton: Node = root.get_node("Skeleton")
	var spine: Bone2D = Bone2D.new()
	spine.name = "Spine"
	spine.set_autocalculate_length_and_angle(false)
	spine.set_length(20.0)
	spine.position = Vector2(-110, 10)
	spine.rest = spine.transform
	skeleton.add_child(spine)
	var arm: Bone2D = skeleton.get_node("Arm")
	arm.position = Vector2(20, 0)
	arm.rest = Transform2D(0.0, arm.position)
	arm.reparent(spine, false)
	var far: Marker2D = Marker2D.new()
	far.name = "Far"
	far.position = Vector2(-90, 60)
	root.add_child(far)
	return root


func _rigged(root: Node2D) -> Node2D:
	var skeleton: Skeleton2D = root.get_node("Skeleton")
	var rig: TendonRig2D = TendonRig2D.new()
	rig.name = "Rig"
	skeleton.add_child(rig)
	var arm: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
	arm.name = "Arm"
	var upper: Bone2D = skeleton.find_child("Arm", true, false)
	arm.bone_one = upper
	arm.bone_two = upper.get_node("Forearm")
	arm.tip = upper.get_node("Forearm/Hand")
	arm.target = root.get_node("Target")
	rig.add_child(arm)
	return root


## A rig whose arm runs before the spine, with something else between the two.
func _unsorted() -> Node2D:
	var root: Node2D = _rigged(_with_spine(StackedArm.make([])))
	var rig: Node = root.get_node("Skeleton/Rig")
	var other: Node = Node.new()
	other.name = "Other"
	rig.add_child(other)
	var spine: TendonLookAt2D = TendonLookAt2D.new()
	spine.name = "Spine"
	spine.bone = root.get_node("Skeleton/Spine")
	spine.target = root.get_node("Far")
	rig.add_child(spine)
	return root


func _readme() -> Node2D:
	var root: Node2D = Node2D.new()
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton2D"
	root.add_child(skeleton)
	var bones: Array[Bone2D] = Figure.branch(skeleton, Vector2.ZERO, [30, 25])
	bones[0].name = "UpperArm"
	bones[1].name = "Forearm"
	return root


## The target goes back to where it began after the last key, since the animation loops.
func _loop() -> Node2D:
	var root: Node2D = _rigged(StackedArm.make([]))
	var goal: Node = root.get_node("Target")
	goal.name = "Goal"
	var animation: Animation = Animation.new()
	animation.length = 2.0
	animation.loop_mode = Animation.LOOP_LINEAR
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, "Goal:position")
	for key: int in 3:
		animation.track_insert_key(track, 0.6 * key, Vector2(-60, 35).rotated(0.2 * key))
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"walk", animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library(&"", library)
	root.add_child(player)
	return root
