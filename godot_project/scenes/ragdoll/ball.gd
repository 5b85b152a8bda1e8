class_name ThrownBall
extends RigidBody2D
## A ball that flies at a puppet, and is gone some seconds later.

const LIFE: float = 3.5
const FADE: float = 0.6

const PICTURE: Texture2D = preload("res://art/ragdoll/ball.svg")
## In pixels of the picture.
const PICTURE_RADIUS: float = 104.0

var _radius: float = 12.0


## One that comes from [param place] and is at [param goal] after [param seconds].
static func thrown(place: Vector2, goal: Vector2, seconds: float, is_heavy: bool) -> ThrownBall:
	var ball: ThrownBall = ThrownBall.new()
	ball._radius = 26.0 if is_heavy else 13.0
	ball.mass = 9.0 if is_heavy else 4.0
	ball.position = place
	var gravity: float = ProjectSettings.get_setting("physics/2d/default_gravity")
	var fall: Vector2 = Vector2(0, gravity)
	ball.linear_velocity = (goal - place) / seconds - 0.5 * seconds * fall
	ball.angular_velocity = 6.0 * signf(goal.x - place.x)
	return ball


func _ready() -> void:
	continuous_cd = RigidBody2D.CCD_MODE_CAST_RAY
	var bouncy: PhysicsMaterial = PhysicsMaterial.new()
	bouncy.bounce = 0.35
	bouncy.friction = 0.5
	physics_material_override = bouncy
	var round_shape: CircleShape2D = CircleShape2D.new()
	round_shape.radius = _radius
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = round_shape
	add_child(shape)
	var picture: Sprite2D = Sprite2D.new()
	picture.texture = PICTURE
	picture.scale = Vector2.ONE * _radius / PICTURE_RADIUS
	add_child(picture)
	var tween: Tween = create_tween()
	tween.tween_interval(LIFE)
	tween.tween_property(self, "modulate:a", 0.0, FADE)
	tween.tween_callback(queue_free)
