extends Node
## What springs, splines, mappings and scripts cost, beside FABRIK with as many bones and beside the
## engine's Jiggle: again and again ("warm"), and of many rigs with other work between two frames
## ("cold").
##
## What moves differs: the body for springs, the target for FABRIK and Jiggle, the progress for
## splines, the source for mappings. The cost of that is measured in each round too and taken off.

const Character := preload("res://bench/character.gd")
const Scripted := preload("res://bench/scripted.gd")
const Stats := preload("res://bench/stats.gd")

const BONES: int = 10
const FRAME: float = 1.0 / 60.0
const PROCESS: int = 0
## Solves of a warm batch.
const BATCH: int = 512
## Rigs of a cold round, and what the other work touches between two rounds, bytes.
const COUNT: int = 100
const OTHER_WORK: int = 64 << 20
## What each row is compared with.
const REFERENCE: String = "FABRIK"

const CASES: Array[String] = [
	"FABRIK",
	"spring",
	"spring, gravity",
	"spring, stiff",
	"spline",
	"copy, 1 bone",
	"copy, 10 bones",
	"script, no call",
	"script, 10 reads",
	"script, 10 writes",
	"script, 10 transforms",
	"engine's Jiggle",
]

var _other: PackedByteArray = PackedByteArray()


## One row for each case.
func measure(quick: bool) -> Array[Dictionary]:
	var warm: Dictionary[String, PackedFloat64Array] = await _measure(1, BATCH, quick)
	_other.resize(OTHER_WORK)
	var cold: Dictionary[String, PackedFloat64Array] = await _measure(COUNT, 1, quick)
	var rows: Array[Dictionary] = []
	for case: String in CASES:
		var row: Dictionary = {"case": case, "bones": 1 if case == "copy, 1 bone" else BONES}
		for heat: String in ["warm", "cold"]:
			var times: Dictionary[String, PackedFloat64Array] = warm if heat == "warm" else cold
			row[heat] = Stats.summary(times[case])
			row[heat + "_of_fabrik"] = Stats.summary(Stats.ratios(times[case], times[REFERENCE]))
		rows.append(row)
	return rows


## Microseconds for one solve of each case, round by round: [param count] rigs in turn, each of them
## [param batch] times.
func _measure(count: int, batch: int, quick: bool) -> Dictionary[String, PackedFloat64Array]:
	var crowds: Dictionary[String, Array] = {}
	for case: String in CASES:
		crowds[case] = _crowd(case, count)
	await get_tree().process_frame
	var times: Dictionary[String, PackedFloat64Array] = {}
	for case: String in CASES:
		times[case] = PackedFloat64Array()
	for round_index: int in 12 if quick else 60:
		for case: String in CASES:
			var spent: PackedFloat64Array = []
			for solves: bool in [false, true]:
				if count > 1:
					_other.fill(round_index)
				spent.append(_time(crowds[case], batch, round_index * batch, solves))
			# The first rounds warm up.
			if round_index >= 4:
				times[case].append((spent[1] - spent[0]) / (count * batch))
	for crowd: Array in crowds.values():
		for member: Array in crowd:
			(member[0] as Character).free()
	return times


## Characters, each with what moves something for it, what solves it, and what solves nothing.
func _crowd(case: String, count: int) -> Array:
	var crowd: Array = []
	for index: int in count:
		var character: Character = Character.new(BONES)
		character.process_mode = Node.PROCESS_MODE_DISABLED
		add_child(character)
		var nothing: Callable = character.get_index
		if case == "engine's Jiggle":
			character.add_engine_jiggle()
			var solve: Callable = character.skeleton.execute_modifications.bind(FRAME, PROCESS)
			crowd.append([character, _move_target.bind(character), solve, nothing])
			continue
		var modifiers: Array[Node] = _modifiers(case, character)
		var rig: TendonRig2D = TendonRig2D.new()
		rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
		for modifier: Node in modifiers:
			rig.add_child(modifier)
		character.skeleton.add_child(rig)
		var mover: Callable = _mover(case, character, modifiers[0])
		crowd.append([character, mover, rig.advance.bind(FRAME), nothing])
	return crowd


func _modifiers(case: String, character: Character) -> Array[Node]:
	match case.get_slice(",", 0):
		"spring":
			return [_spring(case, character)]
		"spline":
			var spline: TendonSplineIK2D = TendonSplineIK2D.new()
			spline.root_bone = character.bones[0]
			spline.tip_bone = character.bones[-1]
			spline.path_2d = _path(character)
			return [spline]
		"copy":
			var copies: Array[Node] = []
			for index: int in 1 if case == "copy, 1 bone" else BONES:
				var copy: TendonCopyTransform2D = TendonCopyTransform2D.new()
				copy.bone = character.bones[index]
				copy.source = character.target
				copies.append(copy)
			return copies
		"script":
			var script: Scripted = Scripted.new()
			script.bones = character.bones
			script.reads = BONES if "reads" in case else 0
			script.writes = BONES if "writes" in case else 0
			script.transforms = BONES if "transforms" in case else 0
			return [script]
		_:
			return [character.make_fabrik()]


func _spring(case: String, character: Character) -> TendonSpring2D:
	var spring: TendonSpring2D = TendonSpring2D.new()
	spring.root_bone = character.bones[0]
	spring.tip_bone = character.bones[-1]
	if "gravity" in case:
		spring.gravity = Vector2(0, 980)
	if "stiff" in case:
		for bone: Bone2D in character.bones:
			var limit: TendonJointLimit2D = TendonJointLimit2D.new()
			limit.stiffness = 0.5
			bone.add_child(limit)
	return spring


func _path(character: Character) -> Path2D:
	var path: Path2D = Path2D.new()
	path.curve = Curve2D.new()
	for index: int in 6:
		var handle: Vector2 = Vector2(15, 0)
		path.curve.add_point(Vector2(40 * index, 20 * (index % 2)), -handle, handle)
	character.add_child(path)
	return path


func _mover(case: String, character: Character, modifier: Node) -> Callable:
	match case.get_slice(",", 0):
		"spring":
			return _move_body.bind(character)
		"spline":
			return _move_along.bind(modifier)
		"copy":
			return _turn_target.bind(character)
		"script":
			return _move_nothing
		_:
			return _move_target.bind(character)


func _move_target(step: int, character: Character) -> void:
	character.target.position = character.path[step % Character.PATH_SIZE]


func _move_body(step: int, character: Character) -> void:
	character.position = 0.2 * character.path[step % Character.PATH_SIZE]


func _move_along(step: int, spline: TendonSplineIK2D) -> void:
	spline.progress = 0.5 * (step % Character.PATH_SIZE)


func _turn_target(step: int, character: Character) -> void:
	character.target.rotation = 0.01 * (step % 300)


func _move_nothing(_step: int) -> void:
	pass


## Microseconds for [param batch] steps of a crowd from step [param first] on.
func _time(crowd: Array, batch: int, first: int, solves: bool) -> float:
	var begin: int = Time.get_ticks_usec()
	for step: int in range(first, first + batch):
		for member: Array in crowd:
			(member[1] as Callable).call(step)
			(member[2 if solves else 3] as Callable).call()
	return Time.get_ticks_usec() - begin
