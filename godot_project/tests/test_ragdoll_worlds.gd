extends "res://tests/suite.gd"
## Bodies of five builds in twenty worlds: each is let go in each, comes down, stays out of what is
## solid, and lies still where nothing moves.

const RagdollSuite := preload("res://tests/ragdoll_suite.gd")
const Tiles := preload("res://tests/tiles.gd")
const GroundTiles := preload("res://tests/ground_tiles.gd")

## Layers: what is solid, and what holds from above only or moves, in which a limb may be that came
## from below.
const SOLID: int = 1
const OTHER: int = 2
## How far apart the builds are in a world.
const APART: float = 3000.0
const SECONDS: int = 5
## Nothing that falls from where they begin gets as fast as that.
const FASTEST: float = 2500.0

## Each bone of a build: its parent, its place along that, its direction in degrees, its length,
## its radius, and how far it turns either way in degrees, or 0 without a limit.
const BUILDS: Dictionary[String, Array] = {
	"human":
	[
		[-1, 0, -90, 30, 12, 0],
		[0, 30, -90, 50, 13, 25],
		[1, 50, -90, 22, 11, 35],
		[1, 46, 70, 34, 7, 80],
		[3, 34, 80, 30, 6, 60],
		[1, 46, 110, 34, 7, 80],
		[5, 34, 100, 30, 6, 60],
		[0, 0, 82, 44, 9, 60],
		[7, 44, 95, 42, 7, 60],
		[0, 0, 98, 44, 9, 60],
		[9, 44, 100, 42, 7, 60],
	],
	"dog":
	[
		[-1, 0, 0, 70, 14, 0],
		[0, 70, -50, 28, 9, 40],
		[1, 28, 10, 26, 9, 40],
		[0, 66, 80, 24, 6, 50],
		[3, 24, 100, 24, 5, 50],
		[0, 60, 90, 24, 6, 50],
		[5, 24, 95, 24, 5, 50],
		[0, 6, 80, 26, 7, 50],
		[7, 26, 110, 26, 5, 50],
		[0, 0, 95, 26, 7, 50],
		[9, 26, 105, 26, 5, 50],
		[0, 0, 200, 34, 3, 0],
	],
	"crab":
	[
		[-1, 0, 0, 44, 20, 0],
		[0, 44, 20, 20, 4, 40],
		[1, 20, 80, 26, 3, 40],
		[0, 40, 35, 20, 4, 40],
		[3, 20, 90, 26, 3, 40],
		[0, 36, 50, 20, 4, 40],
		[5, 20, 100, 26, 3, 40],
		[0, 0, 160, 20, 4, 40],
		[7, 20, 100, 26, 3, 40],
		[0, 4, 145, 20, 4, 40],
		[9, 20, 90, 26, 3, 40],
		[0, 8, 130, 20, 4, 40],
		[11, 20, 80, 26, 3, 40],
	],
	"snake":
	[
		[-1, 0, 0, 12, 8, 0],
		[0, 12, 20, 14, 8, 50],
		[1, 14, -20, 16, 8, 50],
		[2, 16, 20, 18, 8, 50],
		[3, 18, -20, 20, 8, 50],
		[4, 20, 20, 20, 7, 50],
		[5, 20, -20, 20, 6, 50],
		[6, 20, 20, 20, 5, 50],
		[7, 20, -20, 20, 4, 50],
		[8, 20, 0, 20, 3, 50],
	],
	# Of unequal parts: a heavy head on a thread, without limits, and mirrored.
	"kite":
	[
		[-1, 0, -60, 24, 24, 0],
		[0, 24, 60, 90, 2, 0],
		[1, 90, -30, 6, 2, 0],
		[1, 45, 150, 40, 10, 0],
		[3, 40, 30, 3, 3, 0],
	],
}


## A body of one of the builds.
class Creature:
	extends RefCounted
	var body: Node2D = Node2D.new()
	var ragdoll: TendonRagdoll2D = TendonRagdoll2D.new()
	var bones: Array[Bone2D] = []
	var limbs: Array = []
	var before: PackedVector2Array = []
	var fastest: float = 0.0

	func _init(build: Array, above: Node, place: Vector2, size: Vector2) -> void:
		limbs = build
		body.position = place
		body.scale = size
		var skeleton: Skeleton2D = Skeleton2D.new()
		body.add_child(skeleton)
		for limb: Array in limbs:
			_add_limb(limb, skeleton)
		ragdoll.collision_mask = SOLID + OTHER
		var rig: TendonRig2D = TendonRig2D.new()
		rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
		rig.add_child(ragdoll)
		skeleton.add_child(rig)
		above.add_child(body)

	func _add_limb(limb: Array, skeleton: Skeleton2D) -> void:
		var bone: Bone2D = Bone2D.new()
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(limb[3])
		bone.set_bone_angle(0.0)
		bone.rotation_degrees = limb[2]
		var parent: int = limb[0]
		if parent >= 0:
			bone.position = Vector2(limb[1], 0)
			bone.rotation_degrees -= limbs[parent][2]
		bone.rest = bone.transform
		(skeleton if parent < 0 else bones[parent] as Node2D).add_child(bone)
		var shape: CollisionShape2D = CollisionShape2D.new()
		var capsule: CapsuleShape2D = CapsuleShape2D.new()
		capsule.radius = limb[4]
		capsule.height = limb[3] + 2.0 * limb[4]
		shape.shape = capsule
		shape.position.x = 0.5 * limb[3]
		shape.rotation = -PI / 2
		bone.add_child(shape)
		if limb[5] > 0:
			var limit: TendonJointLimit2D = TendonJointLimit2D.new()
			limit.min_angle = -deg_to_rad(limb[5])
			limit.max_angle = deg_to_rad(limb[5])
			bone.add_child(limit)
		bones.append(bone)

	func ends() -> PackedVector2Array:
		var found: PackedVector2Array = []
		for index: int in bones.size():
			found.append(bones[index].global_position)
			found.append(bones[index].global_transform * Vector2(limbs[index][3], 0))
		return found

	## Sees how far its ends have gone in a tick.
	func look() -> void:
		var now: PackedVector2Array = ends()
		for index: int in before.size():
			fastest = maxf(fastest, before[index].distance_to(now[index]) * 60.0)
		before = now

	## Whether a limb is in something solid by more than [param depth].
	func is_inside(depth: float, mask: int) -> bool:
		var unit: float = sqrt(absf(body.scale.x * body.scale.y))
		var capsule: CapsuleShape2D = CapsuleShape2D.new()
		var query: PhysicsShapeQueryParameters2D = PhysicsShapeQueryParameters2D.new()
		query.shape = capsule
		query.collision_mask = mask
		var places: PackedVector2Array = ends()
		var space: PhysicsDirectSpaceState2D = body.get_world_2d().direct_space_state
		for index: int in bones.size():
			var from: Vector2 = places[2 * index]
			var to: Vector2 = places[2 * index + 1]
			capsule.radius = maxf(unit * limbs[index][4] - depth, 0.3)
			capsule.height = from.distance_to(to) + 2.0 * capsule.radius
			query.transform = Transform2D(from.angle_to_point(to) - PI / 2, 0.5 * (from + to))
			if not space.intersect_shape(query, 1).is_empty():
				return true
		return false


## What moves in a world: called with the seconds since the beginning.
var _machines: Array[Callable] = []


func _init() -> void:
	patience = 600.0


func test_twenty_worlds_hold_five_builds() -> void:
	var worlds: Array[Callable] = [
		_flat,
		_boundary,
		_pit,
		_stairs,
		_slope_tiles.bind(1),
		_slope_tiles.bind(8),
		_slope_tiles.bind(32),
		_ledges.bind(1),
		_ledges.bind(16),
		_ledges.bind(32),
		_shelves,
		_lift,
		_wheel,
		_cave,
		_boulders,
		_shaft,
		_crates,
		_seesaw,
		_room,
		_ceiling,
	]
	var moving: Array[Callable] = [_lift, _wheel, _crates, _seesaw]
	equal(worlds.size(), 20, "worlds")
	for world: Callable in worlds:
		await _try(world, world in moving)


## They tumble below it, and nothing that moves so is free: the floor carries it.
func test_heavy_bodies_stay_out_of_light_crates() -> void:
	for name_of: String in BUILDS:
		var place: Node2D = Node2D.new()
		add_child(place)
		_flat(place)
		for number: int in 12:
			@warning_ignore("integer_division")
			var corner: Vector2 = Vector2(-110 + 36 * (number % 6), -33 - 33 * (number / 6))
			_add_crate(place, Rect2(corner, Vector2(32, 32)), 0.2)
		var creature: Creature = Creature.new(BUILDS[name_of], place, Vector2(0, -165), Vector2.ONE)
		creature.ragdoll.mass = 70.0
		await physics_frames(2)
		creature.ragdoll.start()
		var longest: int = 0
		var inside: int = 0
		for tick: int in 60 * SECONDS:
			await get_tree().physics_frame
			inside = inside + 1 if creature.is_inside(3.0, SOLID + OTHER) else 0
			longest = maxi(longest, inside)
		check(longest < 60, "%s is in crates for %d ticks" % [name_of, longest])
		place.free()


func _try(world: Callable, moves: bool) -> void:
	var place: Node2D = Node2D.new()
	add_child(place)
	var creatures: Array[Creature] = []
	for name_of: String in BUILDS:
		var stage: Node2D = Node2D.new()
		stage.position = Vector2(APART * creatures.size(), 0)
		place.add_child(stage)
		world.call(stage)
		var size: Vector2 = Vector2(-1, 1) if name_of == "kite" else Vector2.ONE
		creatures.append(Creature.new(BUILDS[name_of], stage, Vector2(0, -260), size))
	await physics_frames(2)
	for creature: Creature in creatures:
		creature.ragdoll.start(Vector2(1500, 400), creature.bones[1])
	for tick: int in 60 * SECONDS:
		for machine: Callable in _machines:
			machine.call(tick / 60.0)
		await get_tree().physics_frame
		for creature: Creature in creatures:
			creature.look()
	var rests: Array[PackedVector2Array] = []
	for creature: Creature in creatures:
		rests.append(creature.before)
	await physics_frames(30)
	for number: int in creatures.size():
		var creature: Creature = creatures[number]
		var about: String = "%s in %s" % [BUILDS.keys()[number], world]
		creature.look()
		var hip: Vector2 = creature.body.get_parent().to_local(creature.bones[0].global_position)
		check(hip.is_finite() and hip.y < 320.0, "%s is lost: %s" % [about, hip])
		check(creature.fastest < FASTEST, "%s: %.0f px/s" % [about, creature.fastest])
		# What moves freely bears it, too.
		var mask: int = SOLID + OTHER if world in [_crates, _seesaw] else SOLID
		check(not creature.is_inside(2.0, mask), about + " is in what is solid")
		if not moves:
			var way: float = 0.0
			for index: int in creature.before.size():
				way = maxf(way, creature.before[index].distance_to(rests[number][index]))
			check(way < 1.0, "%s still moves by %.1f px" % [about, way])
	_machines.clear()
	place.free()


func _put(above: Node2D, place: Vector2, shape: Shape2D) -> void:
	var body: StaticBody2D = StaticBody2D.new()
	var node: CollisionShape2D = CollisionShape2D.new()
	node.shape = shape
	body.position = place
	body.add_child(node)
	above.add_child(body)


func _polygon(above: Node2D, points: PackedVector2Array, mode: int = 0) -> void:
	var body: StaticBody2D = StaticBody2D.new()
	var node: CollisionPolygon2D = CollisionPolygon2D.new()
	node.build_mode = mode as CollisionPolygon2D.BuildMode
	node.polygon = points
	body.add_child(node)
	above.add_child(body)


func _flat(above: Node2D) -> void:
	RagdollSuite.box(above, Rect2(-1400, 0, 2800, 100))


func _boundary(above: Node2D) -> void:
	# It has no end, so that the layers of all stages are one.
	_put(above, Vector2.ZERO, WorldBoundaryShape2D.new())


func _pit(above: Node2D) -> void:
	_polygon(
		above,
		[
			Vector2(-1400, -300),
			Vector2(-200, -200),
			Vector2(-60, 120),
			Vector2(80, 130),
			Vector2(260, -180),
			Vector2(1400, -260),
			Vector2(1400, 300),
			Vector2(-1400, 300),
		]
	)


func _stairs(above: Node2D) -> void:
	for step: int in 12:
		RagdollSuite.box(above, Rect2(-200 + 40 * step, -20 + 22 * step, 1400 - 80 * step, 22))
	RagdollSuite.box(above, Rect2(-1400, 250, 2800, 50))


func _slope_tiles(above: Node2D, quadrant: int) -> void:
	var tiles: Tiles = Tiles.new("+__//___\\\\\\__/\\__+_-__///____\\\\___".repeat(4))
	tiles.set("physics_quadrant_size", quadrant)
	tiles.position = Vector2(-900, 0)
	above.add_child(tiles)
	RagdollSuite.box(above, Rect2(-1400, 140, 2800, 100))


## Ledges that hold from above, over solid ground and beside a solid wall.
func _ledges(above: Node2D, quadrant: int) -> void:
	for is_one_way: bool in [false, true]:
		var tiles: GroundTiles = GroundTiles.new(is_one_way)
		tiles.set("physics_quadrant_size", quadrant)
		if is_one_way:
			tiles.tile_set.set_physics_layer_collision_layer(0, OTHER)
			tiles.fill(Rect2i(-8, -6, 12, 1))
			tiles.fill(Rect2i(6, -3, 6, 1))
		else:
			tiles.fill(Rect2i(-60, 0, 120, 2))
			tiles.fill(Rect2i(14, -12, 2, 12))
		above.add_child(tiles)


func _shelves(above: Node2D) -> void:
	_flat(above)
	for number: int in 4:
		var shelf: PhysicsBody2D = RagdollSuite.box(
			above, Rect2(-160 + 90 * number, -150 + 30 * number, 100, 6)
		)
		shelf.collision_layer = OTHER
		(shelf.get_child(0) as CollisionShape2D).one_way_collision = true


func _lift(above: Node2D) -> void:
	RagdollSuite.box(above, Rect2(-1400, 200, 2800, 100))
	var lift: AnimatableBody2D = AnimatableBody2D.new()
	lift.sync_to_physics = false
	RagdollSuite.box(above, Rect2(-260, 0, 520, 24), lift)
	var from: Vector2 = lift.position
	_machines.append(func(time: float) -> void: lift.position = from + Vector2(70, 40) * sin(time))


func _wheel(above: Node2D) -> void:
	_flat(above)
	var wheel: AnimatableBody2D = AnimatableBody2D.new()
	wheel.sync_to_physics = false
	wheel.collision_layer = OTHER
	RagdollSuite.box(above, Rect2(-90, -150, 180, 20), wheel)
	_machines.append(func(time: float) -> void: wheel.rotation = 1.5 * time)


## Ground and walls of lines.
func _cave(above: Node2D) -> void:
	_polygon(
		above,
		[
			Vector2(-500, -500),
			Vector2(600, -500),
			Vector2(560, -40),
			Vector2(300, 20),
			Vector2(180, -10),
			Vector2(60, 60),
			Vector2(-90, 40),
			Vector2(-200, -30),
			Vector2(-460, 10),
		],
		CollisionPolygon2D.BUILD_SEGMENTS
	)
	RagdollSuite.box(above, Rect2(-1400, 200, 2800, 100))


func _boulders(above: Node2D) -> void:
	_flat(above)
	for number: int in 7:
		var circle: CircleShape2D = CircleShape2D.new()
		circle.radius = 20.0 + 6.0 * (number % 3)
		_put(above, Vector2(-240 + 80 * number, -10), circle)
	var capsule: CapsuleShape2D = CapsuleShape2D.new()
	capsule.radius = 14.0
	capsule.height = 90.0
	_put(above, Vector2(10, -60), capsule)


## Narrower than most of them are long.
func _shaft(above: Node2D) -> void:
	_flat(above)
	_polygon(above, [Vector2(-400, -160), Vector2(-50, -100), Vector2(-50, 0), Vector2(-400, 0)])
	_polygon(above, [Vector2(400, -160), Vector2(60, -100), Vector2(60, 0), Vector2(400, 0)])


func _crates(above: Node2D) -> void:
	_flat(above)
	for number: int in 9:
		@warning_ignore("integer_division")
		var corner: Vector2 = Vector2(-60 + 34 * (number % 3), -31 - 31 * (number / 3))
		_add_crate(above, Rect2(corner, Vector2(30, 30)), 2.0)


func _add_crate(above: Node2D, rect: Rect2, mass: float) -> void:
	var crate: RigidBody2D = RigidBody2D.new()
	crate.mass = mass
	crate.collision_layer = OTHER
	crate.collision_mask = SOLID + OTHER
	RagdollSuite.box(above, rect, crate)


func _seesaw(above: Node2D) -> void:
	_flat(above)
	var post: PhysicsBody2D = RagdollSuite.box(above, Rect2(-6, -46, 12, 46))
	var plank: RigidBody2D = RigidBody2D.new()
	plank.mass = 6.0
	plank.collision_layer = OTHER
	plank.collision_mask = SOLID
	RagdollSuite.box(above, Rect2(-180, -62, 360, 12), plank)
	var joint: PinJoint2D = PinJoint2D.new()
	joint.position = Vector2(0, -56)
	above.add_child(joint)
	joint.node_a = joint.get_path_to(post)
	joint.node_b = joint.get_path_to(plank)


## A room with walls of four pixels.
func _room(above: Node2D) -> void:
	RagdollSuite.box(above, Rect2(-220, -480, 440, 4))
	RagdollSuite.box(above, Rect2(-220, 0, 440, 4))
	RagdollSuite.box(above, Rect2(-224, -480, 4, 484))
	RagdollSuite.box(above, Rect2(220, -480, 4, 484))
	RagdollSuite.box(above, Rect2(-1400, 200, 2800, 100))


func _ceiling(above: Node2D) -> void:
	_flat(above)
	RagdollSuite.box(above, Rect2(90, -700, 900, 640))
	RagdollSuite.box(above, Rect2(-990, -700, 870, 620))
