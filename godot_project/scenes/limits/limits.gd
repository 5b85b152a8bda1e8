extends GalleryScene
## A wooden manikin whose joints turn so far and no further.
##
## Hip, knee, shoulder and elbow have a TendonJointLimit2D each, as a child of the
## bone. The modifiers know nothing of them: two TendonTwoBoneIK2D bring the hand to
## the target and the foot to the marker Kick, and stop where the joints do.

## Seconds from one kick to the next.
const KICK_EVERY: float = 2.4

## Where the foot is led: at the seconds, wound up, at the ball, high, and back.
const KICK_TIMES: Array[float] = [0.0, 0.24, 0.8, 1.5, 2.1, 2.4]
const KICK_PLACES: Array[Vector2] = [
	Vector2(616, 470),
	Vector2(740, 240),
	Vector2(700, 330),
	Vector2(420, 520),
	Vector2(400, 420),
	Vector2(616, 470),
]

const BALL_HANGS_FROM: Vector2 = Vector2(650, -120)
const CORD_LENGTH: float = 592.0
const BALL_SWING: float = 0.62

@onready var _ball: Node2D = %Ball
@onready var _cord: Line2D = %Cord
@onready var _kick: Node2D = %Kick
@onready var _arcs: Array[Node] = find_children("LimitArc")


func _ready() -> void:
	super()
	var rig: TendonRig2D = %TendonRig2D
	rig.modification_processed.connect(_show_limits)


func _path(at_time: float) -> Vector2:
	return Vector2(640 + 110 * sin(at_time * 0.9), 230 + 130 * sin(at_time * 1.3 + 0.4))


func _play(_delta: float) -> void:
	var second: float = fmod(time, KICK_EVERY)
	var stop: int = maxi(KICK_TIMES.bsearch(second), 1)
	var weight: float = inverse_lerp(KICK_TIMES[stop - 1], KICK_TIMES[stop], second)
	if stop < 5:
		weight = smoothstep(0.0, 1.0, weight)
	else:
		weight *= weight
	_kick.position = KICK_PLACES[stop - 1].lerp(KICK_PLACES[stop], weight)

	# The ball flies off when the foot meets it, and is back for the next kick.
	var angle: float = BALL_SWING * sin(PI * second / KICK_EVERY)
	_ball.position = BALL_HANGS_FROM + CORD_LENGTH * Vector2(sin(angle), cos(angle))
	_ball.rotation = -angle
	_cord.points = [BALL_HANGS_FROM, _ball.position]


func _show_limits() -> void:
	for arc: LimitArc in _arcs:
		arc.show_limit(step_of(get_process_delta_time()))
