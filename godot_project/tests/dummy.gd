extends RefCounted
## A figure of 13 limbs with joint limits and a TendonRagdoll2D. Its hip is at the origin of its
## body.

## Parent, place along it, direction in the skeleton in degrees, length and radius.
const LIMBS: Array[Array] = [
	["", 0.0, -90.0, 30.0, 12.0],
	["Spine", 30.0, -90.0, 30.0, 13.0],
	["Chest", 30.0, -90.0, 24.0, 12.0],
	["Chest", 24.0, 80.0, 32.0, 7.0],
	["ArmL", 32.0, 80.0, 30.0, 6.0],
	["Chest", 24.0, 100.0, 32.0, 7.0],
	["ArmR", 32.0, 95.0, 30.0, 6.0],
	["Spine", 0.0, 82.0, 42.0, 9.0],
	["ThighL", 42.0, 93.0, 40.0, 7.0],
	["ShinL", 40.0, 0.0, 14.0, 5.0],
	["Spine", 0.0, 96.0, 42.0, 9.0],
	["ThighR", 42.0, 101.0, 40.0, 7.0],
	["ShinR", 40.0, 0.0, 14.0, 5.0],
]
const NAMES: PackedStringArray = [
	"Spine",
	"Chest",
	"Head",
	"ArmL",
	"HandL",
	"ArmR",
	"HandR",
	"ThighL",
	"ShinL",
	"FootL",
	"ThighR",
	"ShinR",
	"FootR",
]
## How far below the hip the soles are.
const SOLE: float = 89.0

var body: Node2D
var skeleton: Skeleton2D = Skeleton2D.new()
var rig: TendonRig2D = TendonRig2D.new()
var ragdoll: TendonRagdoll2D = TendonRagdoll2D.new()
var bones: Array[Bone2D] = []


func _init(parent: Node, body_of: Node2D, place: Vector2) -> void:
	body = body_of
	body.position = place
	skeleton.name = "Skeleton2D"
	body.add_child(skeleton)
	for index: int in LIMBS.size():
		_add_limb(index)
	ragdoll.name = "Ragdoll"
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	rig.add_child(ragdoll)
	skeleton.add_child(rig)
	parent.add_child(body)


func bone(bone_name: String) -> Bone2D:
	return bones[NAMES.find(bone_name)]


## Where the end of a limb is, in global coordinates.
func end_of(index: int) -> Vector2:
	return bones[index].global_transform * Vector2(LIMBS[index][3], 0.0)


## The lowest point of all limbs.
func lowest() -> float:
	var low: float = -INF
	for index: int in LIMBS.size():
		var radius: float = LIMBS[index][4]
		low = maxf(low, maxf(bones[index].global_position.y, end_of(index).y) + radius)
	return low


func rotations() -> PackedFloat32Array:
	var found: PackedFloat32Array = []
	for each: Bone2D in bones:
		found.append(each.rotation)
	return found


func _add_limb(index: int) -> void:
	var limb: Array = LIMBS[index]
	var added: Bone2D = Bone2D.new()
	added.name = NAMES[index]
	added.set_autocalculate_length_and_angle(false)
	added.set_length(limb[3])
	added.set_bone_angle(0.0)
	added.rotation_degrees = limb[2]
	var above: int = NAMES.find(limb[0])
	if above >= 0:
		added.position = Vector2(limb[1], 0.0)
		added.rotation_degrees -= LIMBS[above][2]
	added.rest = added.transform
	bones.append(added)
	var shape: CollisionShape2D = CollisionShape2D.new()
	var capsule: CapsuleShape2D = CapsuleShape2D.new()
	capsule.radius = limb[4]
	capsule.height = limb[3] + 2.0 * capsule.radius
	shape.shape = capsule
	shape.position.x = 0.5 * limb[3]
	shape.rotation = -PI / 2
	added.add_child(shape)
	if above < 0:
		skeleton.add_child(added)
		return
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	limit.min_angle = -0.9
	limit.max_angle = 0.9
	added.add_child(limit)
	bones[above].add_child(added)
