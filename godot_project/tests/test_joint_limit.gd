# gdlint: disable=max-public-methods
extends "res://tests/suite.gd"
## TendonJointLimit2D: every modifier obeys it, under every ancestor.

const CountingBone := preload("res://tests/counting_bone.gd")
const ROOT: Vector2 = Vector2(3, 4)
const LENGTHS: Array[float] = [30.0, 25.0, 22.0, 18.0]
const POSE: Array[float] = [0.4, -0.3, 0.5, 0.2]
const MODIFIERS: Array[String] = ["look_at", "two_bone", "ccd", "fabrik"]
## Radians by which a limit may be exceeded.
const SLACK: float = 1e-4


func test_every_modifier_obeys_under_every_ancestor() -> void:
	for kind: String in MODIFIERS:
		var stops: int = 0
		for about: String in Figure.ANCESTORS:
			var figure: Figure = _figure(kind, Figure.ANCESTORS[about])
			var limits: Array[TendonJointLimit2D] = _limit_all(figure)
			for point: Vector2 in _points():
				figure.solve(point)
				stops += _expect_within(figure, limits, "%s, %s, %v" % [kind, about, point])
		check(stops > 100, "%s, the limits matter: %d" % [kind, stops])


func test_every_modifier_obeys_limits_fixed_in_the_skeleton() -> void:
	for kind: String in MODIFIERS:
		var stops: int = 0
		for about: String in Figure.ANCESTORS:
			var figure: Figure = _figure(kind, Figure.ANCESTORS[about])
			var limits: Array[TendonJointLimit2D] = _limit_all(figure)
			for index: int in limits.size():
				# Where there is only one, it can always be kept.
				limits[index].active = index == 0 or index == limits.size() - 1
				limits[index].space = TendonJointLimit2D.SPACE_SKELETON
			for point: Vector2 in _points():
				figure.solve(point)
				stops += _expect_within(figure, limits, "%s, %s, %v" % [kind, about, point])
		check(stops > 100, "%s, the limits matter: %d" % [kind, stops])


func test_angles_count_from_the_rest_as_they_stand() -> void:
	var figure: Figure = Figure.new([30], [0.0])
	figure.look_at()
	add_child(figure.stage)
	figure.bones[0].rest = Transform2D(PI - 0.2, figure.bones[0].position)
	_limit(figure.bones[0], -0.5, 1.0)
	# The range leads across half a turn, and nothing wraps.
	for turn: float in [-0.5, -0.2, 0.0, 0.3, 0.9, 1.0]:
		figure.solve(ROOT + Vector2.from_angle(PI - 0.2 + turn) * 50)
		near_angle(figure.bones[0].rotation, PI - 0.2 + turn, SLACK, "turn %s" % turn)
	figure.solve(ROOT + Vector2.from_angle(PI - 0.2 - 0.9) * 50)
	near_angle(figure.bones[0].rotation, PI - 0.7, SLACK, "stopped at the least")
	figure.solve(ROOT + Vector2.from_angle(PI - 0.2 + 1.4) * 50)
	near_angle(figure.bones[0].rotation, PI + 0.8, SLACK, "stopped at the greatest")


func test_the_rest_of_a_mirrored_bone() -> void:
	for scale: Vector2 in [Vector2(-1, 1), Vector2(1, -1), Vector2(-1, -1), Vector2(-2, 0.5)]:
		for kind: String in MODIFIERS:
			var figure: Figure = Figure.new(LENGTHS, POSE)
			_add(figure, kind)
			figure.bones[0].scale = scale
			figure.bones[0].rest = figure.bones[0].transform
			add_child(figure.stage)
			_limit(figure.bones[0], -0.3, 0.2)
			for point: Vector2 in [Vector2(60, -20), Vector2(-50, 45), Vector2(20, 70)]:
				figure.solve(point)
				var turn: float = angle_difference(POSE[0], figure.bones[0].rotation)
				var message: String = "%v, %s, %v" % [scale, kind, point]
				check(turn > -0.3 - SLACK and turn < 0.2 + SLACK, "%s: %s" % [message, turn])


func test_the_engine_may_take_a_mirrored_bone_apart_anew() -> void:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.fabrik()
	figure.bones[0].scale = Vector2(-1, 1)
	figure.bones[0].rest = figure.bones[0].transform
	add_child(figure.stage)
	_limit(figure.bones[0], -0.3, 0.2)
	figure.solve(Vector2(20, 70))
	var solved: Transform2D = figure.bones[0].transform
	remove_child(figure.stage)
	add_child(figure.stage)
	figure.solve()
	near_point(figure.bones[0].transform.x, solved.x, 1e-4, "X")
	near_point(figure.bones[0].transform.y, solved.y, 1e-4, "Y")


## What a change asks for shows at once without memory, and with it as soon as the bone has swung
## over. It starts to in the next pass.
func test_a_change_shows_in_the_next_pass() -> void:
	var changes: Array[Array] = [
		["another angle", {"max_angle": 0.8}, 0.8],
		["inactive", {"active": false}, PI / 2],
		["stiff", {"active": true, "stiffness": 1.0}, 0.0],
		["soft again", {"stiffness": 0.0}, 0.8],
	]
	for swings_over: bool in [false, true]:
		var figure: Figure = Figure.new([30], [0.0])
		figure.look_at()
		add_child(figure.stage)
		var limit: TendonJointLimit2D = _limit(figure.bones[0], -0.5, 0.5)
		figure.solve(ROOT + Vector2(0, 50))
		near(figure.bones[0].rotation, 0.5, SLACK, "at first")
		for change: Array in changes:
			var settings: Dictionary = change[1]
			for setting: String in settings:
				limit.set(setting, settings[setting])
			_expect_change(figure, swings_over, change[2], change[0])
		figure.bones[0].rest = Transform2D(0.4, figure.bones[0].position)
		_expect_change(figure, swings_over, 1.2, "another rest")


func test_the_space() -> void:
	var figure: Figure = Figure.new([30, 20], [0.6, -0.2])
	figure.look_at().bone = figure.bones[1]
	add_child(figure.stage)
	var limit: TendonJointLimit2D = _limit(figure.bones[1], -0.1, 0.1)
	figure.bones[0].rotation = 1.5
	figure.solve(Vector2(90, 0))
	near(figure.bones[1].rotation, -0.3, SLACK, "in the parent's frame")
	limit.space = TendonJointLimit2D.SPACE_SKELETON
	figure.solve()
	near(figure.bones[0].rotation + figure.bones[1].rotation, 0.3, SLACK, "in the skeleton's")


func test_limits_that_come_go_and_move() -> void:
	# The engine tells of the children of bones that have bones below them by itself.
	var figure: Figure = Figure.new([30], [0.0])
	var other: Bone2D = Figure.branch(figure.skeleton, Vector2(50, 0), [20])[0]
	var modifier: TendonLookAt2D = figure.look_at()
	add_child(figure.stage)
	figure.solve(ROOT + Vector2(0, 50))
	near(figure.bones[0].rotation, PI / 2, SLACK, "none")
	var limit: TendonJointLimit2D = _limit(figure.bones[0], -0.5, 0.5)
	figure.solve()
	near(figure.bones[0].rotation, 0.5, SLACK, "added")
	limit.reparent(other)
	figure.solve()
	near(figure.bones[0].rotation, PI / 2, SLACK, "moved away")
	limit.reparent(figure.bones[0])
	figure.solve()
	near(figure.bones[0].rotation, 0.5, SLACK, "moved back")
	figure.bones[0].remove_child(limit)
	figure.solve()
	near(figure.bones[0].rotation, PI / 2, SLACK, "removed")
	figure.bones[0].add_child(limit)
	figure.solve()
	near(figure.bones[0].rotation, 0.5, SLACK, "added again")
	limit.free()
	figure.solve()
	near(figure.bones[0].rotation, PI / 2, SLACK, "freed")
	_limit(figure.bones[0], -0.4, 0.4).queue_free()
	figure.solve()
	near(figure.bones[0].rotation, 0.4, SLACK, "queued for deletion")
	await frames(2)
	figure.solve()
	near(figure.bones[0].rotation, PI / 2, SLACK, "deleted")
	equal(modifier.get_status(), TendonLookAt2D.STATUS_REACHED, "status")


func test_a_base_pose_outside_the_limit() -> void:
	for kind: String in MODIFIERS:
		var figure: Figure = _figure(kind)
		var limits: Array[TendonJointLimit2D] = _limit_all(figure)
		figure.set_pose([2.0, -1.5, 2.5, -2.0])
		var base: PackedFloat32Array = figure.pose()
		for point: Vector2 in _points():
			figure.solve(point)
			_expect_within(figure, limits, "%s, %v" % [kind, point])
		figure.rig.active = false
		equal(figure.pose(), base, "base pose, " + kind)


func test_a_still_rig_writes_nothing() -> void:
	for kind: String in MODIFIERS:
		for point: Vector2 in [Vector2(-20, 60), Vector2(900, 1), Vector2(3, 4), Vector2(40, -30)]:
			var figure: Figure = Figure.new(LENGTHS, POSE, Figure.ANCESTORS["skewed"])
			for bone: Bone2D in figure.bones:
				bone.set_script(CountingBone)
			_add(figure, kind)
			add_child(figure.stage)
			_limit_all(figure)
			figure.solve(point)
			var solved: PackedFloat32Array = figure.pose()
			for count: int in 10:
				figure.solve()
			equal(figure.pose(), solved, "%s, %v" % [kind, point])
			for bone: CountingBone in figure.bones:
				check(bone.writes <= 1, "%s, %v, %d writes" % [kind, point, bone.writes])
			# Solving once more comes to the same bits.
			figure.rig.active = false
			figure.rig.active = true
			figure.solve()
			equal(figure.pose(), solved, "once more, %s, %v" % [kind, point])


func test_bad_limits_are_told_of_once_and_ignored() -> void:
	var faults: Dictionary[String, Array] = {
		'Lower "Min Angle", or raise "Max Angle"': [0.5, -0.5],
		"must be finite numbers": [-3e38, 3e38],
	}
	for fault: String in faults:
		var figure: Figure = Figure.new([30], [0.0])
		figure.look_at()
		add_child(figure.stage)
		var limit: TendonJointLimit2D = _limit(figure.bones[0], faults[fault][0], faults[fault][1])
		for count: int in 5:
			figure.solve(ROOT + Vector2(0, 50))
		near(figure.bones[0].rotation, PI / 2, SLACK, "ignored: " + fault)
		expect_warnings([fault], "once")
		limit.min_angle = -0.5
		limit.max_angle = 0.5
		figure.solve()
		near(figure.bones[0].rotation, 0.5, SLACK, "put right: " + fault)
		limit.min_angle = faults[fault][0]
		limit.max_angle = faults[fault][1]
		figure.solve()
		expect_warnings([], "never again")


func test_no_rest_pose() -> void:
	var figure: Figure = Figure.new([30], [0.0])
	figure.look_at()
	figure.bones[0].rest = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
	add_child(figure.stage)
	_limit(figure.bones[0], -0.5, 0.5)
	for count: int in 5:
		figure.solve(ROOT + Vector2(0, 50))
	near(figure.bones[0].rotation, PI / 2, SLACK, "ignored")
	expect_warnings(['the bone "Bone0" has none'], "once")
	# The engine's own.
	forgive(["det == 0"])
	figure.bones[0].rest = Transform2D(0.0, ROOT)
	figure.solve()
	near(figure.bones[0].rotation, 0.5, SLACK, "with a rest pose")


func test_a_limit_in_the_wrong_place() -> void:
	var figure: Figure = _figure("fabrik")
	for place: Node in [figure.stage, figure.rig, figure.skeleton]:
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		place.add_child(limit)
		expect_warnings(["child of the Bone2D"], "at once")
		place.remove_child(limit)
		place.add_child(limit)
		figure.solve(Vector2(20, 20))
		expect_warnings([], "once")
	reaches(figure, "as if they were not there")


func test_two_limits_on_one_bone() -> void:
	var figure: Figure = Figure.new([30], [0.0])
	figure.look_at()
	add_child(figure.stage)
	var first: TendonJointLimit2D = _limit(figure.bones[0], -0.5, 0.5)
	first.name = "First"
	_limit(figure.bones[0], -0.1, 0.1)
	for count: int in 5:
		figure.solve(ROOT + Vector2(0, 50))
	near(figure.bones[0].rotation, 0.5, SLACK, "the first counts")
	expect_warnings(['counts, which is "First"'], "once")
	first.free()
	figure.solve()
	near(figure.bones[0].rotation, 0.1, SLACK, "the other one alone")


func test_the_order_of_two_limits() -> void:
	var figure: Figure = Figure.new([30], [0.0])
	figure.look_at()
	add_child(figure.stage)
	_limit(figure.bones[0], -0.5, 0.5).name = "Wide"
	var narrow: TendonJointLimit2D = _limit(figure.bones[0], -0.1, 0.1)
	narrow.name = "Narrow"
	figure.solve(ROOT + Vector2(0, 50))
	near(figure.bones[0].rotation, 0.5, SLACK, "the first counts")
	expect_warnings(['counts, which is "Wide"'], "the second")
	figure.bones[0].move_child(narrow, 0)
	figure.solve()
	near(figure.bones[0].rotation, 0.1, SLACK, "the other is the first now")
	expect_warnings(['counts, which is "Narrow"'], "the other way round")


func test_a_limit_is_duplicated_and_packed() -> void:
	var bone: Bone2D = Bone2D.new()
	var limit: TendonJointLimit2D = _limit(bone, -0.25, 1.25)
	limit.space = TendonJointLimit2D.SPACE_SKELETON
	limit.stiffness = 0.5
	limit.owner = bone
	var scene: PackedScene = PackedScene.new()
	scene.pack(bone)
	var copies: Array[Node] = [bone.duplicate(), scene.instantiate()]
	limit.min_angle = 0.0
	for copy: Node in copies:
		var other: TendonJointLimit2D = copy.get_child(0)
		equal(other.min_angle, -0.25, "min_angle")
		equal(other.max_angle, 1.25, "max_angle")
		equal(other.space, TendonJointLimit2D.SPACE_SKELETON, "space")
		equal(other.stiffness, 0.5, "stiffness")
		copy.free()
	bone.free()


func _figure(kind: String, above: Array = []) -> Figure:
	var lengths: Array[float] = LENGTHS.slice(0, 2) if kind == "two_bone" else LENGTHS
	var figure: Figure = Figure.new(lengths, POSE, above)
	_add(figure, kind)
	add_child(figure.stage)
	return figure


func _add(figure: Figure, kind: String) -> void:
	figure.call(kind)


## The bone turns to [param expected] radians, at once or from the next pass on.
func _expect_change(figure: Figure, swings_over: bool, expected: float, message: String) -> void:
	if swings_over:
		var way: float = absf(expected - figure.bones[0].rotation)
		figure.rig.advance(TICK)
		check(absf(expected - figure.bones[0].rotation) < way, message + ": the next pass")
		settle(figure, message)
	else:
		figure.solve_anew()
	near(figure.bones[0].rotation, expected, SLACK, message)


func _limit(bone: Bone2D, least: float, greatest: float) -> TendonJointLimit2D:
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	limit.min_angle = least
	limit.max_angle = greatest
	bone.add_child(limit)
	return limit


func _limit_all(figure: Figure) -> Array[TendonJointLimit2D]:
	var limits: Array[TendonJointLimit2D] = []
	for index: int in figure.bones.size():
		limits.append(_limit(figure.bones[index], -0.4 - 0.1 * index, 0.5 + 0.2 * index))
	return limits


## Places all round the chain, near and far.
func _points() -> Array[Vector2]:
	var points: Array[Vector2] = []
	for step: int in 12:
		for distance: float in [15.0, 48.0, 130.0]:
			points.append(ROOT + Vector2.from_angle(step * TAU / 12) * distance)
	return points


## Checks the joints that a modifier turns. Returns how many of them are at their limit.
func _expect_within(figure: Figure, limits: Array[TendonJointLimit2D], message: String) -> int:
	var stops: int = 0
	var frame: Transform2D = Transform2D.IDENTITY
	var turned: int = 1 if figure.rig.get_child(0) is TendonLookAt2D else limits.size()
	for index: int in turned:
		var bone: Bone2D = figure.bones[index]
		var limit: TendonJointLimit2D = limits[index]
		frame *= bone.transform
		var turn: float = angle_difference(bone.rest.get_rotation(), bone.rotation)
		if limit.space == TendonJointLimit2D.SPACE_SKELETON:
			turn = angle_difference(bone.get_skeleton_rest().get_rotation(), frame.get_rotation())
		if limit.active:
			var within: bool = turn > limit.min_angle - SLACK and turn < limit.max_angle + SLACK
			check(within, "%s, bone %d turns by %s" % [message, index, turn])
			var room: float = minf(turn - limit.min_angle, limit.max_angle - turn)
			stops += int(room < SLACK)
	return stops
