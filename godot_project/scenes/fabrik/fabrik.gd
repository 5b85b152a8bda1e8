extends GalleryScene
## An octopus: one long tentacle follows the target, the short ones sway.
##
## All five are the same scene. What each reaches for is set on the TendonFABRIK2D
## in its rig. Those on the left are mirrored: their [code]scale.x[/code] is negative.

const SWAY: float = 34.0

## Where the target may be: beside the head, and not so near that the long tentacle coils
## out of the picture.
const WATER: Rect2 = Rect2(600, 70, 510, 370)
const NEAREST: float = 350.0

var _homes: PackedVector2Array = []

@onready var _long: Node2D = $LongTentacle
@onready var _marks: Array[Node] = %Marks.get_children()


func _ready() -> void:
	super()
	for mark: Node2D in _marks:
		_homes.append(mark.position)


func _path(at_time: float) -> Vector2:
	return Vector2(765 + 120 * sin(at_time * 0.8 + 0.2), 320 - 150 * sin(at_time * 1.25 + 0.5))


func _keep_inside(point: Vector2) -> Vector2:
	var inside: Vector2 = point.clamp(WATER.position, WATER.end)
	var way: Vector2 = inside - _long.position
	return _long.position + way.normalized() * maxf(way.length(), NEAREST)


func _play(_delta: float) -> void:
	for index: int in _marks.size():
		var mark: Node2D = _marks[index]
		var phase: float = time * 0.9 + index * 1.9
		mark.position = _homes[index] + SWAY * Vector2(sin(phase), 0.7 * cos(phase * 1.3))
