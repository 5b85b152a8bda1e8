# gdlint: disable=max-public-methods
extends "res://tests/suite.gd"
## What holds for every modifier that bends a chain. Their suites say which one: see
## [method _modifier].

const LENGTHS: Array[float] = [30.0, 25.0, 12.0, 40.0, 18.0]
const POSE: Array[float] = [0.4, -0.7, 0.9, 0.2, -0.5]
const OTHER_POSES: Array[Array] = [
	[2.0, 0.3, -0.8, 1.4, 0.1],
	[-1.0, -1.2, -0.9, -0.3, 2.0],
	[0.1, 0.2, 0.1, -0.1, 0.2],
	[3.0, 2.9, -0.1, 0.6, 1.0],
]


## Adds the modifier that this suite is about. Override it.
func _modifier(figure: Figure) -> Node:
	return figure.add(Node.new())


func test_reaches_under_every_ancestor() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = _figure(Figure.ANCESTORS[about])
		var modifier: Node = figure.rig.get_child(0)
		for other: Array in OTHER_POSES:
			_aim_at(figure, other)
			figure.solve()
			reaches(figure, "%s, %s" % [about, other])
			equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, "status, " + about)
			near(modifier.call("get_target_distance"), figure.gap(), 1e-2, "distance, " + about)
			var tip: Vector2 = figure.to_skeleton(modifier.call("get_tip_position"))
			near_point(tip, figure.tip(), 1e-2, "tip, " + about)
			check(modifier.call("get_iterations") > 0, "iterations, " + about)


## Another first and last bone while it reaches. A bone above the chain that is given up goes back
## to its base pose, and what it turns by, the chain may turn by more.
func test_another_chain_goes_over_from_what_is_shown() -> void:
	for change: Array in [["root_bone", 0, 1], ["root_bone", 1, 0], ["tip_bone", 4, 3]]:
		var figure: Figure = _figure()
		var base: float = figure.bones[0].rotation
		var modifier: Node = figure.rig.get_child(0)
		modifier.set("transition_duration", 0.4)
		modifier.set(change[0], figure.bones[change[1]])
		figure.target.position = Vector2(50, 40)
		var before: PackedFloat32Array = []
		for frame: int in 90:
			if frame == 20:
				modifier.set(change[0], figure.bones[change[2]])
			figure.rig.advance(1.0 / 60.0)
			var pose: PackedFloat32Array = figure.pose()
			var most: float = 0.26
			for bone: int in 4 if frame >= 20 else 0:
				var turn: float = absf(angle_difference(before[bone], pose[bone]))
				check(turn < most, "%s, bone %d, frame %d: %.3f" % [change, bone, frame, turn])
				if bone == 0 and change[2] == 1:
					check(turn < 0.08, "%s, frame %d: %.3f" % [change, frame, turn])
					most += turn
			before = pose
			if frame == 30:
				var state: PackedByteArray = figure.rig.get_state()
				figure.rig.advance(1.0 / 60.0)
				var next: PackedFloat32Array = figure.pose()
				figure.rig.advance(1.0 / 60.0)
				check(figure.rig.set_state(state), "a state of it")
				figure.rig.advance(1.0 / 60.0)
				equal(figure.pose(), next, "%s goes on to the bit" % [change])
				before = next
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, str(change))
		if change[2] == 1:
			near(before[0], base, 1e-6, "it is back")


func test_reaches_with_stretched_and_skewed_bones_inside() -> void:
	for about: String in ["plain", "mirrored in x", "stretched, skewed and mirrored"]:
		var figure: Figure = _figure(Figure.ANCESTORS[about])
		figure.bones[1].scale = Vector2(1.4, 0.8)
		figure.bones[2].skew = 0.4
		figure.bones[3].scale = Vector2(-0.7, 1.2)
		for other: Array in OTHER_POSES:
			_aim_at(figure, other)
			figure.solve()
			reaches(figure, "%s, %s" % [about, other])


func test_tip_node() -> void:
	var figure: Figure = _figure()
	var tip: Marker2D = Marker2D.new()
	tip.position = Vector2(10, 20)
	figure.bones[-1].add_child(tip)
	figure.rig.get_child(0).set("tip", tip)
	figure.solve(Vector2(-20, 50))
	near_point(tip.global_position, figure.target.global_position, 5e-3, "tip node")
	tip.position = Vector2(-5, 3)
	figure.solve()
	near_point(tip.global_position, figure.target.global_position, 5e-3, "moved tip node")


func test_part_of_a_chain() -> void:
	var figure: Figure = _figure()
	var modifier: Node = figure.rig.get_child(0)
	modifier.set("root_bone", figure.bones[1])
	modifier.set("tip_bone", figure.bones[3])
	var before: PackedFloat32Array = figure.pose()
	var target: Vector2 = figure.bones[1].global_position + Vector2(20, 40)
	figure.target.position = target
	figure.solve()
	near_point(figure.bones[4].global_position, target, 5e-3, "the end of the last bone")
	equal(figure.pose()[0], before[0], "bone above")
	equal(figure.pose()[4], before[4], "bone below")


func test_segments_end_where_the_next_bone_is_now() -> void:
	var figure: Figure = _figure()
	figure.bones[1].position = Vector2(10, 20)
	figure.bones[2].position = Vector2(-5, 30)
	figure.bones[4].position = Vector2(0, 12)
	for other: Array in OTHER_POSES:
		_aim_at(figure, other)
		figure.solve()
		reaches(figure, str(other))


func test_nothing_but_the_rotation_changes() -> void:
	var figure: Figure = _figure(Figure.ANCESTORS["stretched, skewed and mirrored"])
	figure.bones[0].scale = Vector2(-1.1, 1.1)
	figure.bones[2].skew = 0.2
	figure.bones[3].scale = Vector2(0.3, -7)
	figure.bones[4].position = Vector2(17.7, -0.3)
	var shape: Array = figure.shape()
	for point: Vector2 in [Vector2(60, 30), Vector2(-24, 3000), Vector2(3, 4)]:
		figure.solve(point)
		equal(figure.shape(), shape, "shape at %v" % point)


func test_without_memory_it_starts_from_the_base_pose() -> void:
	var figures: Array[Figure] = [_figure(), _figure()]
	figures[0].rig.get_child(0).set("deterministic", true)
	for figure: Figure in figures:
		figure.solve(Vector2(20, 60))
	equal(figures[1].pose(), figures[0].pose(), "the first pose")
	figures[1].solve(Vector2(-40, 0))
	figures[1].solve(Vector2(20, 60))
	reaches(figures[1], "later")
	figures[1].rig.get_child(0).set("deterministic", true)
	figures[1].solve()
	equal(figures[1].pose(), figures[0].pose(), "deterministic")


func _figure(above: Array = []) -> Figure:
	var figure: Figure = Figure.new(LENGTHS, POSE, above)
	_modifier(figure)
	add_child(figure.stage)
	return figure


## Puts the target where the tip would be in another pose. The base pose stays
## [constant POSE].
func _aim_at(figure: Figure, other: Array) -> void:
	figure.set_pose(other)
	figure.target.global_position = Figure.axis_end(figure.bones[-1])
	figure.set_pose(POSE)
