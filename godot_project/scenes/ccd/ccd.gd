extends GalleryScene
## An arm of five links that carries jars of light from one table to the other.
##
## TendonCCDIK2D brings the wrist to the target. Below it in the tree, and so
## after it, a TendonLookAt2D turns the gripper to the marker Plumb, far under the
## target: whatever the arm does, the gripper hangs straight down.

## The tops of the bench, the table and the floor: from x, to x, height.
const TOPS: Array[Vector3] = [
	Vector3(555, 855, 528), Vector3(882, 1102, 448), Vector3(-INF, INF, 600)
]
const BENCH: Array[float] = [610.0, 700.0, 790.0]
const TABLE: Array[float] = [920.0, 992.0, 1064.0]

## From the top of a jar, where it is gripped, to its bottom.
const JAR_HEIGHT: float = 73.0
const GRIP_DISTANCE: float = 44.0
const GRAVITY: float = 1600.0

## From the wrist to the top of a jar that is gripped, and to one that the gripper passes over.
const GRIPPING: float = 62.0
const PASSING: float = 116.0

## How far from the middle of a jar the gripper begins to rise, is above it, and may be beside it.
const ABOVE_JAR: Vector3 = Vector3(10, 30, 60)

## Where the wrist may be: clear of the base, as far as the arm gets over the jars, and where its
## elbows are not in the words.
const ROOM: Rect2 = Rect2(570, 60, 500, 340)

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
	var high_from: Vector2 = Vector2(from.x, 230)
	var high_to: Vector2 = Vector2(to.x, 230)
	var stops: Array[Vector2] = [high_from, from, from, high_from, high_to, to, to, high_to]
	var stop: int = TIMES.bsearch(second)
	var previous: float = TIMES[stop - 1] if stop > 0 else 0.0
	var weight: float = smoothstep(previous, TIMES[stop], second)
	return (stops[stop - 1] if stop > 0 else high_from).lerp(stops[stop], weight)


## Where the wrist has to be to grip a jar that stands at [param x].
func _spot(x: float) -> Vector2:
	return Vector2(x, _top(x) - JAR_HEIGHT - GRIPPING)


func _top(x: float) -> float:
	for top: Vector3 in TOPS:
		if x > top.x and x < top.y:
			return top.z
	return TOPS[-1].z


## Above what the gripper, and a jar in it, would go through.
func _keep_inside(point: Vector2) -> Vector2:
	var inside: Vector2 = point.clamp(ROOM.position, ROOM.end)
	var lowest: float = _spot(inside.x).y if inside.x < TOPS[0].y else _spot(TOPS[1].x + 1.0).y
	for jar: Node2D in _jars:
		if jar != _carried:
			lowest = minf(lowest, _lowest_above(jar, absf(inside.x - jar.position.x)))
	return Vector2(inside.x, minf(inside.y, lowest))


## How low the wrist may be above [param jar], with its middle [param beside] away.
func _lowest_above(jar: Node2D, beside: float) -> float:
	if beside > ABOVE_JAR.z:
		return INF
	if _carried:
		return jar.position.y - GRIPPING - JAR_HEIGHT
	var share: float = smoothstep(ABOVE_JAR.x, ABOVE_JAR.y, beside)
	return jar.position.y - lerpf(GRIPPING, PASSING, share)


func _play(delta: float) -> void:
	# On its way, too.
	target.global_position = _keep_inside(target.global_position)
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
