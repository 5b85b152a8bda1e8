extends "res://tests/ground_suite.gd"
## The character's own parts are no ground.

const PARTS: Array[String] = ["shield", "frozen rigid body", "hitbox on a bone", "ignored crate"]


func test_feet_do_not_stand_on_parts_of_their_character() -> void:
	for part: String in PARTS:
		begin()
		box(Vector2.ZERO, Vector2(2000, 40))
		var character: Hero = hero(Vector2.ZERO)
		character.falls = false
		_add_part(character, part)
		character.play("idle")
		await seconds(1.0)
		for leg: int in 2:
			near(character.legs.sole(leg).y, 0.0, 0.5, "%s, foot %d" % [part, leg])
		near(character.legs.pelvis.position.y, -64.0, 0.5, part + ": the pelvis")


## A part that is added while it stands.
func test_feet_do_not_step_onto_a_part_that_is_added_later() -> void:
	begin()
	box(Vector2.ZERO, Vector2(2000, 40))
	var character: Hero = hero(Vector2.ZERO)
	character.falls = false
	character.play("walk")
	await seconds(0.5)
	_add_part(character, "shield")
	var highest: float = 0.0
	for tick: int in 90:
		await ticks(1)
		for leg: int in 2:
			highest = maxf(highest, -character.legs.sole(leg).y)
	check(highest <= 16.0, "a sole is %.1f px up, in the animation 14" % highest)


func test_a_gait_does_not_step_onto_parts_of_its_character() -> void:
	begin()
	box(Vector2.ZERO, Vector2(4000, 40))
	var legs: Legs = Legs.stepping(4)
	var body: CharacterBody2D = carry(legs, Vector2(0, -0.1))
	var shield: AnimatableBody2D = AnimatableBody2D.new()
	shield.sync_to_physics = false
	body.add_child(_shaped(shield, Vector2(20, 12), Vector2(14, -6)))
	body.add_collision_exception_with(shield)
	for tick: int in 120:
		await fall(body, 60.0, TICK)
		for leg: int in 4:
			check(legs.sole(leg).y >= -16.0, "a sole is at %.1f" % legs.sole(leg).y)
	await fall(body, 0.0, 1.0)
	for leg: int in 4:
		near(legs.sole(leg).y, 0.0, 0.5, "foot %d" % leg)


## A character's scene is put on a lift, and has no body.
func test_feet_stand_on_the_platform_that_their_character_was_put_on() -> void:
	for kind: String in ["placed", "gait"]:
		begin()
		var lift: AnimatableBody2D = AnimatableBody2D.new()
		lift.sync_to_physics = false
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		shape.shape.size = Vector2(400, 20)
		lift.add_child(shape)
		add_child(lift)
		var legs: Legs = Legs.placed() if kind == "placed" else Legs.stepping(4)
		var character: Node2D = Node2D.new()
		character.add_child(legs)
		for part: Node in legs.find_children("*", "", true, false) + [legs]:
			part.owner = character
		character.position = Vector2(0, -10)
		lift.add_child(character)
		await seconds(0.5)
		for tick: int in 60:
			lift.position += Vector2(1, -1)
			await ticks(1)
		for leg: int in 2:
			near(legs.sole(leg).y, lift.position.y - 10.0, 1.0, "%s, foot %d" % [kind, leg])
		check(legs.planted() >= 2, "%s: %d feet are planted" % [kind, legs.planted()])
		lift.free()


## What is not below the character's body is ground, though it hangs on the same node.
func test_feet_stand_on_what_is_beside_their_character() -> void:
	begin()
	box(Vector2.ZERO, Vector2(2000, 40))
	var character: Hero = hero(Vector2.ZERO)
	character.falls = false
	box(Vector2(0, -12), Vector2(60, 12))
	character.play("idle")
	character.position.y = -12.0
	await seconds(1.0)
	for leg: int in 2:
		near(character.legs.sole(leg).y, -12.0, 0.5, "foot %d" % leg)


func _add_part(character: Hero, part: String) -> void:
	match part:
		"shield":
			var shield: AnimatableBody2D = AnimatableBody2D.new()
			shield.sync_to_physics = false
			character.add_child(_shaped(shield, Vector2(24, 40), Vector2(6, -20)))
		"frozen rigid body":
			var hitbox: RigidBody2D = RigidBody2D.new()
			hitbox.freeze = true
			character.add_child(_shaped(hitbox, Vector2(40, 27), Vector2(0, -14)))
		"hitbox on a bone":
			for lower: Bone2D in character.legs.lowers:
				lower.add_child(_shaped(StaticBody2D.new(), Vector2(30, 12), Vector2(15, 0)))
		"ignored crate":
			var crate: CollisionObject2D = box(Vector2(0, -20), Vector2(40, 20))
			character.add_collision_exception_with(crate as PhysicsBody2D)


func _shaped(body: CollisionObject2D, size: Vector2, at: Vector2) -> CollisionObject2D:
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = size
	shape.position = at
	body.add_child(shape)
	return body
