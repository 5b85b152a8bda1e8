extends "res://tests/suite.gd"
## In the editor: the preview, saving, and the configuration warnings. An editor is started for
## this, without a window and on a project of its own: see [code]editor_visit.gd[/code].

## Seconds that the editor may take.
const EDITOR_PATIENCE: float = 120.0

const LENGTHS: Array[float] = [30.0, 25.0, 12.0]
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736]

## What each node of a faulty scene is warned of. Nodes are named after faults.
const FAULTS: Dictionary[String, String] = {
	"NoRig": "below a TendonRig2D",
	"LookAtNoBone": '"bone"',
	"TwoBoneNoBone": '"bone_one"',
	"TwoBoneNoSecondBone": '"bone_two"',
	"NoRootBone": '"root_bone"',
	"NoTarget": '"target"',
	"ForeignBone": "not a bone of this rig's skeleton",
	"NotOneLine": "does not hang below",
	"SameBoneTwice": "does not hang below",
	"SecondRig": "already has a TendonRig2D",
	"EffectorAstray": "child of the TendonFABRIK2D",
	"EffectorNoBone": '"tip_bone"',
	"EffectorAbove": 'does not hang below the "root_bone"',
	"EffectorNoTarget": '"target"',
	"BadShape": "has a WorldBoundaryShape2D",
	"LonelyRig": "child of the Skeleton2D",
	"NoBoneAtTip": "no Bone2D at the limb's end",
	"LimitElsewhere": "child of the Bone2D",
	"LimitReversed": 'Lower "min_angle"',
	"LimitNotFinite": "must be finite",
	"SecondLimit": "the first limit of a bone counts",
	"LimitWithoutRig": "Add a TendonRig2D",
}

## The same of another scene, for faults that the rig has to look for in every frame.
const HEALING_FAULTS: Dictionary[String, String] = {
	"NoTarget": '"target"',
	"TipElsewhere": "does not hang below the chain's last bone",
	"TargetOnChain": "hangs on the chain",
	"PoleOnChain": "hangs on the limb",
	"EffectorTargetOnChain": "hangs on the chain",
	"ObstacleOnChain": "hangs on the chain",
}

## What the editor has seen. It is asked once, for all tests.
static var _seen: Dictionary = {}
static var _output: String = ""


func _init() -> void:
	patience = EDITOR_PATIENCE


func test_preview() -> void:
	if not await _ask_editor():
		return
	check(_pose("preview") != PackedFloat32Array(POSE), "the preview is solved")
	equal(_pose("no preview"), PackedFloat32Array(POSE), "without preview, the base pose")
	_near_pose("preview again", "preview")
	equal(_pose("inactive"), PackedFloat32Array(POSE), "inactive, the base pose")


func test_saving() -> void:
	if not await _ask_editor():
		return
	equal(_seen.get("saving"), float(OK), "saving")
	_near_pose("after saving", "preview")
	var rotations: PackedFloat32Array = []
	for line: String in str(_seen.get("saved", "")).split("\n"):
		if line.begins_with("rotation = "):
			rotations.append(line.trim_prefix("rotation = ").to_float())
	equal(rotations.size(), POSE.size(), "rotations in the saved file")
	for index: int in mini(rotations.size(), POSE.size()):
		near(rotations[index], POSE[index], 1e-5, "saved rotation of bone %d" % index)


func test_saving_a_stretched_chain() -> void:
	if not await _ask_editor():
		return
	var stretched: Array = _seen.get("stretched", [])
	check(stretched.size() == 3 and stretched[1] > 1.05 * LENGTHS[0], "stretched: %s" % [stretched])
	var again: Array = _seen.get("stretched after saving", [])
	for index: int in mini(stretched.size(), again.size()):
		near(again[index], stretched[index], 1e-4, "after saving, bone %d" % index)
	var saved: String = str(_seen.get("saved stretched", ""))
	for index: int in 2:
		var line: String = "position = Vector2(%d, 0)" % LENGTHS[index]
		check(line in saved, "saved: " + line)


func test_configuration_warnings() -> void:
	if not await _ask_editor():
		return
	_expect_warnings("faults", FAULTS)


func test_a_rig_that_comes_and_goes_settles_its_limits() -> void:
	if not await _ask_editor():
		return
	var expected: Dictionary = FAULTS.duplicate()
	expected.erase("LimitWithoutRig")
	_expect_warnings("rig added", expected)
	_expect_warnings("rig removed", FAULTS)


func test_two_limits_that_change_places() -> void:
	if not await _ask_editor():
		return
	var expected: Dictionary = FAULTS.duplicate()
	expected.erase("SecondLimit")
	expected["GoodLimit"] = 'which is "SecondLimit"'
	_expect_warnings("limits swapped", expected)


func test_configuration_warnings_of_what_may_heal_unseen() -> void:
	if not await _ask_editor():
		return
	_expect_warnings("healing", HEALING_FAULTS)


func test_no_trouble() -> void:
	if not await _ask_editor():
		return
	for sign_of_trouble: String in ["panic", "SCRIPT ERROR", "Tendon"]:
		for line: String in _output.split("\n"):
			var is_trouble: bool = sign_of_trouble in line and not line.begins_with("SEEN ")
			check(not is_trouble, line)
	check(not _seen.is_empty(), "the editor has answered")


## Whether there is an editor. Starts it, the first time, and waits for its answer.
func _ask_editor() -> bool:
	check_count += 1
	if not OS.has_feature("editor"):
		return false
	if not _output.is_empty():
		return true
	var folder: DirAccess = _make_project()
	var project: String = folder.get_current_dir()
	var script: String = ProjectSettings.globalize_path("res://tests/editor_visit.gd")
	var pipe: Dictionary = OS.execute_with_pipe(
		OS.get_executable_path(),
		["--headless", "--editor", "--path", project, "--script", script],
		false
	)
	var deadline: int = Time.get_ticks_msec() + int(1000 * EDITOR_PATIENCE) - 5000
	var bytes: PackedByteArray = []
	while OS.is_process_running(pipe["pid"]) and Time.get_ticks_msec() < deadline:
		bytes.append_array(pipe["stdio"].get_buffer(1 << 16))
		bytes.append_array(pipe["stderr"].get_buffer(1 << 16))
		await frames()
	for stream: String in ["stderr", "stdio"]:
		bytes.append_array(pipe[stream].get_buffer(1 << 20))
	if OS.is_process_running(pipe["pid"]):
		OS.kill(pipe["pid"])
	_output = bytes.get_string_from_utf8()
	for line: String in _output.split("\n"):
		if line.begins_with("SEEN "):
			_seen = JSON.parse_string(line.trim_prefix("SEEN "))
	return true


## A project with the extension and two scenes, in a folder that goes with the result.
func _make_project() -> DirAccess:
	var folder: DirAccess = DirAccess.create_temp("tendon")
	var project: String = folder.get_current_dir()
	_write(project.path_join("project.godot"), "config_version=5\n")
	var addon: String = ProjectSettings.globalize_path("res://addons/tendon")
	var extension: String = FileAccess.get_file_as_string("res://addons/tendon/tendon.gdextension")
	extension = extension.replace("res://addons/tendon", addon).replace('"bin/', '"%s/bin/' % addon)
	_write(project.path_join("tendon.gdextension"), extension)
	folder.make_dir(".godot")
	_write(project.path_join(".godot/extension_list.cfg"), "res://tendon.gdextension\n")
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.fabrik()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.target.position = Vector2(-20, 30)
	_save(figure.stage, project.path_join("preview.tscn"))
	var stretched: Figure = Figure.new(LENGTHS, POSE)
	stretched.fabrik().stretch = 2.0
	stretched.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	stretched.target.position = Vector2(-80, 60)
	_save(stretched.stage, project.path_join("stretched.tscn"))
	_save(_faulty_scene(), project.path_join("faults.tscn"))
	_save(_healing_scene(), project.path_join("healing.tscn"))
	return folder


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
	_named(_limit(figure.bones[2]), "LimitNotFinite").set("stiffness", NAN)
	var bare: Skeleton2D = Skeleton2D.new()
	figure.stage.add_child(_named(bare, "Bare"))
	_named(_limit(Figure.branch(bare, Vector2.ZERO, [10])[0]), "LimitWithoutRig")
	_add_effectors(figure)
	_add_obstacle(_named(figure.ccd(), "BadShape"), figure.stage, WorldBoundaryShape2D.new())
	other.rig.name = "OtherRig"
	figure.stage.add_child(other.stage)
	return figure.stage


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


func _save(root: Node, file: String) -> void:
	for node: Node in root.find_children("*", "", true, false):
		node.owner = root
	var scene: PackedScene = PackedScene.new()
	scene.pack(root)
	ResourceSaver.save(scene, file)
	root.free()


func _write(file: String, text: String) -> void:
	FileAccess.open(file, FileAccess.WRITE).store_string(text)


func _expect_warnings(scene: String, expected: Dictionary) -> void:
	var warnings: Dictionary = _seen.get(scene, {})
	for node: String in expected:
		var text: String = str(warnings.get(node, ""))
		check(expected[node] in text, '%s is warned of: "%s"' % [node, text])
	for node: String in warnings:
		check(node in expected, "%s is not to be warned of: %s" % [node, warnings[node]])


func _pose(moment: String) -> PackedFloat32Array:
	return PackedFloat32Array(_seen.get(moment, []))


func _near_pose(moment: String, expected: String) -> void:
	equal(_pose(moment).size(), POSE.size(), "bones, " + moment)
	for index: int in _pose(moment).size():
		near_angle(
			_pose(moment)[index], _pose(expected)[index], 1e-5, "bone %d, %s" % [index, moment]
		)
