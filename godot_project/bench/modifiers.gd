extends Node
## What springs, splines, mappings and the others cost, beside FABRIK with as many bones and
## beside the engine's Jiggle: again and again ("warm"), and of many rigs with other work between
## two frames ("cold").
##
## What moves differs: the body for springs, the target for FABRIK, looks and Jiggle, the pin, the
## leader, the progress for splines, the source for mappings and sliders. The cost of that is
## measured in each round too and taken off.

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
## Frames from one exchange of the target to the next, which is a transition of as long.
const EXCHANGE: int = 60

const CASES: Array[String] = [
	"FABRIK",
	"FABRIK, handover",
	"look, 1 bone",
	"look, 10 bones",
	"spring",
	"spring, gravity",
	"spring, stiff",
	"spring, pinned",
	"trail",
	"wave",
	"slider",
	"spline",
	"copy, 1 bone",
	"copy, 10 bones",
	"script, no call",
	"script, 10 reads",
	"script, 10 writes",
	"script, 10 transforms",
	"ragdoll, in the air",
	"ragdoll, lying",
	"ragdoll, at rest",
	"engine's Jiggle",
]
## The limbs of a ragdoll, and how long one needs to come to rest, in frames.
const LIMBS: int = 13
const FALL: int = 400

var _other: PackedByteArray = PackedByteArray()


## One row for each case.
func measure(quick: bool) -> Array[Dictionary]:
	var warm: Dictionary[String, PackedFloat64Array] = await _measure(1, BATCH, quick)
	_other.resize(OTHER_WORK)
	var cold: Dictionary[String, PackedFloat64Array] = await _measure(COUNT, 1, quick)
	var rows: Array[Dictionary] = []
	for case: String in CASES:
		var row: Dictionary = {"case": case, "bones": _bones_of(case)}
		for heat: String in ["warm", "cold"]:
			var times: Dictionary[String, PackedFloat64Array] = warm if heat == "warm" else cold
			row[heat] = Stats.summary(times[case])
			row[heat + "_of_fabrik"] = Stats.summary(Stats.ratios(times[case], times[REFERENCE]))
		rows.append(row)
	return rows


func _bones_of(case: String) -> int:
	if case.begins_with("ragdoll"):
		return LIMBS
	return 1 if ", 1 bone" in case else BONES


## Microseconds for one solve of each case, round by round: [param count] rigs in turn, each of them
## [param batch] times.
func _measure(count: int, batch: int, quick: bool) -> Dictionary[String, PackedFloat64Array]:
	# A ragdoll takes a tick for as long as those of the game are.
	var ticks: int = Engine.physics_ticks_per_second
	Engine.physics_ticks_per_second = 60
	var ground: StaticBody2D = _ground()
	# The world can be asked, and what is in it is known, in physics frames.
	await get_tree().physics_frame
	await get_tree().physics_frame
	var crowds: Dictionary[String, Array] = {}
	for case: String in CASES:
		crowds[case] = _crowd(case, count)
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
	ground.free()
	Engine.physics_ticks_per_second = ticks
	return times


## Characters, each with what moves something for it, what solves it, and what solves nothing.
func _crowd(case: String, count: int) -> Array:
	var crowd: Array = []
	for index: int in count:
		var character: Character = Character.new(LIMBS if case.begins_with("ragdoll") else BONES)
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
		if modifiers[0] is TendonRagdoll2D:
			_let_go(case, modifiers[0], rig)
		var mover: Callable = _mover(case, character, modifiers[0])
		crowd.append([character, mover, rig.advance.bind(FRAME), nothing])
	return crowd


func _modifiers(case: String, character: Character) -> Array[Node]:
	if case == "copy, 10 bones":
		var copies: Array[Node] = []
		for bone: Bone2D in character.bones:
			copies.append(_copy(character, bone))
		return copies
	return [_modifier(case, character)]


func _modifier(case: String, character: Character) -> Node:
	var modifier: Node
	match case.get_slice(",", 0):
		"FABRIK":
			modifier = character.make_fabrik()
			modifier.set(&"transition_duration", FRAME * EXCHANGE if "handover" in case else 0.0)
		"look":
			modifier = TendonLookAt2D.new()
			modifier.set(&"bone", character.bones[-1])
			modifier.set(&"chain_root", character.bones[0] if "10" in case else null)
			modifier.set(&"target", character.target)
		"spring":
			modifier = _spring(case, character)
		"trail":
			modifier = _on_chain(TendonTrail2D.new(), character)
			modifier.set(&"leader", character.target)
		"wave":
			modifier = _on_chain(TendonWave2D.new(), character)
		"slider":
			modifier = _slider(character)
		"spline":
			modifier = _on_chain(TendonSplineIK2D.new(), character)
			modifier.set(&"path_2d", _path(character))
		"copy":
			modifier = _copy(character, character.bones[0])
		"ragdoll":
			modifier = TendonRagdoll2D.new()
			modifier.set(&"gravity_scale", 0.0 if "air" in case else 1.0)
		"script":
			modifier = _script(case, character)
	return modifier


## The ground on which ragdolls lie.
func _ground() -> StaticBody2D:
	var ground: StaticBody2D = StaticBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(4000, 100)
	ground.position.y = 200.0
	ground.add_child(shape)
	add_child(ground)
	return ground


func _let_go(case: String, ragdoll: TendonRagdoll2D, rig: TendonRig2D) -> void:
	if "air" in case:
		# It would have landed before the last round.
		ragdoll.gravity_scale = 0.0
	ragdoll.start()
	for frame: int in 0 if "air" in case else FALL:
		rig.advance(FRAME)


func _on_chain(modifier: Node, character: Character) -> Node:
	modifier.set(&"root_bone", character.bones[0])
	modifier.set(&"tip_bone", character.bones[-1])
	return modifier


func _copy(character: Character, bone: Bone2D) -> TendonCopyTransform2D:
	var copy: TendonCopyTransform2D = TendonCopyTransform2D.new()
	copy.bone = bone
	copy.source = character.target
	return copy


func _script(case: String, character: Character) -> Scripted:
	var script: Scripted = Scripted.new()
	script.bones = character.bones
	script.reads = BONES if "reads" in case else 0
	script.writes = BONES if "writes" in case else 0
	script.transforms = BONES if "transforms" in case else 0
	return script


func _spring(case: String, character: Character) -> TendonSpring2D:
	var spring: TendonSpring2D = _on_chain(TendonSpring2D.new(), character)
	if "gravity" in case:
		spring.gravity = Vector2(0, 980)
	if "pinned" in case:
		spring.gravity = Vector2(0, 980)
		spring.pin = character.target
	if "stiff" in case:
		for bone: Bone2D in character.bones:
			var limit: TendonJointLimit2D = TendonJointLimit2D.new()
			limit.stiffness = 0.5
			bone.add_child(limit)
	return spring


## A slider that turns all bones.
func _slider(character: Character) -> TendonSlider2D:
	var player: AnimationPlayer = AnimationPlayer.new()
	character.add_child(player)
	var animation: Animation = Animation.new()
	for bone: Bone2D in character.bones:
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		animation.track_set_path(track, "%s:rotation" % character.get_path_to(bone))
		for key: int in 3:
			animation.track_insert_key(track, 0.5 * key, bone.rotation + 0.1 * key)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation("turn", animation)
	player.add_animation_library("", library)
	var slider: TendonSlider2D = TendonSlider2D.new()
	slider.source = character.target
	slider.source_max = 3.0
	slider.animation_player = player
	slider.animation = "turn"
	return slider


func _path(character: Character) -> Path2D:
	var path: Path2D = Path2D.new()
	path.curve = Curve2D.new()
	for index: int in 6:
		var handle: Vector2 = Vector2(15, 0)
		path.curve.add_point(Vector2(40 * index, 20 * (index % 2)), -handle, handle)
	character.add_child(path)
	return path


func _mover(case: String, character: Character, modifier: Node) -> Callable:
	var mover: Callable = _move_target.bind(character)
	match case.get_slice(",", 0):
		"spring" when "pinned" not in case:
			mover = _move_body.bind(character)
		"spline":
			mover = _move_along.bind(modifier)
		"copy", "slider":
			mover = _turn_target.bind(character)
		"ragdoll" when "at rest" not in case:
			mover = _nudge.bind(modifier)
		"script", "wave", "ragdoll":
			mover = _move_nothing
		_ when "handover" in case:
			mover = _exchange_target.bind(character, modifier, _second_target(character))
	return mover


## Keeps a ragdoll from coming to rest. Impulses would add up where nothing is solved.
func _nudge(step: int, ragdoll: TendonRagdoll2D) -> void:
	ragdoll.damping_ratio = 0.7 if step % 2 == 0 else 0.71


func _second_target(character: Character) -> Node2D:
	var target: Node2D = Node2D.new()
	character.add_child(target)
	return target


## Two targets that move alike, in turn.
func _exchange_target(step: int, character: Character, fabrik: Node, other: Node2D) -> void:
	var place: Vector2 = character.path[step % Character.PATH_SIZE]
	character.target.position = place
	other.position = place.orthogonal()
	if step % EXCHANGE == 0:
		fabrik.set(&"target", other if step / EXCHANGE % 2 == 1 else character.target)


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
