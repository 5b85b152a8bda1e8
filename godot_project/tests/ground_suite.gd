extends "res://tests/suite.gd"
## The base of the suites about ground: bodies of the engine's own physics, and time in its ticks.
##
## All rigs run in physics frames. What a test sees after a tick is what the tick before it drew.

const Legs := preload("res://tests/ground_legs.gd")
const Hero := preload("res://tests/ground_hero.gd")
const Watch := preload("res://tests/ground_watch.gd")
const GroundTiles := preload("res://tests/ground_tiles.gd")

const PLACEMENT: String = "placement"
const GAIT: String = "gait"
const BOTH: Array[String] = [PLACEMENT, GAIT]
const GRAVITY: float = 980.0

## What a trial is made of. A test that has several calls `begin` for each.
var world: Node2D


func _init() -> void:
	patience = 120.0


## A new, empty world.
func begin() -> void:
	if world != null:
		world.free()
	world = Node2D.new()
	add_child(world)


func ticks(count: int) -> void:
	for tick: int in count:
		await get_tree().physics_frame


func seconds(time: float) -> void:
	await ticks(roundi(time * Engine.physics_ticks_per_second))


## A box. `at` is the middle of its upper edge.
func box(
	at: Vector2, size: Vector2, body: CollisionObject2D = StaticBody2D.new(), angle: float = 0.0
) -> CollisionObject2D:
	body.position = at
	body.rotation = angle
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = size
	shape.position = Vector2(0, 0.5 * size.y)
	body.add_child(shape)
	world.add_child(body)
	return body


## A box that is open from below.
func one_way(at: Vector2, size: Vector2) -> StaticBody2D:
	var body: StaticBody2D = box(at, size)
	shape_of(body).one_way_collision = true
	return body


func polygon(points: PackedVector2Array) -> StaticBody2D:
	var body: StaticBody2D = StaticBody2D.new()
	var shape: CollisionPolygon2D = CollisionPolygon2D.new()
	shape.polygon = points
	body.add_child(shape)
	world.add_child(body)
	return body


## So many stairs up and as many down. The body of a character glides over a ramp on layer 2 that
## touches their edges, so that it never leaps itself.
func stairs(x: float, tread: float, rise: float, count: int) -> void:
	for index: int in count:
		var width: float = tread * (2 * count - 2 * index)
		box(Vector2(x + tread * count, -rise * (index + 1)), Vector2(width, rise))
	var top: float = -rise * count
	var ramp: StaticBody2D = polygon(
		[
			Vector2(x - tread, 0),
			Vector2(x + tread * (count - 1), top),
			Vector2(x + tread * (count + 1), top),
			Vector2(x + tread * (2 * count + 1), 0),
		]
	)
	ramp.collision_layer = 2


func tiles(cells: Rect2i, is_one_way: bool = false) -> GroundTiles:
	var layer: GroundTiles = GroundTiles.new(is_one_way)
	layer.fill(cells)
	world.add_child(layer)
	return layer


func shape_of(body: CollisionObject2D) -> CollisionShape2D:
	return body.get_child(0)


## Two legs of either kind, standing astride on the origin of a node that the test moves.
func stand(kind: String) -> Legs:
	var legs: Legs = Legs.stepping(2) if kind == GAIT else Legs.placed()
	if kind == PLACEMENT:
		legs.pose_leg(0, Vector2(-12, 0))
		legs.pose_leg(1, Vector2(12, 0))
	return put(legs, Vector2.ZERO)


## Below a node of its own, as a character is.
func put(legs: Legs, at: Vector2) -> Legs:
	var holder: Node2D = Node2D.new()
	holder.position = at
	holder.add_child(legs)
	world.add_child(holder)
	return legs


func holder_of(legs: Legs) -> Node2D:
	return legs.get_parent()


## Below a body with a capsule, which `fall` moves.
func carry(legs: Legs, at: Vector2) -> CharacterBody2D:
	var body: CharacterBody2D = CharacterBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	var capsule: CapsuleShape2D = CapsuleShape2D.new()
	capsule.radius = 10.0
	capsule.height = 50.0
	shape.shape = capsule
	shape.position.y = -25.0
	body.add_child(shape)
	body.add_child(legs)
	var grounded: Node = legs.placement if legs.placement != null else legs.gait
	grounded.set(&"body", body)
	# Legs do not stand on what carries them, and neither do those of others.
	body.collision_layer = 4
	body.position = at
	world.add_child(body)
	return body


## Moves a body along x, with gravity, for so long.
func fall(body: CharacterBody2D, speed: float, time: float) -> void:
	for tick: int in roundi(time * Engine.physics_ticks_per_second):
		body.velocity.x = speed
		body.velocity.y += GRAVITY / Engine.physics_ticks_per_second
		body.move_and_slide()
		await ticks(1)


## A platformer's character at `at`, falling with gravity.
func hero(at: Vector2, with_feet: bool = true) -> Hero:
	var made: Hero = Hero.new(with_feet)
	made.position = at
	world.add_child(made)
	return made


## How far a place is above the first ground below it, from so far up; not finite if there is none.
func height_above_ground(place: Vector2, from: float = 40.0, mask: int = 1) -> float:
	var ray: PhysicsRayQueryParameters2D = PhysicsRayQueryParameters2D.create(
		place - Vector2(0, from), place + Vector2(0, 200), mask
	)
	var hit: Dictionary = world.get_world_2d().direct_space_state.intersect_ray(ray)
	return INF if hit.is_empty() else (hit["position"] as Vector2).y - place.y
