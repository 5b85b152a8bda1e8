extends Node
## The cost of one solve in a game: of many rigs, each solved once in a frame, with other work
## between two frames that leaves none of their memory in the processor's caches.
##
## Like [code]direct.gd[/code] otherwise: the loop that moves the targets is taken off.

const BoneWriter := preload("res://bench/bone_writer.gd")
const Character := preload("res://bench/character.gd")
const Stats := preload("res://bench/stats.gd")

const COUNT: int = 100
const FRAME: float = 1.0 / 60.0
const PROCESS: int = 0
## Bytes that the other work touches: more than any cache holds.
const OTHER_WORK: int = 64 << 20

var _other: PackedByteArray = PackedByteArray()


## Measures [param solver] at [param bone_count] bones and returns the row for the table.
func measure(solver: Character.Solver, bone_count: int, quick: bool) -> Dictionary:
	_other.resize(OTHER_WORK)
	var crowds: Dictionary[String, Array] = {}
	for contestant: String in ["loop", "tendon", "engine", "floor", "script"]:
		crowds[contestant] = _crowd(contestant, solver, bone_count)
	await get_tree().process_frame
	var times: Dictionary[String, PackedFloat64Array] = {}
	for contestant: String in crowds:
		times[contestant] = PackedFloat64Array()
	for round_index: int in 12 if quick else 60:
		for contestant: String in crowds:
			_other.fill(round_index)
			var usec: float = _time(contestant, crowds[contestant], round_index)
			# The first rounds warm up.
			if round_index >= 4:
				times[contestant].append(usec / COUNT)
	var row: Dictionary = {
		"solver": Character.SOLVER_NAMES[solver], "bones": bone_count, "microseconds": {}
	}
	var net: Dictionary[String, PackedFloat64Array] = {}
	for contestant: String in ["tendon", "engine", "floor", "script"]:
		net[contestant] = Stats.differences(times[contestant], times["loop"])
		row["microseconds"][contestant] = Stats.summary(net[contestant])
	row["engine_over_tendon"] = Stats.summary(Stats.ratios(net["engine"], net["tendon"]))
	for floor: String in ["floor", "script"]:
		var ratios: PackedFloat64Array = Stats.ratios(net["tendon"], net[floor])
		row["tendon_over_" + floor] = Stats.summary(ratios)
	for crowd: Array in crowds.values():
		for member: Array in crowd:
			(member[0] as Character).free()
	return row


## Characters, each with what solves it.
func _crowd(contestant: String, solver: Character.Solver, bone_count: int) -> Array:
	var crowd: Array = []
	for index: int in COUNT:
		var character: Character = Character.new(bone_count)
		character.process_mode = Node.PROCESS_MODE_DISABLED
		add_child(character)
		var member: Variant = null
		match contestant:
			"tendon":
				member = character.add_tendon(solver, TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL)
			"engine":
				character.add_engine(solver)
			"floor", "script":
				var writer: BoneWriter = BoneWriter.new(character.bones)
				character.add_child(writer)
				member = writer.writer() if contestant == "floor" else writer.write
		crowd.append([character, member])
	return crowd


## Microseconds for one frame of a crowd.
func _time(contestant: String, crowd: Array, frame: int) -> float:
	var begin: int = Time.get_ticks_usec()
	for index: int in COUNT:
		var member: Array = crowd[index]
		var character: Character = member[0]
		character.target.position = character.path[(frame + index) % Character.PATH_SIZE]
		match contestant:
			"tendon":
				(member[1] as TendonRig2D).advance(FRAME)
			"engine":
				character.skeleton.execute_modifications(FRAME, PROCESS)
			"floor", "script":
				(member[1] as Callable).call(0.0001 * frame)
	return Time.get_ticks_usec() - begin
