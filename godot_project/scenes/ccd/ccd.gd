extends GalleryScene
## An arm of five links that carries jars of light from one table to the other.
##
## TendonCCDIK2D brings the wrist to the target. Below it in the tree, and so
## after it, a TendonLookAt2D turns the gripper to the marker Plumb, far under the
## target: whatever the arm does, the gripper hangs straight down.

## The tops of the bench, the table and the floor: from x, to x, height.
const TOPS: Array[Vector3] = [
	Vector3(335, 635, 528), Vector3(662, 882, 448), Vector3(-INF, INF, 600)
]
const BENCH: Array[float] = [390.0, 480.0, 570.0]
const TABLE: Array[float] = [712.0, 774.0, 836.0]

## From the top of a jar, where it is gripped, to its bottom.
const JAR_HEIGHT: float = 73.0
const GRIP_DISTANCE: float = 44.0
const GRAVITY: float = 1600.0

const OPEN: float = 0.5
const CLOSED: float = 0.08

## When the target moves by itself: the seconds after which, on the way with one
## jar, it hovers, is down, has gripped, is up, is across, is down, has let go, is up.
const TIMES: Array[float] = [0.7, 1.2, 1.5, 2.0, 2.9, 3.4, 3.7, 4.2]

var _closed: bool = false
var _carried: Node2D = null
var _falling: Dictionary[Node2D, float] = {}

@onready var _grip: Node2D = %Grip
@onready var _jars: Array[Node] = %Jars.get_children()
@onready var _left_finger: Bone2D = _grip.get_node("../LeftFinger")
@onready var _right_finger: Bone2D = _grip.get_node("../RightFinger")


func _ready() -> void:
	super()
	var rig: TendonRig2D = $Skeleton2D/TendonRig2D
	rig.modification_processed.connect(_carry)


## One jar after the other, to the table and then back to the bench.
func _path(at_time: float) -> Vector2:
	var trip: int = int(at_time / TIMES[-1])
	var second: float = fmod(at_time, TIMES[-1])
	var place: int = trip % _jars.size()
	var to_table: bool = trip / _jars.size() % 2 == 0
	var from: Vector2 = _spot(BENCH[place] if to_table else TABLE[place])
	var to: Vector2 = _spot(TABLE[place] if to_table else BENCH[place])
	var high_from: Vector2 = Vector2(from.x, 250)
	var high_to: Vector2 = Vector2(to.x, 240)
	var stops: Array[Vector2] = [high_from, from, from, high_from, high_to, to, to, high_to]
	var stop: int = TIMES.bsearch(second)
	var previous: float = TIMES[stop - 1] if stop > 0 else 0.0
	var weight: float = smoothstep(previous, TIMES[stop], second)
	return (stops[stop - 1] if stop > 0 else high_from).lerp(stops[stop], weight)


## Where the wrist has to be to grip a jar that stands at [param x].
func _spot(x: float) -> Vector2:
	return Vector2(x, _top(x) - JAR_HEIGHT - 62.0)


func _top(x: float) -> float:
	for top: Vector3 in TOPS:
		if x > top.x and x < top.y:
			return top.z
	return TOPS[-1].z


func _keep_inside(point: Vector2) -> Vector2:
	return point.min(Vector2(INF, _top(point.x) - 60.0))


func _play(delta: float) -> void:
	var second: float = fmod(time, TIMES[-1])
	var close: bool = second > TIMES[1] + 0.15 and second < TIMES[5] + 0.15
	if is_mouse_awake():
		close = Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT)
	if close != _closed:
		_closed = close
		if _closed:
			_pick_up()
		else:
			_let_go()
	var angle: float = move_toward(_left_finger.rotation, CLOSED if _closed else OPEN, 3.0 * delta)
	_left_finger.rotation = angle
	_right_finger.rotation = -angle
	_drop(delta)


func _pick_up() -> void:
	for jar: Node2D in _jars:
		if jar.global_position.distance_to(_grip.global_position) < GRIP_DISTANCE:
			_carried = jar
			_falling.erase(jar)


func _let_go() -> void:
	if _carried:
		_falling[_carried] = 0.0
	_carried = null


func _drop(delta: float) -> void:
	for jar: Node2D in _falling.keys():
		_falling[jar] += GRAVITY * delta
		var rest: float = _top(jar.position.x) - JAR_HEIGHT
		jar.position.y = minf(jar.position.y + _falling[jar] * delta, rest)
		if is_equal_approx(jar.position.y, rest):
			_falling.erase(jar)


## After the rig's pass, so that the jar does not lag behind the gripper.
func _carry() -> void:
	if _carried:
		_carried.global_position = _grip.global_position
