# gdlint: disable=max-public-methods
extends "res://tests/suite.gd"
## Chains along paths. Where the joints are is measured here, from the engine's own transforms,
## against many samples of the curve's own segments.

const CountingBone := preload("res://tests/counting_bone.gd")

const LENGTHS: Array[float] = [24.0, 18.0, 30.0, 12.0, 20.0, 26.0]
const POSE: Array[float] = [0.3123456, -0.4765432, 0.5182736, 0.1234567, -0.2, 0.4]
## Points of the path with their outgoing handles; the incoming ones are opposite.
const POINTS: Array[Vector2] = [Vector2(0, 0), Vector2(70, 40), Vector2(140, -20), Vector2(230, 30)]
const HANDLES: Array[Vector2] = [Vector2(30, 0), Vector2(25, 5), Vector2(30, 10), Vector2(30, 0)]
## Pixels that a joint may be off the path, in the skeleton's space.
const EXACT: float = 0.01
## Samples of each segment.
const SAMPLES: int = 400
## Transforms of the path, below the stage.
const PLACES: Dictionary[String, Transform2D] = {
	"beside": Transform2D(0.3, Vector2(12, 3)),
	"mirrored": Transform2D(0.4, Vector2(-1.3, 1.1), 0.0, Vector2(60, 5)),
	"skewed": Transform2D(-0.6, Vector2(1.2, 0.8), 0.5, Vector2(-8, 20)),
}


func test_joints_are_on_the_path_under_any_ancestors() -> void:
	for above: String in Figure.ANCESTORS:
		for place: String in PLACES:
			var figure: Figure = _figure(Figure.ANCESTORS[above])
			var path: Path2D = _path(figure, figure.stage, PLACES[place])
			# As large as the chain is there, and beside it.
			path.scale *= absf(figure.skeleton.global_transform.determinant()) ** 0.5
			path.global_position = figure.skeleton.global_transform * Vector2(20, 10)
			for moves_root: bool in [true, false]:
				var about: String = "%s, %s, moves root: %s" % [above, place, moves_root]
				var modifier: TendonSplineIK2D = figure.rig.get_child(0)
				modifier.move_root = moves_root
				for ratio: float in [0.0, 0.2]:
					modifier.progress_ratio = ratio
					figure.solve()
					_check_on_path(figure, path, about)
			figure.stage.free()


## The root and a PathFollow2D of the same progress go along together.
func test_progress_is_that_of_a_path_follower() -> void:
	for is_closed: bool in [false, true]:
		var figure: Figure = _figure([])
		var path: Path2D = _path(figure, figure.stage, PLACES["skewed"])
		if is_closed:
			path.curve.add_point(Vector2(110, -120), Vector2(70, 0), Vector2(-70, 0))
			path.curve.add_point(POINTS[0], Vector2(-30, -40))
		var follower: PathFollow2D = PathFollow2D.new()
		follower.loop = is_closed
		follower.cubic_interp = false
		path.add_child(follower)
		var modifier: TendonSplineIK2D = figure.rig.get_child(0)
		modifier.move_root = true
		var length: float = path.curve.get_baked_length()
		for step: int in 101:
			follower.progress = length * step / 100.0
			modifier.progress = follower.progress
			near(modifier.progress_ratio, follower.progress_ratio, 1e-6, "ratio")
			figure.solve()
			var place: Vector2 = figure.bones[0].global_position
			var about: String = "progress %s, closed: %s" % [follower.progress, is_closed]
			# Between two baked points the follower is on the chord.
			near_point(place, follower.global_position, 0.3, about)
		if is_closed:
			modifier.progress = 0.3 * length
			figure.solve()
			var place: Vector2 = figure.bones[0].global_position
			modifier.progress = -0.7 * length
			figure.solve()
			near_point(figure.bones[0].global_position, place, 1e-3, "once round")
		figure.stage.free()


## At a baked point, the two are at the same place, however coarse the curve is baked.
func test_progress_is_exact_at_baked_points() -> void:
	for interval: float in [0.0, 2.0, 5.0, 60.0]:
		var figure: Figure = _figure([])
		var path: Path2D = _path(figure, figure.stage, PLACES["beside"])
		path.curve.bake_interval = interval
		var modifier: TendonSplineIK2D = figure.rig.get_child(0)
		modifier.move_root = true
		var baked: PackedVector2Array = path.curve.get_baked_points()
		var progress: float = 0.0
		for index: int in baked.size():
			if index > 0:
				progress += baked[index].distance_to(baked[index - 1])
			if index % maxi(1, baked.size() / 20) == 0:
				modifier.progress = progress
				figure.solve()
				var place: Vector2 = path.to_local(figure.bones[0].global_position)
				near_point(place, baked[index], 2e-3, "interval %s, %d" % [interval, index])
		figure.stage.free()


func test_the_ratio_needs_a_path() -> void:
	var modifier: TendonSplineIK2D = TendonSplineIK2D.new()
	modifier.progress = 7.0
	modifier.progress_ratio = 0.5
	equal(modifier.progress, 7.0, "nothing to take a part of")
	equal(modifier.progress_ratio, 0.0, "ratio")
	var stored: Array = modifier.get_property_list().filter(
		func(property: Dictionary) -> bool:
			return property["name"] == "progress_ratio" and property["usage"] & 2 != 0
	)
	equal(stored, [], "is not stored")
	modifier.free()


func test_a_curve_edited_live_moves_the_chain() -> void:
	var figure: Figure = _figure([])
	var path: Path2D = _path(figure, figure.stage, PLACES["beside"])
	figure.solve()
	_check_on_path(figure, path, "at first")
	var edits: Array[Callable] = [
		path.curve.set_point_position.bind(1, Vector2(60, 70)),
		path.curve.set_point_out.bind(1, Vector2(60, -30)),
		path.curve.set_point_in.bind(2, Vector2(-10, -50)),
		path.curve.add_point.bind(Vector2(30, 60), Vector2.ZERO, Vector2.ZERO, 1),
		path.curve.remove_point.bind(1),
		path.set_transform.bind(PLACES["skewed"]),
	]
	for edit: Callable in edits:
		var before: PackedFloat32Array = figure.pose()
		edit.call()
		figure.solve()
		check(figure.pose() != before, "%s moves it" % edit.get_method())
		_check_on_path(figure, path, edit.get_method())
	var other: Curve2D = _curve()
	other.set_point_position(1, Vector2(40, -50))
	path.curve = other
	figure.solve()
	_check_on_path(figure, path, "another curve")
	other.set_point_position(1, Vector2(80, -30))
	figure.solve()
	_check_on_path(figure, path, "edited, too")


func test_a_chain_at_rest_sleeps() -> void:
	var figure: Figure = _figure([])
	var path: Path2D = _path(figure, figure.stage, PLACES["beside"])
	for bone: Bone2D in figure.bones:
		bone.set_script(CountingBone)
		bone.set_notify_local_transform(true)
	figure.solve()
	var writes: int = CountingBone.count(figure.bones)
	for frame: int in 5:
		figure.rig.advance(TICK)
	equal(CountingBone.count(figure.bones), writes, "writes at rest")
	path.curve.set_point_position(1, Vector2(60, 70))
	figure.rig.advance(TICK)
	check(CountingBone.count(figure.bones) > writes, "an edit wakes it")
	_check_on_path(figure, path, "after it")


func test_without_a_path_it_is_idle() -> void:
	var figure: Figure = _figure([])
	var path: Path2D = _path(figure, figure.stage, PLACES["beside"])
	var modifier: TendonSplineIK2D = figure.rig.get_child(0)
	var base: PackedFloat32Array = figure.pose()
	figure.solve()
	var solved: PackedFloat32Array = figure.pose()
	check(solved != base, "it is solved")
	modifier.path_2d = null
	figure.solve()
	equal(figure.pose(), base, "no path: the base pose")
	equal(modifier.get_status(), TendonSplineIK2D.STATUS_IDLE, "status")
	modifier.path_2d = path
	figure.solve()
	equal(figure.pose(), solved, "again")
	path.free()
	figure.solve()
	equal(figure.pose(), base, "a freed path: the base pose")
	check(modifier.path_2d == null, "nothing is left of it")
	expect_warnings([], "a path that is taken away is no mistake")


func test_a_path_may_leave_the_tree_and_come_back() -> void:
	var figure: Figure = _figure([])
	var path: Path2D = _path(figure, figure.stage, PLACES["beside"])
	var base: PackedFloat32Array = figure.pose()
	figure.solve()
	var solved: PackedFloat32Array = figure.pose()
	figure.stage.remove_child(path)
	figure.solve()
	equal(figure.pose(), base, "outside")
	figure.stage.add_child(path)
	figure.solve()
	equal(figure.pose(), solved, "back")


func test_curves_without_length_are_warned_of_until_they_have_one() -> void:
	var figure: Figure = _figure([])
	var path: Path2D = _path(figure, figure.stage, PLACES["beside"])
	var modifier: TendonSplineIK2D = figure.rig.get_child(0)
	var base: PackedFloat32Array = figure.pose()
	for curve: Curve2D in [null, Curve2D.new()]:
		path.curve = curve
		figure.solve()
		equal(figure.pose(), base, "no points")
		equal(modifier.get_status(), TendonSplineIK2D.STATUS_IDLE, "status")
	expect_warnings(["has no length"], "once")
	path.curve.add_point(Vector2(5, 5))
	figure.solve()
	equal(figure.pose(), base, "one point")
	path.curve.add_point(Vector2(300, 60))
	figure.solve()
	_check_on_path(figure, path, "two points")
	expect_warnings([], "no more warnings")
	path.curve.clear_points()
	figure.solve()
	equal(figure.pose(), base, "none")


func test_a_path_on_the_chain_is_refused() -> void:
	var figure: Figure = _figure([])
	var path: Path2D = _path(figure, figure.bones[2], Transform2D.IDENTITY)
	var base: PackedFloat32Array = figure.pose()
	figure.solve()
	equal(figure.pose(), base, "the pose is left alone")
	expect_warnings(["is below a bone of the chain that goes by it"], "on the chain")
	path.reparent(figure.stage)
	figure.solve()
	_check_on_path(figure, path, "moved out of it")
	path.reparent(figure.bones[4])
	figure.solve()
	equal(figure.pose(), base, "and back")


## A path on a bone that an earlier modifier turns counts where the working pose has it.
func test_a_path_may_hang_on_another_bone() -> void:
	var figure: Figure = _figure([Transform2D(0.0, Vector2(-1, 1), 0.0, Vector2.ZERO)])
	var arm: Array[Bone2D] = Figure.branch(figure.skeleton, Vector2(-20, 10), [40, 40], [0.2, 0.3])
	log_recorder.take(true)
	var look_at: TendonLookAt2D = TendonLookAt2D.new()
	look_at.bone = arm[0]
	look_at.target = figure.target
	var path: Path2D = _path(figure, arm[1], Transform2D(0.3, Vector2(5, 5)))
	figure.rig.add_child(look_at)
	figure.rig.move_child(look_at, 0)
	for point: Vector2 in [Vector2(50, 80), Vector2(90, -30), Vector2(-70, 20)]:
		figure.solve(point)
		_check_on_path(figure, path, "target at %v" % point)
	figure.rig.move_child(look_at, 1)
	figure.solve(Vector2(10, 80))
	expect_warnings(["misses"], "the wrong order")


func test_the_root_is_put_back() -> void:
	var figure: Figure = _figure([])
	var path: Path2D = _path(figure, figure.stage, PLACES["beside"])
	var modifier: TendonSplineIK2D = figure.rig.get_child(0)
	var base: Array = [figure.pose(), figure.shape()]
	modifier.move_root = true
	modifier.progress = 50.0
	figure.solve()
	check(figure.shape() != base[1], "the root is moved")
	modifier.influence = 0.5
	figure.solve()
	var half: Vector2 = figure.bones[0].position
	modifier.influence = 1.0
	figure.solve()
	var full: Vector2 = figure.bones[0].position
	near_point(half, 0.5 * (full + base[1][0][0]), 1e-4, "half of the way")
	modifier.active = false
	figure.solve()
	equal([figure.pose(), figure.shape()], base, "switched off")
	modifier.active = true
	figure.solve()
	equal(figure.bones[0].position, full, "on again")
	figure.rig.restore_pose()
	equal([figure.pose(), figure.shape()], base, "restored")
	modifier.move_root = false
	figure.solve()
	equal(figure.bones[0].position, base[1][0][0], "not moved any more")
	check(path.curve != null, "the path is as it was")


func test_status_and_distance_past_the_end() -> void:
	var figure: Figure = _figure([])
	var path: Path2D = _path(figure, figure.stage, PLACES["beside"])
	var modifier: TendonSplineIK2D = figure.rig.get_child(0)
	figure.solve()
	equal(modifier.get_status(), TendonSplineIK2D.STATUS_REACHED, "on the path")
	near(modifier.get_target_distance(), 0.0, EXACT, "distance")
	modifier.move_root = true
	modifier.progress_ratio = 0.9
	figure.solve()
	equal(modifier.get_status(), TendonSplineIK2D.STATUS_OUT_OF_REACH, "past its end")
	var end: Vector2 = path.to_global(path.curve.get_point_position(3))
	var tip: Vector2 = Figure.axis_end(figure.bones[-1])
	near(modifier.get_target_distance(), tip.distance_to(end), EXACT, "distance")
	near_point(modifier.get_tip_position(), tip, EXACT, "tip")


func test_captures_have_the_path() -> void:
	var figure: Figure = _figure([])
	_path(figure, figure.stage, PLACES["skewed"])
	figure.solve()
	var capture: Dictionary = JSON.parse_string(figure.rig.capture())
	var path: Dictionary = capture["rig"]["modifiers"][0]["solver"]["spline"]["path"]
	equal(path["curve"]["points"].size(), POINTS.size(), "points")
	equal(path["curve"]["bake_interval"], 5.0, "interval")


func _figure(above: Array) -> Figure:
	var figure: Figure = Figure.new(LENGTHS, POSE, above)
	var modifier: TendonSplineIK2D = TendonSplineIK2D.new()
	modifier.root_bone = figure.bones[0]
	modifier.tip_bone = figure.bones[-1]
	figure.rig.add_child(modifier)
	add_child(figure.stage)
	return figure


## A path that the modifier of [param figure] lies along.
func _path(figure: Figure, parent: Node, place: Transform2D) -> Path2D:
	var path: Path2D = Path2D.new()
	path.name = "Path"
	path.curve = _curve()
	path.transform = place
	parent.add_child(path)
	figure.rig.get_child(0).set("path_2d", path)
	return path


func _curve() -> Curve2D:
	var curve: Curve2D = Curve2D.new()
	for index: int in POINTS.size():
		curve.add_point(POINTS[index], -HANDLES[index], HANDLES[index])
	return curve


## From where the chain has come to the path on, each joint is on it. The first one that is near
## enough to where it begins has come to it.
func _check_on_path(figure: Figure, path: Path2D, about: String) -> void:
	var samples: PackedVector2Array = _samples(figure, path)
	var curve: Curve2D = path.curve
	var modifier: TendonSplineIK2D = (
		figure.rig.find_children("*", "TendonSplineIK2D", true, false)[0]
	)
	var begin: Vector2 = curve.sample_baked(modifier.progress, true)
	begin = figure.to_skeleton(path.to_global(begin))
	var has_entered: bool = false
	var on_path: int = 0
	var points: PackedVector2Array = figure.points()
	for index: int in figure.bones.size():
		var to_joint: Transform2D = figure.bones[index].global_transform.affine_inverse()
		var local: Vector2 = to_joint * (figure.skeleton.global_transform * begin)
		var length: float = figure.bones[index].get_length()
		has_entered = has_entered or local.length() <= length
		if not has_entered:
			continue
		var distance: float = _distance_to(samples, points[index + 1])
		if distance > EXACT:
			# Only past the end.
			var end: Vector2 = samples[-1]
			var along: Vector2 = (end - samples[-2]).normalized()
			var way: Vector2 = points[index + 1] - end
			check(way.dot(along) > 0.0, "%s: joint %d is %s off" % [about, index + 1, distance])
			near(way.cross(along), 0.0, 0.05, "%s: joint %d, straight on" % [about, index + 1])
		else:
			on_path += 1
	check(on_path > 0, about + ": no joint is on the path")


## Points of the curve in the skeleton's space.
func _samples(figure: Figure, path: Path2D) -> PackedVector2Array:
	var found: PackedVector2Array = []
	var curve: Curve2D = path.curve
	for segment: int in curve.point_count - 1:
		var from: Vector2 = curve.get_point_position(segment)
		var to: Vector2 = curve.get_point_position(segment + 1)
		var out: Vector2 = from + curve.get_point_out(segment)
		var into: Vector2 = to + curve.get_point_in(segment + 1)
		for step: int in SAMPLES + 1:
			var point: Vector2 = from.bezier_interpolate(out, into, to, float(step) / SAMPLES)
			found.append(figure.to_skeleton(path.to_global(point)))
	return found


func _distance_to(samples: PackedVector2Array, point: Vector2) -> float:
	var least: float = INF
	for index: int in samples.size() - 1:
		var nearest: Vector2 = Geometry2D.get_closest_point_to_segment(
			point, samples[index], samples[index + 1]
		)
		least = minf(least, nearest.distance_to(point))
	return least
