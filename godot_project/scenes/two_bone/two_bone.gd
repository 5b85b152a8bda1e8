extends GalleryScene
## An arm of two bones that reaches for the target.
##
## The arm is one smooth Polygon2D, skinned to two Bone2D. The tip that has to
## arrive is the marker Palm. Out of reach, the arm stretches towards the target
## as far as it can; the dashed circle shows where that begins. The signals
## [code]target_reached[/code] and [code]target_lost[/code] open and close the hand.

## The figure turns round when the target is this far behind its back.
const TURN_AT: float = 40.0

@onready var _figure: Node2D = $Figure
@onready var _reach: Sprite2D = %Reach
@onready var _arm: TendonTwoBoneIK2D = %ArmReaches
@onready var _open_hand: Sprite2D = %HandOpen
@onready var _closed_hand: Sprite2D = %HandClosed


func _ready() -> void:
	super()
	_arm.target_reached.connect(_close_hand.bind(true))
	_arm.target_lost.connect(_close_hand.bind(false))


func _unhandled_input(event: InputEvent) -> void:
	var click: InputEventMouseButton = event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		_arm.flip_bend_direction = not _arm.flip_bend_direction


func _path(at_time: float) -> Vector2:
	return Vector2(795 + 100 * sin(at_time * 1.1 - 1.6), 270 - 125 * sin(at_time * 1.7 - 0.9))


## Above the roof.
func _keep_inside(point: Vector2) -> Vector2:
	return point.min(Vector2(INF, 540))


func _play(delta: float) -> void:
	var way: float = (target.global_position.x - _figure.global_position.x) * _figure.scale.x
	if way < -TURN_AT:
		_figure.scale.x = -_figure.scale.x
	var shown: float = 0.5 if _open_hand.visible else 0.16
	_reach.modulate.a = move_toward(_reach.modulate.a, shown, delta)


func _close_hand(closed: bool) -> void:
	_open_hand.visible = not closed
	_closed_hand.visible = closed
