extends "res://tests/suite.gd"
## Random chains under random ancestors: every target that a pose of the chain can reach is
## reached in one pass, and a second pass changes no bone.

## Rigs for each test, each solved in every way that fits its number of bones. Short runs have
## fewer, long ones more.
const COUNT: int = 2000
const SHORT_COUNT: int = 350
const LONG_COUNT: int = 7000

const SEED: int = 20_240_117

var _random: RandomNumberGenerator = RandomNumberGenerator.new()


func test_two_bones() -> void:
	_try(2, 2, SEED)


func test_few_bones() -> void:
	_try(3, 6, SEED + 1)


func test_many_bones() -> void:
	_try(7, 20, SEED + 2)


func _try(fewest: int, most: int, number: int) -> void:
	_random.seed = number
	var figures: Array[Figure] = []
	var modifiers: Array[Array] = []
	for bone_count: int in range(fewest, most + 1):
		var figure: Figure = _figure(bone_count)
		figures.append(figure)
		modifiers.append(figure.rig.get_children())
	var misses: PackedStringArray = []
	var restless: PackedStringArray = []
	var solves: int = 0
	var rigs: int = COUNT
	if OS.has_environment("TENDON_SHORT"):
		rigs = SHORT_COUNT
	elif OS.has_environment("TENDON_LONG"):
		rigs = LONG_COUNT
	for count: int in rigs:
		var kind: int = count % figures.size()
		var figure: Figure = figures[kind]
		_arrange(figure)
		var reach: float = figure.reach()
		for modifier: Node in modifiers[kind]:
			modifier.set(&"active", true)
			figure.rig.advance(0.0)
			var about: String = (
				"rig %d (%d bones, seed %d), %s"
				% [count, figure.bones.size(), number, modifier.name]
			)
			solves += 1
			var gap: float = figure.gap()
			# Written so that NaN fails.
			if not gap <= 1e-4 * reach:
				misses.append("%s: %s of %s" % [about, gap, reach])
			var pose: PackedFloat32Array = figure.pose()
			figure.rig.advance(0.0)
			if figure.pose() != pose:
				restless.append(about)
			modifier.set(&"active", false)
	check(solves >= 3 * rigs, "%d solves" % solves)
	check(misses.is_empty(), "%d of %d miss: %s" % [misses.size(), solves, misses.slice(0, 3)])
	check(
		restless.is_empty(),
		"%d of %d move again: %s" % [restless.size(), solves, restless.slice(0, 3)]
	)


## A chain of that many bones below two nodes, with one modifier of each kind, all off.
func _figure(bone_count: int) -> Figure:
	var lengths: Array[float] = []
	lengths.resize(bone_count)
	lengths.fill(30.0)
	var figure: Figure = Figure.new(lengths, [], [Transform2D.IDENTITY, Transform2D.IDENTITY])
	figure.fabrik().name = "FABRIK"
	figure.ccd().name = "CCD"
	var root_first: TendonCCDIK2D = figure.ccd()
	root_first.name = "CCD root first"
	root_first.root_first = true
	if bone_count == 2:
		figure.two_bone().name = "two-bone"
	for modifier: Node in figure.rig.get_children():
		modifier.set(&"active", false)
	add_child(figure.stage)
	return figure


## Gives the ancestors, the bones and the target random values; the target is where the tip is
## in a random pose.
func _arrange(figure: Figure) -> void:
	for ancestor: Node2D in figure.ancestors:
		ancestor.position = Vector2(_random.randf_range(-100, 100), _random.randf_range(-100, 100))
		ancestor.rotation = _angle()
		ancestor.skew = _random.randf_range(-0.8, 0.8) if _random.randf() < 0.3 else 0.0
		ancestor.scale = Vector2(_ancestor_scale(), _ancestor_scale())
	for index: int in figure.bones.size():
		var bone: Bone2D = figure.bones[index]
		var length: float = _random.randf_range(12, 60)
		if index + 1 < figure.bones.size():
			figure.bones[index + 1].position = Vector2(length, 0).rotated(
				_angle() if _random.randf() < 0.2 else 0.0
			)
		else:
			bone.set_length(length)
		bone.scale = _bone_scale()
		bone.rotation = _angle()
	figure.target.global_position = Figure.axis_end(figure.bones[-1])
	for bone: Bone2D in figure.bones:
		bone.rotation = _angle()


func _angle() -> float:
	return _random.randf_range(-PI, PI)


func _ancestor_scale() -> float:
	var size: float = _random.randf_range(0.4, 2.5) if _random.randf() < 0.4 else 1.0
	return -size if _random.randf() < 0.3 else size


func _bone_scale() -> Vector2:
	var size: float = _random.randf_range(0.7, 1.4) if _random.randf() < 0.1 else 1.0
	var flip: Vector2 = Vector2.ONE
	if _random.randf() < 0.15:
		flip = [Vector2(-1, 1), Vector2(1, -1), Vector2(-1, -1)][_random.randi() % 3]
	return flip * size
