@tool
extends "menu_driver.gd"
## What [code]test_skins.gd[/code] has an editor do: skins by script and by the menu. Prints what it
## has seen as one line of JSON.

const CutOut := preload("cut_out.gd")

const BONES: PackedStringArray = ["Skeleton/Upper", "Skeleton/Upper/Lower"]
const SPRITES: PackedStringArray = [
	"Plain", "Flipped", "Region", "Frame", "Atlas", "Margin", "Corner", "Mipmaps", "Stretched"
]


func _stay() -> void:
	await _open("arm")
	_seen["shown"] = {}
	for sprite: String in SPRITES:
		_seen["shown"][sprite] = _compare(_node(sprite))
	_seen["below a bone"] = _place(_node("Skeleton/Upper/Lower/Hand"))
	_seen["looks"] = _look(_node("Plain"))
	_seen["stiff"] = _stay_stiff(_node("Plain"))
	_seen["vertices"] = _make(_node("Plain"), {"vertices": 200}).polygon.size()
	_seen["weighed"] = _weigh(_node("Polygon"))
	_seen["turned regions"] = _cover_turned_regions()
	_seen["web"] = _bend_web()
	_refuse()
	await _use_menu()


## For regions of negative sizes, which show the same part: whether the skin has no more of it.
func _cover_turned_regions() -> Array:
	var region: Sprite2D = _node("Region")
	var whole: Rect2 = region.region_rect
	var covered: Array = []
	for signs: Vector2 in [Vector2(-1, 1), Vector2(1, -1), Vector2(-1, -1)]:
		region.region_rect = Rect2(
			whole.get_center() - 0.5 * whole.size * signs, whole.size * signs
		)
		var skin: Polygon2D = _make(region)
		var within: Callable = func(place: Vector2) -> bool:
			return whole.grow(1e-3).has_point(place)
		covered.append(skin != null and Array(skin.uv).all(within))
	region.region_rect = whole
	return covered


## The part of the triangles of a fork that turn over when a tine bends by 60 degrees.
func _bend_web() -> float:
	var bones: Array[Bone2D] = _bone_list(["Fork/Handle", "Fork/Handle/Left", "Fork/Handle/Right"])
	var skin: Polygon2D = TendonSkin.make(_node("ForkPicture"), bones)
	_root().add_child(skin)
	var weights: PackedFloat32Array = []
	for index: int in skin.get_bone_count():
		if skin.get_bone_path(index) == ^"Handle/Left":
			weights = skin.get_bone_weights(index)
	var joint: Vector2 = bones[1].global_position
	var most: int = 0
	for angle: float in [-PI / 3, PI / 3]:
		var bent: PackedVector2Array = []
		for vertex: int in weights.size():
			var place: Vector2 = skin.to_global(skin.polygon[vertex])
			var turned: Vector2 = joint + (place - joint).rotated(angle)
			bent.append(place.lerp(turned, weights[vertex]))
		var over: int = 0
		for corners: PackedInt32Array in skin.polygons:
			over += int(_turn(bent, corners) * _turn(skin.polygon, corners) < 0.0)
		most = maxi(most, over)
	return float(most) / skin.polygons.size()


func _turn(places: PackedVector2Array, corners: PackedInt32Array) -> float:
	var from: Vector2 = places[corners[0]]
	return (places[corners[1]] - from).cross(places[corners[2]] - from)


func _bone_list(paths: PackedStringArray = BONES) -> Array[Bone2D]:
	var bones: Array[Bone2D] = []
	for path: String in paths:
		bones.append(_node(path))
	return bones


## The polygon goes when the scene does.
func _make(sprite: Node2D, options: Dictionary = {}) -> Polygon2D:
	var skin: Polygon2D = TendonSkin.make(sprite, _bone_list(), options)
	if skin != null:
		_root().add_child(skin)
	return skin


## Whether each opaque pixel of a sprite is in a triangle of its skin, at the same place with the
## same texture coordinates, and what else holds for the mesh.
func _compare(sprite: Sprite2D) -> Dictionary:
	var skin: Polygon2D = _make(sprite)
	var facts: Dictionary = {"pixels": 0, "uncovered": 0, "off": 0.0, "outside": 0}
	var rect: Rect2 = sprite.get_rect()
	var picture: Image = _shown_image(sprite)
	var source: Vector2 = _source(sprite)
	for y: int in picture.get_height():
		for x: int in picture.get_width():
			if picture.get_pixel(x, y).a8 == 0:
				continue
			facts["pixels"] += 1
			var in_picture: Vector2 = Vector2(x, y) + Vector2(0.5, 0.5)
			var place: Vector2 = in_picture + _inset(sprite)
			if sprite.flip_h:
				place.x = rect.size.x - place.x
			var found: Vector2 = _uv_at(skin, rect.position + place)
			if found == Vector2.INF:
				facts["uncovered"] += 1
			else:
				facts["off"] = maxf(facts["off"], found.distance_to(in_picture + source))
	for place: Vector2 in skin.polygon:
		facts["outside"] += int(not rect.grow(0.01).has_point(place))
	facts["sum"] = _sums(skin)
	facts["transform"] = skin.transform == sprite.transform
	facts["skeleton"] = sprite.get_node(skin.skeleton) == _node("Skeleton")
	facts["bones"] = skin.get_bone_count()
	facts["area"] = _area(skin) / facts["pixels"]
	return facts


func _uv_at(skin: Polygon2D, place: Vector2) -> Vector2:
	for triangle: PackedInt32Array in skin.polygons:
		var parts: Vector3 = _parts_at(skin, triangle, place)
		if parts != Vector3.ZERO:
			var uv: Array = Array(triangle).map(
				func(corner: int) -> Vector2: return skin.uv[corner]
			)
			return uv[0] * parts.x + uv[1] * parts.y + uv[2] * parts.z
	return Vector2.INF


func _area(skin: Polygon2D) -> float:
	var area: float = 0.0
	for triangle: PackedInt32Array in skin.polygons:
		var a: Vector2 = skin.polygon[triangle[0]]
		area += absf((skin.polygon[triangle[1]] - a).cross(skin.polygon[triangle[2]] - a)) / 2.0
	return area


func _shown_image(sprite: Sprite2D) -> Image:
	var texture: Texture2D = sprite.texture
	if texture is AtlasTexture:
		return texture.atlas.get_image().get_region(texture.region)
	if texture.get_image().has_mipmaps():
		var plain: Image = texture.get_image()
		plain.clear_mipmaps()
		return plain
	var part: Rect2i = Rect2i(Vector2i.ZERO, texture.get_size())
	if sprite.region_enabled:
		part = sprite.region_rect
	if sprite.hframes > 1:
		part.size.x /= sprite.hframes
		part.position.x += part.size.x * sprite.frame
	return texture.get_image().get_region(part)


## How far the picture is from the corner of the sprite.
func _inset(sprite: Sprite2D) -> Vector2:
	return sprite.texture.margin.position if sprite.texture is AtlasTexture else Vector2.ZERO


func _source(sprite: Sprite2D) -> Vector2:
	if sprite.texture is AtlasTexture:
		return sprite.texture.region.position
	if sprite.region_enabled:
		return sprite.region_rect.position
	return Vector2(sprite.texture.get_size().x / sprite.hframes * sprite.frame, 0.0)


## The least and the greatest sum of the weights of a vertex.
func _sums(skin: Polygon2D) -> Array:
	var least: float = INF
	var greatest: float = 0.0
	for vertex: int in skin.polygon.size():
		var sum: float = 0.0
		for bone: int in skin.get_bone_count():
			sum += skin.get_bone_weights(bone)[vertex]
		least = minf(least, sum)
		greatest = maxf(greatest, sum)
	return [least, greatest]


## A sprite below a bone: its skin belongs to the skeleton, and is where the sprite is at rest.
func _place(sprite: Sprite2D) -> Dictionary:
	var lower: Bone2D = _node(BONES[1])
	lower.rotation += 0.5
	var skin: Polygon2D = TendonSkin.make(sprite, _bone_list())
	lower.rotation -= 0.5
	_node("Skeleton").add_child(skin)
	var off: float = 0.0
	for corner: Vector2 in [Vector2.ZERO, Vector2(90.0, 0.0), Vector2(0.0, 30.0)]:
		off = maxf(off, skin.to_global(corner).distance_to(sprite.to_global(corner)))
	return {"skeleton": str(skin.skeleton), "off": off}


func _look(sprite: Sprite2D) -> Array:
	sprite.modulate = Color.RED
	sprite.z_index = 3
	sprite.texture_filter = CanvasItem.TEXTURE_FILTER_NEAREST
	var skin: Polygon2D = _make(sprite)
	return [skin.modulate == Color.RED, skin.z_index, skin.texture_filter]


func _stay_stiff(sprite: Sprite2D) -> Array:
	var one: Array[Bone2D] = _bone_list([BONES[0]])
	var skin: Polygon2D = TendonSkin.make(sprite, one)
	_root().add_child(skin)
	return [skin.get_bone_count(), _sums(skin), skin.polygon.size(), _make(sprite).polygon.size()]


func _weigh(polygon: Polygon2D) -> Array:
	TendonSkin.weigh(polygon, _bone_list())
	var is_there: bool = polygon.get_node(polygon.skeleton) == _node("Skeleton")
	return [polygon.get_bone_count(), _sums(polygon), is_there]


## Each of these prints an error, and none makes anything.
func _refuse() -> void:
	var sprite: Sprite2D = _node("Plain")
	var none: Array[Bone2D] = []
	var made: Array = [
		TendonSkin.make(null, _bone_list()),
		TendonSkin.make(sprite, none),
		TendonSkin.make(sprite, _bone_list(["Skeleton/Upper", "Stray"])),
		TendonSkin.make(_node("Empty"), _bone_list()),
		TendonSkin.make(_node("Polygon"), _bone_list()),
		TendonSkin.make(_node("Transparent"), _bone_list()),
		TendonSkin.make(sprite, _bone_list(), {"details": 3}),
		TendonSkin.make(sprite, _bone_list(), {"detail": "fine"}),
		TendonSkin.make(sprite, _bone_list(), {"detail": NAN}),
		TendonSkin.make(sprite, _bone_list(), {"margin": -1}),
		TendonSkin.make(sprite, _bone_list(), {"reach": 0.0}),
	]
	_seen["refused"] = made.size() - made.filter(is_instance_valid).size()
	_seen["asked"] = made.size()
	TendonSkin.weigh(null, _bone_list())
	var lower: Bone2D = _node(BONES[1])
	var rest: Transform2D = lower.rest
	lower.rest = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
	_seen["without rest"] = TendonSkin.make(sprite, _bone_list()) == null
	lower.rest = rest


func _use_menu() -> void:
	await _open("puppet")
	await _select(["Arm"])
	_choose("Skin to Bones…")
	_seen["without bones"] = await _told()
	await _select(["Arm", "Leg", "Skeleton"])
	var before: String = await _save()
	_choose("Skin to Bones…")
	await _wait(3)
	var dialog: AcceptDialog = _dialog("Skin to Bones")
	_seen["asks"] = dialog.visible
	var labels: Array = dialog.find_children("*", "Label", true, false)
	var texts: Array = labels.map(func(it: Label) -> String: return it.text)
	_seen["about"] = texts.filter(func(text: String) -> bool: return "pictures" in text)
	_seen["height"] = dialog.size.y / EditorInterface.get_editor_scale()
	dialog.hide()
	dialog.canceled.emit()
	_seen["cancelled"] = await _save() == before
	await _change_options(dialog)
	_seen["changed"] = await _save() == before
	dialog.confirmed.emit()
	dialog.hide()
	await _wait(5)
	var facts: Dictionary = {}
	for title: String in ["ArmSkin", "LegSkin"]:
		var skin: Polygon2D = _root().find_child(title)
		var bones: Array = []
		for bone: int in skin.get_bone_count():
			bones.append(str(skin.get_bone_path(bone)))
		facts[title] = {"bones": bones, "owned": skin.owner == _root(), "index": skin.get_index()}
	facts["hidden"] = not _node("Arm").visible and not _node("Leg").visible
	_seen["menu skins"] = facts
	_seen["saved"] = "ArmSkin" in await _save()
	_press_menu("Undo")
	await _wait(5)
	_seen["undone"] = await _save() == before
	_press_menu("Redo")
	await _wait(5)
	_seen["redone"] = "LegSkin" in await _save()
	await _remove_sprite()
	await _keep_order()
	await _keep_sorted_order()
	await _remove_foreign_sprites()
	await _skin_robot()
	await _forget_options()
	await _skin_animated()
	await _cut_in_window()
	await _offer_fewer()
	await _cancel_large()


## Whatever is changed is computed again, and cannot be confirmed before.
func _change_options(dialog: AcceptDialog) -> void:
	_choose("Skin to Bones…")
	await _wait(3)
	await _until_ready(dialog)
	var facts: Dictionary = {"fine": _result(dialog)}
	var detail: SpinBox = dialog.find_children("*", "SpinBox", true, false)[0]
	detail.value = 30.0
	facts["waits"] = dialog.get_ok_button().disabled
	await _until_ready(dialog)
	facts["coarse"] = _result(dialog)
	facts["listed"] = _bones_of(dialog).map(func(it: TreeItem) -> String: return it.get_text(0))
	facts["parts"] = _parts_of(dialog).map(func(it: TreeItem) -> String: return it.get_text(0))
	facts["icons"] = _parts_of(dialog).all(
		func(it: TreeItem) -> bool: return it.get_icon(0) != null
	)
	var checked: Array = _check_bones(dialog, [])
	await _wait(5)
	facts["without bones"] = [_result(dialog), dialog.get_ok_button().disabled]
	for index: int in checked.size():
		_bones_of(dialog)[index].set_checked(0, checked[index])
	detail.value = 0.0
	await _until_ready(dialog)
	_seen["options"] = facts


## Checks the bones of all pictures with these indices, and returns which were.
func _check_bones(dialog: AcceptDialog, indices: Array) -> Array:
	var before: Array = []
	var bones: Array[TreeItem] = _bones_of(dialog)
	for index: int in bones.size():
		before.append(bones[index].is_checked(0))
		bones[index].set_checked(0, index in indices)
	bones[0].get_tree().item_edited.emit()
	return before


func _parts_of(dialog: AcceptDialog) -> Array[TreeItem]:
	return (dialog.find_children("*", "Tree", true, false)[0] as Tree).get_root().get_children()


func _bones_of(dialog: AcceptDialog) -> Array[TreeItem]:
	var bones: Array[TreeItem] = []
	for part: TreeItem in _parts_of(dialog):
		bones.append_array(part.get_children())
	return bones


## How many vertices there would be, or why there are none.
func _result(dialog: AcceptDialog) -> String:
	var labels: Array[Node] = dialog.find_children("*", "Label", true, false)
	for label: Label in labels:
		if "vertices" in label.text or "bone is checked" in label.text:
			return label.text
	return ""


func _until_ready(dialog: AcceptDialog) -> void:
	var frames: int = 0
	while dialog.get_ok_button().disabled and frames < 60000:
		frames += 1
		await process_frame


## Skins the puppet below [param above], and has its sprites removed.
func _skin_and_remove(above: String = "", sprites: PackedStringArray = ["Arm", "Leg"]) -> void:
	await _select(
		Array(sprites + PackedStringArray(["Skeleton"])).map(
			func(path: String) -> String: return above + path
		)
	)
	_choose("Skin to Bones…")
	await _wait(3)
	var dialog: AcceptDialog = _dialog("Skin to Bones")
	for box: CheckBox in dialog.find_children("*", "CheckBox", true, false):
		box.button_pressed = true
	await _until_ready(dialog)
	dialog.confirmed.emit()
	dialog.hide()
	await _wait(5)


## Sprites of an inherited and of an instanced scene would be there again when the scene is loaded.
func _remove_foreign_sprites() -> void:
	for scene: String in ["heir", "outer"]:
		var above: String = "" if scene == "heir" else "A/"
		await _open(scene)
		await _skin_and_remove(above)
		var facts: Dictionary = {"told": ""}
		var toaster: Node = EditorInterface.get_editor_toaster()
		for label: Label in toaster.find_children("*", "Label", true, false):
			if "What they replace" in _whole(label):
				facts["told"] = _whole(label)
		await _save()
		EditorInterface.reload_scene_from_path("res://%s.tscn" % scene)
		await _wait(20)
		facts["shown"] = [_node(above + "Arm").visible, _node(above + "Leg").visible]
		facts["skins"] = _root().find_children("*Skin", "Polygon2D", true, false).size()
		_seen[scene] = facts


## The sprite is taken out, and comes back to its place. What has children is hidden.
func _remove_sprite() -> void:
	await _open("removed")
	var before: String = await _save()
	await _skin_and_remove()
	var names: Array = _root().get_children().map(func(it: Node) -> String: return str(it.name))
	var facts: Dictionary = {"nodes": names, "hidden": not _node("Leg").visible}
	_press_menu("Undo")
	await _wait(5)
	facts["undone"] = await _save() == before
	_press_menu("Redo")
	await _wait(5)
	facts["redone"] = _root().get_node_or_null("Arm") == null
	_seen["removed"] = facts


## The children of the skeleton, as sprites below its bones become skins: all, the first, the last.
func _keep_order() -> void:
	await _open("cutout")
	var torso: String = "Skeleton/Upper/Torso"
	var hand: String = "Skeleton/Upper/Lower/Hand"
	var parts: PackedStringArray = [hand, torso, "Skeleton/Upper/Lower/Sleeve"]
	var orders: Array = []
	for chosen: PackedStringArray in [parts, PackedStringArray([torso]), PackedStringArray([hand])]:
		await _skin_and_remove("", chosen)
		orders.append(
			_node("Skeleton").get_children().map(func(it: Node) -> String: return str(it.name))
		)
		if chosen.has(hand):
			var skin: Polygon2D = _node("Skeleton/HandSkin")
			orders.back().append([skin.z_index, skin.show_behind_parent])
		_press_menu("Undo")
		await _wait(5)
	_seen["order"] = orders


## The parts of the cutout and of the puppet, in the order in which they are drawn, as sprites and
## as skins, while all is sorted by its height.
func _keep_sorted_order() -> void:
	_seen["sorted"] = {}
	for scene: String in ["sorted_cutout", "sorted_puppet"]:
		await _open(scene)
		var sprites: Array = _root().find_children("*", "Sprite2D", true, false)
		var paths: Array = []
		for sprite: Sprite2D in sprites:
			sprite.set_meta(&"drawing", str(sprite.name))
			paths.append(str(_root().get_path_to(sprite)))
		var before: Array = _names_as_drawn()
		await _skin_and_remove("", PackedStringArray(paths))
		for skin: Polygon2D in _root().find_children("*Skin", "Polygon2D", true, false):
			skin.set_meta(&"drawing", str(skin.name).trim_suffix("Skin"))
		_seen["sorted"][scene] = [before, _names_as_drawn()]


func _names_as_drawn() -> Array:
	return CutOut.drawn(_root()).map(func(it: Dictionary) -> String: return it["name"])


## The parts of a robot, polygons and sprites: each with its own bones. A click changes them.
func _skin_robot() -> void:
	for scene: String in ["robot", "robot_sprites"]:
		await _open(scene)
		var parts: Array = _node("Parts").get_children()
		await _select(parts.map(func(it: Node) -> String: return "Parts/" + it.name) + ["Skeleton"])
		_choose("Skin to Bones…")
		await _wait(3)
		var dialog: AcceptDialog = _dialog("Skin to Bones")
		await _until_ready(dialog)
		var facts: Dictionary = {"told": _result(dialog), "moved": {}}
		facts["parts"] = _parts_of(dialog).map(func(it: TreeItem) -> String: return it.get_text(0))
		# The hat follows the head.
		var hat: TreeItem = _parts_of(dialog)[-1]
		hat.get_child(2).set_checked(0, true)
		hat.get_child(3).set_checked(0, false)
		hat.get_tree().item_edited.emit()
		facts["changed"] = hat.get_text(0)
		await _until_ready(dialog)
		dialog.confirmed.emit()
		dialog.hide()
		await _wait(5)
		for skin: Polygon2D in _root().find_children("*", "Polygon2D", true, false):
			var bones: Array = []
			for bone: int in skin.get_bone_count():
				bones.append(str(skin.get_bone_path(bone)).get_file())
			facts["moved"][str(skin.name).trim_suffix("Skin")] = bones
		_seen[scene] = facts
	# From code, one by one.
	await _open("robot_sprites")
	var all: Array[Bone2D] = []
	for index: int in (_node("Skeleton") as Skeleton2D).get_bone_count():
		all.append((_node("Skeleton") as Skeleton2D).get_bone(index))
	var counts: Array = []
	for options: Dictionary in [{}, {"all_bones": true}]:
		var leg: Polygon2D = TendonSkin.make(_node("Parts/RightLeg"), all, options)
		counts.append(range(leg.get_bone_count()).map(leg.get_bone_path).map(str))
		leg.free()
	_seen["robot by code"] = counts


## What is chosen in a window that is cancelled, or in that of another scene, is not kept.
func _forget_options() -> void:
	var values: Array = []
	for ends: String in ["canceled", "confirmed", "", "other"]:
		await _open("base" if ends == "other" else "puppet")
		await _select(["Arm", "Skeleton"])
		_choose("Skin to Bones…")
		await _wait(3)
		var dialog: AcceptDialog = _dialog("Skin to Bones")
		var fields: Array[Node] = dialog.find_children("*", "SpinBox", true, false)
		var box: CheckBox = dialog.find_children("*", "CheckBox", true, false)[0]
		values.append([fields[0].get("value"), fields[4].get("value"), box.button_pressed])
		fields[0].set("value", 20.0)
		fields[4].set("value", 99.0)
		box.button_pressed = true
		await _until_ready(dialog)
		dialog.emit_signal("confirmed" if ends == "confirmed" else "canceled")
		dialog.hide()
		await _wait(5)
		if ends == "confirmed":
			_press_menu("Undo")
			await _wait(5)
	_seen["kept options"] = values


func _skin_animated() -> void:
	await _open("animated")
	await _select(["Arm", "Leg", "Skeleton"])
	_choose("Skin to Bones…")
	await _wait(3)
	var dialog: AcceptDialog = _dialog("Skin to Bones")
	await _until_ready(dialog)
	_seen["animated"] = _result(dialog)
	dialog.canceled.emit()
	dialog.hide()
	TendonSkin.make(_node("Arm"), _bone_list()).free()


## A line is drawn over the picture in the window, taken back, drawn again, and confirmed.
func _cut_in_window() -> void:
	await _open("base")
	await _select(["Arm", "Skeleton"])
	_choose("Skin to Bones…")
	await _wait(3)
	var dialog: AcceptDialog = _dialog("Skin to Bones")
	await _until_ready(dialog)
	var undo: Button = null
	for it: Button in dialog.find_children("*", "Button", true, false):
		if it.text == "Undo Cut":
			undo = it
	var facts: Dictionary = {"before": _result(dialog)}
	facts["buttons"] = [not undo.disabled]
	facts["place"] = [undo.get_screen_position()]
	await _draw_over(dialog)
	facts["cut"] = _result(dialog)
	facts["buttons"].append(not undo.disabled)
	facts["place"].append(undo.get_screen_position())
	undo.pressed.emit()
	await _until_ready(dialog)
	facts["undone"] = _result(dialog)
	facts["buttons"].append(not undo.disabled)
	await _draw_over(dialog)
	dialog.confirmed.emit()
	dialog.hide()
	await _wait(5)
	var places: Dictionary = {}
	facts["doubled"] = 0
	for place: Vector2 in (_node("ArmSkin") as Polygon2D).polygon:
		facts["doubled"] += int(places.has(place))
		places[place] = true
	_seen["cut in window"] = facts
	_press_menu("Undo")
	await _wait(5)


## A line with the mouse, down through the middle of the picture.
func _draw_over(dialog: AcceptDialog) -> void:
	var preview: Control = dialog.find_children("*", "TendonSkinPreview", true, false)[0]
	var middle: float = preview.size.x / 2.0
	for step: int in 12:
		var event: InputEventMouse = InputEventMouseMotion.new()
		if step == 0 or step == 11:
			var button: InputEventMouseButton = InputEventMouseButton.new()
			button.button_index = MOUSE_BUTTON_LEFT
			button.pressed = step == 0
			event = button
		event.position = preview.global_position + Vector2(middle, preview.size.y * step / 11.0)
		event.position.y = clampf(event.position.y, preview.global_position.y + 10.0, INF)
		event.global_position = event.position
		dialog.push_input(event, true)
	await _until_ready(dialog)


## With very many vertices, fewer are offered, by a click.
func _offer_fewer() -> void:
	await _open("large")
	await _select(["Arm", "Skeleton"])
	_choose("Skin to Bones…")
	await _wait(3)
	var dialog: AcceptDialog = _dialog("Skin to Bones")
	var button: Button = null
	for it: Button in dialog.find_children("*", "Button", true, false):
		if it.text.begins_with("Make About"):
			button = it
	await _until_ready(dialog)
	var facts: Dictionary = {"before": button.visible}
	(dialog.find_children("*", "SpinBox", true, false)[1] as SpinBox).value = 6000.0
	await _until_ready(dialog)
	facts["many"] = [_result(dialog), button.visible]
	var preview: Control = dialog.find_children("*", "TendonSkinPreview", true, false)[0]
	facts["drawn"] = []
	for redraws: bool in [false, true]:
		var from: float = _processor_time()
		for frame: int in 20:
			if redraws:
				preview.queue_redraw()
			await process_frame
		facts["drawn"].append((_processor_time() - from) / 20.0)
	button.pressed.emit()
	await _until_ready(dialog)
	facts["fewer"] = [_result(dialog), button.visible]
	_seen["fewer"] = facts
	dialog.canceled.emit()
	dialog.hide()


## A drawing in 4k with very many vertices is cancelled while it is computed, and a small one is
## asked for. How many milliseconds that takes.
func _cancel_large() -> void:
	var image: Image = Image.create_empty(4096, 4096, false, Image.FORMAT_RGBA8)
	image.fill_rect(Rect2i(64, 64, 3900, 3900), Color.ORANGE)
	(_node("Arm") as Sprite2D).texture = ImageTexture.create_from_image(image)
	(_node("Arm") as Sprite2D).scale = Vector2.ONE / 40.0
	var facts: Dictionary = {}
	for sprite: String in ["Arm", "Leg"]:
		await _select([sprite, "Skeleton"])
		_choose("Skin to Bones…")
		await _wait(3)
		var dialog: AcceptDialog = _dialog("Skin to Bones")
		if sprite == "Arm":
			(dialog.find_children("*", "SpinBox", true, false)[1] as SpinBox).value = 20000.0
			var begun: int = Time.get_ticks_msec()
			while Time.get_ticks_msec() < begun + 600:
				await process_frame
			facts["is computed"] = dialog.get_ok_button().disabled
		else:
			var asked: int = Time.get_ticks_msec()
			await _until_ready(dialog)
			facts["waited"] = Time.get_ticks_msec() - asked
		dialog.canceled.emit()
		dialog.hide()
	_seen["after a large one"] = facts
