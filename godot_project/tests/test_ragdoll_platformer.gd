extends "res://tests/ragdoll_suite.gd"
## Random characters, let go in the worlds of a platformer.

const Stranger := preload("res://tests/stranger.gd")
const GroundTiles := preload("res://tests/ground_tiles.gd")
const Tiles := preload("res://tests/tiles.gd")

const GROUND: int = 1
const CRATES: int = 2
## What holds from above only may have a limb in it that came from the side.
const SHELVES: int = 4
## How far apart the stages are.
const APART: float = 5000.0
const SECONDS: int = 7

## What moves in a stage: called with the seconds since the beginning.
var _machines: Array[Callable] = []


## A hundred of them, in ten worlds.
func test_strangers_fall_lie_and_are_not_lost() -> void:
	var worlds: Array[Callable] = [
		_tiles, _hills, _one_way_tiles, _shelves, _lift, _belt, _crates, _boards, _walls, _crusher
	]
	var moving: Array[Callable] = [_lift, _belt, _crates, _crusher]
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 7
	var strangers: Array[Stranger] = []
	var stages: Array[Node2D] = []
	for number: int in 100:
		var stage: Node2D = Node2D.new()
		stage.position = Vector2(APART * number, 0)
		add_child(stage)
		stages.append(stage)
		worlds[number % worlds.size()].call(stage)
		strangers.append(Stranger.new(random, stage, Vector2(random.randf_range(-60, 60), -420)))
	await _ticks(2)
	for stranger: Stranger in strangers:
		var push: Vector2 = Vector2(
			random.randf_range(-4000, 4000), random.randf_range(-3000, 6000)
		)
		stranger.ragdoll.start(push)
	for tick: int in 60 * SECONDS:
		for machine: Callable in _machines:
			machine.call(tick / 60.0)
		await get_tree().physics_frame
		for number: int in strangers.size():
			_watch(strangers[number], tick, "%d, tick %d" % [number, tick])
	var late: int = 0
	var restless: int = 0
	for number: int in strangers.size():
		var stranger: Stranger = strangers[number]
		var about: String = "%d, %s" % [number, worlds[number % 10].get_method()]
		check(stranger.body.global_position.is_finite(), about)
		var hip: Vector2 = stranger.bones[0].global_position - stages[number].position
		check(hip.y < 400.0, "%s is lost: %s" % [about, hip])
		check(not stranger.is_inside(GROUND, 1.8), "%s is in the ground" % about)
		if stranger.rested < 0.0:
			restless += 1
			if worlds[number % 10] not in moving:
				late += 1
				print("   %s has not come to rest" % about)
	print("   100 strangers: %d of them are not at rest, %d where nothing moves" % [restless, late])
	equal(late, 0, "all lie still where nothing moves")
	for stage: Node2D in stages:
		stage.free()
	_machines.clear()


func _watch(stranger: Stranger, tick: int, about: String) -> void:
	check(stranger.is_finite_everywhere(), about + ": finite")
	check(stranger.excess() < deg_to_rad(1.0), "%s: %s beyond limits" % [about, stranger.excess()])
	var before: PackedFloat32Array = stranger.get_meta(&"pose", PackedFloat32Array())
	var now: PackedFloat32Array = []
	for bone: Bone2D in stranger.bones:
		now.append(bone.rotation)
	if now != before:
		stranger.rested = -1.0
	elif stranger.rested < 0.0:
		stranger.rested = tick / 60.0
	stranger.set_meta(&"pose", now)


func _floor(above: Node2D) -> void:
	box(above, Rect2(-2000, 0, 4000, 200))


func _tiles(above: Node2D) -> void:
	var tiles: GroundTiles = GroundTiles.new()
	tiles.fill(Rect2i(-120, 0, 240, 3))
	tiles.fill(Rect2i(5, -2, 4, 2))
	above.add_child(tiles)


func _hills(above: Node2D) -> void:
	var tiles: Tiles = Tiles.new("________//___//____\\\\__\\\\___+__+__-___-_____".repeat(4))
	tiles.position = Vector2(-1300, 0)
	above.add_child(tiles)
	box(above, Rect2(-2000, 60, 4000, 200))


func _one_way_tiles(above: Node2D) -> void:
	var tiles: GroundTiles = GroundTiles.new(true)
	tiles.fill(Rect2i(-120, 0, 240, 1))
	tiles.fill(Rect2i(-10, -8, 8, 1))
	above.add_child(tiles)


func _shelves(above: Node2D) -> void:
	_floor(above)
	for number: int in 5:
		var shelf: PhysicsBody2D = box(above, Rect2(-160 + 60 * number, -260 + 50 * number, 80, 8))
		shelf.collision_layer = SHELVES
		(shelf.get_child(0) as CollisionShape2D).one_way_collision = true


func _lift(above: Node2D) -> void:
	box(above, Rect2(-2000, 240, 4000, 100))
	var lift: AnimatableBody2D = AnimatableBody2D.new()
	lift.sync_to_physics = false
	box(above, Rect2(-300, 0, 600, 30), lift)
	var from: Vector2 = lift.position
	_machines.append(
		func(time: float) -> void:
			lift.position = from + Vector2(90.0 * sin(time), 60.0 * sin(2.0 * time))
	)


func _belt(above: Node2D) -> void:
	_floor(above)
	var belt: StaticBody2D = StaticBody2D.new()
	belt.constant_linear_velocity = Vector2(-140, 0)
	box(above, Rect2(-300, -20, 700, 20), belt)


func _crates(above: Node2D) -> void:
	_floor(above)
	for number: int in 6:
		var crate: RigidBody2D = RigidBody2D.new()
		crate.mass = 3.0
		crate.collision_layer = CRATES
		crate.collision_mask = GROUND + CRATES
		@warning_ignore("integer_division")
		box(above, Rect2(-60 + 44 * (number % 3), -42 - 42 * (number / 3), 40, 40), crate)


## Thinner than any limb, with seams.
func _boards(above: Node2D) -> void:
	for number: int in 60:
		box(above, Rect2(-1200 + 40 * number, 0, 40, 4))
	box(above, Rect2(-2000, 200, 4000, 100))


func _walls(above: Node2D) -> void:
	_floor(above)
	box(above, Rect2(-130, -300, 40, 300))
	box(above, Rect2(90, -300, 40, 300))
	var wedge: PhysicsBody2D = box(above, Rect2(-40, -60, 80, 80))
	wedge.rotation = PI / 4


## A slab that comes down onto it, and goes up again, but leaves it room.
func _crusher(above: Node2D) -> void:
	_floor(above)
	var slab: AnimatableBody2D = AnimatableBody2D.new()
	slab.sync_to_physics = false
	box(above, Rect2(-500, -700, 1000, 60), slab)
	var from: Vector2 = slab.position
	_machines.append(
		func(time: float) -> void:
			slab.position = from + Vector2(0, 480.0 * smoothstep(2.0, 4.0, time))
	)
