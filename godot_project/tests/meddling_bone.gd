extends Bone2D
## A bone that does something, once, as soon as somebody moves it.

var meddle: Callable


func _notification(what: int) -> void:
	if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED and meddle.is_valid():
		var deed: Callable = meddle
		meddle = Callable()
		deed.call()
