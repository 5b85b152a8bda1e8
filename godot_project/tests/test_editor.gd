extends "res://tests/editor_suite.gd"
## In the editor: the preview, saving, and the configuration warnings. An editor is started for
## this, without a window and on a project of its own: see [code]editor_driver.gd[/code].

const DRIVER: String = "editor_driver"
const LENGTHS: Array[float] = [30.0, 25.0, 12.0]
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736]

const EngineStack := preload("res://tests/engine_stack.gd")

## What each node of a faulty scene is warned of. Nodes are named after faults.
const FAULTS: Dictionary[String, String] = {
	"NoRig": "below a TendonRig2D",
	"LookAtNoBone": '"Bone"',
	"TwoBoneNoBone": '"Bone One"',
	"TwoBoneNoSecondBone": '"Bone Two"',
	"NoRootBone": '"Root Bone"',
	"NoTarget": '"Target"',
	"ForeignBone": "not a bone of this rig's skeleton",
	"NotOneLine": "is not below",
	"SameBoneTwice": "is not below",
	"SecondRig": "already has a TendonRig2D",
	"EffectorAstray": "child of the TendonFABRIK2D",
	"EffectorNoBone": '"Tip Bone"',
	"EffectorAbove": 'is not below the "Root Bone"',
	"EffectorNoTarget": '"Target"',
	"BadShape": "has a WorldBoundaryShape2D",
	"LonelyRig": "child of the Skeleton2D",
	"ThreadedRig": "main thread only",
	"NoBoneAtTip": "no Bone2D at the limb's end",
	"LimitElsewhere": "child of the Bone2D",
	"LimitReversed": 'Lower "Min Angle"',
	"LimitNotFinite": "must be finite",
	"SecondLimit": "the first limit of a bone counts",
	"LimitWithoutRig": "Add a TendonRig2D",
	"Tree": "The order that works is",
	"TooEarly": 'works is: "Carrier", "TooEarly"',
	"EndBesideChild": "ends elsewhere than at its child",
	"OnTopLevelBone": 'The bone "Loose" is top-level',
	"RigBesideStack": "own modification stack is enabled",
	"MirroredBody": "undoes a negative scale",
	"MirroredRigidBody": "undoes a negative scale",
	"SkipsTracks": "also has tracks of other nodes",
}

## The same of another scene, for faults that the rig has to look for in every frame.
const HEALING_FAULTS: Dictionary[String, String] = {
	"Good": "turns the same bones",
	"Tree": "turns the same bones",
	"NoTarget": '"Target"',
	"TipElsewhere": "is not below the chain's last bone",
	"TargetOnChain": "is below a bone of the chain",
	"PoleOnChain": "is below a bone of the chain",
	"EffectorTargetOnChain": "is below a bone of the chain",
	"ObstacleOnChain": "is below a bone of the chain",
}

## What is said of nodes that were removed from that scene, by the names that they had.
const REMOVED: Dictionary[String, String] = {
	"Good": 'The target "Target" is not inside the scene tree any more',
	"Along": 'The path "Path" is not inside the scene tree',
	"Copies": 'The source "Source" is not inside the scene tree',
	"Scrubbed": 'The source "Source" is not inside the scene tree',
}


func test_preview() -> void:
	check(_pose("preview") != PackedFloat32Array(POSE), "the preview is solved")
	equal(_pose("no preview"), PackedFloat32Array(POSE), "without preview, the base pose")
	_near_pose("preview again", "preview")
	equal(_pose("inactive"), PackedFloat32Array(POSE), "inactive, the base pose")


func test_saving() -> void:
	equal(seen.get("saving"), float(OK), "saving")
	_near_pose("after saving", "preview")
	var rotations: PackedFloat32Array = []
	for line: String in str(seen.get("saved", "")).split("\n"):
		if line.begins_with("rotation = "):
			rotations.append(line.trim_prefix("rotation = ").to_float())
	equal(rotations.size(), POSE.size(), "rotations in the saved file")
	for index: int in mini(rotations.size(), POSE.size()):
		near(rotations[index], POSE[index], 1e-5, "saved rotation of bone %d" % index)


func test_saving_a_stretched_chain() -> void:
	var stretched: Array = seen.get("stretched", [])
	check(stretched.size() == 3 and stretched[1] > 1.05 * LENGTHS[0], "stretched: %s" % [stretched])
	var again: Array = seen.get("stretched after saving", [])
	equal(again.size(), stretched.size(), "bones after saving")
	for index: int in mini(stretched.size(), again.size()):
		near(again[index], stretched[index], 1e-4, "after saving, bone %d" % index)
	var saved: String = str(seen.get("saved stretched", ""))
	for index: int in 2:
		var line: String = "position = Vector2(%d, 0)" % LENGTHS[index]
		check(line in saved, "saved: " + line)


func test_configuration_warnings() -> void:
	_expect_warnings("faults", FAULTS)


func test_a_rig_that_comes_and_goes_settles_its_limits() -> void:
	var expected: Dictionary = FAULTS.duplicate()
	expected.erase("LimitWithoutRig")
	_expect_warnings("rig added", expected)
	_expect_warnings("rig removed", FAULTS)


func test_two_limits_that_change_places() -> void:
	var expected: Dictionary = FAULTS.duplicate()
	expected.erase("SecondLimit")
	expected["GoodLimit"] = 'which is "SecondLimit"'
	_expect_warnings("limits swapped", expected)


func test_configuration_warnings_of_what_may_heal_unseen() -> void:
	_expect_warnings("healing", HEALING_FAULTS)


func test_what_was_removed_is_told_of_by_its_name() -> void:
	for node: String in REMOVED:
		var said: String = str(seen.get("removed", {}).get(node, ""))
		check(REMOVED[node] in said, '%s is warned of: "%s"' % [node, said])
		said = str(seen.get("back", {}).get(node, ""))
		check(not "inside the scene tree" in said, '%s, when it is back: "%s"' % [node, said])


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["panic", "SCRIPT ERROR", "Tendon"])


func _make_scenes() -> Dictionary:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.fabrik()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.target.position = Vector2(-20, 30)
	var stretched: Figure = Figure.new(LENGTHS, POSE)
	stretched.fabrik().stretch = 2.0
	stretched.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	stretched.target.position = Vector2(-80, 60)
	return {
		"preview": figure.stage,
		"stretched": stretched.stage,
		"faults": _faulty_scene(),
		"healing": _healing_scene(),
		"followed": _followed_scene(),
	}


func _faulty_scene() -> Node:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	var other: Figure = Figure.new(LENGTHS, POSE)
	figure.rig.name = "GoodRig"
	_named(figure.fabrik(), "Good")
	var lonely: Node = figure.two_bone()
	lonely.get_parent().remove_child(lonely)
	figure.stage.add_child(_named(lonely, "NoRig"))
	_named(figure.look_at(), "LookAtNoBone").set("bone", null)
	_named(figure.two_bone(), "TwoBoneNoBone").set("bone_one", null)
	_named(figure.two_bone(), "TwoBoneNoSecondBone").set("bone_two", null)
	_named(figure.ccd(), "NoRootBone").set("root_bone", null)
	_named(figure.fabrik(), "NoTarget").set("target", null)
	_named(figure.fabrik(), "ForeignBone").set("tip_bone", other.bones[2])
	var reversed: Node = _named(figure.fabrik(), "NotOneLine")
	reversed.set("root_bone", figure.bones[2])
	reversed.set("tip_bone", figure.bones[0])
	_named(figure.two_bone(), "SameBoneTwice").set("bone_two", figure.bones[0])
	var second: TendonRig2D = TendonRig2D.new()
	figure.skeleton.add_child(_named(second, "SecondRig"))
	figure.stage.add_child(_named(TendonRig2D.new(), "LonelyRig"))
	_named(figure.two_bone(), "NoBoneAtTip").set("match_target_rotation", true)
	_named(_limit(figure.stage), "LimitElsewhere")
	_named(_limit(figure.bones[0]), "LimitReversed").set("min_angle", 1.0)
	_named(_limit(figure.bones[1]), "GoodLimit")
	_named(_limit(figure.bones[1]), "SecondLimit")
	var vast: Node = _named(_limit(figure.bones[2]), "LimitNotFinite")
	vast.set("min_angle", -3e38)
	vast.set("max_angle", 3e38)
	var bare: Skeleton2D = Skeleton2D.new()
	figure.stage.add_child(_named(bare, "Bare"))
	_named(_limit(Figure.branch(bare, Vector2.ZERO, [10])[0]), "LimitWithoutRig")
	_add_effectors(figure)
	_add_obstacle(_named(figure.ccd(), "BadShape"), figure.stage, WorldBoundaryShape2D.new())
	other.rig.name = "OtherRig"
	figure.stage.add_child(other.stage)
	var mirrored: Figure = Figure.new(LENGTHS, POSE)
	mirrored.rig.name = "MirroredBody"
	figure.stage.add_child(_mirrored_body(CharacterBody2D.new(), mirrored))
	var rigid: Figure = Figure.new(LENGTHS, POSE)
	rigid.rig.name = "MirroredRigidBody"
	figure.stage.add_child(_mirrored_body(RigidBody2D.new(), rigid))
	var still: Figure = Figure.new(LENGTHS, POSE)
	still.rig.name = "MirroredStaticBody"
	figure.stage.add_child(_mirrored_body(StaticBody2D.new(), still))
	var threaded: Figure = Figure.new(LENGTHS, POSE)
	threaded.rig.name = "ThreadedRig"
	threaded.rig.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	figure.stage.add_child(threaded.stage)
	_add_carried(figure.stage)
	_add_slider(figure.stage)
	_add_beside_stack(figure.stage)
	return figure.stage


func _mirrored_body(body: PhysicsBody2D, figure: Figure) -> PhysicsBody2D:
	body.scale.x = -1.0
	body.add_child(figure.stage)
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = CircleShape2D.new()
	body.add_child(shape)
	return body


## An arm that runs before the bone it hangs on, one that ends beside its child, and one on a bone
## that hangs on nothing.
func _add_carried(stage: Node) -> void:
	var figure: Figure = Figure.new([30, 20, 20, 10], [0.1, 0.2, 0.3, 0.4])
	figure.rig.name = "CarriedRig"
	var early: Node = _named(figure.two_bone(), "TooEarly")
	early.set("bone_one", figure.bones[1])
	early.set("bone_two", figure.bones[2])
	_named(figure.look_at(), "Carrier")
	var beside: Figure = Figure.new([20, 20, 10])
	beside.rig.name = "BesideRig"
	_named(beside.two_bone(), "EndBesideChild").set("bone_two", beside.bones[1])
	beside.bones[1].set_autocalculate_length_and_angle(false)
	beside.bones[1].set_bone_angle(1.0)
	var loose: Figure = Figure.new([20, 20])
	loose.rig.name = "LooseRig"
	loose.bones[0].name = "Loose"
	loose.bones[0].top_level = true
	_named(loose.two_bone(), "OnTopLevelBone")
	for other: Figure in [figure, beside, loose]:
		stage.add_child(other.stage)


## A slider whose animation has a track of a sprite, too.
func _add_slider(stage: Node) -> void:
	var figure: Figure = Figure.new([20, 20])
	figure.stage.name = "Face"
	figure.rig.name = "FaceRig"
	var mouth: Sprite2D = Sprite2D.new()
	mouth.name = "Mouth"
	figure.stage.add_child(mouth)
	var animation: Animation = Animation.new()
	var bone: NodePath = figure.stage.get_path_to(figure.bones[1])
	for path: String in ["%s:rotation" % bone, "Mouth:frame"]:
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		animation.track_set_path(track, path)
		animation.track_insert_key(track, 0.0, 0)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.add_animation_library("", AnimationLibrary.new())
	player.get_animation_library("").add_animation("smile", animation)
	figure.stage.add_child(player)
	var slider: TendonSlider2D = _named(figure.add(TendonSlider2D.new()), "SkipsTracks")
	slider.animation_player = player
	slider.animation = "smile"
	stage.add_child(figure.stage)


func _add_beside_stack(stage: Node) -> void:
	if not EngineStack.exists():
		return
	var figure: Figure = Figure.new([20, 20])
	figure.rig.name = "RigBesideStack"
	_named(figure.two_bone(), "Beside")
	# The stack is made where the engine finds the bones.
	add_child(figure.stage)
	EngineStack.give(figure, EngineStack.TWO_BONE)
	remove_child(figure.stage)
	stage.add_child(figure.stage)


func _healing_scene() -> Node:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.rig.name = "GoodRig"
	_named(figure.fabrik(), "Good")
	_named(figure.ccd(), "TipElsewhere").set("tip", figure.bones[0])
	_named(figure.fabrik(), "NoTarget").set("target", null)
	var own: Marker2D = Marker2D.new()
	figure.bones[1].add_child(own)
	_named(figure.fabrik(), "TargetOnChain").set("target", own)
	_named(figure.two_bone(), "PoleOnChain").set("pole", own)
	var tree: Node = _named(figure.fabrik(), "Tree")
	var effector: TendonEffector2D = TendonEffector2D.new()
	effector.tip_bone = figure.bones[1]
	effector.target = own
	tree.add_child(_named(effector, "EffectorTargetOnChain"))
	var barred: Node = _named(figure.fabrik(), "ObstacleOnChain")
	_add_obstacle(barred, figure.bones[1], CircleShape2D.new())
	return figure.stage


## A target, a path and a source that can be removed, and what follows them.
func _followed_scene() -> Node:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	_named(figure.fabrik(), "Good")
	var path: Path2D = Path2D.new()
	path.curve = Curve2D.new()
	path.curve.add_point(Vector2.ZERO)
	path.curve.add_point(Vector2(100, 0))
	figure.stage.add_child(_named(path, "Path"))
	var source: Marker2D = Marker2D.new()
	figure.stage.add_child(_named(source, "Source"))
	var spline: Node = ClassDB.instantiate("TendonSplineIK2D")
	_named(figure.add(spline), "Along").set("path_2d", path)
	for kind: String in ["TendonCopyTransform2D", "TendonSlider2D"]:
		var follower: Node = figure.add(ClassDB.instantiate(kind))
		follower.set("source", source)
		_named(follower, "Copies" if kind == "TendonCopyTransform2D" else "Scrubbed")
	return figure.stage


func _add_effectors(figure: Figure) -> void:
	var tree: Node = _named(figure.fabrik(), "Tree")
	tree.set("root_bone", figure.bones[1])
	for fault: String in ["EffectorNoBone", "EffectorAbove", "EffectorNoTarget", "EffectorAstray"]:
		var effector: TendonEffector2D = TendonEffector2D.new()
		effector.tip_bone = figure.bones[2]
		effector.target = figure.target
		tree.add_child(_named(effector, fault))
	tree.get_child(0).set("tip_bone", null)
	tree.get_child(1).set("tip_bone", figure.bones[0])
	tree.get_child(2).set("target", null)
	tree.get_child(3).reparent(figure.rig, false)


func _add_obstacle(modifier: Node, parent: Node, shape: Shape2D) -> void:
	var obstacle: CollisionShape2D = CollisionShape2D.new()
	obstacle.shape = shape
	obstacle.name = "Obstacle"
	var body: StaticBody2D = StaticBody2D.new()
	parent.add_child(body)
	body.add_child(obstacle)
	modifier.get("obstacles").append(obstacle)


func _limit(bone: Node) -> Node:
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	bone.add_child(limit)
	return limit


func _named(node: Node, title: String) -> Node:
	node.name = title
	return node


func _expect_warnings(scene: String, expected: Dictionary) -> void:
	var warnings: Dictionary = seen.get(scene, {})
	for node: String in expected:
		var text: String = str(warnings.get(node, ""))
		check(expected[node] in text, '%s is warned of: "%s"' % [node, text])
	for node: String in warnings:
		check(node in expected, "%s is not to be warned of: %s" % [node, warnings[node]])


func _pose(moment: String) -> PackedFloat32Array:
	return PackedFloat32Array(seen.get(moment, []))


func _near_pose(moment: String, expected: String) -> void:
	equal(_pose(moment).size(), POSE.size(), "bones, " + moment)
	for index: int in _pose(moment).size():
		near_angle(
			_pose(moment)[index], _pose(expected)[index], 1e-5, "bone %d, %s" % [index, moment]
		)
