extends "res://tests/spring_suite.gd"
## TendonSpring2D: how much of the goal's motion is felt, and joints that are softer or stiffer.


func test_inertia() -> void:
	var felt: PackedFloat32Array = []
	for inertia: float in [0.0, 0.5, 1.0]:
		var figure: Figure = _figure("moved and turned")
		_spring(figure).inertia = inertia
		var most: float = 0.0
		for frame: int in 60:
			figure.stage.position = 0.05 * _wander(frame)
			figure.rig.advance(FRAME)
			most = maxf(most, _apart(figure.pose(), PackedFloat32Array(ROTATIONS)))
		felt.append(most)
	equal(felt[0], 0.0, "nothing is felt")
	check(felt[2] > 1e-3, "all is felt: %f" % felt[2])
	near(felt[1] / felt[2], 0.5, 0.05, "half is felt")


func test_a_curve_softens_the_end() -> void:
	var bends: PackedFloat32Array = []
	for end: float in [1.0, 0.3]:
		var figure: Figure = _figure("plain")
		var curve: Curve = Curve.new()
		curve.add_point(Vector2(0, 1))
		curve.add_point(Vector2(1, end))
		_spring(figure).frequency_curve = curve
		_spring(figure).gravity = Vector2(0, 500)
		_advance(figure, 2)
		bends.append(absf(figure.bones[-1].rotation - ROTATIONS[-1]))
	check(bends[1] > 2.0 * bends[0], "the last joint: %f, %f" % [bends[0], bends[1]])


func test_a_stiff_joint_bends_less() -> void:
	var bends: PackedFloat64Array = []
	for stiffness: float in [0.0, 0.5, 1.0]:
		var figure: Figure = _figure("mirrored in x")
		_spring(figure).root_bone = figure.bones[3]
		_spring(figure).gravity = Vector2(0, 300)
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = -PI
		limit.max_angle = PI
		limit.stiffness = stiffness
		figure.bones[3].add_child(limit)
		_advance(figure, 10)
		bends.append(angle_difference(ROTATIONS[3], figure.bones[3].rotation))
	check(absf(bends[0]) > 0.01, "gravity bends it by %f" % bends[0])
	near(bends[1] / bends[0], 0.5, 0.05, "half stiff, half the bend")
	near(bends[2], 0.0, 1e-6, "quite stiff")
