extends Node
## The cost of one solve in a running game: the frame with it less the frame without it.
##
## What a game pays, with the calls into the nodes and the one flush of each skeleton's bones
## to the renderer that follows any change. The targets move in the same way in both frames.

const BoneWriter := preload("res://bench/bone_writer.gd")
const Character := preload("res://bench/character.gd")
const Crowd := preload("res://bench/crowd.gd")
const FrameClock := preload("res://bench/frame_clock.gd")
const Stats := preload("res://bench/stats.gd")

const MOVERS: Dictionary[String, Crowd.Mover] = {
	"nobody": Crowd.Mover.NOBODY,
	"tendon": Crowd.Mover.TENDON,
	"engine": Crowd.Mover.ENGINE,
	"floor": Crowd.Mover.WRITER,
	"script": Crowd.Mover.SCRIPT,
	"reader": Crowd.Mover.READER,
}

## What is measured of a crowd: the mover, whether targets move, whether animation plays, and
## the case that it is compared with. Those without one are the empty frames.
const CASES: Dictionary[String, Array] = {
	"nobody": ["nobody", true, false, ""],
	"nobody still": ["nobody", false, false, ""],
	"nobody animated": ["nobody", true, true, ""],
	"tendon": ["tendon", true, false, "nobody"],
	"engine": ["engine", true, false, "nobody"],
	"floor": ["floor", true, false, "nobody"],
	"tendon still": ["tendon", false, false, "nobody still"],
	"reader still": ["reader", false, false, "nobody still"],
	"tendon animated": ["tendon", true, true, "nobody animated"],
}

var clock: FrameClock = FrameClock.new()


func _init() -> void:
	add_child(clock)


## Measures [param solver] at [param bone_count] bones and returns the row for the table.
func measure_solver(solver: Character.Solver, bone_count: int, quick: bool) -> Dictionary:
	@warning_ignore("integer_division")
	var count: int = clampi(2000 / bone_count, 10, 100)
	var crowds: Dictionary[String, Crowd] = {}
	for mover: String in MOVERS:
		var is_needed: bool = mover != "script" or solver == Character.Solver.FABRIK
		if is_needed and mover != "reader":
			crowds[mover] = _crowd(mover, count, bone_count, solver)
	var times: Dictionary[String, PackedFloat64Array] = {}
	for round_index: int in 11 if not quick else 5:
		for mover: String in _in_turn(crowds.keys(), round_index):
			var frames: int = 6 if mover == "engine" else 12
			var samples: PackedFloat64Array = await clock.measure(crowds[mover], true, 3, frames)
			times.get_or_add(mover, PackedFloat64Array()).append(Stats.middle_mean(samples))
	for crowd: Crowd in crowds.values():
		crowd.queue_free()
	await get_tree().process_frame

	var row: Dictionary = {
		"solver": Character.SOLVER_NAMES[solver],
		"bones": bone_count,
		"skeletons": count,
		"microseconds": {},
	}
	var net: Dictionary[String, PackedFloat64Array] = {}
	for mover: String in times:
		if mover != "nobody":
			net[mover] = Stats.differences(times[mover], times["nobody"], count)
			row["microseconds"][mover] = Stats.summary(net[mover])
	row["engine_over_tendon"] = Stats.summary(Stats.ratios(net["engine"], net["tendon"]))
	return row


## Measures whole frames of [param count] skeletons with FABRIK on [param bone_count] bones.
func measure_crowd(count: int, bone_count: int, quick: bool) -> Dictionary:
	var crowds: Dictionary[String, Crowd] = {}
	for mover: String in ["nobody", "tendon", "engine", "floor", "reader"]:
		crowds[mover] = _crowd(mover, count, bone_count, Character.Solver.FABRIK)
		if mover in ["nobody", "tendon"]:
			crowds[mover].add_animation()
	var times: Dictionary[String, PackedFloat64Array] = {}
	var frames: int = clampi(roundi(20000.0 / count), 10, 200)
	for round_index: int in 11 if not quick else 3:
		for case: String in _in_turn(CASES.keys(), round_index):
			var crowd: Crowd = crowds[CASES[case][0]]
			crowd.animate(CASES[case][2])
			var wanted: int = mini(frames, 20) if case == "engine" else frames
			var samples: PackedFloat64Array = await clock.measure(crowd, CASES[case][1], 3, wanted)
			crowd.animate(false)
			times.get_or_add(case, PackedFloat64Array()).append(Stats.middle_mean(samples))
	for crowd: Crowd in crowds.values():
		crowd.queue_free()
	await get_tree().process_frame

	var row: Dictionary = {
		"skeletons": count, "bones": bone_count, "frame_microseconds": {}, "net_microseconds": {}
	}
	var net: Dictionary[String, PackedFloat64Array] = {}
	for case: String in times:
		row["frame_microseconds"][case] = Stats.summary(times[case])
		var base: String = CASES[case][3]
		if base != "":
			net[case] = Stats.differences(times[case], times[base])
			row["net_microseconds"][case] = Stats.summary(net[case])
	row["engine_over_tendon"] = Stats.summary(Stats.ratios(net["engine"], net["tendon"]))
	row["tendon_over_floor"] = Stats.summary(Stats.ratios(net["tendon"], net["floor"]))
	row["reads_over_moving"] = Stats.summary(Stats.ratios(net["reader still"], net["tendon"]))
	row["still_over_moving"] = Stats.summary(Stats.ratios(net["tendon still"], net["tendon"]))
	return row


func _crowd(mover: String, count: int, bone_count: int, solver: Character.Solver) -> Crowd:
	var crowd: Crowd = Crowd.new(count, bone_count)
	add_child(crowd)
	crowd.give_to(MOVERS[mover], solver)
	return crowd


## [param names] in another order in each round, so that nobody always follows the same one.
func _in_turn(names: Array, round_index: int) -> Array[String]:
	var result: Array[String] = []
	for turn: int in names.size():
		result.append(names[(round_index + turn) % names.size()])
	return result
