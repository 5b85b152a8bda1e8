extends Node
## Times what the nodes of a frame cost.
##
## From before the first node's [code]_process()[/code] to after the deferred calls that follow
## the last one's, among them every skeleton's flush of its bones to the renderer. Headless,
## the rest of a frame is the same for everybody, and mostly sleep: looking only at this part
## keeps its noise out. It begins with the targets' next step.

signal measured

const Crowd := preload("res://bench/crowd.gd")

const FIRST: int = -1000000
const LAST: int = 1000000
## How much faster time runs while a crowd comes to rest.
const RUSH: float = 50.0
## A crowd that still moves after this many frames never rests.
const MOST_FRAMES: int = 1000

var _crowd: Crowd
var _moving: bool = false
var _step: int = 0
var _warm_up: int = 0
var _wanted: int = 0
var _begin: int = 0
var _samples: PackedFloat64Array = PackedFloat64Array()


func _init() -> void:
	process_priority = FIRST
	var last: Last = Last.new()
	last.clock = self
	last.process_priority = LAST
	add_child(last)


## The microseconds of [param count] frames of [param crowd], after [param warm_up] others. A
## crowd whose targets do not move is at rest before.
func measure(crowd: Crowd, moving: bool, warm_up: int, count: int) -> PackedFloat64Array:
	if not moving:
		await _bring_to_rest(crowd)
	_crowd = crowd
	_moving = moving
	_warm_up = warm_up
	_samples.clear()
	crowd.run(true)
	_wanted = count
	await measured
	crowd.run(false)
	return _samples


## Chains settle for seconds after their targets have stopped.
func _bring_to_rest(crowd: Crowd) -> void:
	Engine.time_scale = RUSH
	crowd.run(true)
	var frames: int = 0
	while crowd.has_moved() and frames < MOST_FRAMES:
		frames += 1
		await get_tree().process_frame
		await get_tree().process_frame
	if frames == MOST_FRAMES:
		push_error("A crowd did not come to rest, so it is not measured at rest")
	crowd.run(false)
	Engine.time_scale = 1.0


func _process(_delta: float) -> void:
	_begin = Time.get_ticks_usec()
	if _wanted > 0 and _moving:
		_step += 1
		_crowd.move_targets(_step)


func _end() -> void:
	var usec: int = Time.get_ticks_usec() - _begin
	if _wanted == 0:
		return
	if _warm_up > 0:
		_warm_up -= 1
		return
	_samples.append(usec)
	if _samples.size() == _wanted:
		_wanted = 0
		measured.emit()


class Last:
	extends Node

	var clock: Node

	func _process(_delta: float) -> void:
		# Behind the calls that others have deferred, and those that these defer in turn.
		_defer_once_more.call_deferred()

	func _defer_once_more() -> void:
		clock._end.call_deferred()
