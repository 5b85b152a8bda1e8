extends "res://tests/suite.gd"
## TendonTrail2D.

const BONES: int = 12
const LENGTH: float = 20.0
const FRAME: float = 1.0 / 60.0


func test_a_leader_takes_the_head_along() -> void:
	var figure: Figure = _figure()
	_trail(figure).leader = figure.target
	figure.target.position = figure.bones[0].global_position
	for step: int in 100:
		figure.target.position += Vector2(0, -3)
		figure.rig.advance(FRAME)
		near_point(figure.bones[0].global_position, figure.target.position, 1e-3, "the head")
	figure.rig.active = false
	equal(figure.bones[0].position, Vector2(3, 4), "its position is put back")


func test_resets_and_jumps_begin_with_the_pose() -> void:
	var figure: Figure = _figure()
	var straight: PackedFloat32Array = figure.pose()
	for about: String in ["reset", "flip", "teleport", "restored"]:
		for step: int in 60:
			figure.stage.position += Vector2(2, 3 * sin(0.2 * step))
			figure.rig.advance(FRAME)
		check(_apart(figure.pose(), straight) > 0.05, "bent before: " + about)
		match about:
			"reset":
				_trail(figure).reset()
			"flip":
				figure.stage.scale.x *= -1
			"teleport":
				figure.stage.position += Vector2(5000, 0)
			"restored":
				figure.rig.reset()
		figure.rig.advance(FRAME)
		check(_apart(figure.pose(), straight) < 1e-3, "straight after: " + about)


## A jump that is shorter than what a trail takes for one by itself.
func test_it_begins_anew_where_interpolation_does() -> void:
	get_tree().physics_interpolation = true
	var apart: Array[float] = []
	for is_told: bool in [false, true]:
		var figure: Figure = _figure()
		for step: int in 60:
			figure.stage.position = Vector2.from_angle(0.1 * step) * 60.0
			figure.rig.advance(FRAME)
		figure.stage.position += Vector2(0, 100)
		if is_told:
			figure.stage.reset_physics_interpolation()
		figure.rig.advance(FRAME)
		var pose: PackedFloat32Array = figure.pose()
		figure.rig.active = false
		apart.append(_apart(pose, figure.pose()))
	get_tree().physics_interpolation = false
	check(apart[0] > 0.1, "the body comes after: %s" % [apart])
	near(apart[1], 0.0, 1e-3, "the body has come along")


func test_a_leader_below_the_chain_is_refused() -> void:
	var figure: Figure = _figure()
	figure.target.reparent(figure.bones[2])
	_trail(figure).leader = figure.target
	figure.rig.advance(FRAME)
	equal(_trail(figure).get_status(), TendonTrail2D.STATUS_IDLE, "status")
	expect_warnings(['The leader "Target" is below a bone'], "told")


func _figure() -> Figure:
	var lengths: Array = []
	lengths.resize(BONES)
	lengths.fill(LENGTH)
	var figure: Figure = Figure.new(lengths)
	var trail: TendonTrail2D = TendonTrail2D.new()
	trail.root_bone = figure.bones[0]
	trail.tip_bone = figure.bones[BONES - 1]
	figure.rig.add_child(trail)
	add_child(figure.stage)
	figure.rig.advance(0.0)
	return figure


func _trail(figure: Figure) -> TendonTrail2D:
	return figure.rig.get_child(0) as TendonTrail2D


func _apart(one: PackedFloat32Array, other: PackedFloat32Array) -> float:
	var most: float = 0.0
	for index: int in one.size():
		most = maxf(most, absf(angle_difference(one[index], other[index])))
	return most
