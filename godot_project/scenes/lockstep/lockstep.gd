extends Node2D
## Two tentacles that do the same, one a beat after the other, to the last bit.
##
## The first follows the mouse, or a path of its own while the mouse rests. What it is told in a
## frame is an input. The second is the other player's machine: it gets each input
## half a second late, and goes through the same states.
##
## Each bead is the color of what [method TendonRig2D.get_state] returns: its left half of the
## first, its right half, a beat later, of the second. While nobody plays, computer, phone and
## browser have the same beads and, after twenty seconds, the same word below them.

const DELTA: float = 1.0 / 60
## How many frames an input takes to the second tentacle.
const BEAT: int = 30
## Frames from one bead to the next, and the one in each at which it is made.
const FRAMES_OF_A_BEAD: int = 15
## Seconds that the mouse may rest before the path goes on.
const PATIENCE: float = 4.0

## Where a tentacle reaches, in its own space: to this rectangle, and so far. Nearer, it would coil
## out of the picture.
const REACH: Rect2 = Rect2(-60, -480, 440, 340)
const NEAREST: float = 250.0
const FARTHEST: float = 490.0

var _time: float = 0.0
var _mouse_moved_at: float = -PATIENCE
## The inputs of all frames since the beginning.
var _inputs: PackedVector2Array = []
## The state of each rig at the beginning.
var _first: Array[PackedByteArray] = []
## Seconds in all, for the mouse.
var _clock: float = 0.0

@onready var _tentacles: Array[Node2D] = [%First, %Second]
@onready var _rigs: Array[TendonRig2D] = [
	%First.get_node("Skeleton2D/TendonRig2D"), %Second.get_node("Skeleton2D/TendonRig2D")
]
@onready var _board: Fingerprint = %Board


func _ready() -> void:
	# A rig that has never run has no state.
	for tentacle: int in _rigs.size():
		_play(tentacle, _recorded(0))
		_first.append(_rigs[tentacle].get_state())


func _input(event: InputEvent) -> void:
	if event is InputEventMouseMotion and is_zero_approx(GalleryScene.fixed_step):
		_mouse_moved_at = _clock


func _process(delta: float) -> void:
	var step: float = GalleryScene.step_of(delta)
	_clock += step
	_time += step
	while _time > DELTA / 2:
		_time -= DELTA
		_tick()


## One frame of the game, however many the screen has.
func _tick() -> void:
	if _board.is_full():
		_begin_again()
	var frame: int = _inputs.size()
	_inputs.append(_input_now(frame))
	_play(0, _inputs[frame])
	if (frame + 1) % FRAMES_OF_A_BEAD == 0:
		_board.add(0, _rigs[0].get_state())
	var late: int = frame - BEAT
	if late >= 0:
		_play(1, _inputs[late])
		if (late + 1) % FRAMES_OF_A_BEAD == 0:
			_board.add(1, _rigs[1].get_state())


func _begin_again() -> void:
	_inputs.clear()
	for tentacle: int in _rigs.size():
		_rigs[tentacle].set_state(_first[tentacle])
	_board.clear()


## What the first player does now: a place in the space of a tentacle.
func _input_now(frame: int) -> Vector2:
	if _clock - _mouse_moved_at >= PATIENCE:
		return _recorded(frame)
	_board.is_recorded = false
	var mouse: Vector2 = _tentacles[0].to_local(get_global_mouse_position())
	return _within_reach(mouse.clamp(REACH.position, REACH.end))


func _recorded(frame: int) -> Vector2:
	return _within_reach(Vector2(40 + 300 * _swing(frame, 170), -440 + 200 * _swing(frame, 110)))


func _within_reach(place: Vector2) -> Vector2:
	var length: float = place.length()
	return (place * (clampf(length, NEAREST, FARTHEST) / length)).round()


func _play(tentacle: int, input: Vector2) -> void:
	(_tentacles[tentacle].get_node("Target") as Node2D).position = input
	_rigs[tentacle].advance(DELTA)


## To and fro between 0 and 1 in [param period] frames, without the system's sines.
func _swing(frame: int, period: int) -> float:
	var way: float = absf(2.0 * (frame % period) / period - 1.0)
	return way * way * (3.0 - 2.0 * way)
