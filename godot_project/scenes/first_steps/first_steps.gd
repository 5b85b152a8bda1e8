extends Node2D
## A puppet that walks to the mouse. docs/guide.md builds it, step by step.
##
## The script moves the puppet along and sets its feet down in turn. Tendon bends the knees and
## turns the head.

## How fast the puppet walks, in pixels a second.
const SPEED: float = 150.0

## How far it comes with a step of each foot, in pixels.
const STRIDE: float = 150.0

## How high it lifts a foot, in pixels.
const LIFT: float = 26.0

## How near to the mouse it stops, in pixels.
const NEAR: float = 60.0

## How far the feet are in their steps, from 0 to 1.
var _phase: float = 0.0

## From 0, standing, to 1, walking.
var _vigour: float = 0.0

@onready var _puppet: Node2D = $Puppet
@onready var _body: Bone2D = $Puppet/Skeleton2D/Body
@onready var _front_foot: Marker2D = $Puppet/FrontShinTarget
@onready var _back_foot: Marker2D = $Puppet/BackShinTarget
@onready var _look: Marker2D = $HeadTarget


func _process(delta: float) -> void:
	_look.global_position = get_global_mouse_position()
	walk(_look.position.x - _puppet.position.x, delta)


## Walks for [param delta] seconds towards a place that is [param way] pixels to the right.
func walk(way: float, delta: float) -> void:
	var walks: bool = absf(way) > NEAR
	_vigour = move_toward(_vigour, 1.0 if walks else 0.0, delta / 0.2)
	if walks:
		_puppet.scale.x = signf(way)
		_puppet.position.x += signf(way) * SPEED * delta
		_phase = fposmod(_phase + SPEED * delta / STRIDE, 1.0)
	_front_foot.position = _foot_at(_phase)
	_back_foot.position = _foot_at(fposmod(_phase + 0.5, 1.0))
	_body.position.y = _body.rest.origin.y + 3.0 * _vigour * cos(2.0 * TAU * _phase)


## Where a foot is, as seen from the puppet. Half of the time it is on the ground, where it
## falls behind as fast as the puppet walks on; then it swings ahead.
func _foot_at(phase: float) -> Vector2:
	var reach: float = STRIDE * 0.25
	if phase < 0.5:
		return Vector2(lerpf(reach, -reach, phase * 2.0) * _vigour, 0.0)
	var swing: float = phase * 2.0 - 1.0
	var ahead: float = lerpf(-reach, reach, smoothstep(0.0, 1.0, swing))
	return Vector2(ahead, -LIFT * sin(PI * swing)) * _vigour
