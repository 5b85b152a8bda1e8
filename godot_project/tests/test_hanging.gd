extends "res://tests/suite.gd"
## Chains of [TendonSpring2D] that are held at both ends.

const FRAME: float = 1.0 / 60.0
const LENGTHS: Array[float] = [20, 20, 20, 20, 20, 20]
const ROTATIONS: Array[float] = [0.3, 0.1, -0.2, 0.1, 0.1, -0.1]


func test_a_pin_that_is_freed_lets_go() -> void:
	var figure: Figure = _rope("plain")
	for frame: int in 100:
		_swing(figure, frame)
	var pin: Node = _spring(figure).pin
	var before: PackedFloat32Array = figure.pose()
	pin.free()
	for frame: int in 30:
		figure.rig.advance(FRAME)
		var turned: float = _apart(before, figure.pose())
		check(turned < 0.5, "frame %d after: a joint turns by %f" % [frame, turned])
		before = figure.pose()
	check(_spring(figure).pin == null, "there is no pin")
	equal(_spring(figure).get_status(), TendonSpring2D.STATUS_REACHED, "status")
	for frame: int in 900:
		figure.rig.advance(FRAME)
	before = figure.pose()
	figure.rig.advance(FRAME)
	near(_apart(before, figure.pose()), 0.0, 1e-3, "it comes to rest")


func test_a_pin_may_be_freed_in_the_signal_of_its_rope() -> void:
	var figure: Figure = _rope("plain")
	var spring: TendonSpring2D = _spring(figure)
	var pin: Node = spring.pin
	var heard: Array[int] = [0]
	var act: Callable = func() -> void:
		heard[0] += 1
		pin.free()
	spring.target_reached.connect(act, CONNECT_ONE_SHOT)
	for frame: int in 10:
		figure.rig.advance(FRAME)
		await frames()
		for angle: float in figure.pose():
			check(is_finite(angle), "frame %d" % frame)
	equal(heard[0], 1, "it was heard")
	check(spring.pin == null, "there is no pin")


func test_another_pin_holds_at_once() -> void:
	var figure: Figure = _rope("mirrored in x")
	var first: Vector2 = figure.points()[0]
	var pins: Array[Node2D] = [_spring(figure).pin, Marker2D.new()]
	figure.stage.add_child(pins[1])
	for frame: int in 200:
		_spring(figure).pin = pins[frame / 20 % 2]
		_swing(figure, frame, 20.0 * (frame / 20 % 2))
		_check_ends(figure, first, "frame %d" % frame)


func test_slack_is_hidden_without_a_pin() -> void:
	var figure: Figure = _rope("plain")
	var pin: Node2D = _spring(figure).pin
	for each: Node2D in [null, pin]:
		_spring(figure).pin = each
		var shown: int = 0
		for property: Dictionary in _spring(figure).get_property_list():
			if property["name"] == "slack":
				shown += 1 if property["usage"] & PROPERTY_USAGE_EDITOR != 0 else 0
				check(property["usage"] & PROPERTY_USAGE_STORAGE != 0, "it is saved")
		equal(shown, 0 if each == null else 1, "slack with the pin %s" % each)


func _rope(above: String) -> Figure:
	var figure: Figure = Figure.new(LENGTHS, ROTATIONS, Figure.ANCESTORS[above])
	var spring: TendonSpring2D = TendonSpring2D.new()
	spring.frequency = 0.5
	spring.gravity = Vector2(0, 980)
	figure.add(spring)
	spring.pin = figure.target
	add_child(figure.stage)
	return figure


func _spring(figure: Figure) -> TendonSpring2D:
	return figure.rig.get_child(0)


## A pass with both ends elsewhere, in the world's [param sense]. The pin is [param lower] than it
## would be.
func _swing(figure: Figure, frame: int, lower: float = 0.0, sense: Vector2 = Vector2.ONE) -> void:
	figure.stage.position = 40.0 * sense * Vector2(sin(0.05 * frame), 0.5 * cos(0.13 * frame))
	var way: Vector2 = Vector2(60 + 15 * sin(0.07 * frame), lower + 15 * sin(0.11 * frame))
	_spring(figure).pin.global_position = figure.skeleton.global_transform * way
	figure.rig.advance(FRAME)


func _check_ends(figure: Figure, first: Vector2, about: String) -> void:
	var points: PackedVector2Array = figure.points()
	near_point(points[0], first, 0.01, about + ", the first end")
	var pin: Vector2 = figure.to_skeleton(_spring(figure).pin.global_position)
	near_point(points[-1], pin, 0.01, about + ", the end at the pin")


func _apart(one: PackedFloat32Array, other: PackedFloat32Array) -> float:
	var most: float = 0.0
	for index: int in one.size():
		most = maxf(most, absf(angle_difference(one[index], other[index])))
	return most
