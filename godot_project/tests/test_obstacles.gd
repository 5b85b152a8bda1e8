# gdlint: disable=max-public-methods
extends "res://tests/suite.gd"
## Obstacles of CCD and FABRIK: joints and bones stay out of collision shapes. Whether they do is
## measured here, from the engine's own transforms.

const CallbackBone := preload("res://tests/callback_bone.gd")
const LENGTHS: Array[float] = [20.0, 20.0, 20.0, 20.0, 20.0, 20.0]
const POSE: Array[float] = [-0.9123456, 0.3765432, 0.3182736, 0.2234567, 0.3, 0.2]
## Something is in the way to here, whichever pose a solver likes.
const POINT: Vector2 = Vector2(88, 12)
## Where what is in the way is.
const PLACE: Vector2 = Vector2(52, -20)
## Other places, above and below.
const OFFSETS: Array[float] = [-18.0, -9.0, -2.0, 5.0, 13.0]
## How deep a bone may be inside, in the shape's own units.
const DEPTH: float = 0.02
## Points of each bone that are looked at.
const SAMPLES: int = 80
## Transforms that a shape may have by itself.
const SHAPE_TRANSFORMS: Dictionary[String, Transform2D] = {
	"plain": Transform2D(0.0, PLACE),
	"turned": Transform2D(0.7, PLACE),
	"grown": Transform2D(-0.4, Vector2(1.3, 1.3), 0.0, PLACE),
	"stretched": Transform2D(0.3, Vector2(1.4, 0.8), 0.0, PLACE),
	"mirrored": Transform2D(0.5, Vector2(-1, 1.2), 0.0, PLACE),
	"skewed": Transform2D(0.2, Vector2(1, -0.9), 0.5, PLACE),
}

var _heard: int = 0


func test_bones_stay_outside_of_every_shape() -> void:
	var met: Dictionary[String, int] = {}
	for above: String in Figure.ANCESTORS:
		for own: String in SHAPE_TRANSFORMS:
			for shape: Shape2D in _shapes():
				for solver: String in ["fabrik", "ccd"]:
					var figure: Figure = _figure(solver, Figure.ANCESTORS[above])
					var kind: String = shape.get_class()
					var about: String = " ".join([above, own, kind, solver])
					met[kind] = met.get(kind, 0) + _pass_through(figure, shape, own, about)
					figure.stage.free()
	for kind: String in met:
		check(met[kind] > 200, "%s was in the way %d times" % [kind, met[kind]])
	equal(met.size(), 4, "kinds of shapes")


func test_on_a_bone_that_another_modifier_turns() -> void:
	for solver: String in ["fabrik", "ccd"]:
		var met: int = 0
		for above: String in Figure.ANCESTORS:
			var figure: Figure = _figure(solver, Figure.ANCESTORS[above])
			var other: Array[Bone2D] = Figure.branch(figure.skeleton, Vector2(48, -60), [60], [2.0])
			var look: TendonLookAt2D = figure.look_at()
			look.bone = other[0]
			look.target = Marker2D.new()
			figure.skeleton.add_child(look.target)
			look.target.position = Vector2(49, 200)
			figure.rig.move_child(look, 0)
			var body: StaticBody2D = StaticBody2D.new()
			body.transform = Transform2D(0.3, Vector2(1.1, -0.8), 0.2, Vector2(18, 3))
			other[0].add_child(body)
			var obstacle: CollisionShape2D = CollisionShape2D.new()
			obstacle.shape = _shapes()[1]
			obstacle.transform = Transform2D(0.9, Vector2(1.4, 0.9), 0.1, Vector2(20, 1))
			body.add_child(obstacle)
			figure.solve(POINT)
			var about: String = "%s, %s" % [solver, above]
			figure.rig.get_child(1).set("obstacles", _typed([obstacle]))
			# In one pass: where the bone is now counts, not where it was.
			for step: int in 8:
				look.target.position.x = 20.0 + 8.0 * step
				obstacle.position.x = 5.0 * step - 20.0
				figure.rig.get_child(1).set("obstacles", _typed([]))
				figure.solve()
				met += int(_depth(figure, obstacle) > 1.0)
				look.target.position.x = 0.0
				figure.solve()
				look.target.position.x = 20.0 + 8.0 * step
				figure.rig.get_child(1).set("obstacles", _typed([obstacle]))
				figure.solve_anew()
				check_outside(figure, obstacle, "%s, step %d" % [about, step])
				reaches(figure, "%s, step %d" % [about, step])
		check(met > 10, "%s: it was in the way %d times" % [solver, met])


func test_on_the_chain_itself() -> void:
	for solver: String in ["fabrik", "ccd"]:
		var free: Figure = _figure(solver)
		free.solve(POINT)
		var figure: Figure = _figure(solver)
		var obstacle: CollisionShape2D = _put(figure, _shapes()[0], SHAPE_TRANSFORMS["plain"])
		figure.rig.get_child(0).set("obstacles", _typed([obstacle]))
		var other: Bone2D = Figure.branch(figure.skeleton, Vector2(9, 9), [30])[0]
		# Nothing tells of what happens below these.
		var own_hook: Node2D = Node2D.new()
		figure.bones[2].add_child(own_hook)
		var hook: Node2D = Node2D.new()
		other.add_child(hook)
		for place: Node in [hook, figure.stage]:
			for count: int in 3:
				figure.solve(POINT)
			check_outside(figure, obstacle, "where it may be")
			expect_warnings([], "where it may be")
			obstacle.reparent(own_hook)
			for count: int in 3:
				figure.solve_anew()
			equal(figure.pose(), free.pose(), "ignored")
			if place == hook:
				expect_warnings(['"CollisionShape2D" is below a bone of the chain'], "once")
			obstacle.reparent(place)
			obstacle.global_transform = (
				figure.skeleton.global_transform * SHAPE_TRANSFORMS["plain"]
			)
			figure.solve_anew()
			check_outside(figure, obstacle, "put right, unseen")


func test_other_shapes_are_ignored() -> void:
	var polygon: ConvexPolygonShape2D = ConvexPolygonShape2D.new()
	polygon.points = [Vector2(-20, -20), Vector2(20, -20), Vector2(0, 20)]
	for solver: String in ["fabrik", "ccd"]:
		var free: Figure = _figure(solver)
		free.solve(POINT)
		var figure: Figure = _figure(solver)
		var obstacle: CollisionShape2D = _put(figure, polygon, SHAPE_TRANSFORMS["plain"])
		var good: CollisionShape2D = _put(figure, _shapes()[0], Transform2D(0.0, Vector2(0, 300)))
		figure.rig.get_child(0).set("obstacles", _typed([obstacle, good]))
		for shape: Shape2D in [polygon, WorldBoundaryShape2D.new(), SeparationRayShape2D.new()]:
			obstacle.shape = shape
			for count: int in 3:
				figure.solve(POINT)
			equal(figure.pose(), free.pose(), "ignored")
			equal(figure.rig.get_child(0).call("get_status"), TendonFABRIK2D.STATUS_REACHED, "runs")
		expect_warnings(["has a ConvexPolygonShape2D"], "one cause, one warning")
		obstacle.shape = _shapes()[0]
		settle(figure, "another shape")
		check_outside(figure, obstacle, "another shape")


func test_what_does_not_count() -> void:
	for solver: String in ["fabrik", "ccd"]:
		var figure: Figure = _figure(solver)
		var modifier: Node = figure.rig.get_child(0)
		figure.solve(POINT)
		var free: PackedFloat32Array = figure.pose()
		var obstacle: CollisionShape2D = _put(figure, _shapes()[0], SHAPE_TRANSFORMS["plain"])
		modifier.set("obstacles", _typed([null, obstacle, null]))
		figure.solve_anew()
		check_outside(figure, obstacle, "counts")
		check(figure.pose() != free, "counts")
		var around: PackedFloat32Array = figure.pose()
		obstacle.disabled = true
		figure.solve_anew()
		equal(figure.pose(), free, "disabled")
		obstacle.disabled = false
		figure.solve_anew()
		equal(figure.pose(), around, "enabled")
		obstacle.one_way_collision = true
		obstacle.visible = false
		figure.solve_anew()
		equal(figure.pose(), around, "one-way and hidden")
		var shape: Shape2D = obstacle.shape
		obstacle.shape = null
		figure.solve_anew()
		equal(figure.pose(), free, "without a shape")
		obstacle.shape = shape
		figure.solve_anew()
		equal(figure.pose(), around, "with its shape")
		figure.stage.remove_child(obstacle)
		figure.solve_anew()
		equal(figure.pose(), free, "outside the tree")
		figure.stage.add_child(obstacle)
		figure.solve_anew()
		equal(figure.pose(), around, "back in the tree")
		obstacle.free()
		figure.solve_anew()
		equal(figure.pose(), free, "freed")
		equal(modifier.get("obstacles").size(), 3, "reading the property")
		modifier.set("obstacles", _typed([]))
		figure.solve_anew()
		equal(figure.pose(), free, "none")
		expect_warnings([], "none of it is a fault")


func test_changed_while_it_runs() -> void:
	for solver: String in ["fabrik", "ccd"]:
		var figure: Figure = _figure(solver)
		var modifier: Node = figure.rig.get_child(0)
		var circle: CircleShape2D = _shapes()[0]
		var obstacle: CollisionShape2D = _put(figure, circle, SHAPE_TRANSFORMS["plain"])
		figure.solve(POINT)
		# In place, as scripts do.
		modifier.get("obstacles").append(obstacle)
		settle(figure, "added in place")
		check_outside(figure, obstacle, "added in place")
		for radius: float in [4.0, 20.0, 9.0]:
			circle.radius = radius
			settle(figure, "radius %s" % radius)
			check_outside(figure, obstacle, "radius %s" % radius)
		for place: Vector2 in [Vector2(40, -10), Vector2(60, 15), Vector2(52, 0)]:
			obstacle.global_position = figure.skeleton.global_transform * place
			settle(figure, "at %v" % place)
			check_outside(figure, obstacle, "at %v" % place)
		for shape: Shape2D in _shapes():
			obstacle.shape = shape
			settle(figure, shape.get_class())
			check_outside(figure, obstacle, shape.get_class())
		obstacle.shape = _shapes()[1]
		obstacle.shape.set("height", 50.0)
		obstacle.global_transform = figure.skeleton.global_transform * SHAPE_TRANSFORMS["plain"]
		settle(figure, "a longer capsule")
		check_outside(figure, obstacle, "a longer capsule")
		var before: PackedFloat32Array = figure.pose()
		modifier.get("obstacles").erase(obstacle)
		figure.solve_anew()
		check(figure.pose() != before, "erased in place")
		check(_depth(figure, obstacle) > 0.0, "in the way again")


func test_an_obstacle_that_moves_pushes_the_bones() -> void:
	for solver: String in ["fabrik", "ccd"]:
		var figure: Figure = _figure(solver)
		var modifier: Node = figure.rig.get_child(0)
		var obstacle: CollisionShape2D = _put(figure, _shapes()[0], SHAPE_TRANSFORMS["plain"])
		modifier.set("obstacles", _typed([obstacle]))
		for step: int in 120:
			var place: Vector2 = PLACE + Vector2.from_angle(step * TAU / 60) * 8
			obstacle.global_position = figure.skeleton.global_transform * place
			figure.solve(POINT)
			check_outside(figure, obstacle, "%s, step %d" % [solver, step])
			reaches(figure, "%s, step %d" % [solver, step])
		figure.rig.active = false
		equal(figure.pose(), PackedFloat32Array(POSE), "base pose")


func test_freed_at_any_time() -> void:
	for solver: String in ["fabrik", "ccd"]:
		for way: String in ["between", "queue_free", "signal", "bone"]:
			var figure: Figure = Figure.new(LENGTHS, POSE)
			figure.bones[0].set_script(CallbackBone)
			var modifier: Node = figure.call(solver)
			add_child(figure.stage)
			var victim: CollisionShape2D = _put(figure, _shapes()[0], SHAPE_TRANSFORMS["plain"])
			var other: CollisionShape2D = _put(
				figure, _shapes()[2], Transform2D(0.0, Vector2(30, 40))
			)
			modifier.set("obstacles", _typed([victim, other]))
			match way:
				"between":
					figure.solve(POINT)
					victim.free()
				"queue_free":
					figure.solve(POINT)
					victim.queue_free()
					await frames(2)
				"signal":
					figure.rig.modification_processed.connect(
						func() -> void:
							_heard += 1
							victim.free(),
						CONNECT_ONE_SHOT
					)
				"bone":
					figure.bones[0].set("callback", victim.free)
			for count: int in 3:
				figure.solve(POINT)
			check(not is_instance_valid(victim), "freed: " + way)
			reaches(figure, "the rest goes on: " + way)
			check_outside(figure, other, way)
			var left: Array = modifier.get("obstacles")
			equal(left.size(), 2, "reading the property, " + way)
			equal(str(left[0]), "<null>", "no freed node is handed out, " + way)
			equal(left[1], other, "the other one, " + way)
			var copy: Node = modifier.duplicate()
			equal(copy.get("obstacles").size(), 2, "a copy, " + way)
			copy.free()
	equal(_heard, 2, "signals")


func test_arrays_without_a_type() -> void:
	var obstacle: CollisionShape2D = CollisionShape2D.new()
	var freed: CollisionShape2D = CollisionShape2D.new()
	var wrong: Node2D = Node2D.new()
	for modifier: Node in [TendonCCDIK2D.new(), TendonFABRIK2D.new(), TendonSpring2D.new()]:
		var kind: String = modifier.get_class()
		# As in $Chain.obstacles = [$Rock], where the property is not known in advance.
		modifier.set("obstacles", [null, obstacle])
		equal(modifier.get("obstacles"), _typed([null, obstacle]), kind)
		modifier.set("obstacles", [obstacle, wrong])
		equal(modifier.get("obstacles"), _typed([null, obstacle]), kind + " keeps what it had")
		expect_errors(["Element 1 is not a CollisionShape2D."], kind)
		var nodes: Array[Node2D] = [obstacle]
		modifier.set("obstacles", nodes)
		equal(modifier.get("obstacles"), _typed([obstacle]), kind + ", of another type")
		modifier.free()
	var chain: TendonFABRIK2D = TendonFABRIK2D.new()
	var with_freed: Array = [freed, obstacle]
	freed.free()
	chain.set("obstacles", with_freed)
	equal(chain.obstacles, _typed([null, obstacle]), "what was freed")
	for node: Node in [chain, obstacle, wrong]:
		node.free()


func test_copies_and_scenes() -> void:
	for solver: String in ["fabrik", "ccd"]:
		var figure: Figure = _figure(solver)
		var modifier: Node = figure.rig.get_child(0)
		var obstacle: CollisionShape2D = _put(figure, _shapes()[1], SHAPE_TRANSFORMS["stretched"])
		var second: CollisionShape2D = _put(figure, _shapes()[0], Transform2D(0.0, Vector2(0, 200)))
		second.name = "Second"
		modifier.set("obstacles", _typed([obstacle, second]))
		for node: Node in figure.stage.find_children("*", "", true, false):
			node.owner = figure.stage
		figure.target.position = figure.skeleton.global_transform * POINT
		var scene: PackedScene = PackedScene.new()
		equal(scene.pack(figure.stage), OK, "packing")
		figure.solve()
		var file: String = "user://obstacles_test.tscn"
		equal(ResourceSaver.save(scene, file), OK, "saving")
		check("obstacles = [NodePath(" in FileAccess.get_file_as_string(file), "saved as paths")
		var loaded: PackedScene = ResourceLoader.load(file, "", ResourceLoader.CACHE_MODE_IGNORE)
		DirAccess.remove_absolute(file)
		for copy: Node in [figure.stage.duplicate(), loaded.instantiate()]:
			add_child(copy)
			var rig: TendonRig2D = copy.get_node("Skeleton/Rig")
			var theirs: Array = rig.get_child(0).get("obstacles")
			equal(theirs.size(), 2, "size")
			equal(theirs[0], copy.get_node("CollisionShape2D"), "its own")
			equal(theirs[1], copy.get_node("Second"), "its own, the second")
			rig.advance(0.0)
			var bone: Node = copy.get_node("Skeleton/Bone0")
			for index: int in LENGTHS.size():
				near_angle(bone.get("rotation"), figure.pose()[index], 1e-4, "bone %d" % index)
				bone = bone.get_node_or_null("Bone%d" % (index + 1))
			copy.free()


## A top-level bone does not move with the bones above it, and neither does a shape below it.
func test_a_shape_on_a_top_level_bone_is_where_it_is_seen() -> void:
	for solver: String in ["fabrik", "ccd"]:
		for is_beside: bool in [true, false]:
			var about: String = "%s, %s" % [solver, "beside" if is_beside else "below"]
			var figure: Figure = _figure(solver, Figure.ANCESTORS["mirrored in x"])
			var above: Node = figure.skeleton if is_beside else figure.bones[1]
			var branch: Array[Bone2D] = Figure.branch(above, Vector2(20, 7), [18, 18], [0.4])
			branch[1].top_level = true
			var modifier: Node = figure.rig.get_child(0)
			figure.solve(POINT)
			var joints: PackedVector2Array = figure.points()
			var middle: Vector2 = (joints[3] + joints[4]) / 2
			var obstacle: CollisionShape2D = _put(figure, _shapes()[0], Transform2D(0, middle))
			obstacle.reparent(branch[1])
			modifier.set("obstacles", _typed([obstacle]))
			figure.solve_anew()
			equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, about)
			reaches(figure, about)
			check_outside(figure, obstacle, about)
			figure.stage.free()


## Moves a shape across the chain. Returns how often it would have been in the way.
func _pass_through(figure: Figure, shape: Shape2D, own: String, about: String) -> int:
	var modifier: Node = figure.rig.get_child(0)
	var obstacle: CollisionShape2D = _put(figure, shape, SHAPE_TRANSFORMS[own])
	var met: int = 0
	for offset: float in OFFSETS:
		var message: String = "%s at %s" % [about, offset]
		var place: Transform2D = SHAPE_TRANSFORMS[own].translated(Vector2(0, offset))
		obstacle.global_transform = figure.skeleton.global_transform * place
		modifier.set("obstacles", _typed([]))
		figure.solve(POINT)
		met += int(_depth(figure, obstacle) > 1.0)
		modifier.set("obstacles", _typed([obstacle]))
		figure.solve_anew()
		reaches(figure, message)
		check_outside(figure, obstacle, message)
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, message)
		near(modifier.call("get_penetration"), 0.0, 0.01, "reported, " + message)
	return met


## No joint and no bone of [param figure] is inside [param obstacle].
func check_outside(figure: Figure, obstacle: CollisionShape2D, message: String) -> void:
	var depth: float = _depth(figure, obstacle)
	check(depth < DEPTH, "%s: inside by %s" % [message, depth])


func _figure(solver: String, above: Array = []) -> Figure:
	var figure: Figure = Figure.new(LENGTHS, POSE, above)
	figure.call(solver)
	add_child(figure.stage)
	return figure


func _shapes() -> Array[Shape2D]:
	var circle: CircleShape2D = CircleShape2D.new()
	circle.radius = 13.0
	var capsule: CapsuleShape2D = CapsuleShape2D.new()
	capsule.radius = 5.0
	capsule.height = 38.0
	var rectangle: RectangleShape2D = RectangleShape2D.new()
	rectangle.size = Vector2(9, 34)
	var segment: SegmentShape2D = SegmentShape2D.new()
	segment.a = Vector2(-4, -17)
	segment.b = Vector2(3, 15)
	return [circle, capsule, rectangle, segment]


## Adds an obstacle whose transform in the space of the skeleton is [param transform]. It hangs on
## the stage, whatever the ancestors.
func _put(figure: Figure, shape: Shape2D, transform: Transform2D) -> CollisionShape2D:
	var obstacle: CollisionShape2D = CollisionShape2D.new()
	obstacle.name = "CollisionShape2D"
	obstacle.shape = shape
	figure.stage.add_child(obstacle)
	obstacle.global_transform = figure.skeleton.global_transform * transform
	return obstacle


func _typed(nodes: Array) -> Array[CollisionShape2D]:
	var typed: Array[CollisionShape2D] = []
	typed.assign(nodes)
	return typed


## How deep the bones are inside [param obstacle], in the shape's own units. Negative outside.
func _depth(figure: Figure, obstacle: CollisionShape2D) -> float:
	return _line_depth(figure, figure.bones, obstacle)


func _line_depth(_figure: Figure, line: Array[Bone2D], obstacle: CollisionShape2D) -> float:
	var into_shape: Transform2D = obstacle.global_transform.affine_inverse()
	var points: PackedVector2Array = []
	for bone: Bone2D in line:
		points.append(into_shape * bone.global_position)
	points.append(into_shape * Figure.axis_end(line[-1]))
	var deepest: float = -INF
	for index: int in line.size():
		if obstacle.shape is SegmentShape2D:
			deepest = maxf(deepest, _crossing(points[index], points[index + 1], obstacle.shape))
			continue
		for step: int in SAMPLES + 1:
			var point: Vector2 = points[index].lerp(points[index + 1], float(step) / SAMPLES)
			deepest = maxf(deepest, _point_depth(point, obstacle.shape))
	return deepest


func _point_depth(point: Vector2, shape: Shape2D) -> float:
	if shape is CircleShape2D:
		return shape.radius - point.length()
	if shape is CapsuleShape2D:
		var straight: float = 0.5 * shape.height - shape.radius
		var nearest: Vector2 = Vector2(0, clampf(point.y, -straight, straight))
		return shape.radius - point.distance_to(nearest)
	var room: Vector2 = 0.5 * shape.size - point.abs()
	return minf(room.x, room.y)


## How far one would have to be moved for a bone and a wall not to cross.
func _crossing(from: Vector2, to: Vector2, wall: SegmentShape2D) -> float:
	if Geometry2D.segment_intersects_segment(from, to, wall.a, wall.b) == null:
		return -1.0
	var across: Vector2 = (wall.b - wall.a).orthogonal().normalized()
	var along: Vector2 = (to - from).orthogonal().normalized()
	var ends: float = minf(absf(across.dot(from - wall.a)), absf(across.dot(to - wall.a)))
	return minf(ends, minf(absf(along.dot(wall.a - from)), absf(along.dot(wall.b - from))))
