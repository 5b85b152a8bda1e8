extends Node
## What single calls cost: those that a script makes, and those that a pass makes of the engine.
## Only a library with the feature [code]bench[/code] can tell: others do not have the class.

const Character := preload("res://bench/character.gd")
const Stats := preload("res://bench/stats.gd")

const NATIVE_CLASS: StringName = &"TendonBenchFloor"
const CALLS: int = 100_000
const BATCHES: int = 9


## Nanoseconds by name.
func measure() -> Dictionary[String, float]:
	var times: Dictionary[String, float] = {}
	var character: Character = Character.new(10)
	add_child(character)
	await get_tree().process_frame
	var native: Node = ClassDB.instantiate(NATIVE_CLASS)
	var loop: float = _time(func() -> int: return _loop())
	var borrow: float = _time(func() -> int: return _borrow(native))
	var receive: float = _time(func() -> int: return _receive(native))
	times["script to extension, receiver borrowed"] = borrow - loop
	times["script to extension, receiver by Gd"] = receive - loop
	times.merge(native.call(&"time_calls", character.bones[0], character.target))
	native.free()
	character.free()
	return times


func _time(batch: Callable) -> float:
	var best: float = INF
	for round_index: int in BATCHES:
		best = minf(best, 1000.0 * batch.call() / CALLS)
	return best


func _loop() -> int:
	var begin: int = Time.get_ticks_usec()
	for step: int in CALLS:
		pass
	return Time.get_ticks_usec() - begin


func _borrow(native: Node) -> int:
	var begin: int = Time.get_ticks_usec()
	for step: int in CALLS:
		native.call(&"borrow", 0.0)
	return Time.get_ticks_usec() - begin


func _receive(native: Node) -> int:
	var begin: int = Time.get_ticks_usec()
	for step: int in CALLS:
		native.call(&"receive", 0.0)
	return Time.get_ticks_usec() - begin
