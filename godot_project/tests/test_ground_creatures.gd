extends "res://tests/ground_suite.gd"
## Creatures with long feet and toes: an ostrich, whose knee bends back above a long shank, a
## kangaroo, whose foot is as long as its shin, and a goat. Whole feet stand on their ground.

const SPEED: float = 120.0
## How deep a sole may be in the ground, and how far it may hang.
const DEEP: float = 2.0
const HANGS: float = 3.0
## Ticks until a planted foot has come down.
const LANDS: int = 3
const STAIRS: String = "stairs"
const LEDGE: String = "ledge"

## Of each leg, if it has some.
var _toes: Array[Bone2D] = []


func test_whole_feet_are_on_their_ground() -> void:
	for kind: String in ["ostrich", "kangaroo", "goat"]:
		for ground: String in ["10", "20", "27", "-10", "-20", "-27", STAIRS, LEDGE]:
			await _walk(kind, ground)


func _creature(kind: String) -> Legs:
	_toes.clear()
	match kind:
		"ostrich":
			return _biped(Vector4(30, 60, 84, 8), Vector3(12, 10, -1))
		"kangaroo":
			return _biped(Vector4(30, 34, 52, 6), Vector3(30, 10, 1))
	var legs: Legs = _begun(Vector4(26, 28, 52, 4))
	for front: float in [-1.0, 1.0]:
		for near: float in [-2.0, 2.0]:
			var at: float = front * 28.0 + near
			legs.add_leg(Vector2(at, 0), Vector2(at, 0), 1 if front < 0.0 else -1)
	_add_feet(legs, 7.0, 0.0)
	return legs


## Thigh, shin, the height of the hip and that of the ankle; foot, toes, and the side of the knee.
func _biped(size: Vector4, foot: Vector3) -> Legs:
	var legs: Legs = _begun(size)
	for near: float in [-2.0, 2.0]:
		legs.add_leg(Vector2(near, 0), Vector2(near, 0), roundi(foot.z))
	_add_feet(legs, foot.x, foot.y)
	return legs


func _begun(size: Vector4) -> Legs:
	var legs: Legs = Legs.new(size.x, size.y, size.z)
	legs.ankle_height = size.w
	legs._add_gait()
	return legs


func _add_feet(legs: Legs, foot: float, toes: float) -> void:
	legs.add_foot_bones(foot)
	for bone: Bone2D in legs.foot_bones if toes > 0.0 else []:
		_toes.append(Bone2D.new())
		Legs._attach(_toes[-1], bone, Vector2(foot, 0), 0.0, toes)


func _walk(kind: String, ground: String) -> void:
	begin()
	var slope: float = tan(deg_to_rad(ground.to_float()))
	_lay(ground, slope)
	var legs: Legs = put(_creature(kind), Vector2(-100, 0))
	await seconds(0.3)
	var looks: int = 0
	var stood: PackedInt32Array = [0, 0, 0, 0]
	var worst: Vector2 = Vector2.ZERO
	for tick: int in int(500.0 / SPEED * 60.0):
		var x: float = holder_of(legs).position.x + SPEED * TICK
		holder_of(legs).position = Vector2(x, _height(ground, x, slope))
		await ticks(1)
		for leg: int in legs.feet.size():
			stood[leg] = stood[leg] + 1 if legs.feet[leg].is_planted() else 0
			if stood[leg] >= LANDS:
				looks += 1
				worst = worst.max(_seen(legs, leg, slope != 0.0))
	var about: String = "%s over %s: in %d looks" % [kind, ground, looks]
	check(looks > 100, about + " at planted feet")
	check(worst.x <= DEEP, "%s a sole is %.1f px in the ground" % [about, worst.x])
	check(worst.y <= HANGS, "%s a sole hangs by %.1f px" % [about, worst.y])


func _lay(ground: String, slope: float) -> void:
	match ground:
		STAIRS:
			box(Vector2.ZERO, Vector2(4000, 200))
			stairs(60, 40, 10, 8)
		LEDGE:
			box(Vector2(-900, 0), Vector2(2000, 200))
			box(Vector2(1100, 12), Vector2(2000, 200))
		_:
			var far: Vector2 = Vector2(2000, -2000 * slope)
			polygon([Vector2(-600, 2000), Vector2(-600, 0), Vector2.ZERO, far, Vector2(2000, 2000)])


## Where the body is at a place: over stairs on a ramp.
func _height(ground: String, x: float, slope: float) -> float:
	match ground:
		STAIRS:
			return -clampf((x - 20.0) * 0.25, 0.0, 80.0) + clampf((x - 380.0) * 0.25, 0.0, 80.0)
		LEDGE:
			return clampf((x - 80.0) * 0.3, 0.0, 12.0)
	return -maxf(x, 0.0) * slope


## How deep the sole of a foot is in the ground at most, and how far it is above it: on a slope,
## which begins at 0, at its highest place, and over edges at its lowest.
func _seen(legs: Legs, leg: int, is_slope: bool) -> Vector2:
	var places: PackedVector2Array = []
	var bones: Array[Bone2D] = [legs.foot_bones[leg]]
	if leg < _toes.size():
		bones.append(_toes[leg])
	for bone: Bone2D in bones:
		for part: float in [0.0, 0.5, 1.0]:
			var along: float = part * bone.get_length()
			places.append(bone.to_global(Vector2(along, legs.ankle_height)))
	var deepest: float = 0.0
	var heights: Array[float] = []
	var is_plane: bool = is_slope and legs.foot_bones[leg].global_position.x > 0.0
	for place: Vector2 in places:
		deepest = maxf(deepest, _depth(place))
		heights.append(height_above_ground(place, 8.0))
	return Vector2(deepest, heights.max() if is_plane else heights.min())


## How far the nearest place outside of the ground is, up or aside.
func _depth(place: Vector2) -> float:
	var point: PhysicsPointQueryParameters2D = PhysicsPointQueryParameters2D.new()
	point.collision_mask = 1
	var space: PhysicsDirectSpaceState2D = world.get_world_2d().direct_space_state
	for step: int in 20:
		for way: Vector2 in [Vector2.UP, Vector2.LEFT, Vector2.RIGHT]:
			point.position = place + way * (0.5 * step)
			if space.intersect_point(point, 1).is_empty():
				return 0.5 * step
	return 10.0
