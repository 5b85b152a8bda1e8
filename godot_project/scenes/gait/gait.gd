extends GalleryScene
## A spider in an attic, which climbs over crates.
##
## Nobody has animated it: the TendonGait2D finds the crates by the physics server, also while they
## are moved. They can be dragged with the mouse. While that rests, one goes up and down by itself.

const FLOOR: float = 560.0

var _dragged: Node2D = null
var _grip: Vector2 = Vector2.ZERO

@onready var _spider: Spider = %Spider
@onready var _lift: Node2D = %Wide


func _unhandled_input(event: InputEvent) -> void:
	if not event is InputEventMouseButton:
		return
	var click: InputEventMouseButton = event
	if click.button_index != MOUSE_BUTTON_LEFT:
		return
	_dragged = null
	if click.pressed:
		var place: Vector2 = get_global_mouse_position()
		for crate: Node2D in $Crates.get_children():
			if Rect2(-_size_of(crate) / 2, _size_of(crate)).has_point(crate.to_local(place)):
				_dragged = crate
				_grip = crate.position - place


func _physics_process(delta: float) -> void:
	if _dragged != null:
		_drag(_dragged, get_global_mouse_position() + _grip, 900.0 * delta)
	elif not is_mouse_awake():
		var lift: float = 14.0 * (1.0 - cos(time * 1.3))
		_drag(_lift, Vector2(_lift.position.x, FLOOR - lift), 120.0 * delta)
	_spider.walk(target.global_position, delta)


func _path(at_time: float) -> Vector2:
	return Vector2(576 - 380 * cos(at_time * 0.42), 300 + 60 * sin(at_time * 1.1))


func _keep_inside(point: Vector2) -> Vector2:
	return point.clamp(Vector2(190, 110), Vector2(962, 520))


## Moves a crate towards [param place] by at most [param distance], but not into the floor, nor too
## high for the spider.
func _drag(crate: Node2D, place: Vector2, distance: float) -> void:
	var half: Vector2 = _size_of(crate) / 2
	var least: Vector2 = Vector2(half.x, FLOOR - 75.0)
	var goal: Vector2 = place.clamp(least, Vector2(1152 - half.x, FLOOR - half.y))
	crate.position = crate.position.move_toward(goal, distance)


func _size_of(crate: Node2D) -> Vector2:
	return ((crate.get_node("Shape") as CollisionShape2D).shape as RectangleShape2D).size
