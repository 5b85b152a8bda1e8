extends RefCounted
## Looks at legs after each pass, and keeps the worst of what an onlooker would see.

const Legs := preload("res://tests/ground_legs.gd")

## In a straight leg a knee has no side.
const STRAIGHT: float = 0.05

var legs: Legs
var looks: int = 0
## Looks at planted feet.
var planted_looks: int = 0
## How far a joint turned in a pass.
var turn: float = 0.0
## How much more than the animation turned it.
var added_turn: float = 0.0
## Where that was, for the message.
var added_at: String = ""
## How often a planted foot had no ground within some pixels of the place that it stands on.
var on_nothing: int = 0
## How often a planted foot was above its hip.
var above_hip: int = 0
## How often a knee was bent to the other side than by the animation.
var wrong_knee: int = 0
## How deep a planted sole was in the ground that it stands on, and how high above it.
var depth: float = 0.0
var height: float = 0.0
## How far a planted foot slid, seen from its ground.
var slide: float = 0.0
## How far the pelvis moved in a pass, seen from the skeleton.
var bob: float = 0.0
var lifts: int = 0
var plants: int = 0

## The character's own bodies.
var _parts: Array[RID] = []
var _before: PackedFloat64Array = []
var _base_before: PackedFloat64Array = []
var _pelvis_before: Vector2 = Vector2.INF
## Of each planted foot: where on its ground it was at first.
var _starts: Dictionary[TendonFoot2D, Vector2] = {}
var _grounds: Dictionary[TendonFoot2D, Node2D] = {}


func _init(watched: Legs) -> void:
	legs = watched
	var body: Node = legs.get_parent()
	var parts: Array[Node] = body.find_children("*", "CollisionObject2D", true, false)
	for part: Node in parts + [body]:
		if part is CollisionObject2D:
			_parts.append((part as CollisionObject2D).get_rid())
	legs.rig.modification_processed.connect(_look)


func stop() -> void:
	legs.rig.modification_processed.disconnect(_look)


## All that no onlooker may ever see, in one text; empty if nothing was wrong.
func broken_laws() -> String:
	if on_nothing == 0 and above_hip == 0 and wrong_knee == 0:
		return ""
	var counts: Array = [looks, on_nothing, above_hip, wrong_knee]
	return "of %d looks, %d planted on nothing, %d above the hip, %d with a turned knee" % counts


func _look() -> void:
	_look_at_joints()
	for leg: int in legs.feet.size():
		looks += 1
		_look_at_knee(leg)
		_look_at_foot(leg)


func _look_at_joints() -> void:
	var now: PackedFloat64Array = legs.turns()
	var base: PackedFloat64Array = _base()
	for index: int in _before.size():
		var turned: float = angle_difference(_before[index], now[index])
		turn = maxf(turn, absf(turned))
		var animated: float = angle_difference(_base_before[index], base[index])
		var added: float = absf(angle_difference(animated, turned))
		if added > added_turn:
			added_turn = added
			added_at = "joint %d, look %d, x %.0f" % [index, looks, legs.global_position.x]
	if _pelvis_before.is_finite():
		bob = maxf(bob, _pelvis_before.distance_to(legs.pelvis.position))
	_before = now
	_base_before = base
	_pelvis_before = legs.pelvis.position


func _look_at_knee(leg: int) -> void:
	var base: float = legs.rig.get_base_rotation(legs.lowers[leg])
	var now: float = legs.lowers[leg].rotation
	if absf(base) > STRAIGHT and absf(now) > STRAIGHT and signf(base) != signf(now):
		wrong_knee += 1


func _look_at_foot(leg: int) -> void:
	var foot: TendonFoot2D = legs.feet[leg]
	if not foot.is_planted():
		lifts += int(foot in _starts)
		_starts.erase(foot)
		return
	planted_looks += 1
	var sole: Vector2 = legs.sole(leg)
	above_hip += int(sole.y < legs.hip(leg).y)
	on_nothing += int(not _stands(foot))
	var along: Vector2 = sole - foot.get_ground_position()
	height = maxf(height, along.dot(foot.get_ground_normal()))
	depth = maxf(depth, -along.dot(foot.get_ground_normal()))
	_look_for_slide(foot, sole)


func _look_for_slide(foot: TendonFoot2D, sole: Vector2) -> void:
	var ground: Node2D = foot.get_ground_collider()
	if ground == null:
		return
	if not foot in _starts or _grounds.get(foot) != ground:
		plants += int(not foot in _starts)
		_starts[foot] = ground.to_local(sole)
		_grounds[foot] = ground
	slide = maxf(slide, ground.to_global(_starts[foot]).distance_to(sole))


## Whether there is ground where a foot stands, or where the server has that: it may be where it was
## drawn a tick ago.
func _stands(foot: TendonFoot2D) -> bool:
	var place: Vector2 = foot.get_ground_position()
	var body: PhysicsBody2D = foot.get_ground_collider() as PhysicsBody2D
	if _has_ground(place) or body == null:
		return _has_ground(place)
	var seen: Transform2D = PhysicsServer2D.body_get_state(
		body.get_rid(), PhysicsServer2D.BODY_STATE_TRANSFORM
	)
	return _has_ground(seen * body.to_local(place))


## Whether something solid that is no part of the character is within a few pixels of a place.
func _has_ground(place: Vector2) -> bool:
	var ray: PhysicsRayQueryParameters2D = PhysicsRayQueryParameters2D.create(
		place + Vector2(0, -6), place + Vector2(0, 6)
	)
	ray.hit_from_inside = true
	ray.exclude = _parts
	var space: PhysicsDirectSpaceState2D = legs.get_world_2d().direct_space_state
	return not space.intersect_ray(ray).is_empty()


func _base() -> PackedFloat64Array:
	var found: PackedFloat64Array = []
	for leg: int in legs.uppers.size():
		found.append(legs.rig.get_base_rotation(legs.uppers[leg]))
		found.append(legs.rig.get_base_rotation(legs.lowers[leg]))
	return found
