extends "res://tests/suite.gd"
## TendonRagdoll2D in the world of the engine's own physics.

const Puppet := preload("res://tests/puppet.gd")

var _told: Array[String] = []


func test_a_body_falls_lies_and_blends_back() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var puppet: Puppet = Puppet.new(self, Node2D.new(), Vector2(0, -200))
	_listen(puppet)
	await physics_frames(2)
	var posed: PackedFloat32Array = puppet.rotations()
	puppet.ragdoll.start(Vector2(400, 0))
	var deepest: float = 0.0
	for tick: int in 300:
		await get_tree().physics_frame
		deepest = maxf(deepest, puppet.lowest())
	check(deepest < 1.5, "no limb is deeper than 1.5 px: %s" % deepest)
	check(puppet.lowest() > -0.5, "it lies on the ground")
	check(puppet.bone("Head").global_position.y > -60.0, "the head lies low")
	equal(_told.count("settled"), 1, "it has come to rest once")
	check(_told.count("hit") > 3, "its limbs have hit the ground")
	var lying: PackedFloat32Array = puppet.rotations()
	await physics_frames(10)
	equal(puppet.rotations(), lying, "at rest")
	puppet.ragdoll.stop()
	await get_tree().physics_frame
	for tick: int in 40:
		await get_tree().physics_frame
	equal(puppet.rotations(), posed, "the pose is back, to the last bit")
	equal(_told.count("recovered"), 1, "it has recovered once")
	equal(puppet.bones[0].position, Vector2.ZERO, "the hip, too")
	puppet.body.free()
	_free_ground()


func _listen(puppet: Puppet) -> void:
	_told.clear()
	puppet.ragdoll.settled.connect(func() -> void: _told.append("settled"))
	puppet.ragdoll.recovered.connect(func() -> void: _told.append("recovered"))
	puppet.ragdoll.hit.connect(
		func(_bone: Bone2D, _impulse: Vector2, _collider: Node) -> void: _told.append("hit")
	)


func _add_ground(rect: Rect2, body: PhysicsBody2D = StaticBody2D.new()) -> PhysicsBody2D:
	var shape: CollisionShape2D = CollisionShape2D.new()
	var rectangle: RectangleShape2D = RectangleShape2D.new()
	rectangle.size = rect.size
	shape.shape = rectangle
	body.position = rect.get_center()
	body.add_child(shape)
	body.add_to_group("ground")
	add_child(body)
	return body


func _free_ground() -> void:
	for body: Node in get_tree().get_nodes_in_group("ground"):
		body.free()
