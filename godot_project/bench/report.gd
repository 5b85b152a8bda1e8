extends RefCounted
## Puts the figures into words: the tables, and how they compare with the aims.

const CONTESTANTS: Array[String] = ["tendon", "engine", "script", "floor"]

## How many times faster than the engine a solve should be: in the editor's program, and in an
## exported release build, whose engine is itself faster. "called" rows are judged.
const SPEED_AIMS: Array[Array] = [
	["look-at", 1, 3.0, 3.0],
	["two-bone", 2, 4.0, 3.5],
	["CCD", 10, 9.0, 7.0],
	["FABRIK", 10, 14.0, 11.0],
	["CCD", 100, 55.0, 45.0],
	["FABRIK", 100, 55.0, 45.0],
]
const FLOOR_AIM: float = 2.0
const STILL_AIM: float = 0.05
## How much more a bone may cost in a chain of 200 than in one of 10, to be called flat.
const FLAT_AIM: float = 1.25
const AIMED_CROWD: int = 300
## A library larger than this has not been optimised and stripped.
const DEBUG_BYTES: int = 20_000_000

var _figures: Dictionary
var _lines: PackedStringArray = PackedStringArray()


func _init(figures: Dictionary) -> void:
	_figures = figures


## Everything, as it is printed.
func text() -> String:
	_lines.clear()
	_environment()
	if _figures.has("direct"):
		_direct()
	if _figures.has("cold"):
		_cold()
	if _figures.has("limited"):
		_limited()
	if _figures.has("modifiers"):
		_modifiers()
	if _figures.has("feet"):
		_feet()
	if _figures.has("frames"):
		_frames()
	if _figures.has("direct") or _figures.has("frames"):
		_per_bone()
	if _figures.has("crowds"):
		_crowds()
	if not _figures.get("calls", {}).is_empty():
		_calls()
	_memory()
	_figures["aims"] = _aims()
	_aims_table(_figures["aims"])
	return "\n".join(_lines)


func _environment() -> void:
	var environment: Dictionary = _figures["environment"]
	_lines.append("Tendon's benchmark, %s" % environment["date"])
	_lines.append("Godot %s, %s" % [environment["engine"], environment["build"]])
	(
		_lines
		. append(
			(
				"%s, %s, %d cores, load %.2f at the start"
				% [
					environment["system"],
					environment["processor"],
					environment["cores"],
					environment["load_before"],
				]
			)
		)
	)
	if environment["library_bytes"] > DEBUG_BYTES:
		_lines.append("The library is a debug build, so the figures mean nothing.")
	if environment["quick"]:
		_lines.append("A quick run: few rounds, so the figures are rough.")
	_lines.append("±: half the way from the 10th to the 90th percentile of all rounds.")
	if environment["native_floor"]:
		_lines.append("floor: writes each bone's rotation from native code, and nothing else.")
	else:
		_lines.append(
			"floor: writes each bone's rotation from GDScript, as the library is built without"
		)
		_lines.append('its feature "bench"; native code would write faster.')


func _direct() -> void:
	_title("One solve, called from a script: µs, less the loop and the target's own movement")
	var left: PackedStringArray = ["left px: Tendon", "engine", "GDScript"]
	left.append_array(["of reach: Tendon", "engine", "GDScript"])
	var rows: Array[PackedStringArray] = [_times_title() + left]
	for row: Dictionary in _figures["direct"]:
		var line: PackedStringArray = _times(row)
		for unit: String in ["worst_px", "worst_of_reach"]:
			for contestant: String in ["tendon", "engine", "script"]:
				if row["distance_left"].has(contestant):
					line.append("%.5f" % row["distance_left"][contestant][unit])
				else:
					line.append("")
		rows.append(line)
	_table(rows)
	_lines.append("left: the worst distance between tip and target over one way round.")


func _cold() -> void:
	_title("One solve of each of 100 rigs (10 with 100 bones), once in a frame: µs")
	var title: PackedStringArray = ["solver", "bones", "Tendon", "engine", "floor", "script write"]
	title.append_array(["engine/Tendon", "Tendon/floor", "Tendon/script write"])
	var rows: Array[PackedStringArray] = [title]
	for row: Dictionary in _figures["cold"]:
		var line: PackedStringArray = [row["solver"], str(row["bones"])]
		for contestant: String in ["tendon", "engine", "floor", "script"]:
			line.append("%.2f" % row["microseconds"][contestant]["median"])
		for ratio: String in ["engine_over_tendon", "tendon_over_floor", "tendon_over_script"]:
			line.append("%.2f" % row[ratio]["median"])
		rows.append(line)
	_table(rows)
	_lines.append("script write: a typed script writes each bone's rotation, and nothing else.")


func _limited() -> void:
	_title("CCD of short chains with limits, called from a script: µs, less the loop")
	var title: PackedStringArray = ["target", "bones", "Tendon", "±", "engine", "±"]
	title.append_array(["engine/Tendon", "±"])
	var rows: Array[PackedStringArray] = [title]
	for row: Dictionary in _figures["limited"]:
		var line: PackedStringArray = [row["place"], str(row["bones"])]
		for contestant: String in ["tendon", "engine"]:
			var times: Dictionary = row["microseconds"][contestant]
			line.append_array(["%.2f" % times["median"], _spread(times)])
		line.append("%.2f" % row["engine_over_tendon"]["median"])
		line.append(_spread(row["engine_over_tendon"]))
		rows.append(line)
	_table(rows)


func _modifiers() -> void:
	_title("The other modifiers on 10 bones: µs for a rig, ns for a bone")
	var title: PackedStringArray = ["modifier", "bones"]
	for heat: String in ["warm", "cold"]:
		title.append_array([heat + ": rig", "±", "bone", "/FABRIK"])
	var rows: Array[PackedStringArray] = [title]
	for row: Dictionary in _figures["modifiers"]:
		var line: PackedStringArray = [row["case"], str(row["bones"])]
		for heat: String in ["warm", "cold"]:
			var median: float = row[heat]["median"]
			line.append_array(["%.2f" % median, _spread(row[heat])])
			line.append("%.0f" % (1000.0 * median / row["bones"]))
			line.append("%.2f" % row[heat + "_of_fabrik"]["median"])
		rows.append(line)
	_table(rows)
	for call: String in ["reads", "writes", "transforms"]:
		var more: float = _case("script, 10 %s" % call) - _case("script, no call")
		_lines.append("a script's call, of 10 %s: %.0f ns" % [call, 100.0 * more])


func _feet() -> void:
	_title("Feet on the ground: µs for each of 100 characters")
	var title: PackedStringArray = ["work", "µs", "±", "more than legs", "±", "of the rays", "±"]
	var rows: Array[PackedStringArray] = [title]
	for row: Dictionary in _figures["feet"]:
		var times: Dictionary = row["microseconds"]
		var line: PackedStringArray = [row["case"], "%.2f" % times["median"], _spread(times)]
		if row.has("more_than_legs"):
			for part: String in ["more_than_legs", "more_of_rays"]:
				line.append_array(["%.2f" % row[part]["median"], _spread(row[part])])
		rows.append(line)
	_table(rows)


## The warm time of a case, in microseconds.
func _case(case: String) -> float:
	for row: Dictionary in _figures["modifiers"]:
		if row["case"] == case:
			return row["warm"]["median"]
	return 0.0


func _frames() -> void:
	_title("One solve, in running frames: µs per skeleton, less the frame without it")
	var rows: Array[PackedStringArray] = [_times_title() + PackedStringArray(["skeletons"])]
	for row: Dictionary in _figures["frames"]:
		var line: PackedStringArray = _times(row)
		line.append(str(row["skeletons"]))
		rows.append(line)
	_table(rows)


func _times_title() -> PackedStringArray:
	var title: PackedStringArray = ["solver", "bones"]
	for column: String in ["Tendon", "engine", "GDScript", "floor", "engine/Tendon"]:
		title.append_array([column, "±"])
	return title


func _times(row: Dictionary) -> PackedStringArray:
	var line: PackedStringArray = PackedStringArray([row["solver"], str(row["bones"])])
	for contestant: String in CONTESTANTS:
		var times: Dictionary = row["microseconds"].get(contestant, {})
		line.append("%.2f" % times["median"] if not times.is_empty() else "")
		line.append(_spread(times) if not times.is_empty() else "")
	line.append("%.1f" % row["engine_over_tendon"]["median"])
	line.append(_spread(row["engine_over_tendon"]))
	return line


func _per_bone() -> void:
	_title("Cost per bone as chains grow: ns")
	var rows: Array[PackedStringArray] = [
		PackedStringArray(
			[
				"solver",
				"bones",
				"called: Tendon",
				"engine",
				"floor",
				"in frames: Tendon",
				"engine",
				"floor",
			]
		)
	]
	var any: Array = _figures.get("direct", _figures.get("frames"))
	for like: Dictionary in any:
		if like["solver"] not in ["CCD", "FABRIK"]:
			continue
		var line: PackedStringArray = PackedStringArray([like["solver"], str(like["bones"])])
		for part: String in ["direct", "frames"]:
			var row: Dictionary = _find(part, like["solver"], like["bones"])
			for contestant: String in ["tendon", "engine", "floor"]:
				if row.is_empty():
					line.append("")
				else:
					line.append("%.0f" % _nanoseconds_per_bone(row, contestant))
		rows.append(line)
	_table(rows)


func _crowds() -> void:
	_title("Whole frames of many skeletons with FABRIK on %d bones" % _crowd_bones())
	var cases: Array[String] = [
		"tendon",
		"tendon still",
		"tendon animated",
		"engine",
		"floor",
		"nobody",
		"nobody animated",
	]
	var titles: Array[String] = [
		"Tendon moving",
		"still",
		"animated",
		"engine moving",
		"floor",
		"empty",
		"animated",
	]
	_lines.append("ms a frame: everything from the first node to the bones' flush")
	var whole: Array[PackedStringArray] = [PackedStringArray(["skeletons"])]
	for title: String in titles:
		whole[0].append_array([title, "±"])
	var net: Array[PackedStringArray] = [PackedStringArray(["skeletons"])]
	for title: String in titles.slice(0, 5):
		net[0].append_array([title, "±"])
	net[0].append_array(["engine/Tendon", "±", "Tendon/floor", "±"])
	net[0].append_array(["still/moving", "reads/moving"])
	for row: Dictionary in _figures["crowds"]:
		var count: int = row["skeletons"]
		var line: PackedStringArray = PackedStringArray([str(count)])
		for case: String in cases:
			var times: Dictionary = row["frame_microseconds"][case]
			line.append_array(["%.3f" % (times["median"] / 1000.0), _spread(times)])
		whole.append(line)
		line = PackedStringArray([str(count)])
		for case: String in cases.slice(0, 5):
			var times: Dictionary = row["net_microseconds"][case]
			line.append_array(["%.2f" % (times["median"] / count), _spread(times)])
		line.append("%.1f" % row["engine_over_tendon"]["median"])
		line.append(_spread(row["engine_over_tendon"]))
		line.append("%.2f" % row["tendon_over_floor"]["median"])
		line.append(_spread(row["tendon_over_floor"]))
		for share: String in ["still_over_moving", "reads_over_moving"]:
			line.append("%.1f %%" % (100.0 * row[share]["median"]))
		net.append(line)
	_table(whole)
	_lines.append("")
	_lines.append("µs a skeleton, less the frame with the same motion and nobody at the bones")
	_table(net)
	_lines.append("reads: native code reads the transform of each bone, and nothing else.")


func _calls() -> void:
	_title("What a pass consists of, call by call: ns each")
	var rows: Array[PackedStringArray] = []
	for call: String in _figures["calls"]:
		rows.append(PackedStringArray([call, "%.1f" % _figures["calls"][call]]))
	_table(rows)


func _memory() -> void:
	_title("Sizes")
	if _figures.has("memory"):
		var memory: Dictionary = _figures["memory"]
		var rows: Array[PackedStringArray] = [
			PackedStringArray(["bytes each", "in the process", "as the engine counts"])
		]
		for part: String in memory["bytes_each"]:
			var bytes: Dictionary = memory["bytes_each"][part]
			var counted: int = bytes["engine_counted"]
			rows.append(
				PackedStringArray(
					[part, str(bytes["process"]), str(counted) if counted != 0 else ""]
				)
			)
		_table(rows)
		_lines.append(
			(
				'Over %d skeletons of %d bones; "tendon" is a rig with one FABRIK modifier.'
				% [memory["skeletons"], memory["bones"]]
			)
		)
	_lines.append("The library: %d bytes" % _figures["environment"]["library_bytes"])


## Each aim with what was measured, as far as this run has measured it.
func _aims() -> Array[Dictionary]:
	var exported: bool = OS.has_feature("template")
	var aims: Array[Dictionary] = []
	for aim: Array in SPEED_AIMS:
		var row: Dictionary = _find("direct", aim[0], aim[1])
		var framed: Dictionary = _find("frames", aim[0], aim[1])
		if row.is_empty():
			continue
		var name: String = "%s, %d bones: engine/Tendon" % [aim[0], aim[1]]
		if aim[1] == 1:
			name = "%s: engine/Tendon" % aim[0]
		var least: float = aim[3] if exported else aim[2]
		var result: Dictionary = _aim(name, "at least", least, row["engine_over_tendon"]["median"])
		if not framed.is_empty():
			result["in_frames"] = framed["engine_over_tendon"]["median"]
		aims.append(result)
	for row: Dictionary in _figures.get("crowds", []):
		if row["skeletons"] == AIMED_CROWD:
			var name: String = "%d skeletons, whole frame: Tendon/floor" % AIMED_CROWD
			aims.append(_aim(name, "at most", FLOOR_AIM, row["tendon_over_floor"]["median"]))
			name = "%d skeletons: still/moving" % AIMED_CROWD
			aims.append(_aim(name, "at most", STILL_AIM, row["still_over_moving"]["median"]))
	for solver: String in ["CCD", "FABRIK"]:
		var short: Dictionary = _find("direct", solver, 10)
		var long: Dictionary = _find("direct", solver, 200)
		if short.is_empty() or long.is_empty():
			continue
		var growth: float = (
			_nanoseconds_per_bone(long, "tendon") / _nanoseconds_per_bone(short, "tendon")
		)
		aims.append(_aim("%s: cost per bone, 200/10" % solver, "at most", FLAT_AIM, growth))
	return aims


func _aim(name: String, sense: String, limit: float, value: float) -> Dictionary:
	var met: bool = value >= limit if sense == "at least" else value <= limit
	return {"name": name, "sense": sense, "limit": limit, "value": value, "met": met}


func _aims_table(aims: Array[Dictionary]) -> void:
	if aims.is_empty():
		return
	_title("The aims")
	var rows: Array[PackedStringArray] = [
		PackedStringArray(["aim", "", "limit", "measured", "", "in frames"])
	]
	for aim: Dictionary in aims:
		var line: PackedStringArray = PackedStringArray([aim["name"], aim["sense"]])
		line.append_array(["%.2f" % aim["limit"], "%.2f" % aim["value"]])
		line.append("ok" if aim["met"] else "MISSED")
		line.append("%.2f" % aim["in_frames"] if aim.has("in_frames") else "")
		rows.append(line)
	_table(rows)


func _find(part: String, solver: String, bones: int) -> Dictionary:
	for row: Dictionary in _figures.get(part, []):
		if row["solver"] == solver and row["bones"] == bones:
			return row
	return {}


func _nanoseconds_per_bone(row: Dictionary, contestant: String) -> float:
	return 1000.0 * row["microseconds"][contestant]["median"] / row["bones"]


func _crowd_bones() -> int:
	return _figures["crowds"][0]["bones"]


func _spread(summary: Dictionary) -> String:
	var middle: float = absf(summary["median"])
	if middle == 0.0:
		return ""
	return "%.0f%%" % (50.0 * (summary["p90"] - summary["p10"]) / middle)


func _title(title: String) -> void:
	_lines.append("")
	_lines.append(title)
	_lines.append("─".repeat(title.length()))


## The rows in columns, the first of them to the left, the others to the right.
func _table(rows: Array[PackedStringArray]) -> void:
	var widths: PackedInt32Array = PackedInt32Array()
	for row: PackedStringArray in rows:
		for column: int in row.size():
			if column == widths.size():
				widths.append(0)
			widths[column] = maxi(widths[column], row[column].length())
	for row: PackedStringArray in rows:
		var cells: PackedStringArray = PackedStringArray()
		for column: int in row.size():
			var cell: String = row[column]
			cells.append(cell.rpad(widths[0]) if column == 0 else cell.lpad(widths[column]))
		_lines.append("  ".join(cells).strip_edges(false, true))
