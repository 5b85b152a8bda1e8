extends "res://tests/suite.gd"
## TendonTwoBoneIK2D.

## The root joint of every figure, in the skeleton's space.
const ROOT: Vector2 = Vector2(3, 4)


func test_reaches_in_all_directions_with_both_bends() -> void:
	var figure: Figure = _figure([30, 20])
	var modifier: TendonTwoBoneIK2D = figure.rig.get_child(0)
	for flip: bool in [false, true]:
		modifier.flip_bend_direction = flip
		for step: int in 24:
			for distance: float in [10.5, 22.0, 36.0, 49.5]:
				figure.solve(ROOT + Vector2.from_angle(step * TAU / 24) * distance)
				var about: String = "flip %s, step %d, distance %s" % [flip, step, distance]
				reaches(figure, about)
				equal(modifier.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, about)
				check(_bend(figure) * (1 if flip else -1) < 0.0, "bends to the side: " + about)


func test_a_limb_bends_as_its_rest_pose_bends() -> void:
	for about: String in Figure.ANCESTORS:
		for rest: float in [-0.7, -0.05, 0.01, 0.0, 0.05, 0.7]:
			var figure: Figure = Figure.new([30, 20], [0.4, rest], Figure.ANCESTORS[about])
			add_child(figure.stage)
			var modifier: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
			modifier.bone_one = figure.bones[0]
			modifier.bone_two = figure.bones[1]
			modifier.target = figure.target
			figure.rig.add_child(modifier)
			# The pose does not count.
			figure.set_pose([0.4, -rest])
			var side: float = 1.0 if rest > -0.02 else -1.0
			for flip: bool in [false, true]:
				modifier.flip_bend_direction = flip
				figure.solve(ROOT + Vector2(20, 30))
				reaches(figure, "%s, rest %s" % [about, rest])
				var bend: float = _bend(figure) * side * (-1.0 if flip else 1.0)
				check(bend > 0.0, "%s, rest %s, flip %s: %s" % [about, rest, flip, bend])
			# A new rest pose counts at once.
			modifier.flip_bend_direction = false
			figure.bones[1].rest = Transform2D(-side, figure.bones[1].position)
			figure.solve(ROOT + Vector2(20, 30))
			check(_bend(figure) * side < 0.0, "%s, rest %s: another rest" % [about, rest])
			figure.stage.free()


func test_every_ancestor() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = _figure([30, 20], Figure.ANCESTORS[about], [1.0, -0.5])
		for point: Vector2 in [Vector2(20, 20), Vector2(-30, 5), Vector2(0, -35), Vector2(14, 4)]:
			figure.solve(point)
			reaches(figure, "%s, %v" % [about, point])
			_expect_report(figure, TendonTwoBoneIK2D.STATUS_REACHED, about)
			check(_bend(figure) < 0.0, "bends as at rest: %s, %v" % [about, point])


func test_flipping_while_running() -> void:
	var figure: Figure = _figure([30, 20], [Transform2D.IDENTITY])
	figure.target.position = Vector2(25, 25)
	figure.solve()
	var before: PackedFloat32Array = figure.pose()
	figure.ancestors[0].scale.x = -1
	figure.target.position = Vector2(-25, 25)
	figure.solve()
	for index: int in 2:
		near_angle(figure.pose()[index], before[index], 1e-5, "bone %d" % index)
	reaches(figure, "mirrored")


func test_bone_angle_and_the_optional_tip() -> void:
	var figure: Figure = _figure([30, 20])
	figure.bones[1].set_bone_angle(0.9)
	figure.solve(Vector2(20, 30))
	reaches(figure, "bone angle")
	var modifier: TendonTwoBoneIK2D = figure.rig.get_child(0)
	var hand: Marker2D = Marker2D.new()
	hand.position = Vector2(12, -7)
	figure.bones[1].add_child(hand)
	modifier.tip = hand
	figure.solve()
	near_point(hand.global_position, figure.target.global_position, 5e-3, "tip node")
	near_point(modifier.get_tip_position(), hand.global_position, 5e-3, "its report")
	hand.position = Vector2(25, 9)
	figure.solve()
	near_point(hand.global_position, figure.target.global_position, 5e-3, "moved tip node")
	modifier.tip = null
	figure.solve()
	reaches(figure, "without the tip node")


func test_tip_below_other_nodes_and_bones() -> void:
	var figure: Figure = Figure.new([30, 20, 10], [0.1, 0.2, 0.9])
	var modifier: TendonTwoBoneIK2D = figure.two_bone()
	modifier.bone_two = figure.bones[1]
	var holder: Node2D = Node2D.new()
	holder.transform = Transform2D(0.4, Vector2(2, -1), 0.3, Vector2(5, 6))
	figure.bones[2].add_child(holder)
	modifier.tip = Marker2D.new()
	modifier.tip.position = Vector2(3, 2)
	holder.add_child(modifier.tip)
	add_child(figure.stage)
	figure.solve(Vector2(25, -25))
	near_point(modifier.tip.global_position, figure.target.global_position, 5e-3, "tip")
	near(figure.bones[2].rotation, 0.9, 1e-6, "the bone beyond")


func test_ends_at_the_child_bone_where_it_is_now() -> void:
	var figure: Figure = Figure.new([30, 20, 10])
	var modifier: TendonTwoBoneIK2D = figure.two_bone()
	modifier.bone_two = figure.bones[1]
	add_child(figure.stage)
	figure.solve(Vector2(25, -25))
	var hand: Bone2D = figure.bones[2]
	near_point(hand.global_position, figure.target.global_position, 5e-3, "at first")
	hand.position = Vector2(11, 16)
	figure.bones[1].position = Vector2(10, 25)
	figure.solve(Vector2(-20, -15))
	near_point(hand.global_position, figure.target.global_position, 5e-3, "moved children")


func test_scaled_bones() -> void:
	var scales: Array[Vector2] = [
		Vector2(-1, 1),
		Vector2(1, -1),
		Vector2(1.3, 1.3),
		Vector2(-0.8, 0.8),
		Vector2(1.3, 0.7),
		Vector2(-1, 3)
	]
	for scale: Vector2 in scales:
		for which: int in 2:
			var figure: Figure = _figure([30, 30])
			figure.bones[which].scale = scale
			for point: Vector2 in [Vector2(28, 14), Vector2(-24, 12), Vector2(12, -26)]:
				figure.solve(point)
				reaches(figure, "scale %v on bone %d, %v" % [scale, which, point])
				equal(figure.bones[which].scale, scale, "scale")


func test_nothing_but_the_rotation_changes() -> void:
	var figure: Figure = _figure([30, 20], Figure.ANCESTORS["stretched, skewed and mirrored"])
	figure.bones[0].scale = Vector2(-1.1, 1.1)
	figure.bones[1].skew = 0.2
	var shape: Array = figure.shape()
	for point: Vector2 in [Vector2(28, 14), Vector2(-24, 300), Vector2(3, 4)]:
		figure.solve(point)
		equal(figure.shape(), shape, "shape at %v" % point)


func _figure(lengths: Array, above: Array = [], rotations: Array = []) -> Figure:
	var figure: Figure = Figure.new(lengths, rotations, above)
	figure.two_bone()
	add_child(figure.stage)
	return figure


## Which way the elbow bends, in the skeleton's space: the sign of the turn from the first
## segment to the second.
func _bend(figure: Figure) -> float:
	var points: PackedVector2Array = figure.points()
	return (points[1] - points[0]).cross(points[2] - points[1])


func _expect_report(figure: Figure, status: int, message: String) -> void:
	var modifier: TendonTwoBoneIK2D = figure.rig.get_child(0)
	equal(modifier.get_status(), status, "status, " + message)
	near(modifier.get_target_distance(), figure.gap(), 1e-2, "distance, " + message)
	var tip: Vector2 = figure.to_skeleton(modifier.get_tip_position())
	near_point(tip, figure.tip(), 1e-2, "tip, " + message)
