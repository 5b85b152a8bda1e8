extends Control
## The way in: every scene of the gallery plays on its card.


func _ready() -> void:
	(%Walker as Card).grab_focus.call_deferred()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_cancel"):
		get_tree().quit()
