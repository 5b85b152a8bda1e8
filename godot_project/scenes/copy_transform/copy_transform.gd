extends GalleryScene
## A clockwork crocodile: every motion is copied from another one.
##
## The crank looks at the spark. Gears copy its rotation with negative ranges,
## through any number of turns. The spark's height opens the jaw, the jaw opens
## the eye and lifts the tail, and the lantern does not inherit its rotation.

const HUB := Vector2(216, 372)


## Around the wheel, and up and down.
func _path(at_time: float) -> Vector2:
	return HUB + Vector2.from_angle(at_time * 1.6 - 1.0) * Vector2(150, 215)
