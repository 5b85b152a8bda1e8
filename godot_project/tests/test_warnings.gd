# gdlint: disable=max-public-methods
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


func test_a_removed_bone_is_told_of_by_its_name() -> void:
	var figure: Figure = _figure()
	figure.fabrik()
	_run(figure)
	figure.bones[2].name = "Hand"
	figure.bones[1].remove_child(figure.bones[2])
	_run(figure)
	expect_warnings(['"Tip Bone" is set to "Hand", which is not a bone of this rig'], "once")
	figure.bones[2].free()


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
		expect_warnings(["is below a bone of the chain that goes by it"], "bone %d" % bone)


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


## A rider's hand on the reins of a horse that has a rig of its own: the horse comes first.
func test_what_a_later_rig_carries() -> void:
	var late: String = 'whose "%s" runs after this rig'
	for setup: Array in [[100, 100, true], [101, 100, false], [100, 101, true], [100, 99, false]]:
		var rider: Figure = _figure()
		var horse: Figure = _figure()
		horse.two_bone()
		var modifier: Node = rider.fabrik()
		modifier.set("target", horse.bones[2])
		for figure: Figure in [rider, horse]:
			figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
		rider.rig.process_priority = setup[0]
		horse.rig.process_priority = setup[1]
		_run(rider)
		var expected: PackedStringArray = [late % horse.rig.name] if setup[2] else []
		expect_warnings(expected, "priorities %d and %d" % [setup[0], setup[1]])
		rider.stage.free()
		horse.stage.free()


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


func test_modifiers_below_no_rig() -> void:
	for modifier: Node in one_of_each():
		var figure: Figure = _figure()
		figure.skeleton.add_child(modifier)
		_run(figure)
		expect_warnings(["Move this node below a TendonRig2D"], modifier.get_class())
		figure.stage.remove_child(figure.skeleton)
		figure.stage.add_child(figure.skeleton)
		_run(figure)
		modifier.reparent(figure.stage)
		_run(figure)
		expect_warnings([], "once, " + modifier.get_class())
		figure.stage.free()


func test_numbers_that_are_not_finite() -> void:
	for modifier: Node in one_of_each_that_reaches():
		var figure: Figure = _figure()
		figure.add(modifier)
		_run(figure)
		figure.target.position = Vector2(NAN, 0)
		_run(figure)
		var about: String = modifier.get_class()
		expect_warnings(['The transform of "Target" is not finite'], about)
		figure.target.position = Vector2(40, 30)
		_run(figure)
		figure.target.position = Vector2(0, INF)
		_run(figure)
		expect_warnings([], "once, " + about)
		figure.stage.free()


func test_a_skeleton_or_a_bone_that_is_scaled_to_nothing() -> void:
	for modifier: Node in one_of_each_that_reaches():
		var about: String = modifier.get_class()
		var figure: Figure = _figure()
		figure.add(modifier)
		figure.skeleton.scale = Vector2.ZERO
		figure.target.position = Vector2(120, 0)
		_run(figure)
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_INVALID, about)
		expect_warnings(["The transform of the skeleton is not finite"], about)
		figure.skeleton.scale = Vector2.ONE
		_run(figure)
		check(modifier.call("get_status") != TendonFABRIK2D.STATUS_INVALID, "again, " + about)
		figure.stage.free()
	var hidden: Figure = _figure()
	hidden.fabrik()
	hidden.bones[0].scale = Vector2.ZERO
	_run(hidden)
	expect_warnings(['The transform of the bone "Bone0"'], "a bone")


func test_modifiers_that_undo_the_work_of_others() -> void:
	for kind: String in ["look_at", "two_bone", "ccd", "fabrik"]:
		for taking_turns: String in ["", "active", "influence"]:
			var figure: Figure = _figure()
			figure.call(kind)
			var below: Node = figure.call(kind)
			below.name = "Below"
			if taking_turns == "active":
				below.set("active", false)
			elif taking_turns == "influence":
				below.set("influence", 0.5)
			_run(figure)
			var expected: PackedStringArray = (
				['"Below" below turns the same bones'] if taking_turns.is_empty() else []
			)
			expect_warnings(expected, kind + " " + taking_turns)
			figure.stage.free()


## A chain from the root, and a limb of its last two bones below it.
func test_a_limb_within_the_chain_of_another_modifier() -> void:
	for case: String in ["", "same target", "off", "look"]:
		var figure: Figure = _figure()
		var chain: TendonFABRIK2D = figure.fabrik()
		var limb: Node = figure.look_at() if case == "look" else figure.two_bone()
		limb.name = "Limb"
		if case == "look":
			limb.set("bone", figure.bones[2])
		else:
			limb.set("bone_one", figure.bones[1])
		var other: Marker2D = Marker2D.new()
		other.name = "Other"
		figure.stage.add_child(other)
		other.position = Vector2(-10, 30)
		limb.set("target", chain.target if case == "same target" else other)
		limb.set("active", case != "off")
		_run(figure)
		var told: PackedStringArray = ['"Limb" below turns "Bone1", "Bone2" again']
		expect_warnings(told if case.is_empty() else PackedStringArray(), case)
		figure.stage.free()


## It was quadratic: 5,000 took 17 seconds, and each of them named all others.
func test_a_wrong_order_of_thousands() -> void:
	var figure: Figure = Figure.new([10.0, 10.0])
	add_child(figure.stage)
	for index: int in 2000:
		var upper: TendonLookAt2D = figure.look_at()
		upper.active = index == 0
		if index < 1999:
			upper.bone = figure.bones[1]
	figure.rig.advance(0.0)
	var warnings: PackedStringArray = log_recorder.take(true)
	equal(warnings.size(), 1, "one for the whole order")
	check("and 1988 more" in warnings[0] and warnings[0].length() < 1000, warnings[0])


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
