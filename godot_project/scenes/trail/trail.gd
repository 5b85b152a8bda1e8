extends GalleryScene
## Fish in a pond, with weeds at its edge.
##
## Nobody has animated them. A TendonTrail2D draws each body along the way that its head took, and
## a TendonWave2D swims. The weeds are one TendonWave2D each.

@onready var _koi: Koi = %Koi
@onready var _small: Koi = %Small
@onready var _dark: Koi = %Dark


func _ready() -> void:
	super()
	for weed: Node in $Weeds.get_children():
		(weed.get_node("%Sway") as TendonWave2D).phase = weed.get_index() * 0.3


func _path(at_time: float) -> Vector2:
	return Vector2(610 + 330 * sin(at_time * 0.62), 335 + 165 * sin(at_time * 1.24))


func _keep_inside(point: Vector2) -> Vector2:
	return point.clamp(Vector2(150, 130), Vector2(1000, 520))


func _play(delta: float) -> void:
	_koi.swim(target.global_position, delta)
	_small.swim(Vector2(330 + 190 * cos(time * 0.5), 400 + 110 * sin(time * 0.7)), delta)
	_dark.swim(Vector2(780 - 200 * cos(time * 0.33), 250 + 130 * sin(time * 0.41)), delta)
