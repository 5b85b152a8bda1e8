extends "res://tests/ground_suite.gd"
## Ground that goes, moves inside its body, or is left through: no foot stays on what is not there.

## What may happen to the ground below a character.
const ENDS: Array[String] = [
	"tiles erased", "shape disabled", "layer cleared", "process off", "freed", "removed", "shrunk"
]


func test_feet_let_go_of_ground_that_goes() -> void:
	for kind: String in BOTH:
		for end: String in ENDS:
			begin()
			var ground: Node2D = _ground(end)
			var legs: Legs = stand(kind)
			await ticks(40)
			equal(legs.planted(), 2, "%s, before: planted" % kind)
			_end(ground, end)
			await ticks(15)
			equal(legs.planted(), 0, "%s, %s: planted" % [kind, end])
			if end == "removed":
				ground.free()


func test_only_the_foot_lets_go_whose_ground_goes() -> void:
	for kind: String in BOTH:
		begin()
		var layer: GroundTiles = tiles(Rect2i(-10, 0, 20, 1))
		var legs: Legs = stand(kind)
		if kind == PLACEMENT:
			legs.pose_leg(0, Vector2(-24, 0))
			legs.pose_leg(1, Vector2(24, 0))
		await ticks(40)
		equal(legs.planted(), 2, "%s, before: planted" % kind)
		var right: int = 1
		var hole: int = int(floorf(legs.tip(right).x / GroundTiles.SIZE))
		layer.clear_cells(Rect2i(hole, 0, 12, 1))
		await ticks(3)
		check(not legs.feet[right].is_planted(), "%s: over the hole" % kind)
		check(legs.feet[0].is_planted(), "%s: beside it" % kind)


func test_feet_go_with_a_shape_that_moves_inside_its_body() -> void:
	for kind: String in BOTH:
		begin()
		var ground: CollisionObject2D = box(Vector2.ZERO, Vector2(400, 20))
		var legs: Legs = stand(kind)
		await ticks(40)
		shape_of(ground).position.y += 12.0
		await ticks(60)
		for leg: int in 2:
			near(legs.sole(leg).y, 12.0, 0.5, "%s: at once" % kind)
		for tick: int in 40:
			shape_of(ground).position.y -= 0.3
			await ticks(1)
		await ticks(60)
		for leg: int in 2:
			near(legs.sole(leg).y, 0.0, 0.5, "%s: slowly" % kind)


func test_feet_find_the_floor_below_a_platform_that_is_left() -> void:
	for end: String in ["freed", "shape disabled", "dropped through"]:
		begin()
		box(Vector2(0, 60), Vector2(2000, 20))
		var platform: CollisionObject2D = one_way(Vector2.ZERO, Vector2(80, 10))
		var character: Hero = hero(Vector2(0, -0.1))
		character.play("idle")
		await seconds(0.6)
		near(character.legs.sole(0).y, 0.0, 0.5, "on the platform")
		if end == "dropped through":
			character.position.y += 2.0
		else:
			_end(platform, end)
		await seconds(1.5)
		for leg: int in 2:
			near(character.legs.sole(leg).y, 60.0, 1.0, "%s: sole %d" % [end, leg])


## The exception with which many platformers drop through a platform.
func test_feet_ignore_a_platform_that_is_an_exception_of_the_body() -> void:
	begin()
	box(Vector2(0, 60), Vector2(2000, 20))
	var platform: CollisionObject2D = box(Vector2.ZERO, Vector2(80, 10))
	var character: Hero = hero(Vector2(0, -0.1))
	character.play("idle")
	await seconds(0.6)
	character.add_collision_exception_with(platform as PhysicsBody2D)
	await seconds(1.5)
	for leg: int in 2:
		near(character.legs.sole(leg).y, 60.0, 1.0, "sole %d" % leg)


## The body is moved, and nothing tells that it falls but its motion.
func test_feet_let_go_in_a_fall_through_a_platform() -> void:
	for kind: String in BOTH:
		for is_one_way: bool in [true, false]:
			begin()
			var ground: CollisionObject2D = box(Vector2.ZERO, Vector2(600, 20))
			shape_of(ground).one_way_collision = is_one_way
			box(Vector2(0, 420), Vector2(600, 40))
			var legs: Legs = stand(kind)
			await ticks(40)
			var watch: Watch = Watch.new(legs)
			var deepest: float = await _fall(legs)
			check(deepest <= 25.0, "%s: planted until %.0f px below" % [kind, deepest])
			equal(watch.above_hip, 0, "%s: looks at planted feet above their hips" % kind)


func test_feet_go_through_a_platform_that_becomes_open_from_below() -> void:
	begin()
	box(Vector2(0, 20), Vector2(300, 40))
	var platform: CollisionObject2D = box(Vector2.ZERO, Vector2(300, 8))
	var legs: Legs = stand(PLACEMENT)
	holder_of(legs).position.y = 20.0
	await ticks(60)
	for leg: int in 2:
		check(legs.sole(leg).y < 10.0, "solid: %.1f" % legs.sole(leg).y)
	shape_of(platform).one_way_collision = true
	await ticks(60)
	for leg: int in 2:
		near(legs.sole(leg).y, 20.0, 0.5, "open from below")


## Feet look by an internal node. A script that meets it may do what it likes.
func test_feet_go_on_when_a_script_takes_their_ray_away() -> void:
	for kind: String in BOTH:
		begin()
		box(Vector2.ZERO, Vector2(300, 40))
		var legs: Legs = stand(kind)
		await ticks(30)
		var node: Node = legs.placement if kind == PLACEMENT else legs.gait
		var own: Node = node.get_child(-1, true)
		check(own is RayCast2D, "%s: the ray" % kind)
		equal(node.get_child_count(), 2, "%s: children that scripts see" % kind)
		var copy: Node = node.duplicate()
		equal(copy.get_child_count(true), 2, "%s: children of a copy" % kind)
		copy.free()
		own.free()
		await ticks(2)
		equal(legs.planted(), 2, "%s: planted without it" % kind)
		own = node.get_child(-1, true)
		node.remove_child(own)
		own.free()
		await ticks(30)
		equal(legs.planted(), 2, "%s: planted, once more" % kind)
		equal(node.get_child_count(true), 3, "%s: rays" % kind)


## How far it has fallen when a foot is planted for the last time.
func _fall(legs: Legs) -> float:
	var velocity: float = 0.0
	var deepest: float = 0.0
	for tick: int in 40:
		velocity += GRAVITY * TICK
		holder_of(legs).position.y += velocity * TICK
		await ticks(1)
		if legs.planted() > 0:
			deepest = holder_of(legs).position.y
	return deepest


func _ground(end: String) -> Node2D:
	if end == "tiles erased":
		return tiles(Rect2i(-20, 0, 40, 1))
	return box(Vector2.ZERO, Vector2(300, 16))


func _end(ground: Node2D, end: String) -> void:
	match end:
		"tiles erased":
			(ground as TileMapLayer).clear()
		"shape disabled":
			shape_of(ground as CollisionObject2D).set_deferred("disabled", true)
		"layer cleared":
			(ground as CollisionObject2D).collision_layer = 0
		"process off":
			ground.process_mode = Node.PROCESS_MODE_DISABLED
		"freed":
			ground.queue_free()
		"removed":
			world.remove_child(ground)
		"shrunk":
			(shape_of(ground as CollisionObject2D).shape as RectangleShape2D).size = Vector2(300, 1)
			shape_of(ground as CollisionObject2D).position.y = 90.0
