extends RefCounted
## A character that nobody has drawn: a random tree of 3 to 25 bones with limits, mirrored, scaled
## or skewed, with a TendonRagdoll2D.

const RADIUS: float = 6.0

var body: Node2D = Node2D.new()
var skeleton: Skeleton2D = Skeleton2D.new()
var rig: TendonRig2D = TendonRig2D.new()
var ragdoll: TendonRagdoll2D = TendonRagdoll2D.new()
var bones: Array[Bone2D] = []
var lengths: PackedFloat32Array = []
## When it came to rest last, in seconds since it was let go; below 0 while it has not.
var rested: float = -1.0


func _init(random: RandomNumberGenerator, above: Node, place: Vector2) -> void:
	body.position = place
	body.rotation = random.randf_range(-3.0, 3.0)
	body.scale = Vector2(random.randf_range(0.6, 1.6) * (1 if random.randf() < 0.5 else -1), 1.0)
	body.scale.y = absf(body.scale.x) * random.randf_range(0.85, 1.15)
	body.skew = random.randf_range(-0.3, 0.3) if random.randf() < 0.3 else 0.0
	body.add_child(skeleton)
	for index: int in random.randi_range(3, 25):
		_add_bone(random, index)
	ragdoll.radius = RADIUS
	ragdoll.collision_mask = 7
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	rig.add_child(ragdoll)
	skeleton.add_child(rig)
	above.add_child(body)


## How far it is beyond its limits, in radians.
func excess() -> float:
	var most: float = 0.0
	for bone: Bone2D in bones:
		for limit: Node in bone.get_children():
			if limit is TendonJointLimit2D:
				var turned: float = angle_difference(bone.rest.get_rotation(), bone.rotation)
				most = maxf(most, turned - (limit as TendonJointLimit2D).max_angle)
				most = maxf(most, (limit as TendonJointLimit2D).min_angle - turned)
	return most


func is_finite_everywhere() -> bool:
	return bones.all(func(bone: Bone2D) -> bool: return bone.global_transform.is_finite())


## Whether a limb that is thinner by [param margin] is in something with the layers [param mask].
func is_inside(mask: int, margin: float) -> bool:
	var unit: float = sqrt(absf(body.global_transform.determinant()))
	var capsule: CapsuleShape2D = CapsuleShape2D.new()
	var query: PhysicsShapeQueryParameters2D = PhysicsShapeQueryParameters2D.new()
	query.shape = capsule
	query.collision_mask = mask
	for index: int in bones.size():
		var from: Vector2 = bones[index].global_position
		var to: Vector2 = bones[index].global_transform * Vector2(lengths[index], 0)
		capsule.radius = maxf(unit * RADIUS - margin, 0.5)
		capsule.height = from.distance_to(to) + 2.0 * capsule.radius
		query.transform = Transform2D(from.angle_to_point(to) - PI / 2, 0.5 * (from + to))
		if not skeleton.get_world_2d().direct_space_state.intersect_shape(query, 1).is_empty():
			return true
	return false


func _add_bone(random: RandomNumberGenerator, index: int) -> void:
	var bone: Bone2D = Bone2D.new()
	var length: float = random.randf_range(16.0, 40.0)
	bone.name = "Bone%d" % index
	bone.set_autocalculate_length_and_angle(false)
	bone.set_length(length)
	bone.set_bone_angle(0.0)
	bone.rotation = random.randf_range(-1.5, 1.5)
	var above: Node = skeleton
	if index > 0:
		var number: int = random.randi_range(maxi(index - 4, 0), index - 1)
		above = bones[number]
		bone.position = Vector2(lengths[number], 0)
	bone.rest = bone.transform
	if index > 0 and random.randf() < 0.7:
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = -random.randf_range(0.05, 1.5)
		limit.max_angle = random.randf_range(0.05, 1.5)
		bone.add_child(limit)
	above.add_child(bone)
	bones.append(bone)
	lengths.append(length)
