extends Node2D
## Two arms that play the same on every machine, to the last bit.
##
## Each does what its player's inputs say, which are recorded. At times those of the second player
## come late, as over a network: the scene goes on without them, then goes back to where they
## belong, and plays these frames again.
##
## Each tile is the color of what [method TendonRig2D.get_state] returns then. Play it on a
## computer, a phone and in a browser: all have the same tiles and, after twenty
## seconds, the same word below.

const DELTA: float = 1.0 / 60
## Frames from one tile to the next, and the one in each at which it is made.
const FRAMES_OF_A_TILE: int = 15
## The inputs of these frames, in each round of so many, come when the last of them is over.
const ROUND: int = 90
const LATE_FROM: int = 60
const LATE_TO: int = 72

var _frame: int = 0
var _time: float = 0.0
## The states of both rigs at the beginning, and before the inputs that come late.
var _first: Array[PackedByteArray] = []
var _before_late: Array[PackedByteArray] = []

@onready var _arms: Array[Node2D] = [%First, %Second]
@onready
var _rigs: Array[TendonRig2D] = [$First/Skeleton2D/TendonRig2D, $Second/Skeleton2D/TendonRig2D]
@onready var _board: Fingerprint = %Board


func _ready() -> void:
	# A rig that has never run has no state.
	_play(0, 0)
	_first = _states()


func _process(delta: float) -> void:
	_time += GalleryScene.step_of(delta)
	while _time > DELTA / 2:
		_time -= DELTA
		_tick()


## One frame of the game, however many the screen has.
func _tick() -> void:
	if _board.is_full():
		_begin_again()
	match _frame % ROUND:
		LATE_FROM:
			_before_late = _states()
		LATE_TO:
			_restore(_before_late)
			for late: int in range(_frame - LATE_TO + LATE_FROM, _frame):
				_play(late, late)
	var is_late: bool = _frame % ROUND >= LATE_FROM and _frame % ROUND < LATE_TO
	_play(_frame, _frame - _frame % ROUND + LATE_FROM if is_late else _frame)
	_frame += 1
	if _frame % FRAMES_OF_A_TILE == 0:
		_board.add(_states())


func _begin_again() -> void:
	_frame = 0
	_restore(_first)
	_board.clear()


## Plays the frame [param first] of the first player, and [param second] of the other.
func _play(first: int, second: int) -> void:
	_reach(0, Vector2(_swing(first, 170), _swing(first, 110)))
	_reach(1, Vector2(_swing(second, 130), _swing(second, 190)))
	for rig: TendonRig2D in _rigs:
		rig.advance(DELTA)


## Where an arm reaches, in its own space: [param input] goes from 0 to 1 in both directions.
func _reach(arm: int, input: Vector2) -> void:
	var target: Node2D = _arms[arm].get_node("Target")
	target.position = Vector2(-60 + 320 * input.x, -420 + 320 * input.y)


## To and fro between 0 and 1 in [param period] frames, without the system's sines.
func _swing(frame: int, period: int) -> float:
	var way: float = absf(2.0 * (frame % period) / period - 1.0)
	return way * way * (3.0 - 2.0 * way)


func _states() -> Array[PackedByteArray]:
	var states: Array[PackedByteArray] = []
	for rig: TendonRig2D in _rigs:
		states.append(rig.get_state())
	return states


func _restore(states: Array[PackedByteArray]) -> void:
	for index: int in _rigs.size():
		_rigs[index].set_state(states[index])
