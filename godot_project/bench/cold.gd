extends Node
## The cost of one solve in a game: of many rigs, each solved once in a frame, with whole frames
## between two solves that leave little of their memory in the processor's caches.
##
## All that is not the solve is done before the clock runs: targets move, and global transforms are
## up to date. If a target moved just before its solve, its memory would be in the cache.

const BoneWriter := preload("res://bench/bone_writer.gd")
const Character := preload("res://bench/character.gd")
const Stats := preload("res://bench/stats.gd")

## How many rigs, of short chains and of others.
const COUNT: int = 100
const COUNT_OF_LONG: int = 10
## Bones of a long chain.
const LONG: int = 50
const FRAME: float = 1.0 / 60.0
const PROCESS: int = 0


## Measures [param solver] at [param bone_count] bones and returns the row for the table.
func measure(solver: Character.Solver, bone_count: int, quick: bool) -> Dictionary:
	var count: int = COUNT if bone_count < LONG else COUNT_OF_LONG
	var crowds: Dictionary[String, Array] = {}
	var times: Dictionary[String, PackedFloat64Array] = {}
	for contestant: String in ["tendon", "engine", "floor", "script"]:
		crowds[contestant] = _crowd(contestant, solver, bone_count, count)
		times[contestant] = PackedFloat64Array()
	for round_index: int in 16 if quick else 64:
		await get_tree().process_frame
		_move_targets(crowds, round_index)
		for contestant: String in crowds:
			var usec: float = _time(contestant, crowds[contestant], round_index)
			# The first rounds warm up.
			if round_index >= 4:
				times[contestant].append(usec / count)
	var row: Dictionary = {
		"solver": Character.SOLVER_NAMES[solver], "bones": bone_count, "microseconds": {}
	}
	for contestant: String in times:
		row["microseconds"][contestant] = Stats.summary(times[contestant])
	row["engine_over_tendon"] = Stats.summary(Stats.ratios(times["engine"], times["tendon"]))
	for floor: String in ["floor", "script"]:
		var ratios: PackedFloat64Array = Stats.ratios(times["tendon"], times[floor])
		row["tendon_over_" + floor] = Stats.summary(ratios)
	for crowd: Array in crowds.values():
		for member: Array in crowd:
			(member[0] as Character).free()
	return row


## Characters, each with what solves it.
func _crowd(contestant: String, solver: Character.Solver, bone_count: int, count: int) -> Array:
	var crowd: Array = []
	for index: int in count:
		var character: Character = Character.new(bone_count)
		character.process_mode = Node.PROCESS_MODE_DISABLED
		add_child(character)
		var member: Variant = null
		match contestant:
			"tendon":
				member = character.add_tendon(solver, TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL)
			"engine":
				character.add_engine(solver)
				member = character.skeleton
			"floor":
				var writer: BoneWriter = BoneWriter.new(character.bones)
				character.add_child(writer)
				member = writer.writer()
			"script":
				member = character.bones
		crowd.append([character, member])
	return crowd


func _move_targets(crowds: Dictionary[String, Array], frame: int) -> void:
	for crowd: Array in crowds.values():
		for index: int in crowd.size():
			var character: Character = crowd[index][0]
			character.target.position = character.path[(frame + index) % Character.PATH_SIZE]
			# Reading brings it up to date.
			character.target.get_global_transform()
			character.bones[-1].get_global_transform()


## Microseconds for one frame of a crowd.
func _time(contestant: String, crowd: Array, frame: int) -> float:
	var begin: int = Time.get_ticks_usec()
	match contestant:
		"tendon":
			for member: Array in crowd:
				(member[1] as TendonRig2D).advance(FRAME)
		"engine":
			for member: Array in crowd:
				(member[1] as Skeleton2D).execute_modifications(FRAME, PROCESS)
		"floor":
			for member: Array in crowd:
				(member[1] as Callable).call(0.001 * frame)
		"script":
			for member: Array in crowd:
				for bone: Bone2D in member[1]:
					bone.rotation = 0.001 * frame
	return Time.get_ticks_usec() - begin
