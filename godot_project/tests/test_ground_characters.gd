extends "res://tests/ground_suite.gd"
## Characters of other proportions: dwarfs, giants, legs of three bones, four legs under one body.
## Each lands on a platform, is carried by it and drops through it, at low and high tick rates, and
## stands on uneven ground.

const RATES: Array[int] = [30, 60, 120]
## Bones of a leg by their lengths, and hips by their places along x.
const CHARACTERS: Dictionary[String, Array] = {
	"dwarf": [[12.0, 10.0], [-3.0, 3.0]],
	"giant": [[90.0, 110.0], [-12.0, 12.0]],
	"long shins": [[24.0, 48.0], [-2.0, 2.0]],
	"three bones": [[26.0, 26.0, 20.0], [-4.0, 4.0]],
	"four legs": [[30.0, 34.0], [-48.0, -36.0, 36.0, 48.0]],
}
## How much of its length a leg stands at.
const STRETCH: float = 0.94
## A sole is off its ground by so much at most, in parts of a leg.
const OFF: float = 0.02

var _body: CharacterBody2D
var _rig: TendonRig2D
var _placement: TendonFootPlacement2D
var _tips: Array[Bone2D] = []
var _feet: Array[TendonFoot2D] = []
var _reach: float


func test_all_of_them_land_ride_and_drop_through() -> void:
	for rate: int in RATES:
		Engine.physics_ticks_per_second = rate
		for character: String in CHARACTERS:
			await _land_ride_and_drop(character, "%s at %d ticks" % [character, rate])
	Engine.physics_ticks_per_second = 60


func test_all_of_them_stand_on_uneven_ground() -> void:
	for character: String in CHARACTERS:
		begin()
		_make(character, Vector2(0, -20))
		var at: PackedFloat64Array = []
		for tip: Bone2D in _tips:
			at.append(tip.to_global(_end(tip)).x)
		# A block below every other foot: the pelvis goes down to the others.
		box(Vector2.ZERO, Vector2(2000, 40))
		for leg: int in range(0, _tips.size(), 2):
			box(Vector2(at[leg], -0.12 * _reach), Vector2(3, 0.12 * _reach))
		_body.collision_mask = 2
		_body.position.y = 0.0
		await seconds(1.5)
		for leg: int in _tips.size():
			var height: float = 0.12 * _reach if leg % 2 == 0 else 0.0
			var off: float = _tips[leg].to_global(_end(_tips[leg])).y + height
			check(
				absf(off) <= OFF * _reach, "%s: foot %d is off by %.2f px" % [character, leg, off]
			)
			check(_feet[leg].is_planted(), "%s: foot %d is planted" % [character, leg])


func _land_ride_and_drop(character: String, text: String) -> void:
	begin()
	var floor_at: float = 2.0 * _reach_of(character)
	box(Vector2(0, floor_at), Vector2(3000, 60))
	var platform: AnimatableBody2D = AnimatableBody2D.new()
	platform.sync_to_physics = false
	box(Vector2.ZERO, Vector2(400, 10), platform)
	shape_of(platform).one_way_collision = true
	_make(character, Vector2(0, -30))
	await fall(_body, 0.0, 1.2)
	_stands(platform.position.y, text + ", landed")
	for tick: int in rate_ticks(1.0):
		platform.position += Vector2(1.0, -0.5) * 60.0 / Engine.physics_ticks_per_second
		await fall(_body, 0.0, 1.0 / Engine.physics_ticks_per_second)
	_stands(platform.position.y, text + ", carried", 0.08)
	_body.add_collision_exception_with(platform)
	await fall(_body, 0.0, 2.0)
	_stands(floor_at, text + ", dropped through")


func rate_ticks(time: float) -> int:
	return roundi(time * Engine.physics_ticks_per_second)


func _stands(height: float, text: String, off: float = OFF) -> void:
	for leg: int in _tips.size():
		var away: float = _tips[leg].to_global(_end(_tips[leg])).y - height
		check(absf(away) <= off * _reach, "%s: sole %d is off by %.2f px" % [text, leg, away])
		check(_feet[leg].is_planted(), "%s: foot %d is planted" % [text, leg])


func _reach_of(character: String) -> float:
	var reach: float = 0.0
	for length: float in CHARACTERS[character][0]:
		reach += length
	return reach


## A body at `at` with a rig that the placement itself makes.
func _make(character: String, at: Vector2) -> void:
	var lengths: Array = CHARACTERS[character][0]
	_reach = _reach_of(character)
	_body = CharacterBody2D.new()
	_body.collision_layer = 4
	_body.floor_snap_length = 8.0
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(10, 0.5 * _reach)
	shape.position.y = -0.25 * _reach
	_body.add_child(shape)
	var skeleton: Skeleton2D = Skeleton2D.new()
	_body.add_child(skeleton)
	var pelvis: Bone2D = Bone2D.new()
	_rig = TendonRig2D.new()
	_rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	_placement = TendonFootPlacement2D.new()
	Legs._attach(pelvis, skeleton, Vector2.ZERO, 0.0, 20.0)
	skeleton.add_child(_rig)
	_rig.add_child(_placement)
	_placement.pelvis = pelvis
	_tips.clear()
	for hip: float in CHARACTERS[character][1]:
		_tips.append(_add_leg(pelvis, hip, lengths))
	pelvis.position.y = -_lowest(pelvis)
	pelvis.rest = pelvis.transform
	_body.position = at
	world.add_child(_body)
	_feet.assign(_placement.add_legs())
	equal(_feet.size(), _tips.size(), character + ": feet")


## A zigzag that is as long as legs stand at. Returns its last bone.
func _add_leg(pelvis: Bone2D, hip: float, lengths: Array) -> Bone2D:
	var lean: float = acos(STRETCH)
	var parent: Bone2D = pelvis
	var place: Vector2 = Vector2(hip, 0)
	var before: float = 0.0
	for index: int in lengths.size():
		var bone: Bone2D = Bone2D.new()
		bone.name = "Leg%d_%d" % [int(hip + 100.0), index]
		var angle: float = PI / 2.0 + (lean if index % 2 == 1 else -lean)
		Legs._attach(bone, parent, place, angle - before, lengths[index])
		before = angle
		place = Vector2(lengths[index], 0)
		parent = bone
	return parent


## How far the ends of the legs are below the pelvis.
func _lowest(pelvis: Bone2D) -> float:
	var lowest: float = 0.0
	for tip: Bone2D in _tips:
		var end: Vector2 = _end(tip)
		var bone: Bone2D = tip
		while bone != pelvis:
			end = bone.transform * end
			bone = bone.get_parent() as Bone2D
		lowest = maxf(lowest, end.y)
	return lowest


func _end(bone: Bone2D) -> Vector2:
	return Vector2(bone.get_length(), 0)
