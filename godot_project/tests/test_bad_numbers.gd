extends "res://tests/suite.gd"
## Numbers that are not finite, zero or huge never spread, and rigs recover from them.

const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567]
const POINT: Vector2 = Vector2(-20, 40)


func test_targets_that_are_not_finite() -> void:
	for broken: Vector2 in [Vector2(NAN, 0), Vector2(0, INF), Vector2(-INF, NAN)]:
		for modifier: Node in one_of_each_that_reaches():
			var figure: Figure = Figure.new([30, 25], POSE)
			figure.add(modifier)
			add_child(figure.stage)
			figure.solve(POINT)
			figure.target.position = broken
			figure.rig.advance(0.0)
			var about: String = "%s, %v" % [modifier.get_class(), broken]
			equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_INVALID, "status, " + about)
			equal(figure.pose(), PackedFloat32Array(POSE.slice(0, 2)), "pose, " + about)
			figure.solve(Vector2(10, 40))
			equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, "recovers, " + about)
	forgive([INVALID])


func test_a_target_so_far_that_squares_overflow() -> void:
	for far: Vector2 in [Vector2(1e25, 0), Vector2(-1e30, 1e30), Vector2(0, 3e38)]:
		for modifier: Node in one_of_each_that_reaches():
			var figure: Figure = Figure.new([30, 25], POSE)
			figure.add(modifier)
			add_child(figure.stage)
			figure.target.position = far
			figure.rig.advance(0.0)
			var about: String = "%s, %v" % [modifier.get_class(), far]
			near_angle(figure.bones[0].rotation, atan2(far.y, far.x), 1e-4, about)


func test_a_bone_that_is_not_finite() -> void:
	for modifier: Node in one_of_each_that_reaches():
		var figure: Figure = Figure.new([30, 25], POSE)
		figure.add(modifier)
		add_child(figure.stage)
		figure.solve(POINT)
		figure.bones[0].rotation = NAN
		figure.rig.advance(0.0)
		var about: String = modifier.get_class()
		if not modifier is TendonLookAt2D:
			equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_INVALID, "status, " + about)
			equal(figure.pose()[1], PackedFloat32Array(POSE)[1], "the other bone, " + about)
		figure.bones[0].rotation = 0.5
		figure.rig.advance(0.0)
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, "recovers, " + about)
		figure.rig.active = false
		equal(figure.bones[0].rotation, 0.5, "base pose, " + about)
	forgive([INVALID])


func test_a_bone_position_that_is_not_finite() -> void:
	for modifier: Node in one_of_each_that_reaches():
		var figure: Figure = Figure.new([30, 25], POSE)
		figure.add(modifier)
		add_child(figure.stage)
		figure.solve(POINT)
		var before: Vector2 = figure.bones[1].position
		figure.bones[1].position = Vector2(NAN, 1)
		figure.rig.advance(0.0)
		var about: String = modifier.get_class()
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_INVALID, "status, " + about)
		equal(figure.pose(), PackedFloat32Array(POSE.slice(0, 2)), "pose, " + about)
		figure.bones[1].position = before
		figure.solve(POINT)
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, "recovers, " + about)
	forgive([INVALID])


func test_a_bone_of_zero_scale() -> void:
	for modifier: Node in one_of_each_that_reaches():
		var figure: Figure = Figure.new([30, 25], POSE)
		figure.add(modifier)
		add_child(figure.stage)
		figure.solve(POINT)
		var before: Transform2D = figure.bones[0].transform
		# The property itself does not take zero.
		figure.bones[0].transform = Transform2D(Vector2.ZERO, Vector2.ZERO, before.origin)
		figure.rig.advance(0.0)
		var about: String = modifier.get_class()
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_INVALID, "status, " + about)
		equal(figure.bones[0].transform.x, Vector2.ZERO, "transform, " + about)
		figure.bones[0].transform = before
		figure.rig.advance(0.0)
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, "recovers, " + about)
	forgive([INVALID])


func test_a_skeleton_of_zero_scale() -> void:
	for modifier: Node in one_of_each_that_reaches():
		var figure: Figure = Figure.new([30, 25], POSE, [Transform2D.IDENTITY])
		figure.add(modifier)
		add_child(figure.stage)
		figure.solve(POINT)
		figure.ancestors[0].transform = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
		figure.rig.advance(0.0)
		var about: String = modifier.get_class()
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_INVALID, "status, " + about)
		equal(figure.pose(), PackedFloat32Array(POSE.slice(0, 2)), "pose, " + about)
		figure.ancestors[0].transform = Transform2D(Vector2(1, 0), Vector2(2, 0), Vector2.ZERO)
		figure.rig.advance(0.0)
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_INVALID, "flat, " + about)
		figure.ancestors[0].transform = Transform2D.IDENTITY
		figure.ancestors[0].scale = Vector2.ZERO
		figure.rig.advance(0.0)
		equal(
			modifier.call("get_status"),
			TendonFABRIK2D.STATUS_INVALID,
			"the engine's zero, " + about
		)
		equal(figure.pose(), PackedFloat32Array(POSE.slice(0, 2)), "pose at the engine's, " + about)
		figure.ancestors[0].scale = Vector2.ONE
		figure.solve(POINT)
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, "recovers, " + about)
	forgive([INVALID])


func test_one_invalid_modifier_does_not_stop_the_others() -> void:
	var figure: Figure = _figure()
	var other: TendonTwoBoneIK2D = figure.two_bone()
	var limb: Array[Bone2D] = Figure.branch(figure.bones[3], Vector2(40, 0), [20, 20])
	other.bone_one = limb[0]
	other.bone_two = limb[1]
	other.target = Marker2D.new()
	figure.skeleton.add_child(other.target)
	figure.target.position = Vector2(NAN, NAN)
	other.target.position = figure.to_skeleton(limb[0].global_position) + Vector2(5, 30)
	figure.rig.advance(0.0)
	equal(figure.rig.get_child(0).call("get_status"), TendonFABRIK2D.STATUS_INVALID, "the first")
	equal(other.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, "the second")
	forgive([INVALID])


func test_deep_trees() -> void:
	var lengths: Array[float] = []
	lengths.resize(300)
	lengths.fill(3.0)
	var figure: Figure = Figure.new(lengths, [0.1])
	figure.fabrik()
	add_child(figure.stage)
	figure.solve(Vector2(200, 300))
	reaches(figure, "300 bones")


func _figure() -> Figure:
	var figure: Figure = Figure.new([30, 25, 12, 40], POSE)
	figure.fabrik()
	add_child(figure.stage)
	return figure
