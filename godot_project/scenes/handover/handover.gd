extends GalleryScene
## A monkey that goes hand over hand along a row of rings.
##
## Both arms are a TendonTwoBoneIK2D with a [code]transition_duration[/code]. To let go of one ring
## and take another, the script gives an arm another target, and that is all: the hand comes to the
## ring wherever it swings meanwhile. A click may send it elsewhere while it is on its way.

## How far the body hangs below a ring that it holds with one hand.
const ARM: float = 165.0

## How many rings the hands are apart at most.
const SPAN: int = 3

## How eagerly the body comes below its hands, and what slows it down.
const PULL: float = 34.0
const DRAG: float = 5.0

## Radians that it tilts for each pixel per second.
const TILT: float = 0.0014

var _velocity: Vector2 = Vector2.ZERO

## The rings that the hands hold or reach for.
var _left: int = 2
var _right: int = 3
var _goes_right: bool = true

## The hand that let go last, and when it arrives.
var _hand: TendonTwoBoneIK2D
var _arrives_at: float = 0.0

## The ring that was clicked, until a hand reaches for it.
var _clicked: int = -1

@onready var _rings: Array[Node] = %Rings.get_children()
@onready var _monkey: Node2D = %Monkey
@onready var _pupils: Node2D = %Pupils
@onready var _left_hand: TendonTwoBoneIK2D = %LeftHand
@onready var _right_hand: TendonTwoBoneIK2D = %RightHand


func _unhandled_input(event: InputEvent) -> void:
	var click: InputEventMouseButton = event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		_clicked = _nearest_ring(get_global_mouse_position())


func _path(at_time: float) -> Vector2:
	return Vector2(720 - 330 * cos(at_time * 0.42), 330 + 90 * sin(at_time * 1.1))


func _play(delta: float) -> void:
	for index: int in _rings.size():
		(_rings[index] as Node2D).rotation = 0.07 * sin(1.9 * time + 1.3 * index)
	if _clicked != -1 and _reach_for(_clicked):
		_clicked = -1
	if time > _arrives_at:
		_climb()
	_hang(delta)
	for arm: TendonTwoBoneIK2D in [_left_hand, _right_hand]:
		(arm.bone_two.get_node("Open") as Node2D).visible = arm.is_in_transition()
		(arm.bone_two.get_node("Closed") as Node2D).visible = not arm.is_in_transition()
	var seen: Vector2 = target.position - _monkey.position + Vector2(0, 60)
	_pupils.position = Vector2(42, 0) + Vector2(-seen.y, seen.x).limit_length(4.0)


## One hand goes ahead by a ring, and the other one follows.
func _climb() -> void:
	var goal: int = _nearest_ring(target.global_position)
	if _right - _left > 1:
		_reach_for(_right - 1 if _goes_right else _left + 1)
	elif goal < _left:
		_reach_for(_left - 1)
	elif goal > _right:
		_reach_for(_right + 1)


## The hand that is nearer takes the ring, or goes as far as the other one lets it, which holds on
## meanwhile. Returns false if that is the one that is on its way.
func _reach_for(ring: int) -> bool:
	if ring in [_left, _right]:
		return true
	var is_ahead: bool = ring < _left or ring > _right
	var is_right: bool = ring > _right if is_ahead else not _goes_right
	var hand: TendonTwoBoneIK2D = _right_hand if is_right else _left_hand
	if hand != _hand and time < _arrives_at:
		return false
	if is_ahead:
		_goes_right = is_right
	if is_right:
		_right = mini(ring, _left + SPAN)
	else:
		_left = maxi(ring, _right - SPAN)
	_hand = hand
	_arrives_at = time + hand.transition_duration
	hand.target = _grip(_right if is_right else _left)
	return true


## Hangs the body below the middle of its hands, as far as its arms are long.
func _hang(delta: float) -> void:
	var left: Vector2 = _grip(_left).global_position
	var right: Vector2 = _grip(_right).global_position
	var below: float = sqrt(maxf(ARM * ARM - (right - left).length_squared() / 4.0, 400.0))
	var way: Vector2 = (left + right) / 2.0 + Vector2(0, below) - _monkey.position
	_velocity += (way * PULL - _velocity * DRAG) * delta
	_monkey.position += _velocity * delta
	_monkey.rotation = lerpf(_monkey.rotation, TILT * _velocity.x, 1.0 - exp(-5.0 * delta))


func _nearest_ring(place: Vector2) -> int:
	var ways: Array[float] = []
	for index: int in _rings.size():
		ways.append(absf(place.x - _grip(index).global_position.x))
	return ways.find(ways.min())


func _grip(ring: int) -> Node2D:
	return _rings[ring].get_node("Grip")
