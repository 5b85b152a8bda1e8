extends Node
## Short chains with a limit on each joint: CCD beside the engine's own with constraints, called
## from a script in turns. Chains with limits have a search for other poses that free ones have not,
## so where the target is counts.

const Character := preload("res://bench/character.gd")
const Stats := preload("res://bench/stats.gd")

const CHAIN_LENGTHS: Array[int] = [2, 3, 4]
const PLACES: Array[String] = ["within reach", "in and out", "beyond reach", "too near"]
const FRAME: float = 1.0 / 60.0
const PROCESS: int = 0
## Radians that every bone is turned by at rest, and that it may turn by from there.
const BEND: float = 0.2
const LIMIT: float = 1.2
## Solves in a round. The target goes once around, and never jumps.
const SOLVES: int = 628


func measure(quick: bool) -> Array[Dictionary]:
	var rows: Array[Dictionary] = []
	for bone_count: int in CHAIN_LENGTHS:
		for place: String in PLACES:
			rows.append(await _measure(bone_count, place, 9 if quick else 41))
	return rows


func _measure(bone_count: int, place: String, rounds: int) -> Dictionary:
	var tendon: Character = _character(bone_count)
	var mode: int = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	var rig: TendonRig2D = tendon.add_tendon(Character.Solver.CCD, mode)
	_limit_tendon(tendon)
	var engine: Character = _character(bone_count)
	engine.add_engine(Character.Solver.CCD)
	_limit_engine(engine)
	await get_tree().process_frame
	var path: PackedVector2Array = _path(place, bone_count)
	var solves: Array[Callable] = [
		rig.advance.bind(FRAME), engine.skeleton.execute_modifications.bind(FRAME, PROCESS)
	]
	var times: Array[PackedFloat64Array] = [PackedFloat64Array(), PackedFloat64Array()]
	for round_index: int in rounds:
		for turn: int in 2:
			var who: int = (round_index + turn) % 2
			var character: Character = [tendon, engine][who]
			var loop: float = _time(character.target, path, character.get_index)
			var whole: float = _time(character.target, path, solves[who])
			# The first rounds warm up.
			if round_index >= 2:
				times[who].append((whole - loop) / SOLVES)
	var row: Dictionary = {
		"bones": bone_count,
		"place": place,
		"microseconds": {"tendon": Stats.summary(times[0]), "engine": Stats.summary(times[1])},
		"engine_over_tendon": Stats.summary(Stats.ratios(times[1], times[0])),
	}
	tendon.free()
	engine.free()
	return row


func _character(bone_count: int) -> Character:
	var character: Character = Character.new(bone_count)
	character.process_mode = Node.PROCESS_MODE_DISABLED
	for bone: Bone2D in character.bones:
		bone.rotation = BEND
		bone.rest = bone.transform
	add_child(character)
	return character


func _limit_tendon(character: Character) -> void:
	for bone: Bone2D in character.bones:
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = -LIMIT
		limit.max_angle = LIMIT
		bone.add_child(limit)


func _limit_engine(character: Character) -> void:
	var stack: SkeletonModificationStack2D = character.skeleton.get_modification_stack()
	var ccd: SkeletonModification2DCCDIK = stack.get_modification(0)
	for index: int in character.bones.size():
		ccd.set_ccdik_joint_enable_constraint(index, true)
		ccd.set_ccdik_joint_constraint_angle_min(index, BEND - LIMIT)
		ccd.set_ccdik_joint_constraint_angle_max(index, BEND + LIMIT)


## Where the target goes, in a round.
func _path(place: String, bone_count: int) -> PackedVector2Array:
	var points: PackedVector2Array = PackedVector2Array()
	var reach: float = bone_count * Character.BONE_LENGTH
	for step: int in SOLVES:
		var phase: float = TAU * step / SOLVES
		var direction: Vector2 = Vector2.from_angle(0.3 * sin(phase))
		match place:
			"within reach":
				points.append(_tip_of_pose(bone_count, phase))
			"in and out":
				points.append(direction * (0.7 + 0.2 * sin(2.0 * phase)) * reach)
			"beyond reach":
				points.append(direction * (1.2 + 0.1 * sin(2.0 * phase)) * reach)
			"too near":
				var distance: float = 0.1 + 0.05 * sin(2.0 * phase)
				points.append(direction * distance * Character.BONE_LENGTH)
	return points


## The tip of a pose within the limits that changes smoothly.
func _tip_of_pose(bone_count: int, phase: float) -> Vector2:
	var tip: Vector2 = Vector2.ZERO
	var angle: float = 0.0
	for index: int in bone_count:
		angle += BEND + 0.7 * LIMIT * sin((1 + index % 2) * phase + index)
		tip += Vector2.from_angle(angle) * Character.BONE_LENGTH
	return tip


## Microseconds for a round.
func _time(target: Node2D, path: PackedVector2Array, work: Callable) -> float:
	var begin: int = Time.get_ticks_usec()
	for place: Vector2 in path:
		target.position = place
		work.call()
	return Time.get_ticks_usec() - begin
