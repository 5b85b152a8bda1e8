extends "res://tests/suite.gd"
## TendonWave2D.

const LENGTHS: Array[float] = [30, 10, 20, 40]
const POSE: Array[float] = [0.2, -0.1, 0.05, 0.3]


func test_joints_turn_by_a_sine_along_the_chain() -> void:
	for above: String in Figure.ANCESTORS:
		var figure: Figure = _figure(Figure.ANCESTORS[above])
		_wave(figure).set("phase", 0.15)
		figure.rig.advance(0.0)
		_expect_turns(figure, 0.15, above)
		equal(_wave(figure).get_status(), TendonWave2D.STATUS_REACHED, "status, " + above)
		figure.rig.active = false
		equal(figure.pose(), PackedFloat32Array(POSE), "switched off, " + above)


func test_its_curve_is_read_again_when_it_changes() -> void:
	var figure: Figure = _figure()
	var curve: Curve = Curve.new()
	curve.add_point(Vector2(0, 0))
	curve.add_point(Vector2(1, 0))
	_wave(figure).set("amplitude_curve", curve)
	_wave(figure).set("phase", 0.3)
	figure.rig.advance(0.0)
	equal(figure.pose(), PackedFloat32Array(POSE), "without amplitude")
	curve.set_point_value(1, 1.0)
	curve.set_point_right_tangent(0, 1.0)
	curve.set_point_left_tangent(1, 1.0)
	figure.rig.advance(0.0)
	var turned: float = figure.bones[3].rotation - POSE[3]
	near(turned, 0.3 * sin(TAU * (0.3 - 0.6)), 2e-3, "the last joint")
	equal(figure.bones[0].rotation, figure.pose()[0], "the first joint")
	near(figure.bones[0].rotation, POSE[0], 1e-6, "does not turn")


func test_a_wave_that_stands_still_writes_nothing() -> void:
	var figure: Figure = _figure()
	_wave(figure).set("speed", 0.0)
	figure.rig.advance(0.1)
	var passes: Array[int] = [0]
	figure.bones[3].set_notify_local_transform(true)
	figure.rig.modification_processed.connect(func() -> void: passes[0] += 1)
	var pose: PackedFloat32Array = figure.pose()
	figure.rig.advance(0.1)
	equal(figure.pose(), pose, "the pose")
	_wave(figure).set("speed", 1.0)
	figure.rig.advance(0.1)
	check(figure.pose() != pose, "it goes on")


## No warning tells to sort them: what a wave poses, a chain goes on from.
func test_it_may_stand_above_a_chain() -> void:
	var figure: Figure = _figure()
	var chain: TendonFABRIK2D = TendonFABRIK2D.new()
	chain.root_bone = figure.bones[0]
	chain.tip_bone = figure.bones[3]
	chain.target = figure.target
	figure.rig.add_child(chain)
	figure.target.position = Vector2(40, 50)
	for frame: int in 30:
		figure.rig.advance(1.0 / 60.0)
		equal(chain.get_status(), TendonFABRIK2D.STATUS_REACHED, "frame %d" % frame)


func _figure(above: Array = []) -> Figure:
	var figure: Figure = Figure.new(LENGTHS, POSE, above)
	var wave: TendonWave2D = TendonWave2D.new()
	wave.root_bone = figure.bones[0]
	wave.tip_bone = figure.bones[3]
	figure.rig.add_child(wave)
	add_child(figure.stage)
	return figure


func _wave(figure: Figure) -> TendonWave2D:
	return figure.rig.get_child(0) as TendonWave2D


## How far a joint is turned when [param waves] have passed the root.
func _turn(joint: int, waves: float) -> float:
	var passed: float = 0.0
	for index: int in joint:
		passed += LENGTHS[index]
	return 0.3 * sin(TAU * (waves - passed / 100.0))


func _expect_turns(figure: Figure, waves: float, about: String) -> void:
	for joint: int in LENGTHS.size():
		var turned: float = angle_difference(POSE[joint], figure.bones[joint].rotation)
		near(turned, _turn(joint, waves), 1e-3, "joint %d, %s" % [joint, about])
