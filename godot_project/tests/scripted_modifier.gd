extends TendonCustomModifier2D
## A custom modifier whose work is a callable of the test: it gets the modifier and the delta.

var act: Callable
var calls: int = 0
var last_delta: float = NAN


func _process_modification(delta: float) -> void:
	calls += 1
	last_delta = delta
	if act.is_valid():
		act.call(self, delta)
