extends Skeleton2D
## A pelvis on legs of two bones, with all nodes that put them on ground: by foot placement or by a
## gait. Knees bend to the right, or, if the legs are spread, outwards. The origin is on the ground.

const Legs := preload("res://tests/ground_legs.gd")

var upper_length: float
var lower_length: float
## How far the hips are above the ground in the rest pose.
var hip_height: float
## How far the ankles are above it: the height of the feet, if they have any.
var ankle_height: float = 0.0
var pelvis: Bone2D = Bone2D.new()
var uppers: Array[Bone2D] = []
var lowers: Array[Bone2D] = []
## The bones of the feet, if they have any.
var foot_bones: Array[Bone2D] = []
var homes: PackedVector2Array = []
var rig: TendonRig2D = TendonRig2D.new()
## One of both.
var placement: TendonFootPlacement2D
var gait: TendonGait2D
var limbs: Array[TendonTwoBoneIK2D] = []
var feet: Array[TendonFoot2D] = []


## Two legs below one hip, on the ground by foot placement.
static func placed(upper: float = 40.0, lower: float = 40.0, height: float = 70.0) -> Legs:
	var legs: Legs = Legs.new(upper, lower, height)
	legs.placement = TendonFootPlacement2D.new()
	legs.placement.pelvis = legs.pelvis
	legs.rig.add_child(legs.placement)
	for side: int in 2:
		legs.add_leg(Vector2.ZERO, Vector2.ZERO, 1)
	return legs


## Legs that step by themselves. Their hips and homes are so far from each other.
static func stepping(
	count: int, size: Vector3 = Vector3(30, 30, 40), hips: float = 8.0, spread: float = 10.0
) -> Legs:
	var legs: Legs = Legs.new(size.x, size.y, size.z)
	legs._add_gait()
	for index: int in count:
		var part: float = index - 0.5 * (count - 1)
		legs.add_leg(Vector2(hips * part, 0), Vector2(spread * part, 0), 1 if part >= 0.0 else -1)
	return legs


## The same with legs of 82 pixels, low and wide.
static func spider(count: int, spread: float = 22.0) -> Legs:
	return stepping(count, Vector3(36, 46, 38), 6.0, spread)


## A pair of legs that steps, whose knees both bend to the right.
static func striding(size: Vector3 = Vector3(36, 46, 70)) -> Legs:
	var legs: Legs = Legs.new(size.x, size.y, size.z)
	legs._add_gait()
	for part: float in [-0.5, 0.5]:
		legs.add_leg(Vector2(2.0 * part, 0), Vector2(6.0 * part, 0), 1)
	return legs


func _init(upper: float, lower: float, height: float) -> void:
	upper_length = upper
	lower_length = lower
	hip_height = height
	name = "Legs"
	pelvis.name = "Pelvis"
	_attach(pelvis, self, Vector2(0, -height), 0.0, 20.0)
	rig.name = "Rig"
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	add_child(rig)


## A leg from `root` below the pelvis to `home` on the ground, bent to that side.
func add_leg(root: Vector2, home: Vector2, side: int) -> void:
	var number: int = uppers.size()
	var ankle: Vector2 = home - Vector2(0, ankle_height)
	var turns: Vector2 = bend(ankle - pelvis.position - root, side)
	uppers.append(Bone2D.new())
	uppers[number].name = "Upper%d" % number
	_attach(uppers[number], pelvis, root, turns.x, upper_length)
	lowers.append(Bone2D.new())
	lowers[number].name = "Lower%d" % number
	_attach(lowers[number], uppers[number], Vector2(upper_length, 0), turns.y, lower_length)
	homes.append(home)
	limbs.append(TendonTwoBoneIK2D.new())
	limbs[number].name = "Limb%d" % number
	limbs[number].bone_one = uppers[number]
	limbs[number].bone_two = lowers[number]
	rig.add_child(limbs[number])
	feet.append(TendonFoot2D.new())
	feet[number].name = "Foot%d" % number
	feet[number].limb = limbs[number]
	feet[number].sole_height = ankle_height
	(placement if placement != null else gait).add_child(feet[number])


## A level foot below each leg.
func add_foot_bones(length: float) -> void:
	for index: int in lowers.size():
		var foot: Bone2D = Bone2D.new()
		foot.name = "Foot%d" % index
		var turn: float = uppers[index].rotation + lowers[index].rotation
		_attach(foot, lowers[index], Vector2(lower_length, 0), -turn, length)
		foot_bones.append(foot)
		feet[index].foot_bone = foot


## The rotations of a leg whose end is at `way` from its hip.
func bend(way: Vector2, side: int = 1) -> Vector2:
	var far: float = clampf(way.length(), 5.0, upper_length + lower_length - 0.01)
	var corner: float = _corner(upper_length, far, lower_length)
	var knee: float = PI - _corner(upper_length, lower_length, far)
	return Vector2(way.angle() - side * corner, side * knee)


## Has the animation bring the end of a leg there.
func pose_leg(leg: int, place: Vector2) -> void:
	var ankle: Vector2 = place - Vector2(0, ankle_height)
	var turns: Vector2 = bend(ankle - pelvis.position - uppers[leg].position)
	uppers[leg].rotation = turns.x
	lowers[leg].rotation = turns.y
	if not foot_bones.is_empty():
		foot_bones[leg].rotation = -turns.x - turns.y


func reach() -> float:
	return upper_length + lower_length


func tip(leg: int) -> Vector2:
	return lowers[leg].to_global(Vector2(lower_length, 0))


## Where the animation has the end of a leg, seen from the skeleton.
func animated_tip(leg: int) -> Vector2:
	var upper: float = rig.get_base_rotation(uppers[leg])
	var lower: float = upper + rig.get_base_rotation(lowers[leg])
	var hip_at: Vector2 = pelvis.position + uppers[leg].position
	return (
		hip_at + Vector2.from_angle(upper) * upper_length + Vector2.from_angle(lower) * lower_length
	)


## What stands on the ground.
func sole(leg: int) -> Vector2:
	if not foot_bones.is_empty():
		return foot_bones[leg].to_global(Vector2(0, ankle_height))
	return tip(leg)


func hip(leg: int) -> Vector2:
	return uppers[leg].global_position


func planted() -> int:
	var count: int = 0
	for foot: TendonFoot2D in feet:
		count += int(foot.is_planted())
	return count


## Rotations of all legs.
func turns() -> PackedFloat64Array:
	var found: PackedFloat64Array = []
	for leg: int in uppers.size():
		found.append(uppers[leg].rotation)
		found.append(lowers[leg].rotation)
	return found


func _add_gait() -> void:
	gait = TendonGait2D.new()
	gait.pelvis = pelvis
	rig.add_child(gait)


static func _attach(bone: Bone2D, to: Node, place: Vector2, angle: float, length: float) -> void:
	bone.position = place
	bone.rotation = angle
	bone.rest = bone.transform
	bone.set_autocalculate_length_and_angle(false)
	bone.set_length(length)
	bone.set_bone_angle(0.0)
	to.add_child(bone)


## Of a triangle with these sides, the corner between the first two.
static func _corner(a: float, b: float, opposite: float) -> float:
	return acos(clampf((a * a + b * b - opposite * opposite) / (2.0 * a * b), -1.0, 1.0))
