extends "res://tests/suite.gd"
## The gallery, from its menu to a scene and back.

const MENU: String = "res://menu.tscn"
## Pixels: some rows of cards.
const SCROLLED: int = 500


func test_the_menu_comes_back_to_its_place() -> void:
	get_tree().change_scene_to_file(MENU)
	var menu: Node = await _changed_from(null)
	var card: Card = menu.find_child("Spring")
	card.grab_focus()
	await frames(4)
	(menu.get_node("%Scroll") as ScrollContainer).scroll_vertical = SCROLLED
	card.pressed.emit()
	var scene: Node = await _changed_from(menu)
	equal(scene.scene_file_path, "res://scenes/spring/spring.tscn", "the scene of the card")
	var escape: InputEventAction = InputEventAction.new()
	escape.action = "ui_cancel"
	escape.pressed = true
	Input.parse_input_event(escape)
	menu = await _changed_from(scene)
	equal(menu.scene_file_path, MENU, "Esc leads back")
	await frames(4)
	equal((menu.get_node("%Scroll") as ScrollContainer).scroll_vertical, SCROLLED, "scrolled")
	equal(get_viewport().gui_get_focus_owner(), menu.find_child("Spring"), "the card")
	get_tree().unload_current_scene()
	await frames(2)


## The scene that comes after [param last].
func _changed_from(last: Node) -> Node:
	var now: Node = last
	while now == last or now == null:
		await frames()
		now = get_tree().current_scene
	await frames(2)
	return now
