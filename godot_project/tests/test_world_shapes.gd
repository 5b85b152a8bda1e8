extends "res://tests/ground_suite.gd"
## Shapes that are legal, and degenerate: bodies fall beside them, feet stand on them, and chains go
## past them. What has no extent holds nothing up, and a panic is an error that is not expected.

const Dummy := preload("res://tests/dummy.gd")
const PLACE: Vector2 = Vector2(15, -8)
const ENGINE_ERRORS: PackedStringArray = [
	"Convex decomposing failed", "Bad polygon", "p_radius", "len % 2", "segments.size()"
]


func test_bodies_fall_past_degenerate_shapes() -> void:
	var shapes: Dictionary[String, Node2D] = _odd_shapes()
	for about: String in shapes:
		begin()
		box(Vector2.ZERO, Vector2(4000, 100))
		_put(shapes[about])
		var dummy: Dummy = Dummy.new(world, Node2D.new(), Vector2(0, -120))
		await ticks(3)
		dummy.ragdoll.start(Vector2(400, 0))
		await ticks(100)
		for bone: Bone2D in dummy.bones:
			check(bone.global_transform.is_finite(), "%s: %s" % [about, bone.name])
		var low: float = dummy.lowest()
		check(low > -24.0 and low < 3.0, "%s: it has fallen, to %.1f" % [about, low])
	forgive(ENGINE_ERRORS)


func test_feet_stand_beside_degenerate_shapes() -> void:
	var shapes: Dictionary[String, Node2D] = _odd_shapes()
	for kind: String in [GAIT, PLACEMENT]:
		for about: String in shapes:
			begin()
			box(Vector2.ZERO, Vector2(4000, 100))
			_put(shapes[about].duplicate() as Node2D)
			var legs: Legs = stand(kind)
			await ticks(25)
			for foot: int in 2:
				var sole: Vector2 = legs.sole(foot)
				check(sole.is_finite(), "%s, %s: foot %d" % [kind, about, foot])
				check(sole.y < 2.0, "%s, %s: foot %d at %s" % [kind, about, foot, sole])
	for about: String in shapes:
		shapes[about].free()
	forgive(ENGINE_ERRORS)


func test_chains_and_springs_pass_degenerate_obstacles() -> void:
	var shapes: Dictionary[String, Node2D] = _odd_shapes()
	for about: String in shapes:
		begin()
		var skeleton: Skeleton2D = Skeleton2D.new()
		var bones: Array[Bone2D] = []
		var above: Node2D = skeleton
		for index: int in 4:
			bones.append(
				TendonRig2D.add_bone(
					above,
					"Bone%d" % index,
					Transform2D(0.3, Vector2(20.0 if index else 0.0, 0)),
					20.0
				)
			)
			above = bones[-1]
		var rig: TendonRig2D = TendonRig2D.new()
		rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
		skeleton.add_child(rig)
		world.add_child(skeleton)
		var target: Marker2D = Marker2D.new()
		world.add_child(target)
		_put(shapes[about])
		var obstacles: Array[CollisionShape2D] = []
		if shapes[about] is CollisionShape2D:
			obstacles.append(shapes[about])
		rig.add_fabrik(bones[0], bones[-1], target).obstacles = obstacles
		rig.add_spring(bones[1], bones[-1]).obstacles = obstacles
		for tick: int in 24:
			target.position = Vector2(60, 0).rotated(0.2 * tick)
			await get_tree().physics_frame
		for bone: Bone2D in bones:
			check(bone.global_transform.is_finite(), "%s: %s" % [about, bone.name])
	forgive(ENGINE_ERRORS + PackedStringArray(["is not supported", "bstacle"]))


## A body that was made by the server alone carries what falls onto it, until it is gone.
func test_bodies_without_nodes_are_met() -> void:
	begin()
	var server: RID = PhysicsServer2D.body_create()
	var shape: RID = PhysicsServer2D.rectangle_shape_create()
	PhysicsServer2D.shape_set_data(shape, Vector2(1000, 20))
	PhysicsServer2D.body_set_mode(server, PhysicsServer2D.BODY_MODE_STATIC)
	PhysicsServer2D.body_add_shape(server, shape)
	PhysicsServer2D.body_set_state(
		server, PhysicsServer2D.BODY_STATE_TRANSFORM, Transform2D(0.0, Vector2(0, 20))
	)
	PhysicsServer2D.body_set_space(server, get_viewport().world_2d.space)
	box(Vector2(0, 300), Vector2(4000, 100))
	var dummy: Dummy = Dummy.new(world, Node2D.new(), Vector2(200, -120))
	var legs: Dictionary[String, Legs] = {}
	for kind: String in [GAIT, PLACEMENT]:
		legs[kind] = stand(kind)
		holder_of(legs[kind]).position = Vector2(-100 if kind == GAIT else -300, 0)
	await ticks(3)
	dummy.ragdoll.start(Vector2(300, 0))
	await ticks(200)
	near(dummy.lowest(), 0.0, 1.5, "it lies on it")
	for kind: String in legs:
		equal(legs[kind].planted(), 2, kind + ": both feet stand")
		holder_of(legs[kind]).position.y = 4.0
	await ticks(20)
	for kind: String in legs:
		near(legs[kind].sole(0).y, 0.0, 1.5, kind + ": a foot is on it")
	PhysicsServer2D.free_rid(server)
	PhysicsServer2D.free_rid(shape)
	await ticks(120)
	near(dummy.lowest(), 300.0, 1.5, "and on what is below when it is gone")
	for kind: String in legs:
		equal(legs[kind].planted(), 0, kind + ": the feet have let go")


func _put(node: Node2D) -> void:
	var body: StaticBody2D = StaticBody2D.new()
	body.position = PLACE
	body.add_child(node)
	world.add_child(body)


func _odd_shapes() -> Dictionary[String, Node2D]:
	var nodes: Dictionary[String, Node2D] = {}
	for radius: float in [0.0, 1e-30]:
		var circle: CircleShape2D = CircleShape2D.new()
		circle.radius = radius
		nodes["%d: circle of %s" % [nodes.size(), radius]] = _node(circle)
	for size: Vector2 in [Vector2(15, 30), Vector2(0, 30), Vector2(0, 0), Vector2(15, 1)]:
		var capsule: CapsuleShape2D = CapsuleShape2D.new()
		capsule.radius = size.x
		capsule.height = size.y
		nodes["%d: capsule of %s" % [nodes.size(), size]] = _node(capsule)
	for size: Vector2 in [Vector2.ZERO, Vector2(0, 20), Vector2(20, 0), Vector2(1e-30, 1e-30)]:
		var rectangle: RectangleShape2D = RectangleShape2D.new()
		rectangle.size = size
		nodes["%d: rectangle of %s" % [nodes.size(), size]] = _node(rectangle)
	for end: Vector2 in [Vector2.ZERO, Vector2(1e-30, 0)]:
		var segment: SegmentShape2D = SegmentShape2D.new()
		segment.b = end
		nodes["%d: segment to %s" % [nodes.size(), end]] = _node(segment)
	for normal: Vector2 in [Vector2(0, -1), Vector2(0, -1e-3), Vector2(0, -300)]:
		var boundary: WorldBoundaryShape2D = WorldBoundaryShape2D.new()
		boundary.normal = normal
		boundary.distance = -20.0 * normal.length()
		nodes["%d: boundary of %s" % [nodes.size(), normal]] = _node(boundary)
	var ray: SeparationRayShape2D = SeparationRayShape2D.new()
	ray.length = 0.0
	nodes["separation ray"] = _node(ray)
	var one: Vector2 = Vector2(-10, 0)
	var other: Vector2 = Vector2(10, 0)
	var tip: Vector2 = Vector2(0, -12)
	var lists: Array[PackedVector2Array] = [
		[],
		[one],
		[one, other],
		[one, one, one],
		[one, Vector2.ZERO, other],
		[one, tip, other, other]
	]
	for points: PackedVector2Array in lists:
		if not points.is_empty():
			var convex: ConvexPolygonShape2D = ConvexPolygonShape2D.new()
			convex.points = points
			nodes["convex %s" % points] = _node(convex)
		var concave: ConcavePolygonShape2D = ConcavePolygonShape2D.new()
		concave.segments = points
		nodes["concave %s" % points] = _node(concave)
		for mode: int in 2:
			var polygon: CollisionPolygon2D = CollisionPolygon2D.new()
			polygon.build_mode = mode as CollisionPolygon2D.BuildMode
			polygon.polygon = points
			nodes["polygon %d, %s" % [mode, points]] = polygon
	nodes["convex without points"] = _node(ConvexPolygonShape2D.new())
	nodes["no shape"] = _node(null)
	var squeezed: CollisionShape2D = _node(RectangleShape2D.new())
	squeezed.scale = Vector2(1e-6, 1e-6)
	nodes["squeezed"] = squeezed
	return nodes


func _node(shape: Shape2D) -> CollisionShape2D:
	var node: CollisionShape2D = CollisionShape2D.new()
	node.shape = shape
	return node
