extends SceneTree
## What [code]test_threaded_physics.gd[/code] has an engine do whose physics run on a thread of
## their own: shapes and bodies vanish in the frame in which feet and ragdolls ask for them.

const TICKS: int = 60

var _bodies: Array[StaticBody2D] = []


func _initialize() -> void:
	await process_frame
	var rigs: Array[TendonRig2D] = [_rig(Vector2(0, -40)), _rig(Vector2(300, -40))]
	_add_ragdoll(rigs[0])
	_add_gait(rigs[1])
	for tick: int in TICKS:
		_add_ground()
		await physics_frame
		await physics_frame
		for body: StaticBody2D in _bodies:
			match tick % 3:
				0:
					body.get_child(0).free()
				1:
					(body.get_child(0) as CollisionShape2D).shape = null
				2:
					body.get_child(0).queue_free()
		for rig: TendonRig2D in rigs:
			rig.advance(0.02)
		for body: StaticBody2D in _bodies:
			body.free()
		_bodies.clear()
		for rig: TendonRig2D in rigs:
			rig.advance(0.02)
	print("THREADED: %d ticks" % TICKS)
	quit()


func _add_ground() -> void:
	for index: int in 30:
		var body: StaticBody2D = StaticBody2D.new()
		var shape: CollisionShape2D = CollisionShape2D.new()
		var circle: CircleShape2D = CircleShape2D.new()
		circle.radius = 20.0
		shape.shape = circle
		body.add_child(shape)
		body.position = Vector2(20 * index - 150, 20)
		root.add_child(body)
		_bodies.append(body)


func _rig(place: Vector2) -> TendonRig2D:
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.position = place
	var parent: Node = skeleton
	for index: int in 3:
		var bone: Bone2D = Bone2D.new()
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(20)
		bone.position = Vector2(20 if index > 0 else 0, 0)
		bone.rotation = [PI / 2, -0.3, 0.6][index]
		bone.rest = bone.transform
		parent.add_child(bone)
		parent = bone
	var rig: TendonRig2D = TendonRig2D.new()
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	skeleton.add_child(rig)
	root.add_child(skeleton)
	return rig


func _add_ragdoll(rig: TendonRig2D) -> void:
	var ragdoll: TendonRagdoll2D = TendonRagdoll2D.new()
	rig.add_child(ragdoll)
	ragdoll.start(Vector2(20, 0))


func _add_gait(rig: TendonRig2D) -> void:
	var gait: TendonGait2D = TendonGait2D.new()
	var hip: Bone2D = rig.get_parent().get_child(0)
	gait.pelvis = hip
	rig.add_child(gait)
	var limb: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
	limb.bone_one = hip.get_child(0)
	limb.bone_two = limb.bone_one.get_child(0)
	rig.add_child(limb)
	var foot: TendonFoot2D = TendonFoot2D.new()
	foot.limb = limb
	gait.add_child(foot)
