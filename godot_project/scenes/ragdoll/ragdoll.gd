extends GalleryScene
## A wooden puppet on a stage, to be grabbed and hit with the mouse.
##
## Its TendonRagdoll2D is simulated by the rig itself. A click on the puppet grabs it, and a click
## beside it throws a ball from there. While the mouse rests, somebody else throws.

## Seconds between two balls while the mouse rests: a small one, then a heavy one.
const PAUSE: float = 1.9
## How fast balls are, in pixels per second.
const THROW: float = 1100.0
## The mouse grabs what is nearer.
const REACH: float = 46.0
const MIDDLE: float = 576.0
## Balls come from the right beyond it, otherwise from the left: the puppet stays on the stage, and
## falls on its belly and on its back.
const LOWEST_STEP: float = 800.0

var _next_ball: float = 0.4
var _is_heavy: bool = false
var _grabs: bool = false

@onready var _puppet: Puppet = %Puppet
@onready var _hook: Node2D = %Hook
@onready var _spot: Node2D = %Spot


func _unhandled_input(event: InputEvent) -> void:
	if not event is InputEventMouseButton:
		return
	var click: InputEventMouseButton = event
	if click.button_index != MOUSE_BUTTON_LEFT:
		return
	var place: Vector2 = get_global_mouse_position()
	if not click.pressed:
		_puppet.let_fall()
		_grabs = false
		return
	var limb: Bone2D = _puppet.nearest(place)
	if limb.global_position.distance_to(place) < REACH:
		_hook.global_position = place
		_puppet.hang(place, _hook)
		_grabs = true
	else:
		var seconds: float = maxf(place.distance_to(_puppet.heart()) / THROW, 0.1)
		add_child(ThrownBall.thrown(place, _puppet.heart(), seconds, true))


func _physics_process(_delta: float) -> void:
	if _grabs:
		_hook.global_position = get_global_mouse_position()
	elif time > _next_ball and _puppet.state == Puppet.State.STANDING and not is_mouse_awake():
		_throw()


func _throw() -> void:
	_next_ball = time + PAUSE
	var heart: Vector2 = _puppet.heart()
	var side: float = -1.0 if heart.x < LOWEST_STEP else 1.0
	var from: Vector2 = Vector2(MIDDLE + side * (MIDDLE + 80.0), heart.y - 60.0)
	var seconds: float = absf(from.x - heart.x) / THROW
	var aim: Vector2 = heart + Vector2(0, -4.0 if _is_heavy else -34.0)
	add_child(ThrownBall.thrown(from, aim, seconds, _is_heavy))
	_is_heavy = not _is_heavy


func _play(delta: float) -> void:
	var way: Vector2 = _puppet.heart() - _spot.global_position
	var weight: float = 1.0 - exp(-3.0 * delta)
	_spot.rotation = lerp_angle(_spot.rotation, way.angle() - PI / 2, weight)
