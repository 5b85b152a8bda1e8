extends GalleryScene
## A wooden puppet on stairs, to be grabbed and hit with the mouse.
##
## Its TendonRagdoll2D is simulated by the rig itself. A click on the puppet grabs it, and a click
## beside it throws a blow. While the mouse rests, somebody else does.

## Seconds between two blows while the mouse rests.
const PAUSE: float = 5.5
const BLOW: float = 9000.0
## The mouse grabs what is nearer.
const REACH: float = 46.0

var _next_blow: float = 1.4
var _grabs: bool = false

@onready var _puppet: Puppet = %Puppet
@onready var _hook: Node2D = %Hook


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
		_puppet.push(place.direction_to(limb.global_position) * BLOW, limb.global_position)


func _physics_process(_delta: float) -> void:
	if _grabs:
		_hook.global_position = get_global_mouse_position()
	elif time > _next_blow and not is_mouse_awake():
		_next_blow = time + PAUSE
		var head: Vector2 = (
			_puppet.nearest(_puppet.global_position - Vector2(0, 200)).global_position
		)
		var side: float = 1.0 if head.x < 576 else -1.0
		_puppet.push(Vector2(side, -0.35) * BLOW, head)


func _path(at_time: float) -> Vector2:
	return Vector2(576 - 380 * cos(at_time * 0.42), 240 + 60 * sin(at_time * 1.1))
