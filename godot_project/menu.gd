extends Control
## The way in: every scene of the gallery plays on its card.

const HELP: String = "Click a scene, or choose with the arrow keys and Enter.%s Esc quits."

## The card that was opened last, and how far the menu was scrolled then.
static var _opened: NodePath = ^"%Walker"
static var _scrolled: int = 0

@onready var _scroll: ScrollContainer = %Scroll
@onready var _bar: VScrollBar = _scroll.get_v_scroll_bar()


func _ready() -> void:
	_bar.changed.connect(_show_help)
	_bar.value_changed.connect(_show_help.unbind(1))
	for card: Card in %Cards.find_children("*", "Card", false):
		card.pressed.connect(_remember.bind(card))
	_come_back.call_deferred()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_cancel"):
		get_tree().quit()


func _remember(card: Card) -> void:
	_opened = get_path_to(card)
	_scrolled = _scroll.scroll_vertical


## To where the menu was left. Only once the cards have their places it can be scrolled.
func _come_back() -> void:
	(get_node(_opened) as Card).grab_focus()
	await get_tree().process_frame
	_scroll.scroll_vertical = _scrolled
	_show_help()


func _show_help() -> void:
	var is_at_end: bool = _bar.value + _bar.page > _bar.max_value - 1.0
	(%Help as Label).text = HELP % ("" if is_at_end else " There are more below.")
