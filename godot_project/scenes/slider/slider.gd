extends GalleryScene
## The moon makes a face: a board of knobs, and an AnimationPlayer that is never played.
##
## Each TendonSlider2D scrubs an animation of a few bones of the face, as far as its knob says. The
## pad has two of them, one for each direction. All are [code]additive[/code], so that a sad moon
## can be surprised as well. The script only moves the knobs.

## Seconds that the spark stays at a knob.
const VISIT: float = 2.0

## Seconds in which it comes there.
const COME: float = 0.4

## How near to a knob it takes it, and how far away it lets go, in pixels. The mouse lets go when
## its button is released.
const NEAR: float = 34.0
const FAR: float = 44.0

var _held: Knob

@onready var _knobs: Array[Node] = find_children("Knob", "Node2D")


func _path(at_time: float) -> Vector2:
	var knob: Knob = _knobs[int(at_time / VISIT) % _knobs.size()]
	var second: float = fmod(at_time, VISIT)
	if second < COME:
		return knob.held_at()
	return knob.place_at(TAU * (second - COME) / (VISIT - COME))


## On the board.
func _keep_inside(point: Vector2) -> Vector2:
	return point.clamp(Vector2(70, 250), Vector2(358, 590))


func _play(delta: float) -> void:
	var place: Vector2 = target.global_position
	var drags: bool = Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT)
	if not is_mouse_awake():
		drags = _held == null or _held.held_at().distance_to(place) < FAR
	if not drags:
		_held = null
	for knob: Knob in _knobs:
		if drags and not _held and knob.held_at().distance_to(place) < NEAR:
			_held = knob
	if _held:
		_held.drag(place, delta)
