extends GalleryScene
## A genie with two hands on one spine.
##
## One TendonFABRIK2D bends the spine and both arms: its own tip is the right palm.
## Its child, a TendonEffector2D, has the left palm for a tip and a target of its own,
## the spark Other. The spine leans to where both hands get their will, each of its
## bones as far as its TendonJointLimit2D lets it. Every pose continues from the one
## before.

@onready var _other: Node2D = $Other


func _path(at_time: float) -> Vector2:
	return Vector2(830 + 120 * sin(at_time * 0.8), 290 - 150 * sin(at_time * 1.1 + 0.5))


## Where the lamp's neck is not in the way.
func _keep_inside(point: Vector2) -> Vector2:
	return point.min(Vector2(INF, 560))


func _play(_delta: float) -> void:
	_other.position = Vector2(370 + 100 * sin(time * 0.7 + 0.6), 330 - 110 * sin(time * 1.3 + 2.0))
