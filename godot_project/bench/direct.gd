extends Node
## The cost of one solve, called from GDScript: [code]rig.advance()[/code] beside
## [code]skeleton.execute_modifications()[/code] and the others, in turns.
##
## The target gets a new position before every solve, the same ones for everybody. The cost of
## that, and of the loop around it, is measured in each round too and taken off. The engine's
## bones are not flushed to the renderer here; that, which a game pays once per frame, is in
## what frames.gd measures.

const BoneWriter := preload("res://bench/bone_writer.gd")
const Character := preload("res://bench/character.gd")
const ScriptFabrik := preload("res://bench/script_fabrik.gd")
const Stats := preload("res://bench/stats.gd")

const PROCESS: int = 0
## Seconds between two solves.
const FRAME: float = 1.0 / 60.0
## About how long the engine's batch takes.
const BATCH_USEC: float = 4000.0
## About how long all of its batches may take.
const TOTAL_USEC: float = 3000000.0

var _first: int = 0
var _solves: int = 0


## Measures [param solver] at [param bone_count] bones and returns the row for the table.
func measure(solver: Character.Solver, bone_count: int, quick: bool) -> Dictionary:
	var contestants: Dictionary[String, Callable] = {}
	var characters: Dictionary[String, Character] = {}
	var names: Array[String] = ["loop", "tendon", "engine", "empty", "floor"]
	if solver == Character.Solver.FABRIK:
		names.append("script")
	for contestant: String in names:
		var character: Character = Character.new(bone_count)
		character.process_mode = Node.PROCESS_MODE_DISABLED
		add_child(character)
		characters[contestant] = character
		contestants[contestant] = _contestant(contestant, solver, character)
	await get_tree().process_frame

	var rounds: int = _plan(contestants["engine"], quick)
	var times: Dictionary[String, PackedFloat64Array] = {}
	for contestant: String in names:
		times[contestant] = PackedFloat64Array()
		contestants[contestant].call()
	for round_index: int in rounds:
		for turn: int in names.size():
			var contestant: String = names[(round_index + turn) % names.size()]
			var usec: int = contestants[contestant].call()
			times[contestant].append(float(usec) / _solves)
	var left: Dictionary[String, Dictionary] = {}
	for contestant: String in names:
		if contestant in ["tendon", "engine", "script"]:
			left[contestant] = _distances(contestants[contestant], characters[contestant], solver)
	for character: Character in characters.values():
		character.free()
	return _row(solver, bone_count, times, left)


## What does a batch of solves with [param character], and returns its microseconds.
func _contestant(contestant: String, solver: Character.Solver, character: Character) -> Callable:
	match contestant:
		"tendon":
			var mode: int = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
			return _time_rig.bind(character, character.add_tendon(solver, mode))
		"engine":
			character.add_engine(solver)
			return _time_engine.bind(character)
		"script":
			return _time_script.bind(character, character.add_script())
		"floor":
			return _time_floor.bind(character, _add_writer(character, character.bones))
		"empty":
			# The floor's call without the writes.
			return _time_floor.bind(character, _add_writer(character, []))
		_:
			return _time_loop.bind(character)


func _add_writer(character: Character, bones: Array[Bone2D]) -> Callable:
	var writer: BoneWriter = BoneWriter.new(bones)
	character.add_child(writer)
	return writer.writer()


## Sets how many solves make a batch, whole ways round that are the same work for everybody in
## each round, and returns how many rounds to measure.
func _plan(engine: Callable, quick: bool) -> int:
	_first = 0
	_solves = 16
	engine.call()
	var usec: float = maxf(engine.call(), 1.0) / _solves
	var ways: int = clampi(roundi(BATCH_USEC / usec / Character.PATH_SIZE), 1, 16)
	_solves = ways * Character.PATH_SIZE
	var total: float = TOTAL_USEC if not quick else TOTAL_USEC / 10.0
	return clampi(roundi(total / (usec * _solves)), 5, 61 if not quick else 9)


func _time_loop(character: Character) -> int:
	var target: Node2D = character.target
	var path: PackedVector2Array = character.path
	var begin: int = Time.get_ticks_usec()
	for step: int in range(_first, _first + _solves):
		target.position = path[step % Character.PATH_SIZE]
	return Time.get_ticks_usec() - begin


func _time_rig(character: Character, rig: TendonRig2D) -> int:
	var target: Node2D = character.target
	var path: PackedVector2Array = character.path
	var begin: int = Time.get_ticks_usec()
	for step: int in range(_first, _first + _solves):
		target.position = path[step % Character.PATH_SIZE]
		rig.advance(FRAME)
	return Time.get_ticks_usec() - begin


func _time_engine(character: Character) -> int:
	var target: Node2D = character.target
	var path: PackedVector2Array = character.path
	var skeleton: Skeleton2D = character.skeleton
	var begin: int = Time.get_ticks_usec()
	for step: int in range(_first, _first + _solves):
		target.position = path[step % Character.PATH_SIZE]
		skeleton.execute_modifications(FRAME, PROCESS)
	return Time.get_ticks_usec() - begin


func _time_script(character: Character, script: ScriptFabrik) -> int:
	var target: Node2D = character.target
	var path: PackedVector2Array = character.path
	var begin: int = Time.get_ticks_usec()
	for step: int in range(_first, _first + _solves):
		target.position = path[step % Character.PATH_SIZE]
		script.solve()
	return Time.get_ticks_usec() - begin


func _time_floor(character: Character, writer: Callable) -> int:
	var target: Node2D = character.target
	var path: PackedVector2Array = character.path
	var begin: int = Time.get_ticks_usec()
	for step: int in range(_first, _first + _solves):
		target.position = path[step % Character.PATH_SIZE]
		writer.call(0.0001 * (step % 1000))
	return Time.get_ticks_usec() - begin


## What is left between tip and target over one way round.
func _distances(
	contestant: Callable, character: Character, solver: Character.Solver
) -> Dictionary[String, float]:
	_solves = 1
	var left: PackedFloat64Array = PackedFloat64Array()
	for step: int in Character.PATH_SIZE:
		_first = step
		contestant.call()
		left.append(character.distance_left(solver))
	var middle: float = Stats.median(left)
	left.sort()
	return {
		"median_px": middle,
		"worst_px": left[-1],
		"median_of_reach": middle / character.reach,
		"worst_of_reach": left[-1] / character.reach,
	}


func _row(
	solver: Character.Solver,
	bone_count: int,
	times: Dictionary[String, PackedFloat64Array],
	left: Dictionary[String, Dictionary]
) -> Dictionary:
	var row: Dictionary = {
		"solver": Character.SOLVER_NAMES[solver],
		"bones": bone_count,
		"microseconds": {},
		"distance_left": left,
	}
	var net: Dictionary[String, PackedFloat64Array] = {}
	for contestant: String in times:
		if contestant in ["loop", "empty"]:
			continue
		var base: String = "empty" if contestant == "floor" else "loop"
		net[contestant] = Stats.differences(times[contestant], times[base])
		row["microseconds"][contestant] = Stats.summary(net[contestant])
	row["loop_microseconds"] = Stats.summary(times["loop"])
	row["engine_over_tendon"] = Stats.summary(Stats.ratios(net["engine"], net["tendon"]))
	return row
