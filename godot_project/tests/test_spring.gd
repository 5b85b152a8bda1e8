extends "res://tests/suite.gd"
## TendonSpring2D, on all bones of a character.

const LENGTHS: Array = [24, 20, 16, 12]
const ROTATIONS: Array = [0.4, 0.3, -0.2, 0.3]
const FRAME: float = 1.0 / 60.0


func test_every_bit_is_back_when_it_is_switched_off() -> void:
	var figure: Figure = _figure("stretched, skewed and mirrored")
	var base: PackedFloat32Array = figure.pose()
	for object: Node in [figure.rig, _spring(figure)]:
		_advance(figure, 3)
		_spring(figure).apply_impulse(Vector2(900, 900))
		_advance(figure, 4)
		check(figure.pose() != base, "it swings")
		object.set("active", false)
		figure.rig.advance(FRAME)
		equal(figure.pose(), base, "%s is switched off" % object.get_class())
		object.set("active", true)


func test_obstacles_are_not_entered() -> void:
	var figure: Figure = _figure("plain")
	var obstacle: CollisionShape2D = CollisionShape2D.new()
	obstacle.shape = CircleShape2D.new()
	(obstacle.shape as CircleShape2D).radius = 12.0
	obstacle.position = Vector2(45, 60)
	figure.stage.add_child(obstacle)
	var spring: TendonSpring2D = _spring(figure)
	spring.obstacles = [obstacle]
	spring.gravity = Vector2(0, 980)
	spring.frequency = 0.4
	spring.radius = 3.0
	var touched: bool = false
	for frame: int in 400:
		obstacle.position.x = 45.0 + 15.0 * sin(0.05 * frame)
		figure.rig.advance(0.3 if frame == 200 else FRAME)
		check(spring.get_penetration() < 0.1, "frame %d: %f" % [frame, spring.get_penetration()])
		for index: int in figure.bones.size():
			var tip: Vector2 = (
				Figure.axis_end(figure.bones[-1])
				if index + 1 == figure.bones.size()
				else figure.bones[index + 1].global_position
			)
			var joint: Vector2 = figure.bones[index].global_position
			var nearest: Vector2 = Geometry2D.get_closest_point_to_segment(
				obstacle.global_position, joint, tip
			)
			var gap: float = nearest.distance_to(obstacle.global_position)
			check(gap > 15.0 - 0.1, "frame %d, bone %d: %f" % [frame, index, gap])
			touched = touched or gap < 15.5
	check(touched, "it has touched the circle")


func test_a_reset_and_impulses() -> void:
	var figure: Figure = _figure("plain")
	var spring: TendonSpring2D = _spring(figure)
	var base: PackedFloat32Array = figure.pose()
	_advance(figure, 2)
	for impulse: Vector2 in [Vector2(NAN, 0), Vector2(0, INF)]:
		spring.apply_impulse(impulse)
		_advance(figure, 1)
		equal(figure.pose(), base, "%v is ignored" % impulse)
	spring.apply_impulse(_aside(figure) * 300.0)
	_advance(figure, 3)
	check(_apart(figure.pose(), base) > 0.05, "it was struck")
	spring.reset()
	_advance(figure, 1)
	equal(figure.pose(), base, "it was reset")
	for strike: int in 1000:
		spring.apply_impulse(Vector2(0, 9000.0 if strike % 2 == 0 else -9000.0))
	_advance(figure, 1)
	_agree(figure.pose(), base, 1e-4, "impulses add up")
	figure.stage.position = Vector2(30, 0)
	figure.rig.reset()
	_advance(figure, 1)
	equal(figure.pose(), base, "the rig was reset")


## Hit at a place, the chain moves there first, and then all of it.
func test_an_impulse_acts_at_a_place() -> void:
	for pinned: bool in [false, true]:
		var figure: Figure = Figure.new([20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0])
		add_child(figure.stage)
		var spring: TendonSpring2D = figure.add(TendonSpring2D.new())
		spring.set("damping_ratio", 0.2)
		if pinned:
			figure.target.global_position = Figure.axis_end(figure.bones[-1]) - Vector2(1, 0)
			spring.pin = figure.target
			spring.gravity = Vector2(0, 100)
		_advance(figure, 200)
		var before: PackedVector2Array = figure.points()
		var place: Vector2 = figure.bones[4].global_position
		spring.apply_impulse(Vector2(0, -300), place + Vector2(3, 40))
		figure.rig.advance(1.0 / 240.0)
		var after: PackedVector2Array = figure.points()
		var moved: Array = []
		for index: int in before.size():
			moved.append(before[index].y - after[index].y)
		check(moved[4] > 0.5, "pinned %s: the place moves: %s" % [pinned, moved])
		check(
			absf(moved[2]) < 0.4 * moved[4], "pinned %s: what is far does not: %s" % [pinned, moved]
		)
		_advance(figure, 2000)
		for index: int in before.size():
			near_point(figure.points()[index], before[index], 0.5, "at rest, %d" % index)
		spring.apply_impulse(Vector2(NAN, 0), place)
		spring.apply_impulse(Vector2(0, 100), Vector2(NAN, 0))
		figure.rig.advance(1.0 / 60.0)
		near_point(figure.points()[4], before[4], 0.5, "what is no number does nothing")
		figure.stage.free()


func test_settings_and_curves_keep_the_motion() -> void:
	var figure: Figure = _figure("moved and turned")
	var spring: TendonSpring2D = _spring(figure)
	var curve: Curve = Curve.new()
	curve.add_point(Vector2(0, 1))
	curve.add_point(Vector2(1, 1))
	_advance(figure, 2)
	spring.apply_impulse(_aside(figure) * 500.0)
	_advance(figure, 4)
	var before: PackedFloat32Array = figure.pose()
	spring.frequency = 4.0
	spring.damping_ratio = 1.5
	spring.frequency_curve = curve
	spring.damping_curve = curve
	figure.rig.advance(1e-4)
	_agree(figure.pose(), before, 1e-3, "other settings")
	curve.set_point_value(1, 0.2)
	figure.rig.advance(1e-4)
	_agree(figure.pose(), before, 2e-3, "a curve that is edited")
	_advance(figure, 600)
	equal(figure.pose(), PackedFloat32Array(ROTATIONS), "at rest")


func test_its_goal_is_what_animations_and_other_modifiers_give() -> void:
	var figure: Figure = Figure.new(LENGTHS, ROTATIONS)
	var look: TendonLookAt2D = figure.look_at()
	var spring: TendonSpring2D = TendonSpring2D.new()
	figure.add(spring)
	spring.root_bone = figure.bones[1]
	add_child(figure.stage)
	figure.target.position = Vector2(200, 40)
	_advance(figure, 3)
	equal(figure.pose()[2], PackedFloat32Array(ROTATIONS)[2], "at rest")
	figure.target.position = Vector2(200, 160)
	_advance(figure, 1)
	check(figure.bones[1].rotation < ROTATIONS[1] - 0.02, "it lags behind the look-at")
	equal(look.get_status(), TendonLookAt2D.STATUS_REACHED, "which is not affected")
	_advance(figure, 300)
	figure.bones[2].rotation = 0.4
	_advance(figure, 1)
	check(figure.bones[2].rotation < 0.38, "it lags behind a script")
	_advance(figure, 300)
	equal(figure.pose()[2], PackedFloat32Array([0.4])[0], "and comes to rest where that put it")


func test_pauses_and_the_time_scale() -> void:
	var figure: Figure = _figure("plain")
	for mode: int in [
		TendonRig2D.CALLBACK_MODE_PROCESS_IDLE, TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	]:
		figure.rig.callback_mode_process = mode as TendonRig2D.CallbackModeProcess
		_spring(figure).frequency = 0.5
		_spring(figure).damping_ratio = 0.0
		await _frames_of_both_kinds()
		_spring(figure).apply_impulse(_aside(figure) * 200.0)
		await _frames_of_both_kinds()
		var before: PackedFloat32Array = figure.pose()
		Engine.time_scale = 0.0
		# The frame that has begun has its time already.
		await _frames_of_both_kinds()
		var stopped: PackedFloat32Array = figure.pose()
		await _frames_of_both_kinds()
		equal(figure.pose(), stopped, "no time, mode %d" % mode)
		# A frame may take long on a slow machine. This is how little of it the spring gets.
		Engine.time_scale = 0.01
		figure.stage.process_mode = Node.PROCESS_MODE_DISABLED
		await _frames_of_both_kinds()
		equal(figure.pose(), stopped, "paused, mode %d" % mode)
		figure.stage.process_mode = Node.PROCESS_MODE_INHERIT
		await _frames_of_both_kinds()
		check(figure.pose() != stopped and figure.pose() != before, "it goes on, mode %d" % mode)
		_agree(figure.pose(), stopped, 0.1, "from where it was, mode %d" % mode)
		Engine.time_scale = 1.0


## Several physics frames may be made before the next idle one.
func _frames_of_both_kinds() -> void:
	await physics_frames(3)
	await frames(3)


func test_numbers_that_are_not_finite_are_refused() -> void:
	var figure: Figure = _figure("plain")
	var base: PackedFloat32Array = figure.pose()
	_advance(figure, 2)
	for property: String in ["frequency", "damping_ratio", "inertia", "max_angle", "radius"]:
		var spring: TendonSpring2D = _spring(figure)
		var good: float = spring.get(property)
		spring.set(property, NAN)
		_advance(figure, 1)
		equal(spring.get(property), good, property)
		equal(spring.get_status(), TendonSpring2D.STATUS_REACHED, property + ", status")
		equal(figure.pose(), base, property + ", the pose")
	forgive([REFUSAL])


func test_its_capture_has_its_state() -> void:
	var figure: Figure = _figure("skewed")
	_advance(figure, 2)
	_spring(figure).apply_impulse(Vector2(200, 300))
	_advance(figure, 3)
	var capture: Dictionary = JSON.parse_string(figure.rig.capture())
	var state: Dictionary = capture["rig"]["modifiers"][0]["solver"]["spring"]["memory"]
	equal(state["bones"].size(), LENGTHS.size(), "bones")
	check(absf(state["bones"][0]["speed"]) > 0.0, "speed")


## The chain's length in global units.
func _global_reach(figure: Figure) -> float:
	var length: float = 0.0
	for index: int in figure.bones.size() - 1:
		var joint: Vector2 = figure.bones[index].global_position
		length += joint.distance_to(figure.bones[index + 1].global_position)
	var last: Bone2D = figure.bones[-1]
	return length + last.global_position.distance_to(Figure.axis_end(last))


## A direction across the chain, in global space, times the scale there.
func _aside(figure: Figure) -> Vector2:
	var end: Vector2 = Figure.axis_end(figure.bones[-1])
	var along: Vector2 = end - figure.bones[0].global_position
	return along.orthogonal().normalized() * _global_reach(figure) / 72.0


func _agree(
	one: PackedFloat32Array, other: PackedFloat32Array, tolerance: float, message: String
) -> void:
	var off: float = _apart(one, other)
	check(off <= tolerance, "%s: off by %f" % [message, off])


func _figure(above: String) -> Figure:
	var figure: Figure = Figure.new(LENGTHS, ROTATIONS, Figure.ANCESTORS[above])
	figure.add(TendonSpring2D.new())
	add_child(figure.stage)
	return figure


func _spring(figure: Figure) -> TendonSpring2D:
	return figure.rig.get_child(-1)


func _advance(figure: Figure, count: int) -> void:
	for pass_number: int in count:
		figure.rig.advance(FRAME)


func _apart(one: PackedFloat32Array, other: PackedFloat32Array) -> float:
	var most: float = 0.0
	for index: int in one.size():
		most = maxf(most, absf(angle_difference(one[index], other[index])))
	return most
