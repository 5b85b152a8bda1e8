extends "res://tests/suite.gd"
## What a running game logs about a rig that is not set up well: one line for each cause, never
## one in every frame. What the editor shows is in [code]test_editor.gd[/code].

const POSE: Array[float] = [0.4, -0.7, 0.9]
const PASSES: int = 5


func test_a_good_rig_is_not_warned_of() -> void:
	var figure: Figure = _figure()
	figure.look_at()
	figure.two_bone()
	figure.ccd()
	figure.fabrik()
	_run(figure)
	expect_warnings([], "good rig")


func test_empty_bones() -> void:
	for member: String in ["bone", "bone_one", "bone_two", "root_bone", "tip_bone"]:
		var figure: Figure = _figure()
		for modifier: Node in [figure.look_at(), figure.two_bone(), figure.ccd(), figure.fabrik()]:
			modifier.set(member, null)
		_run(figure)
		var count: int = 2 if member in ["root_bone", "tip_bone"] else 1
		var expected: PackedStringArray = []
		for index: int in count:
			expected.append('Set "%s" to a Bone2D' % member.capitalize())
		expect_warnings(expected, member)


func test_the_warning_names_the_node() -> void:
	var figure: Figure = _figure()
	var modifier: TendonFABRIK2D = figure.fabrik()
	modifier.name = "Tail"
	modifier.root_bone = null
	_run(figure)
	expect_warnings(['TendonFABRIK2D "%s"' % modifier.get_path()], "class and path")


func test_a_missing_target_is_no_fault() -> void:
	var figure: Figure = _figure()
	figure.fabrik().target = null
	figure.ccd()
	_run(figure)
	figure.stage.remove_child(figure.target)
	_run(figure)
	figure.target.free()
	_run(figure)
	expect_warnings([], "no target, outside the tree, freed")


func test_foreign_bone() -> void:
	var figure: Figure = _figure()
	var other: Figure = _figure()
	figure.look_at().bone = other.bones[1]
	_run(figure)
	expect_warnings(['"Bone" is set to "Bone1", which is not a bone of this rig'], "once")


func test_a_bone_outside_the_tree() -> void:
	var figure: Figure = _figure()
	var loose: Bone2D = Bone2D.new()
	loose.name = "Loose"
	figure.look_at().bone = loose
	_run(figure)
	expect_warnings(['"Loose", which is not a bone of this rig\'s skeleton'], "once")
	loose.free()


func test_not_one_line() -> void:
	var figure: Figure = _figure()
	var reversed: TendonFABRIK2D = figure.fabrik()
	reversed.root_bone = figure.bones[2]
	reversed.tip_bone = figure.bones[0]
	figure.two_bone().bone_two = figure.bones[0]
	var beside: TendonCCDIK2D = figure.ccd()
	beside.root_bone = Figure.branch(figure.bones[0], Vector2(3, 3), [10])[0]
	_run(figure)
	expect_warnings(
		['"Tip Bone" is not below', '"Bone Two" is not below', '"Tip Bone" is not below'],
		"once each"
	)


func test_tip_elsewhere() -> void:
	var figure: Figure = _figure()
	var modifier: TendonFABRIK2D = figure.fabrik()
	modifier.tip_bone = figure.bones[1]
	var base: PackedFloat32Array = figure.pose()
	for tip: Node2D in [figure.target, figure.bones[0], Marker2D.new()]:
		modifier.tip = tip
		_run(figure)
		equal(modifier.get_status(), TendonFABRIK2D.STATUS_IDLE, "status")
		equal(figure.pose(), base, "pose")
	expect_warnings(["is not below the chain's last bone"], "one cause, one warning")
	modifier.tip.free()
	_run(figure)
	equal(modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, "without the tip")


func test_target_on_the_chain() -> void:
	for bone: int in 3:
		var figure: Figure = _figure()
		var modifier: TendonFABRIK2D = figure.fabrik()
		modifier.target = Marker2D.new()
		figure.bones[bone].add_child(modifier.target)
		_run(figure)
		equal(modifier.get_status(), TendonFABRIK2D.STATUS_IDLE, "status")
		expect_warnings(["is below a bone of the chain that reaches for it"], "bone %d" % bone)


func test_a_bone_of_the_chain_as_target() -> void:
	var figure: Figure = _figure()
	figure.fabrik().target = figure.bones[2]
	figure.two_bone().target = figure.bones[1]
	_run(figure)
	expect_warnings(["is below a bone of the chain", "is below a bone of the chain"], "once each")
	# The chain's root is not moved by it.
	figure.ccd().target = figure.bones[0]
	_run(figure)
	figure.target.position = figure.bones[0].global_position
	reaches(figure, "the root")


func test_another_bone_of_the_skeleton_as_target() -> void:
	var figure: Figure = _figure()
	var other: Bone2D = Figure.branch(figure.skeleton, Vector2(20, 30), [10])[0]
	var modifier: TendonFABRIK2D = figure.fabrik()
	modifier.target = other
	_run(figure)
	equal(modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, "status")
	near_point(Figure.axis_end(figure.bones[2]), other.global_position, 0.01, "tip")


func test_misplaced_rigs() -> void:
	var figure: Figure = _figure()
	figure.fabrik()
	figure.rig.reparent(figure.stage)
	_run(figure)
	expect_warnings(["child of the Skeleton2D"], "beside the skeleton")
	figure.rig.reparent(figure.bones[0])
	_run(figure)
	figure.rig.reparent(figure.skeleton)
	_run(figure)
	equal(figure.rig.get_child(0).call("get_status"), TendonFABRIK2D.STATUS_REACHED, "put right")


func test_each_cause_is_told_of_once() -> void:
	var figure: Figure = _figure()
	var modifier: TendonFABRIK2D = figure.fabrik()
	for count: int in 3:
		modifier.root_bone = null
		_run(figure)
		modifier.root_bone = figure.bones[2]
		modifier.tip_bone = figure.bones[0]
		_run(figure)
		modifier.root_bone = figure.bones[0]
		modifier.tip_bone = figure.bones[2]
		_run(figure)
		equal(modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, "put right")
	expect_warnings(['Set "Root Bone"', "is not below"], "two causes")


func test_idle_frames_do_not_flood_the_log() -> void:
	var figure: Figure = _figure()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.fabrik().tip = figure.target
	figure.ccd().target = figure.bones[1]
	figure.two_bone().bone_one = null
	await frames(20)
	expect_warnings(["TendonFABRIK2D", "TendonCCDIK2D", "TendonTwoBoneIK2D"], "once each")


func _figure() -> Figure:
	var figure: Figure = Figure.new([30, 25, 20], POSE)
	figure.target.position = Vector2(-20, 40)
	add_child(figure.stage)
	return figure


func _run(figure: Figure) -> void:
	for count: int in PASSES:
		figure.rig.advance(0.0)
