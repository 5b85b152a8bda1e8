extends GalleryScene
## A balloon on its rope, a string of lanterns, and a bridge: all that hangs is held at both ends.
##
## Rope, string and bridge are one TendonSpring2D each. The chain begins where its root is, and ends
## at its [code]pin[/code]. The balloon carries two of the pins. The lanterns are springs as well,
## below the one that moves their string. The script moves the balloon and makes the wind.

## How eagerly the balloon drifts to the spark, and what slows it down.
const HASTE: float = 7.0
const DRAG: float = 2.4

## Radians that it tilts for each pixel per second.
const TILT: float = 0.0012

## From the flame to the hooks of the basket.
const BELOW: Vector2 = Vector2(0, 60)

## The wind, and a gust of it: pixels per second squared, and per second.
const WIND: float = 110.0
const GUST: Vector2 = Vector2(420, -160)

var _velocity: Vector2 = Vector2.ZERO

@onready var _balloon: Node2D = %Balloon
@onready var _flame: Node2D = %Flame
@onready var _springs: Array[Node] = find_children("*", "TendonSpring2D")


func _unhandled_input(event: InputEvent) -> void:
	var click: InputEventMouseButton = event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		_velocity += GUST
		for spring: TendonSpring2D in _springs:
			spring.apply_impulse(GUST)


func _path(at_time: float) -> Vector2:
	return Vector2(542 + 38 * sin(at_time * 0.9), 218 - 30 * sin(at_time * 1.35 + 0.6))


## As far as the ropes reach, and where they stay above the bridge.
func _keep_inside(point: Vector2) -> Vector2:
	return point.clamp(Vector2(500, 186), Vector2(584, 250))


func _play(delta: float) -> void:
	var way: Vector2 = target.global_position + BELOW - _balloon.position
	_velocity += (way * HASTE - _velocity * DRAG) * delta
	_balloon.position += _velocity * delta
	_balloon.rotation = TILT * _velocity.x
	_flame.scale.y = 0.5 + 0.06 * sin(21.0 * time) + 0.05 * sin(33.0 * time)
	for spring: TendonSpring2D in _springs:
		spring.gravity.x = WIND * (sin(1.1 * time) + 0.6 * sin(2.3 * time + 1.0))
