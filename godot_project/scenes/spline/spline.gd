extends GalleryScene
## A paper dragon that flies along a path.
##
## The TendonSplineIK2D lays its bones along the Path2D: the root is the tail, which is moved
## ([code]move_root[/code]), and the head flies ahead. Animating [code]progress[/code] is all there
## is to it. The path is closed, so the flight never ends. The target pulls at one point of the
## curve while the dragon is on it.

## Pixels of the path in a second.
const FLIGHT: float = 130.0

## The point of the curve that the target pulls at.
const PULLED: int = 2

@onready var _path_node: Path2D = %Path
@onready var _trail: Line2D = %Trail
@onready var _flight: TendonSplineIK2D = %Flight


func _path(at_time: float) -> Vector2:
	return Vector2(735 + 60 * sin(at_time * 0.9), 375 + 45 * sin(at_time * 1.3))


## Where the path does not cross itself too sharply.
func _keep_inside(point: Vector2) -> Vector2:
	return point.clamp(Vector2(640, 300), Vector2(840, 440))


func _play(delta: float) -> void:
	var curve: Curve2D = _path_node.curve
	curve.set_point_position(PULLED, _path_node.to_local(target.global_position))
	_trail.points = curve.get_baked_points()
	var length: float = curve.get_baked_length()
	_flight.progress = fposmod(_flight.progress + FLIGHT * delta, length)
