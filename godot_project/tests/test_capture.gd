extends "res://tests/suite.gd"
## TendonRig2D.capture(): the last pass as text. That it can be solved again, to the last bit, is
## tested by tendon-replay on what captures.gd writes.

const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567]
const POINT: Vector2 = Vector2(-20, 40)

var _heard: String = ""


## A bone that asks for a capture as soon as it is moved.
class NosyBone:
	extends Bone2D
	var rig: TendonRig2D
	var heard: PackedStringArray = []

	func _notification(what: int) -> void:
		if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED and rig != null:
			heard.append(rig.capture())


func test_it_has_what_went_in_and_what_came_out() -> void:
	var above: Array = Figure.ANCESTORS["stretched, skewed and mirrored"]
	var figure: Figure = Figure.new([30, 25, 12, 40], POSE, above)
	figure.fabrik().influence = 0.5
	figure.rig.influence = 0.25
	figure.bones[2].name = "Wrist <é>"
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	limit.min_angle = -0.3
	figure.bones[1].add_child(limit)
	add_child(figure.stage)
	figure.solve(POINT)
	var capture: Dictionary = _read(figure.rig.capture())
	equal(capture["version"], 6.0, "version")
	equal(capture["scene"]["bones"][2], "Wrist <é>", "a bone's name")
	near(capture["ancestors"][0][4], figure.skeleton.global_position.x, 1e-4, "ancestors")
	var modifier: Dictionary = capture["rig"]["modifiers"][0]
	equal(modifier["influence"], 0.125, "influence, with that of the rig")
	check("memory" not in modifier["solver"]["chain_ik"], "the first pass has nothing to remember")
	near(capture["rig"]["bones"][1]["limit"]["min"], -0.3, 1e-6, "limit")
	var report: Dictionary = capture["result"]["modifiers"][0]
	equal(report["status"], "reached", "status")
	var base: Array = capture["rig"]["bones"].map(_rotation_of)
	equal(PackedFloat32Array(base), PackedFloat32Array(POSE), "base pose")
	var rotations: Array = capture["result"]["rotations"]
	equal(PackedFloat32Array(rotations), figure.pose(), "the bones after the pass")
	check(figure.pose() != PackedFloat32Array(POSE), "the pass has turned them")


func test_without_a_pass_it_is_empty_and_says_so_once() -> void:
	var figure: Figure = _figure()
	equal(figure.rig.capture() + figure.rig.capture(), "", "before the first pass")
	expect_warnings(["capture() found no pass"], "told once")
	figure.solve(POINT)
	check(not figure.rig.capture().is_empty(), "after it")
	remove_child(figure.stage)
	equal(figure.rig.capture(), "", "outside the tree")
	figure.stage.free()
	var lonely: TendonRig2D = TendonRig2D.new()
	equal(lonely.capture(), "", "without a skeleton")
	expect_warnings(["capture() found no pass"], "another rig")
	lonely.free()


func test_in_the_handler_it_is_the_pass_that_has_ended() -> void:
	var figure: Figure = _figure()
	figure.rig.modification_processed.connect(func() -> void: _heard = figure.rig.capture())
	figure.solve(POINT)
	equal(PackedFloat32Array(_read(_heard)["result"]["rotations"]), figure.pose(), "first")
	figure.solve(Vector2(10, 30))
	equal(PackedFloat32Array(_read(_heard)["result"]["rotations"]), figure.pose(), "second")


func test_in_the_middle_of_a_pass_it_is_empty() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	figure.bones[0].set_script(NosyBone)
	figure.bones[0].set("rig", figure.rig)
	figure.solve(Vector2(10, 30))
	check(figure.bones[0].get("heard").size() > 0, "it asked")
	for heard: String in figure.bones[0].get("heard"):
		equal(heard, "", "during the pass")
	expect_warnings(["capture() found no pass"], "told")
	check(not figure.rig.capture().is_empty(), "after it")


func test_it_stays_until_something_is_solved() -> void:
	for modifier: Node in one_of_each_that_reaches():
		var figure: Figure = Figure.new([30, 25], POSE)
		figure.add(modifier)
		add_child(figure.stage)
		figure.solve(POINT)
		figure.solve(Vector2(0.0, 35.5))
		var about: String = modifier.get_class()
		settle(figure, about)
		var before: String = figure.rig.capture()
		figure.rig.advance(TICK)
		equal(figure.rig.capture(), before, "nothing new, " + about)
		figure.rig.restore_pose()
		equal(figure.rig.capture(), before, "restored, " + about)
		figure.rig.active = false
		equal(figure.rig.capture(), before, "switched off, " + about)
		figure.rig.active = true
		figure.solve(POINT)
		check(figure.rig.capture() != before, "solved again, " + about)


func test_zeros_of_the_other_sign_are_no_news() -> void:
	var figure: Figure = _figure()
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	limit.min_angle = 0.0
	figure.bones[1].add_child(limit)
	figure.solve(POINT)
	# The engine announces the new child late, and the rig plans again.
	settle(figure, "with the limit")
	var before: String = figure.rig.capture()
	# As a literal it would be the same constant as 0.0.
	limit.min_angle *= -1
	check(1 / limit.min_angle < 0, "the zero's sign")
	figure.solve()
	equal(figure.rig.capture(), before, "a limit at zero")


func test_where_a_modifier_has_continued_from() -> void:
	for modifier: Node in [TendonCCDIK2D.new(), TendonFABRIK2D.new()]:
		var figure: Figure = Figure.new([30, 25, 12], POSE)
		figure.add(modifier)
		add_child(figure.stage)
		figure.solve(POINT)
		var first: PackedFloat32Array = figure.pose()
		figure.target.position = figure.skeleton.position + Vector2(30, 30)
		figure.rig.advance(0.02)
		var capture: Dictionary = _read(figure.rig.capture())
		near(capture["rig"]["delta"], 0.02, 1e-6, "the time, " + modifier.get_class())
		var solver: Dictionary = capture["rig"]["modifiers"][0]["solver"].values()[0]
		var swings: Array = solver.get("memory", {}).get("swings", [])
		equal(swings.size(), first.size(), "swings, " + modifier.get_class())
		for index: int in swings.size():
			var begun: float = POSE[index] + swings[index]
			near_angle(begun, first[index], 1e-5, "bone %d, %s" % [index, modifier.get_class()])
		var rotations: Array = capture["result"]["rotations"]
		equal(PackedFloat32Array(rotations), figure.pose(), "end, " + modifier.get_class())


func test_bad_numbers_are_kept() -> void:
	for modifier: Node in one_of_each_that_reaches():
		var figure: Figure = Figure.new([30, 25], POSE)
		figure.add(modifier)
		add_child(figure.stage)
		figure.solve(POINT)
		figure.target.position = Vector2(NAN, -INF)
		figure.rig.advance(0.0)
		var capture: Dictionary = _read(figure.rig.capture())
		var about: String = modifier.get_class()
		equal(capture["result"]["modifiers"][0]["status"], "invalid", "status, " + about)
		var solved: Dictionary = capture["rig"]["modifiers"][0]["solver"].values()[0]
		var is_on_path: bool = "path" in solved
		var target: Array = solved["path"]["frame"] if is_on_path else solved["target"]["position"]
		check("NaN" in target, "the target, %s: %s" % [about, target])
	forgive([INVALID])


func test_what_does_not_work_is_named() -> void:
	var figure: Figure = _figure()
	var idle: TendonCCDIK2D = figure.ccd()
	idle.name = "Tail"
	idle.tip_bone = null
	figure.solve(POINT)
	expect_warnings(['Set "Tip Bone"'], "told anyway")
	var capture: Dictionary = _read(figure.rig.capture())
	equal(capture["rig"]["modifiers"].size(), 1, "those that work")
	var problems: Array = capture["scene"]["problems"]
	equal(problems.size(), 1, "problems")
	check(problems[0].begins_with('TendonCCDIK2D "Tail": Set "Tip Bone"'), str(problems))


func _figure() -> Figure:
	var figure: Figure = Figure.new([30, 25, 12, 40], POSE)
	figure.fabrik()
	add_child(figure.stage)
	return figure


func _read(capture: String) -> Dictionary:
	var read: Variant = JSON.parse_string(capture)
	check(read is Dictionary, "it is JSON: " + capture)
	return read if read is Dictionary else {}


func _rotation_of(bone: Dictionary) -> float:
	return bone["rotation"]
