class_name Spark
extends Sprite2D
## A small light, the target in every scene. It only breathes.

var _time: float = 0.0


func _process(delta: float) -> void:
	_time += GalleryScene.step_of(delta)
	scale = Vector2.ONE * (0.5 + 0.03 * sin(_time * 5.0))
