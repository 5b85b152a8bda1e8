class_name ThrownBall
extends RigidBody2D
## A ball that flies at a puppet, and is gone some seconds later.

const LIFE: float = 3.5
const FADE: float = 0.6

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
	var tween: Tween = create_tween()
	tween.tween_interval(LIFE)
	tween.tween_property(self, "modulate:a", 0.0, FADE)
	tween.tween_callback(queue_free)


func _draw() -> void:
	draw_circle(Vector2.ZERO, _radius, Color(0.95, 0.8, 0.4), true, -1.0, true)
	for third: int in 3:
		var angle: float = TAU * third / 3.0
		var slice: PackedVector2Array = [Vector2.ZERO]
		for step: int in 7:
			slice.append(Vector2.from_angle(angle + PI / 3.0 * step / 6.0) * _radius)
		draw_colored_polygon(slice, Color(0.83, 0.29, 0.27))
	draw_circle(Vector2.ZERO, 0.24 * _radius, Color(0.98, 0.94, 0.85), true, -1.0, true)
