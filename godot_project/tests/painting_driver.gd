@tool
extends "posing_driver.gd"
## What [code]test_painting.gd[/code] has an editor do: weights of a polygon are painted with the
## mouse. Prints what it has seen as one line of JSON.

const LEFT: int = 2
const RIGHT: int = 3


func _stay() -> void:
	_random.seed = 42
	# With room for the viewport over the engine's editor of polygons: events go to what is under
	# the mouse.
	root.size = Vector2i(1800, 1200)
	EditorInterface.set_main_screen_editor("2D")
	_viewport = _found("CanvasItemEditorViewport")[0]
	_plugin = root.find_children("*", "TendonWeightsPlugin", true, false)[0]
	await _open("strip")
	await _look(1.0)
	_seen["shown"] = _switch("Weights").visible
	_switch("Pose").button_pressed = true
	_switch("Weights").button_pressed = true
	await _wait(3)
	_seen["modes"] = [_switch("Pose").button_pressed, _switch("Weights").button_pressed]
	_seen["nothing selected"] = _subject()
	await _see_panels()
	_seen["subject"] = _subject()
	_seen["bones"] = _items().map(func(item: TreeItem) -> String: return item.get_text(0))
	await _paint()
	await _lock()
	await _mark()
	await _command()
	await _paint_without_weights()
	await _keep_points()
	await _paint_outline()
	await _paint_by_hand()
	await _paint_second()
	await _weigh_new_bone()
	await _cut()
	await _replace_drawing()
	await _paint_fine()
	await _end()


func _switch(title: String) -> Button:
	for button: Button in _found("Button"):
		if button.text == title and button.toggle_mode:
			return button
	return null


func _panel() -> Control:
	for tree: Tree in _found("Tree"):
		if tree.columns == 2 and tree.get_column_title(1) == "Lock":
			return tree.get_parent()
	return null


func _subject() -> String:
	return (_panel().find_children("*", "Label", true, false)[0] as Label).text


## What the panel says that the mouse does.
func _hint() -> String:
	return (_panel().get_node("Hint") as Label).text


## What the panel says that was done, or why it was not.
func _told() -> String:
	var label: Label = _panel().get_node("Told")
	return label.text if label.visible else ""


## What a toast says.
func _toasted() -> Array:
	var labels: Array[Node] = (EditorInterface.get_editor_toaster() as Node).find_children(
		"*", "Label", true, false
	)
	labels = labels.filter(func(it: Label) -> bool: return it.is_visible_in_tree())
	return labels.map(_whole)


## The engine's panel for polygons opens whenever one is selected, but not while weights are seen,
## and stays open when the user opens it.
func _see_panels() -> void:
	_switch("Weights").button_pressed = false
	await _select(["Strip"])
	await _wait(10)
	var open: Array = [_polygon_panel().is_visible_in_tree()]
	_switch("Weights").button_pressed = true
	await _wait(10)
	open.append(_polygon_panel().is_visible_in_tree())
	await _select(["Wings"])
	await _wait(10)
	open.append(_polygon_panel().is_visible_in_tree())
	_polygon_panel().call("make_visible")
	_items()[0].select(0)
	await _wait(10)
	open.append(_polygon_panel().is_visible_in_tree())
	await _select(["Strip"])
	await _wait(10)
	open.append(_polygon_panel().is_visible_in_tree())
	# As one does who tries how it bends.
	_items()[0].set_checked(1, true)
	_items()[1].select(0)
	await _select(["Skeleton"])
	await _wait(10)
	await _select(["Strip"])
	await _wait(10)
	open.append(_polygon_panel().is_visible_in_tree())
	_seen["polygon panel"] = open
	_seen["after a bend"] = [_items()[0].is_checked(1), _items()[1].is_selected(0)]
	_items()[0].set_checked(1, false)


func _polygon_panel() -> Control:
	return _found("EditorBottomPanel")[0].get_node("Polygon")


func _items() -> Array[TreeItem]:
	var tree: Tree = _panel().find_children("*", "Tree", true, false)[0]
	return tree.get_root().get_children()


func _press(title: String) -> void:
	for button: Button in _panel().find_children("*", "Button", true, false):
		if button.text == title:
			button.pressed.emit()
	await _wait(3)


## Sets brush, weight, radius and strength.
func _take(tool: int, weight: float, radius: float, strength: float) -> void:
	var choice: OptionButton = _panel().find_children("*", "OptionButton", true, false)[0]
	choice.select(tool)
	choice.item_selected.emit(tool)
	var fields: Array[Node] = _panel().find_children("*", "SpinBox", true, false)
	(fields[0] as SpinBox).value = weight
	(fields[1] as SpinBox).value = radius
	(fields[2] as SpinBox).value = strength


func _polygon() -> Polygon2D:
	return _node("Strip")


## Where a vertex is seen at rest.
func _seen_at(vertex: int) -> Vector2:
	return _canvas() * (_polygon().global_transform * _polygon().polygon[vertex])


func _weights(title: String) -> Array:
	var polygon: Polygon2D = _polygon()
	for index: int in polygon.get_bone_count():
		if str(polygon.get_bone_path(index)).get_file() == title:
			return Array(polygon.get_bone_weights(index))
	return []


func _sum_range() -> Array:
	var least: float = INF
	var most: float = 0.0
	var polygon: Polygon2D = _polygon()
	for vertex: int in polygon.polygon.size():
		var sum: float = 0.0
		for index: int in polygon.get_bone_count():
			sum += polygon.get_bone_weights(index)[vertex]
		least = minf(least, sum)
		most = maxf(most, sum)
	return [least, most]


## The events come from the window, as those of a mouse: all that takes them gets them.
func _push(event: InputEventMouse) -> void:
	event.position = _viewport.get_global_transform_with_canvas() * event.position
	event.global_position = event.position
	_viewport.get_viewport().push_input(event, true)


func _stroke(from: Vector2, to: Vector2, steps: int = 4) -> void:
	_click(from, true)
	for step: int in steps:
		_move(from.lerp(to, (step + 1.0) / steps))
	_click(to, false)


func _paint() -> void:
	var facts: Dictionary = {}
	_items()[1].select(0)
	_take(0, 1.0, 30.0, 1.0)
	var before: Array = _weights("Lower")
	var version: int = _history().get_version()
	_stroke(_seen_at(0), _seen_at(0) + Vector2(4, 0), 1)
	facts["painted"] = _weights("Lower")[0]
	facts["far"] = [_weights("Lower")[12], before[12]]
	facts["sums"] = _sum_range()
	facts["steps"] = _history().get_version() - version
	var after: Array = _weights("Lower")
	_history().undo()
	facts["undone"] = _weights("Lower") == before
	# As many events as a slow mouse makes.
	_stroke(_seen_at(0), _seen_at(0) + Vector2(4, 0), 37)
	facts["same"] = _weights("Lower") == after
	_history().undo()
	version = _history().get_version()
	_click(_seen_at(0), true)
	facts["during"] = _weights("Lower") != before
	var escape: InputEventKey = InputEventKey.new()
	escape.keycode = KEY_ESCAPE
	escape.pressed = true
	_viewport.gui_input.emit(escape)
	facts["cancelled"] = [_weights("Lower") == before, _history().get_version() == version]
	_click(_seen_at(0) + Vector2(-200, -200), true)
	_click(_seen_at(0) + Vector2(-200, -200), false)
	facts["beside"] = _weights("Lower") == before
	_seen["paint"] = facts
	await _select(["Strip"])


func _lock() -> void:
	_items()[0].set_checked(1, true)
	var before: Array = _weights("Upper")
	_items()[1].select(0)
	_stroke(_seen_at(0), _seen_at(9))
	_seen["locked"] = _weights("Upper") == before
	_seen["no change"] = _told()
	_items()[0].select(0)
	_stroke(_seen_at(0), _seen_at(9))
	_seen["locked itself"] = _weights("Upper") == before
	_seen["refused"] = [_told()]
	_items()[1].select(0)
	await _wait(1)
	_seen["refused"].append(_told())
	_items()[0].set_checked(1, false)
	_items()[LEFT].set_checked(1, true)
	_stroke(_seen_at(0), _seen_at(2))
	await _press("Weigh Again")
	_seen["kept"] = [_told(), _toasted()]
	_history().undo()
	await _wait(3)
	_seen["kept"].append(_told())
	_history().undo()
	_items()[LEFT].set_checked(1, false)
	await _wait(1)


## Only what is marked is changed.
func _mark() -> void:
	_take(3, 1.0, 12.0, 1.0)
	_stroke(_seen_at(3), _seen_at(3), 1)
	var before: Array = _weights("Lower")
	_take(0, 1.0, 60.0, 1.0)
	_items()[1].select(0)
	_stroke(_seen_at(0), _seen_at(9))
	var after: Array = _weights("Lower")
	var changed: Array = []
	for vertex: int in before.size():
		if before[vertex] != after[vertex]:
			changed.append(vertex)
	_seen["marked"] = changed
	_history().undo()
	await _press("Unmark All")


func _command() -> void:
	var facts: Dictionary = {}
	var start: Array = _weights("Lower")
	await _press("Weigh Again")
	var weighed: Array = _weights("Lower")
	facts["weighed"] = _most_off(weighed, start)
	_items()[1].select(0)
	_stroke(_seen_at(0), _seen_at(0) + Vector2(4, 0))
	facts["painted"] = _most_off(_weights("Lower"), weighed)
	await _press("Weigh Again")
	facts["again"] = _most_off(_weights("Lower"), weighed)
	for step: int in 3:
		_history().undo()
	facts["undone"] = _weights("Lower") == start
	await _press("Smooth")
	facts["smooth"] = [_steepest(start), _steepest(_weights("Lower")), _sum_range()]
	_history().undo()
	# The right wing gets what the left one has.
	await _select(["Wings"])
	await _wait(5)
	_items()[LEFT].select(0)
	await _press("Mirror")
	var wings: Polygon2D = _node("Wings")
	var off: float = 0.0
	for vertex: int in 5:
		var left: float = _weight_of(wings, "ArmLeft", vertex)
		off = maxf(off, absf(left - _weight_of(wings, "ArmRight", 4 - vertex)))
	facts["mirrored"] = [off, _weight_of(wings, "ArmRight", 4)]
	_history().undo()
	_items()[0].select(0)
	await _press("Mirror")
	facts["middle"] = _weight_of(wings, "ArmRight", 4)
	_seen["commands"] = facts


func _weight_of(polygon: Polygon2D, title: String, vertex: int) -> float:
	for index: int in polygon.get_bone_count():
		if str(polygon.get_bone_path(index)).get_file() == title:
			return polygon.get_bone_weights(index)[vertex]
	return 0.0


func _most_off(weights: Array, others: Array) -> float:
	var most: float = 0.0
	for vertex: int in weights.size():
		most = maxf(most, absf(weights[vertex] - others[vertex]))
	return most


## The largest step along the upper edge.
func _steepest(weights: Array) -> float:
	var most: float = 0.0
	for vertex: int in 9:
		most = maxf(most, absf(weights[vertex] - weights[vertex + 1]))
	return most


## A polygon that no bone moves, and one with weights of a bone that is not there.
func _paint_without_weights() -> void:
	await _select(["Bare"])
	await _wait(5)
	var bare: Polygon2D = _node("Bare")
	var facts: Dictionary = {"before": bare.get_bone_count()}
	await _press("Weigh Again")
	facts["after"] = bare.get_bone_count()
	facts["every vertex"] = _weight_of(bare, "Upper", 0) + _weight_of(bare, "Lower", 0)
	_history().undo()
	facts["undone"] = bare.get_bone_count()
	bare.add_bone("Gone", PackedFloat32Array([1, 1, 1, 1]))
	_items()[0].select(0)
	_take(0, 1.0, 400.0, 1.0)
	var at: Vector2 = _canvas() * bare.global_position
	_stroke(at, at, 1)
	facts["kept"] = _weight_of(bare, "Gone", 0)
	_seen["bare"] = facts


## What begins at a point of a polygon, at an edge or beside it is a stroke, and not for the
## engine's editor of polygons.
func _keep_points() -> void:
	var bare: Polygon2D = _node("Bare")
	var before: Dictionary = _points_of(bare)
	var strokes: int = 0
	var version: int = _history().get_version()
	for radius: float in [1.0, 40.0]:
		for vertex: int in 4:
			var from: Vector2 = _canvas() * (bare.global_transform * bare.polygon[vertex])
			var next: Vector2 = bare.polygon[(vertex + 1) % 4]
			var to: Vector2 = _canvas() * (bare.global_transform * next)
			var out: Vector2 = (to - from).orthogonal().normalized() * 4.0
			var middle: Vector2 = from.lerp(to, 0.5)
			for at: Vector2 in [from, middle, middle + out, from + out]:
				_items()[strokes % 2].select(0)
				_take(0, 1.0, radius, 1.0)
				_stroke(at, at + Vector2(25, 18))
				_click(at, true, true)
				_click(at, false, true)
				_click(at, true, false, MOUSE_BUTTON_RIGHT)
				_click(at, false, false, MOUSE_BUTTON_RIGHT)
				strokes += 1
	var steps: int = _history().get_version() - version
	_seen["points"] = {
		"strokes": strokes,
		"steps": steps,
		"same": _points_of(bare) == before,
		"painted": bare.get_bone_count() > 0,
	}
	for step: int in steps:
		_history().undo()
	await _wait(2)


func _points_of(polygon: Polygon2D) -> Dictionary:
	return {
		"points": polygon.polygon,
		"uv": polygon.uv,
		"polygons": polygon.polygons,
		"inner": polygon.internal_vertex_count,
		"place": polygon.transform,
	}


## The engine edits points of a polygon without inner vertices with the same mouse, once the
## mode is off.
func _paint_outline() -> void:
	var bare: Polygon2D = _node("Bare")
	var before: PackedVector2Array = bare.polygon
	var at: Vector2 = _canvas() * (bare.global_transform * before[0])
	_switch("Weights").button_pressed = false
	await _wait(3)
	_click(at, true)
	_move(at + Vector2(20, 15))
	_click(at + Vector2(20, 15), false)
	_seen["outline edited"] = bare.polygon != before
	_history().undo()


## A dab on a polygon that was weighted by hand: what it is beside is not touched.
func _paint_by_hand() -> void:
	_switch("Weights").button_pressed = true
	await _select(["Strip"])
	await _wait(5)
	var strip: Polygon2D = _polygon()
	var before: Array = strip.get("bones")
	var odd: Array = []
	for title: String in ["ArmLeft", "Gone", "Upper/Lower", "Upper", "ArmRight"]:
		var weights: PackedFloat32Array = []
		for vertex: int in strip.polygon.size():
			var weight: float = 0.0 if title == "ArmLeft" else 0.31 + 0.013 * vertex
			weights.append(weight)
		odd.append_array([NodePath(title), weights])
	strip.set("bones", odd)
	odd = strip.get("bones")
	await _wait(3)
	_items()[LEFT].select(0)
	_take(0, 1.0, 6.0, 1.0)
	_stroke(_seen_at(12), _seen_at(12), 1)
	var after: Array = strip.get("bones")
	var facts: Dictionary = {"bones": [], "same": after.size() == odd.size()}
	for index: int in range(0, after.size(), 2):
		facts["bones"].append(str(after[index]))
		for vertex: int in strip.polygon.size():
			var is_same: bool = after[index + 1][vertex] == odd[index + 1][vertex]
			if vertex != 12 and not is_same:
				facts["same"] = false
	facts["painted"] = after[1][12]
	_history().undo()
	facts["undone"] = strip.get("bones") == odd
	strip.set("bones", before)
	await _wait(3)
	_seen["by hand"] = facts


## Of two that are selected, the one under the brush is painted.
func _paint_second() -> void:
	await _select(["Strip", "Wings"])
	await _wait(5)
	var wings: Polygon2D = _node("Wings")
	var before: Array = [_polygon().get("bones"), wings.get("bones")]
	_items()[1].select(0)
	_take(0, 1.0, 12.0, 1.0)
	var at: Vector2 = _canvas() * (wings.global_transform * Vector2(0, 150))
	var corner: Vector2 = _canvas() * (wings.global_transform * wings.polygon[5])
	_stroke(at, corner, 2)
	await _wait(3)
	_seen["second"] = {
		"strip": _polygon().get("bones") == before[0],
		"painted": _weight_of(wings, "Lower", 5),
		"subject": _subject(),
	}
	_history().undo()
	await _wait(3)


## A bone that is added to a limb, and one that is not of it.
func _weigh_new_bone() -> void:
	await _select(["Strip"])
	await _wait(5)
	var strip: Polygon2D = _polygon()
	var before: Variant = strip.get("bones")
	var colors: Dictionary = _colors()
	var bones: Array[Bone2D] = []
	for row: Array in [
		["Upper/Lower", "Tip", Vector2(50, 0)], ["ArmLeft", "Foreign", Vector2(0, -130)]
	]:
		var bone: Bone2D = Bone2D.new()
		bone.name = row[1]
		bone.position = row[2]
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(50.0)
		bone.rest = bone.transform
		_node("Skeleton/" + row[0]).add_child(bone)
		bones.append(bone)
	await _wait(5)
	var facts: Dictionary = {}
	facts["listed"] = _items().map(func(item: TreeItem) -> String: return item.get_text(0))
	facts["colors"] = [colors, _colors()]
	_items()[0].set_checked(1, true)
	var upper: Array = _weights("Upper")
	await _press("Weigh Again")
	facts["told"] = _told()
	facts["weight"] = _weights("Tip")[9] if not _weights("Tip").is_empty() else 0.0
	facts["locked"] = _weights("Upper") == upper
	facts["foreign"] = _weights("Foreign").max() if not _weights("Foreign").is_empty() else 0.0
	_history().undo()
	facts["undone"] = strip.get("bones") == before
	_items()[0].set_checked(1, false)
	# As one is that was just added, at its end and above others.
	facts["refused"] = []
	bones[0].rest = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
	await _press("Weigh Again")
	facts["refused"].append([_told(), strip.get("bones") == before])
	var lower: Bone2D = _node("Skeleton/Upper/Lower")
	bones[0].reparent(_node("Skeleton/Upper"))
	lower.reparent(bones[0])
	await _wait(5)
	await _press("Weigh Again")
	facts["refused"].append([_told(), strip.get("bones") == before])
	lower.reparent(_node("Skeleton/Upper"))
	bones.map(func(bone: Bone2D) -> void: bone.free())
	await _wait(5)
	_seen["new bone"] = facts


func _colors() -> Dictionary:
	var colors: Dictionary = {}
	for item: TreeItem in _items():
		colors[item.get_text(0)] = item.get_custom_color(0).to_html()
	return colors


## A line from beside the strip through all of it.
func _cut() -> void:
	await _select(["Strip"])
	await _wait(5)
	var strip: Polygon2D = _polygon()
	_items()[LEFT].select(0)
	_take(0, 1.0, 6.0, 1.0)
	_stroke(_seen_at(0), _seen_at(0), 1)
	var before: Dictionary = _points_of(strip)
	before["bones"] = strip.get("bones")
	var version: int = _history().get_version()
	var hints: Array = [_hint()]
	_take(4, 1.0, 30.0, 1.0)
	hints.append(_hint())
	var at: Vector2 = _canvas() * (strip.global_transform * Vector2(104, -4))
	var to: Vector2 = _canvas() * (strip.global_transform * Vector2(104, 44))
	_stroke(at, to, 10)
	await _wait(3)
	var facts: Dictionary = {"told": _told(), "steps": _history().get_version() - version}
	facts["hints"] = hints
	facts["sums"] = _sum_range()
	var places: Dictionary = {}
	facts["doubled"] = 0
	for place: Vector2 in strip.polygon:
		facts["doubled"] += int(places.has(place))
		places[place] = true
	facts["far"] = _weight_of(strip, "ArmLeft", strip.polygon.find(Vector2.ZERO)) == 1.0
	var after: PackedVector2Array = strip.polygon
	_history().undo()
	var undone: Dictionary = _points_of(strip)
	undone["bones"] = strip.get("bones")
	facts["undone"] = undone == before
	_history().redo()
	facts["redone"] = strip.polygon == after
	_history().undo()
	_history().undo()
	await _wait(3)
	_stroke(at + Vector2(0, -3), at + Vector2(30, -3), 4)
	facts["beside"] = _told()
	_take(0, 1.0, 30.0, 1.0)
	_seen["cut"] = facts


func _bar(extra: Rect2i) -> Texture2D:
	var image: Image = Image.create_empty(200, 80, false, Image.FORMAT_RGBA8)
	image.fill_rect(Rect2i(10, 20, 180, 40), Color.ORANGE)
	image.fill_rect(extra, Color.ORANGE)
	return ImageTexture.create_from_image(image)


## The skin of a bar gets a horn, by a file and by code.
func _replace_drawing() -> void:
	await _open("drawn")
	await _look(1.0)
	var sprite: Sprite2D = _node("Sprite")
	sprite.texture = _bar(Rect2i())
	var bones: Array[Bone2D] = [_node("Skeleton/Upper"), _node("Skeleton/Upper/Lower")]
	var skin: Polygon2D = TendonSkin.make(sprite, bones)
	skin.name = "Skin"
	sprite.add_sibling(skin)
	skin.owner = _root()
	sprite.hide()
	_switch("Weights").button_pressed = true
	await _select(["Skin"])
	await _wait(5)
	_items()[1].select(0)
	_take(0, 1.0, 25.0, 1.0)
	var at: Vector2 = _canvas() * (skin.global_transform * Vector2(-60, 0))
	_stroke(at, at + Vector2(8, 0), 2)
	await _wait(3)
	var facts: Dictionary = {"painted": _weight_at(skin, "Lower", Vector2(-60, 0))}
	var before: Dictionary = _points_of(skin)
	before["bones"] = skin.get("bones")
	var version: int = _history().get_version()
	ResourceSaver.save(_bar(Rect2i(120, 4, 30, 20)), "res://horn.tres")
	await _choose("Replace Drawing…")
	await _wait(3)
	facts["asks"] = false
	for window: Window in _found("EditorQuickOpenDialog"):
		facts["asks"] = facts["asks"] or window.visible
		window.hide()
	var menu: Node = root.find_children("*", "TendonMenuPlugin", true, false)[0]
	menu.call("on_drawing_chosen", "res://horn.tres", skin)
	await _wait(3)
	facts["told"] = _told()
	facts["toasted"] = _toasted()
	facts["steps"] = _history().get_version() - version
	facts["after"] = _weight_at(skin, "Lower", Vector2(-60, 0))
	facts["grown"] = _weight_at(skin, "Lower", Vector2(35, -30)) > 0.9
	facts["texture"] = skin.texture.resource_path == "res://horn.tres"
	facts["sums"] = [INF]
	for vertex: int in skin.polygon.size():
		var sum: float = 0.0
		for index: int in skin.get_bone_count():
			sum += skin.get_bone_weights(index)[vertex]
		facts["sums"][0] = minf(facts["sums"][0], sum)
	_history().undo()
	var undone: Dictionary = _points_of(skin)
	undone["bones"] = skin.get("bones")
	facts["undone"] = undone == before and skin.texture == sprite.texture
	facts["by code"] = TendonSkin.replace_drawing(skin, load("res://horn.tres"))
	_seen["drawing"] = facts
	await _wait(3)


## The weight of a bone at a place of a polygon, or less than 0 beside it.
func _weight_at(polygon: Polygon2D, title: String, place: Vector2) -> float:
	for corners: PackedInt32Array in polygon.polygons:
		var parts: Vector3 = _parts_at(polygon, corners, place)
		if parts != Vector3.ZERO:
			var weights: Array = Array(corners).map(
				func(corner: int) -> float: return _weight_of(polygon, title, corner)
			)
			return weights[0] * parts.x + weights[1] * parts.y + weights[2] * parts.z
	return -1.0


## How much work a frame of the editor is, in milliseconds, while the mouse moves over ten thousand
## vertices: with the mode off, over them, and in strokes of each brush.
func _paint_fine() -> void:
	await _open("fine")
	await _look(1.0)
	await _select(["Fine"])
	var facts: Dictionary = {"vertices": (_node("Fine") as Polygon2D).polygon.size()}
	_switch("Weights").button_pressed = false
	await _wait(10)
	facts["off"] = await _time_frames()
	_switch("Weights").button_pressed = true
	await _wait(20)
	_items()[3].select(0)
	facts["over"] = await _time_frames()
	for tool: int in [0, 2]:
		_take(tool, 1.0, 40.0, 1.0)
		var at: Vector2 = _fine_place(0.0)
		_click(at, true)
		facts["brush %d" % tool] = await _time_frames()
		_click(at, false)
		await _wait(2)
		_history().undo()
	_seen["fine"] = facts
	_take(0, 1.0, 30.0, 1.0)
	await _open("strip")


func _time_frames() -> float:
	var from: float = _processor_time()
	for frame: int in 40:
		_move(_fine_place(frame / 40.0))
		await process_frame
	return (_processor_time() - from) / 40.0


func _fine_place(part: float) -> Vector2:
	var fine: Polygon2D = _node("Fine")
	return _canvas() * (fine.global_transform * Vector2(40.0 + 300.0 * part, 100.0))


## The mode ends, and another scene is opened while it is on.
func _end() -> void:
	_switch("Weights").button_pressed = true
	await _select(["Strip"])
	await _wait(3)
	_click(_seen_at(0), true)
	await _open("plain")
	await _wait(5)
	_seen["elsewhere"] = _subject()
	_switch("Weights").button_pressed = false
	await _wait(3)
	_seen["panel"] = _panel() == null
