extends "res://tests/suite.gd"
## What suites about TendonRagdoll2D share: a dummy on ground, and what it tells.

const Dummy := preload("res://tests/dummy.gd")

## The signals that were emitted, by their names.
var _told: Array[String] = []


## A dummy that lies at rest on what is below it.
func _lying(place: Vector2, above: Node = self) -> Dummy:
	var dummy: Dummy = Dummy.new(above, Node2D.new(), place)
	await _ticks(2)
	_listen(dummy)
	dummy.ragdoll.start(Vector2(900, 0))
	await _until_settled()
	return dummy


func _until_settled() -> void:
	for tick: int in 600:
		if "settled" not in _told:
			await get_tree().physics_frame
	check("settled" in _told, "it has come to rest")


func _listen(dummy: Dummy) -> void:
	_told.clear()
	dummy.ragdoll.settled.connect(func() -> void: _told.append("settled"))
	dummy.ragdoll.recovered.connect(func() -> void: _told.append("recovered"))
	dummy.ragdoll.hit.connect(
		func(_bone: Bone2D, _impulse: Vector2, _collider: Node) -> void: _told.append("hit")
	)


func _add_ground(rect: Rect2, body: PhysicsBody2D = StaticBody2D.new()) -> PhysicsBody2D:
	box(self, rect, body)
	body.add_to_group("ground")
	return body


## Puts [param body] below [param above], with a shape that fills [param rect].
static func box(
	above: Node, rect: Rect2, body: PhysicsBody2D = StaticBody2D.new()
) -> PhysicsBody2D:
	var shape: CollisionShape2D = CollisionShape2D.new()
	var rectangle: RectangleShape2D = RectangleShape2D.new()
	rectangle.size = rect.size
	shape.shape = rectangle
	body.position = rect.get_center()
	body.add_child(shape)
	above.add_child(body)
	return body


func _free_ground() -> void:
	for body: Node in get_tree().get_nodes_in_group("ground"):
		body.free()


func _ticks(count: int) -> void:
	for tick: int in count:
		await get_tree().physics_frame
