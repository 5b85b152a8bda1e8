class_name LimitArc
extends Node2D
## Draws the limit of the bone above it: all the directions that the bone may take.
##
## The arc runs from [code]min_angle[/code] to [code]max_angle[/code] around the
## bone's rest, and glows where the bone touches an end of it.

const FREE: Color = Color(1.0, 0.81, 0.48)
const STOPPED: Color = Color(1.0, 0.36, 0.3)
const TOUCH: float = deg_to_rad(0.3)
const STOP_WIDTH: float = deg_to_rad(28.0)
const STEPS: int = 40

@export var radius: float = 64.0

## How much each end glows.
var _heat: Vector2 = Vector2.ZERO

@onready var _bone: Bone2D = get_parent()
@onready var _limit: TendonJointLimit2D = _bone.get_node("TendonJointLimit2D")


## Called after the rig's pass.
func show_limit(delta: float) -> void:
	var turned: float = angle_difference(_bone.rest.get_rotation(), _bone.rotation)
	var touches: Vector2 = Vector2(
		float(turned < _limit.min_angle + TOUCH), float(turned > _limit.max_angle - TOUCH)
	)
	_heat = touches.max(_heat - Vector2.ONE * delta * 3.0)
	queue_redraw()


func _draw() -> void:
	# The bone turns and the limit does not.
	var rest: float = _bone.rest.get_rotation() - _bone.rotation
	var from: float = rest + _limit.min_angle
	var to: float = rest + _limit.max_angle
	var fan: PackedVector2Array = [Vector2.ZERO]
	for step: int in STEPS + 1:
		fan.append(radius * Vector2.from_angle(lerpf(from, to, float(step) / STEPS)))
	draw_colored_polygon(fan, Color(FREE, 0.24))
	draw_arc(Vector2.ZERO, radius, from, to, STEPS, FREE, 3.0, true)
	_draw_end(from, from + STOP_WIDTH, _heat.x)
	_draw_end(to, to - STOP_WIDTH, _heat.y)
	draw_circle(Vector2(radius, 0), 6.0, FREE.lerp(STOPPED, maxf(_heat.x, _heat.y)), true, -1, true)


## One end of the arc, which begins at [param angle], and a glow up to [param inner].
func _draw_end(angle: float, inner: float, heat: float) -> void:
	var way: Vector2 = Vector2.from_angle(angle)
	var colour: Color = FREE.lerp(STOPPED, heat)
	draw_line(way * 18.0, way * (radius + 10.0), colour, lerpf(3.0, 5.0, heat), true)
	draw_arc(Vector2.ZERO, radius, angle, inner, STEPS, Color(STOPPED, 0.35 * heat), 18.0, true)
	draw_arc(Vector2.ZERO, radius, angle, inner, STEPS, Color(STOPPED, heat), 7.0, true)
