extends SceneTree
## How chains move while their target roams, beside the engine's own solvers. No time is measured.

const Character := preload("res://bench/character.gd")

const BONES: Array[int] = [3, 10, 24]
const FRAME: float = 1.0 / 60.0
## Half a minute.
const FRAMES: int = 1800
const TEN_MINUTES: int = 36000
## A joint that moves by more than this part of the reach in one frame has jumped.
const JUMP: float = 0.125
## Of the reach: a target that is farther away is missed.
const MISS: float = 1e-4
const SWAY: float = 0.6

const CONTESTANTS: Dictionary[String, Array] = {
	"Tendon FABRIK": [Character.Solver.FABRIK, true, false],
	"Tendon CCD": [Character.Solver.CCD, true, false],
	"Tendon FABRIK, deterministic": [Character.Solver.FABRIK, true, true],
	"Tendon CCD, deterministic": [Character.Solver.CCD, true, true],
	"the engine's FABRIK": [Character.Solver.FABRIK, false, false],
	"the engine's CCDIK": [Character.Solver.CCD, false, false],
}

const HEADINGS: Array[String] = [
	"",
	"bones",
	"jumps",
	"farthest in a frame",
	"fastest turn",
	"missed",
	"seen of a sway",
	"fastest turn then",
	"sharpest after ten minutes",
]


func _initialize() -> void:
	# Nodes are in the tree from the first frame on.
	await process_frame
	var lines: PackedStringArray = [
		"| " + " | ".join(HEADINGS) + " |",
		"|" + "---|".repeat(HEADINGS.size()),
	]
	for contestant: String in CONTESTANTS:
		for count: int in BONES:
			var cells: PackedStringArray = [contestant, str(count)]
			cells.append_array(_roam(contestant, count))
			cells.append_array(_sway(contestant, count))
			cells.append(_after_ten_minutes(contestant, count))
			lines.append("| " + " | ".join(cells) + " |")
	var text: String = "\n".join(lines) + "\n"
	print(text)
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	if not arguments.is_empty():
		FileAccess.open(arguments[0], FileAccess.WRITE).store_string(text)
	print("MOTION: %d rows" % (lines.size() - 2))
	quit()


## Where the target is, as a part of the reach.
static func _place(time: float) -> Vector2:
	var place: Vector2 = Vector2(
		sin(time * 0.9) * 0.8 + sin(time * 0.37) * 0.15,
		cos(time * 0.71) * 0.75 + sin(time * 0.23) * 0.2,
	)
	return place.limit_length(0.999)


func _enter(contestant: String, count: int) -> Character:
	var character: Character = Character.new(count)
	# Nearly straight, 0.05 rad a joint.
	for bone: Bone2D in character.bones:
		bone.rotation = 0.05
		bone.rest = bone.transform
	root.add_child(character)
	var settings: Array = CONTESTANTS[contestant]
	var solver: Character.Solver = settings[0]
	if settings[1]:
		var rig: TendonRig2D = character.add_tendon(
			solver, TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
		)
		rig.get_child(0).set("deterministic", settings[2])
	else:
		character.add_engine(solver)
	return character


func _leave(character: Character) -> void:
	root.remove_child(character)
	character.free()


func _step(character: Character) -> void:
	if character.skeleton.get_modification_stack() != null:
		character.skeleton.execute_modifications(FRAME, 0)
		return
	for child: Node in character.skeleton.get_children():
		if child is TendonRig2D:
			(child as TendonRig2D).advance(FRAME)


func _points(character: Character) -> PackedVector2Array:
	var points: PackedVector2Array = []
	for bone: Bone2D in character.bones:
		points.append(bone.global_position)
	points.append(character.tip.global_position)
	return points


func _rotations(character: Character) -> PackedFloat64Array:
	var rotations: PackedFloat64Array = []
	for bone: Bone2D in character.bones:
		rotations.append(bone.rotation)
	return rotations


func _roam(contestant: String, count: int) -> PackedStringArray:
	var character: Character = _enter(contestant, count)
	var jumps: int = 0
	var missed: int = 0
	var farthest: float = 0.0
	var fastest: float = 0.0
	var before: PackedVector2Array = []
	var turned: PackedFloat64Array = []
	for frame: int in FRAMES:
		character.target.position = _place(frame * FRAME) * character.reach
		_step(character)
		var points: PackedVector2Array = _points(character)
		var rotations: PackedFloat64Array = _rotations(character)
		var left: float = points[-1].distance_to(character.target.global_position)
		missed += int(left > MISS * character.reach)
		if frame > 0:
			var moved: float = 0.0
			for index: int in points.size():
				moved = maxf(moved, points[index].distance_to(before[index]))
			jumps += int(moved > JUMP * character.reach)
			farthest = maxf(farthest, moved / character.reach)
			fastest = maxf(fastest, _fastest(rotations, turned))
		before = points
		turned = rotations
	_leave(character)
	return [str(jumps), "%.2f" % farthest, "%.2f rad" % fastest, str(missed)]


func _fastest(now: PackedFloat64Array, before: PackedFloat64Array) -> float:
	var fastest: float = 0.0
	for index: int in now.size():
		fastest = maxf(fastest, absf(angle_difference(before[index], now[index])))
	return fastest


func _sway(contestant: String, count: int) -> PackedStringArray:
	var character: Character = _enter(contestant, count)
	character.target.position = Vector2(0.55, 0.3) * character.reach
	var least: PackedFloat64Array = []
	var most: PackedFloat64Array = []
	var fastest: float = 0.0
	var before: PackedFloat64Array = []
	for frame: int in 600:
		for index: int in count:
			var phase: float = frame * FRAME * TAU + index * 0.7
			character.bones[index].rotation = 0.05 + SWAY * sin(phase)
		_step(character)
		var now: PackedFloat64Array = _rotations(character)
		if frame == 60:
			least = now.duplicate()
			most = now.duplicate()
		if frame > 60:
			fastest = maxf(fastest, _fastest(now, before))
			for index: int in count:
				least[index] = minf(least[index], now[index])
				most[index] = maxf(most[index], now[index])
		before = now
	var seen: float = 0.0
	for index: int in count:
		seen += 0.5 * (most[index] - least[index]) / count
	_leave(character)
	return ["%.2f rad" % seen, "%.2f rad" % fastest]


## The sharpest angle between two bones, beside that of a character that has just been made.
func _after_ten_minutes(contestant: String, count: int) -> String:
	var character: Character = _enter(contestant, count)
	var last: Vector2 = Vector2.ZERO
	for frame: int in TEN_MINUTES:
		last = _place(frame * FRAME) * character.reach
		character.target.position = last
		_step(character)
	var rest: Vector2 = Vector2(0.5, 0.35) * character.reach
	for frame: int in 240:
		character.target.position = last.lerp(rest, minf((frame + 1) * FRAME, 1.0))
		_step(character)
	var after: float = _sharpest(character)
	_leave(character)
	var fresh: Character = _enter(contestant, count)
	fresh.target.position = rest
	_step(fresh)
	var before: float = _sharpest(fresh)
	_leave(fresh)
	return "%.2f rad (%.2f fresh)" % [after, before]


func _sharpest(character: Character) -> float:
	var points: PackedVector2Array = _points(character)
	var sharpest: float = 0.0
	for index: int in range(1, points.size() - 1):
		var above: Vector2 = points[index] - points[index - 1]
		var below: Vector2 = points[index + 1] - points[index]
		sharpest = maxf(sharpest, absf(above.angle_to(below)))
	return sharpest
