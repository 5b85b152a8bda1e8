extends "res://tests/ground_suite.gd"
## A centipede: a trail bends its body along the way of its head, and legs hang on each of its
## bones. So a long body follows the ground in segments.

const SEGMENTS: int = 8
const LENGTH: float = 26.0
## How high its bones are above the ground in the rest pose.
const HIGH: float = 27.0
const SPEED: float = 96.0

var _segments: Array[Bone2D] = []
var _feet: Array[TendonFoot2D] = []
var _rig: TendonRig2D
var _head: Node2D


func test_a_long_body_follows_hills_in_segments() -> void:
	for with_leader: bool in [false, true]:
		for height: float in [0.0, 120.0]:
			await _walk(with_leader, height)


## Over hills of that height, 785 pixels from each other.
func _walk(with_leader: bool, height: float) -> void:
	begin()
	_hills(height)
	_make(with_leader)
	await seconds(0.5)
	var x: float = -200.0
	var looks: int = 0
	var planted: int = 0
	var deep: int = 0
	var heights: Vector2 = Vector2(INF, -INF)
	for tick: int in 600:
		x += SPEED * TICK
		_head.position = Vector2(x, _ground_at(x, height) - (HIGH if with_leader else 0.0))
		await ticks(1)
		if x < 0.5 * SEGMENTS * LENGTH:
			continue
		for foot: TendonFoot2D in _feet:
			looks += 1
			planted += int(foot.is_planted())
			var tip: Vector2 = (foot.limb as TendonTwoBoneIK2D).get_tip_position()
			deep += int(height_above_ground(tip, 200.0) < -4.0)
		for bone: Bone2D in _segments:
			var middle: Vector2 = bone.to_global(Vector2(0.5 * LENGTH, 0))
			var above: float = height_above_ground(middle, 300.0)
			heights = Vector2(minf(heights.x, above), maxf(heights.y, above))
	var text: String = "leader %s, hills of %.0f" % [with_leader, height]
	check(planted * 100 > looks * 45, "%s: planted in %d of %d looks" % [text, planted, looks])
	check(deep * 100 <= looks, "%s: in the ground in %d of %d looks" % [text, deep, looks])
	check(heights.x > 8.0 and heights.y < 40.0, "%s: bodies are %s px up" % [text, heights])


func _hills(height: float) -> void:
	var points: PackedVector2Array = [Vector2(-1200, 900), Vector2(-1200, 0)]
	for index: int in 120:
		points.append(Vector2(10.0 * index, _ground_at(10.0 * index, height)))
	points.append(Vector2(1190, 900))
	polygon(points)


func _ground_at(x: float, height: float) -> float:
	return -0.5 * height * (1.0 - cos(maxf(x, 0.0) / 125.0))


## Its first bone is the head's, on the right. The head is moved by a leader, or with the skeleton.
func _make(with_leader: bool) -> void:
	var skeleton: Skeleton2D = Skeleton2D.new()
	var holder: Node2D = Node2D.new()
	holder.add_child(skeleton)
	world.add_child(holder)
	_head = holder
	_rig = TendonRig2D.new()
	_rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	_segments.clear()
	var above: Node2D = skeleton
	for index: int in SEGMENTS:
		var at: Transform2D = Transform2D(0.0, Vector2(LENGTH, 0))
		if index == 0:
			at = Transform2D(PI, Vector2(0, -HIGH))
		above = TendonRig2D.add_bone(above, "Segment%d" % index, at, LENGTH)
		_segments.append(above)
	skeleton.add_child(_rig)
	if with_leader:
		_head = Marker2D.new()
		world.add_child(_head)
	_head.position = Vector2(-200, -HIGH if with_leader else 0.0)
	_rig.add_trail(_segments[0], _segments[-1], _head if with_leader else null)
	_add_legs()


func _add_legs() -> void:
	var gait: TendonGait2D = TendonGait2D.new()
	gait.pelvis = _segments[0]
	gait.gait = TendonGait2D.GAIT_WAVE
	gait.search_up = 100.0
	gait.search_down = 100.0
	_rig.add_child(gait)
	_feet.clear()
	for segment: Bone2D in _segments:
		for side: float in [1.0, -1.0]:
			var at: Transform2D = Transform2D(-0.5 * PI + 0.7 * side, Vector2(0.5 * LENGTH, 0))
			var upper: Bone2D = TendonRig2D.add_bone(segment, "Upper", at, 16.0)
			var lower_at: Transform2D = Transform2D(-1.1 * side, Vector2(16, 0))
			var lower: Bone2D = TendonRig2D.add_bone(upper, "Lower", lower_at, 16.0)
			_feet.append(gait.add_leg(upper, lower))
