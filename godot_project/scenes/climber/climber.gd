extends GalleryScene
## A climber who holds on with three limbs and reaches for the spark with the fourth.
##
## One TendonFullBody2D moves the whole body from the hips on. The back hand and both feet have
## a weight of 1 and stay on the rock. The front hand weighs less: it comes as far as the others
## let it, and the body leans after it. When the spark is far away, he takes hold of the ledge.

## How far from the middle of the climber the spark is worth letting go for, in pixels.
const TEMPTING: float = 360.0
## How fast the hand goes over, per second.
const EAGERNESS: float = 6.0

var _reaches: float = 0.0

@onready var _hand: TendonEffector2D = %FrontHand
@onready var _hold: Node2D = %FrontHandHold
@onready var _ledge: Vector2 = _hold.position
@onready var _middle: Vector2 = ($Climber as Node2D).position + Vector2(0, -90)


func _path(at_time: float) -> Vector2:
	var near: Vector2 = Vector2(
		430 + 130 * sin(at_time * 0.9), 320 + 190 * sin(at_time * 1.3 + 0.7)
	)
	var away: float = smoothstep(0.75, 0.95, sin(at_time * 0.45 - 0.6))
	return near + Vector2(-330, -40) * away


func _play(delta: float) -> void:
	var is_near: bool = target.position.distance_to(_middle) < TEMPTING
	_reaches = lerpf(_reaches, 1.0 if is_near else 0.0, 1.0 - exp(-EAGERNESS * delta))
	_hold.position = _ledge.lerp(target.position, smoothstep(0.0, 1.0, _reaches))
