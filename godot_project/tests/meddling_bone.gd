extends Bone2D
## A bone that does something, once, as soon as somebody moves it.

## The bone that is at it. Whoever frees it, or a node above it, crashes the engine.
static var busy: Bone2D

var meddle: Callable


func _notification(what: int) -> void:
	if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED and meddle.is_valid():
		var deed: Callable = meddle
		meddle = Callable()
		busy = self
		deed.call()
		busy = null
