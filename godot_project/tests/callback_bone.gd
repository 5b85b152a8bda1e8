extends Bone2D
## A bone that calls [member callback], once, as soon as it is moved.

## The bone whose callback is running. To free it, or a node above it, crashes the engine.
static var busy: Bone2D

var callback: Callable


func _notification(what: int) -> void:
	if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED and callback.is_valid():
		var current: Callable = callback
		callback = Callable()
		busy = self
		current.call()
		busy = null
