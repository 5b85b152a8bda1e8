extends Control
## The way in: every scene of the gallery plays on its card.

const HELP: String = "Click a scene, or choose with the arrow keys and Enter.%s Esc quits."

@onready var _bar: VScrollBar = (%Scroll as ScrollContainer).get_v_scroll_bar()


func _ready() -> void:
	_bar.changed.connect(_show_help)
	_bar.value_changed.connect(_show_help.unbind(1))
	_show_help()
	(%Walker as Card).grab_focus.call_deferred()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_cancel"):
		get_tree().quit()


func _show_help() -> void:
	var is_at_end: bool = _bar.value + _bar.page > _bar.max_value - 1.0
	(%Help as Label).text = HELP % ("" if is_at_end else " There are more below.")
