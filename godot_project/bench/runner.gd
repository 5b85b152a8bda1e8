extends Node
## Runs the measurements that the command line asks for, and writes down what they say.

const BoneWriter := preload("res://bench/bone_writer.gd")
const Calls := preload("res://bench/calls.gd")
const Character := preload("res://bench/character.gd")
const Cold := preload("res://bench/cold.gd")
const Direct := preload("res://bench/direct.gd")
const Feet := preload("res://bench/feet.gd")
const Frames := preload("res://bench/frames.gd")
const Limited := preload("res://bench/limited.gd")
const Memory := preload("res://bench/memory.gd")
const Modifiers := preload("res://bench/modifiers.gd")
const Report := preload("res://bench/report.gd")

const CHAIN_LENGTHS: Array[int] = [2, 3, 5, 10, 20, 50, 100, 200]
const CROWDS: Array[int] = [1, 10, 100, 300, 1000, 3000]
const CROWD_BONES: int = 10

var _words: PackedStringArray = OS.get_cmdline_user_args()


func _ready() -> void:
	# Headless frames that wait for nothing.
	Engine.max_fps = 0
	OS.low_processor_usage_mode = false
	OS.low_processor_usage_mode_sleep_usec = 0
	DisplayServer.window_set_vsync_mode(DisplayServer.VSYNC_DISABLED)
	Engine.physics_ticks_per_second = 1
	_run.call_deferred()


func _run() -> void:
	var quick: bool = "--quick" in _words
	var figures: Dictionary = {"environment": _environment(quick)}
	# First, while the process has not freed anything that it could use again.
	if _wanted("memory"):
		figures["memory"] = await _measure_memory(quick)
	if _wanted("calls") and BoneWriter.is_native():
		figures["calls"] = await _measure_calls()
	if _wanted("direct"):
		figures["direct"] = await _measure_direct(quick)
	if _wanted("cold"):
		figures["cold"] = await _measure_cold(quick)
	if _wanted("limited"):
		figures["limited"] = await _measure_limited(quick)
	if _wanted("modifiers"):
		figures["modifiers"] = await _measure_modifiers(quick)
	if _wanted("feet"):
		figures["feet"] = await _measure_feet(quick)
	if _wanted("frames"):
		figures["frames"] = await _measure_frames(quick)
	if _wanted("crowds"):
		figures["crowds"] = await _measure_crowds(quick)
	var report: Report = Report.new(figures)
	print(report.text())
	_save("--table", report.text())
	_save("--json", JSON.stringify(figures, "\t", false))
	get_tree().quit()


func _measure_memory(quick: bool) -> Dictionary:
	var memory: Memory = Memory.new()
	add_child(memory)
	var result: Dictionary = await memory.measure(1000 if not quick else 300, CROWD_BONES)
	memory.free()
	return result


func _measure_calls() -> Dictionary:
	var calls: Calls = Calls.new()
	add_child(calls)
	var times: Dictionary = await calls.measure()
	calls.free()
	return times


func _measure_direct(quick: bool) -> Array[Dictionary]:
	var direct: Direct = Direct.new()
	add_child(direct)
	var rows: Array[Dictionary] = []
	for work: Array in _work():
		_say("calling", work)
		rows.append(await direct.measure(work[0], work[1], quick))
	direct.free()
	return rows


func _measure_cold(quick: bool) -> Array[Dictionary]:
	var cold: Cold = Cold.new()
	add_child(cold)
	var rows: Array[Dictionary] = []
	for work: Array in _work():
		if work[1] in [1, 2, 10, 100]:
			_say("once in a frame", work)
			rows.append(await cold.measure(work[0], work[1], quick))
	cold.free()
	return rows


func _measure_limited(quick: bool) -> Array[Dictionary]:
	printerr("measuring short chains with limits")
	var limited: Limited = Limited.new()
	add_child(limited)
	var rows: Array[Dictionary] = await limited.measure(quick)
	limited.free()
	return rows


func _measure_modifiers(quick: bool) -> Array[Dictionary]:
	printerr("measuring springs, splines, mappings and scripts")
	var modifiers: Modifiers = Modifiers.new()
	add_child(modifiers)
	var rows: Array[Dictionary] = await modifiers.measure(quick)
	modifiers.free()
	return rows


func _measure_feet(quick: bool) -> Array[Dictionary]:
	printerr("measuring feet on the ground")
	var feet: Feet = Feet.new()
	add_child(feet)
	var rows: Array[Dictionary] = await feet.measure(quick)
	feet.free()
	return rows


func _measure_frames(quick: bool) -> Array[Dictionary]:
	var frames: Frames = Frames.new()
	add_child(frames)
	var rows: Array[Dictionary] = []
	for work: Array in _work():
		_say("in frames", work)
		rows.append(await frames.measure_solver(work[0], work[1], quick))
	frames.free()
	return rows


func _measure_crowds(quick: bool) -> Array[Dictionary]:
	var frames: Frames = Frames.new()
	add_child(frames)
	var rows: Array[Dictionary] = []
	for count: int in CROWDS:
		printerr("measuring whole frames: %d skeletons" % count)
		rows.append(await frames.measure_crowd(count, CROWD_BONES, quick))
	frames.free()
	return rows


## Every solver with every length of its chain.
func _work() -> Array[Array]:
	var work: Array[Array] = [[Character.Solver.LOOK_AT, 1], [Character.Solver.TWO_BONE, 2]]
	for solver: Character.Solver in [Character.Solver.CCD, Character.Solver.FABRIK]:
		for length: int in CHAIN_LENGTHS:
			work.append([solver, length])
	return work


func _environment(quick: bool) -> Dictionary:
	return {
		"date": Time.get_datetime_string_from_system(true) + "Z",
		"engine": Engine.get_version_info()["string"],
		"build": _build(),
		"exported": OS.has_feature("template"),
		"debug": OS.is_debug_build(),
		"system": "%s %s" % [OS.get_name(), Engine.get_architecture_name()],
		"processor": OS.get_processor_name(),
		"cores": OS.get_processor_count(),
		"load_before": _load(),
		"library_bytes": _library_bytes(),
		"native_floor": BoneWriter.is_native(),
		"quick": quick,
	}


func _build() -> String:
	if OS.has_feature("editor"):
		return "editor"
	return "debug template" if OS.is_debug_build() else "release template"


## How many programs wanted the processor in the last minute.
func _load() -> float:
	var file: FileAccess = FileAccess.open("/proc/loadavg", FileAccess.READ)
	return float(file.get_line().get_slice(" ", 0)) if file != null else -1.0


## The size of the loaded library, which an exported game has beside its program.
func _library_bytes() -> int:
	var maps: FileAccess = FileAccess.open("/proc/self/maps", FileAccess.READ)
	if maps == null:
		return 0
	var line: String = maps.get_line()
	while not line.is_empty() and not line.ends_with("/libtendon.so"):
		line = maps.get_line()
	var library: FileAccess = FileAccess.open(line.substr(line.find("/")), FileAccess.READ)
	return library.get_length() if library != null else 0


func _wanted(part: String) -> bool:
	var only: String = _value("--only")
	return only in ["", part]


func _value(option: String) -> String:
	var at: int = _words.find(option)
	return _words[at + 1] if at >= 0 and at + 1 < _words.size() else ""


func _save(option: String, content: String) -> void:
	var path: String = _value(option)
	if path.is_empty():
		return
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		push_error("cannot write %s" % path)
		return
	file.store_string(content + "\n")


func _say(how: String, work: Array) -> void:
	printerr("measuring %s: %s, %d bones" % [how, Character.SOLVER_NAMES[work[0]], work[1]])
