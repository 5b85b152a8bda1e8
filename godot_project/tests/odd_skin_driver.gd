@tool
extends "painting_driver.gd"
## What [code]test_odd_skins.gd[/code] has an editor do: skins of odd pictures, bones and polygons,
## and of nodes that go meanwhile. Prints what it has seen as one line of JSON.

const BONES: PackedStringArray = ["Skeleton/Upper", "Skeleton/Upper/Lower"]
var _good_options: Array[Dictionary] = [
	{"vertices": 1 << 40},
	{"vertices": 3},
	{"vertices": INF},
	{"detail": 1e30},
	{"detail": 1},
	{"reach": 1e-9},
	{"reach": 1e9},
	{"threshold": 1.5},
	{"cuts": []},
	{"cuts": [PackedVector2Array(), PackedVector2Array([Vector2(9, 9)])]},
	{"cuts": [PackedVector2Array([Vector2(-9, 14), Vector2(200, 18)])]},
	{"cuts": [PackedVector2Array([Vector2(-1e30, 14), Vector2(1e30, 18), Vector2(30, -9)])]},
]
var _bad_options: Array[Dictionary] = [
	{"vertices": 0},
	{"vertices": NAN},
	{"detail": 0.001},
	{"detail": -3},
	{"margin": 1e9},
	{"margin": NAN},
	{"reach": INF},
	{"threshold": -1},
	{"threshold": 255},
	{"threshold": NAN},
	{7: 3},
	{"detail": null},
	{"detail": 3, "vertices": 9},
	{"cuts": 3},
	{"cuts": [3]},
	{"cuts": PackedVector2Array([Vector2(0, 0), Vector2(9, 9)])},
	{"cuts": [PackedVector2Array([Vector2(NAN, 0), Vector2(9, 9)])]},
	{"cuts": [PackedVector2Array([Vector2(INF, 0), Vector2(9, 9)])]},
]


func _stay() -> void:
	root.size = Vector2i(1800, 1200)
	EditorInterface.set_main_screen_editor("2D")
	_viewport = _found("CanvasItemEditorViewport")[0]
	await _open("odd")
	_seen["textures"] = {}
	var textures: Dictionary = _textures()
	for title: String in textures:
		_seen["textures"][title] = _skin_of(textures[title])
	_seen["sprites"] = _skin_sprites()
	_seen["skeletons"] = _use_skeletons()
	_seen["options"] = _use_options(_good_options)
	_seen["bad options"] = _use_options(_bad_options)
	_seen["polygons"] = _weigh_polygons()
	await _interrupt_strokes()
	await _rename_bone()
	await _use_frame()
	await _use_empty_skeleton()
	await _interrupt_dialog()


## The engine damages its memory when a scene is loaded again while two polygons of it are selected
## (4.6.3, without Tendon too).
func _reload() -> void:
	await _open("odd")
	EditorInterface.get_selection().clear()
	await _wait(3)
	EditorInterface.reload_scene_from_path("res://odd.tscn")
	await _wait(10)


func _bone_list(paths: PackedStringArray = BONES) -> Array[Bone2D]:
	var bones: Array[Bone2D] = []
	for path: String in paths:
		bones.append(_node(path))
	return bones


## A limb of this size.
func _image(size: Vector2i, format: Image.Format = Image.FORMAT_RGBA8) -> Image:
	var image: Image = Image.create_empty(size.x, size.y, false, Image.FORMAT_RGBA8)
	image.fill_rect(Rect2i(size / 8, size - size / 4), Color.ORANGE)
	image.convert(format)
	return image


func _textures() -> Dictionary:
	var limb: Image = _image(Vector2i(96, 32))
	var dot: Image = Image.create_empty(1, 1, false, Image.FORMAT_RGBA8)
	dot.fill(Color.WHITE)
	var compressed: Image = limb.duplicate()
	compressed.compress(Image.COMPRESS_S3TC)
	var layers: CanvasTexture = CanvasTexture.new()
	layers.diffuse_texture = ImageTexture.create_from_image(limb)
	layers.normal_texture = ImageTexture.create_from_image(limb)
	var atlas: AtlasTexture = AtlasTexture.new()
	atlas.atlas = layers
	atlas.region = Rect2(0, 0, 48, 32)
	var empty_atlas: AtlasTexture = AtlasTexture.new()
	var portable: PortableCompressedTexture2D = PortableCompressedTexture2D.new()
	portable.create_from_image(limb, PortableCompressedTexture2D.COMPRESSION_MODE_LOSSLESS)
	var outside: AtlasTexture = AtlasTexture.new()
	outside.atlas = ImageTexture.create_from_image(limb)
	outside.region = Rect2(500, 0, 48, 32)
	return {
		"dot": ImageTexture.create_from_image(dot),
		"huge": ImageTexture.create_from_image(_image(Vector2i(4096, 4096))),
		"without alpha":
		ImageTexture.create_from_image(_image(Vector2i(96, 32), Image.FORMAT_RGB8)),
		"grey": ImageTexture.create_from_image(_image(Vector2i(96, 32), Image.FORMAT_L8)),
		"floats": ImageTexture.create_from_image(_image(Vector2i(96, 32), Image.FORMAT_RGBAF)),
		"compressed": ImageTexture.create_from_image(compressed),
		"portable": portable,
		"layers": layers,
		"atlas of layers": atlas,
		"layers without colors": CanvasTexture.new(),
		"atlas of nothing": empty_atlas,
		"outside of the atlas": outside,
		"gradient": GradientTexture2D.new(),
		"noise": NoiseTexture2D.new(),
		"placeholder": PlaceholderTexture2D.new(),
		"not made": ImageTexture.new(),
		"viewport": EditorInterface.get_editor_viewport_2d().get_texture(),
		"curve": CurveTexture.new(),
	}


## How many vertices the skin has, or 0.
func _skin_of(texture: Texture2D) -> int:
	var sprite: Sprite2D = _node("Sprite")
	sprite.texture = texture
	return _count(TendonSkin.make(sprite, _bone_list()))


## How many vertices it has. Frees it.
func _count(skin: Polygon2D) -> int:
	if skin == null:
		_seen["errors"] = _seen.get("errors", 0) + 1
		return 0
	var count: int = skin.polygon.size()
	for point: Vector2 in skin.polygon:
		if not point.is_finite():
			count = -1
	skin.free()
	return count


func _skin_sprites() -> Dictionary:
	var sprite: Sprite2D = _node("Sprite")
	var plain: Texture2D = ImageTexture.create_from_image(_image(Vector2i(96, 32)))
	sprite.texture = plain
	var changes: Dictionary = {
		"scaled": {"scale": Vector2(3.0, 0.25)},
		"mirrored": {"scale": Vector2(-1, 1), "rotation": 2.0, "skew": 0.5},
		"without a size": {"scale": Vector2.ZERO},
		"thin": {"scale": Vector2(1, 0)},
		"not finite": {"position": Vector2(NAN, 0)},
		"far": {"position": Vector2(1e9, 0)},
		"region outside": {"region_enabled": true, "region_rect": Rect2(200, 0, 10, 10)},
		"region beyond": {"region_enabled": true, "region_rect": Rect2(-50, -50, 500, 500)},
		"region not finite": {"region_enabled": true, "region_rect": Rect2(0, 0, NAN, 10)},
		"frames": {"hframes": 7, "vframes": 3, "frame": 20},
		"offset": {"offset": Vector2(1e6, 3), "flip_v": true, "centered": false},
	}
	var found: Dictionary = {}
	for title: String in changes:
		var before: Dictionary = {}
		for property: String in changes[title]:
			before[property] = sprite.get(property)
			sprite.set(property, changes[title][property])
		found[title] = _count(TendonSkin.make(sprite, _bone_list()))
		for property: String in before:
			sprite.set(property, before[property])
		sprite.transform = Transform2D(0.0, Vector2(50, 0))
	return found


func _use_skeletons() -> Dictionary:
	var sprite: Sprite2D = _node("Sprite")
	var found: Dictionary = {}
	var upper: Bone2D = _node(BONES[0])
	var skeleton: Skeleton2D = _node("Skeleton")
	var steps: Dictionary = {
		"flat skeleton": func() -> void: skeleton.scale = Vector2(0, 1),
		"mirrored skeleton": func() -> void: skeleton.scale = Vector2(-1, 1),
		"no skeleton scale": func() -> void: skeleton.scale = Vector2.ONE,
		"rest not finite": func() -> void: upper.rest = Transform2D(NAN, Vector2.ZERO),
		"flat rest":
		func() -> void: upper.rest = Transform2D(0.0, Vector2(1, 0), 0.0, Vector2.ZERO),
		"far rest": func() -> void: upper.rest = Transform2D(0.0, Vector2(1e7, 1e7)),
		"good rest": func() -> void: upper.rest = upper.transform,
	}
	for title: String in steps:
		steps[title].call()
		found[title] = _count(TendonSkin.make(sprite, _bone_list()))
	var twice: Array[Bone2D] = [upper, upper, _node(BONES[1])]
	found["twice"] = _count(TendonSkin.make(sprite, twice))
	var others: Array[Bone2D] = [upper, _node("Other/Bone")]
	found["two skeletons"] = _count(TendonSkin.make(sprite, others))
	var freed: Array[Bone2D] = [Bone2D.new()]
	freed[0].free()
	found["freed"] = _count(TendonSkin.make(sprite, freed))
	return found


func _use_options(options: Array) -> Dictionary:
	var found: Dictionary = {}
	for option: Dictionary in options:
		var skin: Polygon2D = TendonSkin.make(_node("Sprite"), _bone_list(), option)
		found[str(option)] = _count(skin)
	return found


func _weigh_polygons() -> Dictionary:
	var square: PackedVector2Array = [
		Vector2(0, -20), Vector2(90, -20), Vector2(90, 20), Vector2(0, 20)
	]
	var cases: Dictionary = {
		"nothing": {"polygon": PackedVector2Array()},
		"two points": {"polygon": square.slice(0, 2)},
		"flat": {"polygon": PackedVector2Array([Vector2.ZERO, Vector2.RIGHT, Vector2(2, 0)])},
		"square": {"polygon": square},
		"not finite": {"polygon": PackedVector2Array([Vector2(NAN, 0), Vector2.ONE, Vector2.UP])},
		"crossing": {"polygon": PackedVector2Array([square[0], square[2], square[1], square[3]])},
		"doubled": {"polygon": square + square},
		"inverted": {"polygon": square, "invert_enabled": true},
		"bad triangles": {"polygon": square, "polygons": [PackedInt32Array([0, 1, 9])]},
		"negative triangles": {"polygon": square, "polygons": [PackedInt32Array([0, 1, -2])]},
		"not triangles": {"polygon": square, "polygons": [3, "x", PackedInt32Array()]},
		"lists": {"polygon": square, "polygons": [[0, 1, 2], [0, 2, 3]]},
		"inner":
		{"polygon": square + PackedVector2Array([Vector2(45, 0)]), "internal_vertex_count": 1},
		"too many inner": {"polygon": square, "internal_vertex_count": 400},
		"hole": _with_hole(square),
	}
	var found: Dictionary = {}
	for title: String in cases:
		var polygon: Polygon2D = Polygon2D.new()
		for property: String in cases[title]:
			polygon.set(property, cases[title][property])
		_root().add_child(polygon)
		TendonSkin.weigh(polygon, _bone_list())
		found[title] = [polygon.get_bone_count(), _unweighted(polygon)]
		polygon.free()
	return found


## A frame: a ring of triangles between an outline and the inner vertices around a hole.
func _with_hole(outline: PackedVector2Array) -> Dictionary:
	var points: PackedVector2Array = outline.duplicate()
	var triangles: Array = []
	for corner: int in 4:
		points.append(outline[corner].lerp(Vector2(45, 0), 0.4))
		var next: int = (corner + 1) % 4
		triangles.append(PackedInt32Array([corner, next, 4 + next]))
		triangles.append(PackedInt32Array([corner, 4 + next, 4 + corner]))
	return {"polygon": points, "internal_vertex_count": 4, "polygons": triangles}


## How many vertices no bone moves.
func _unweighted(polygon: Polygon2D) -> int:
	var count: int = 0
	for vertex: int in polygon.polygon.size():
		var sum: float = 0.0
		for bone: int in polygon.get_bone_count():
			sum += polygon.get_bone_weights(bone)[vertex]
		count += int(not is_equal_approx(sum, 1.0))
	return count


func _bare() -> Polygon2D:
	return _node("Bare")


func _other() -> Polygon2D:
	return _node("Frame")


func _corner() -> Vector2:
	return _canvas() * (_bare().global_transform * (_bare().polygon[0] + Vector2(3, 3)))


## Whatever is gone when a stroke goes on or ends: what is there is as before or as painted.
func _interrupt_strokes() -> void:
	var facts: Dictionary = {}
	var breaks: Dictionary = {
		"undone": func() -> void: _history().undo(),
		"point added": func() -> void: _bare().polygon += PackedVector2Array([Vector2(-9, 9)]),
		"point removed": func() -> void: _bare().polygon = _bare().polygon.slice(0, 3),
		"rest changed": func() -> void: (_node(BONES[1]) as Bone2D).rest = Transform2D.IDENTITY,
		"bone renamed": func() -> void: _node(BONES[1]).name = "Renamed",
		"bone moved": func() -> void: _node(BONES[1]).reparent(_node("Skeleton")),
		"another selected": func() -> void: EditorInterface.get_selection().add_node(_other()),
		"bone freed": func() -> void: _node(BONES[1]).free(),
		"skeleton freed": func() -> void: _node("Skeleton").free(),
		"polygon freed": func() -> void: _bare().free(),
		"scene changed": func() -> void: EditorInterface.open_scene_from_path("res://plain.tscn"),
		"mode ended": func() -> void: _switch("Weights").button_pressed = false,
	}
	for title: String in breaks:
		for ends: bool in [true, false]:
			await _reload()
			await _look(1.0)
			_switch("Weights").button_pressed = true
			await _select(["Bare"])
			await _wait(5)
			_items()[0].select(0)
			_take(0, 1.0, 30.0, 1.0)
			_stroke(_corner(), _corner() + Vector2(5, 0), 1)
			var before: Variant = _bare().get("bones")
			var at: Vector2 = _corner()
			_items()[1].select(0)
			_click(at, true)
			breaks[title].call()
			_move(at + Vector2(20, 5))
			if ends:
				_click(at + Vector2(20, 5), false)
			else:
				_click(at, true, false, MOUSE_BUTTON_RIGHT)
				_click(at, false, false, MOUSE_BUTTON_RIGHT)
				_click(at, false)
			await _wait(5)
			var bare: Polygon2D = _root().get_node_or_null("Bare") as Polygon2D
			facts["%s %s" % [title, ends]] = bare != null and bare.get("bones") == before
	_seen["strokes"] = facts


## The polygon holds the paths of its bones.
func _rename_bone() -> void:
	await _reload()
	_switch("Weights").button_pressed = true
	await _select(["Bare"])
	await _wait(5)
	await _press("Weigh Again")
	var weights: PackedFloat32Array = _bare().get_bone_weights(1)
	_node(BONES[1]).name = "Renamed"
	await _wait(5)
	_items()[0].select(0)
	_take(0, 1.0, 30.0, 1.0)
	_stroke(_corner(), _corner() + Vector2(5, 0))
	var kept: bool = false
	for bone: int in _bare().get_bone_count():
		if _bare().get_bone_path(bone) == ^"Upper/Lower":
			kept = _bare().get_bone_weights(bone) == weights
	await _wait(3)
	_seen["renamed"] = {"kept": kept, "told": _subject()}


## A polygon without texture coordinates and with a hole, of which a corner is painted.
func _use_frame() -> void:
	await _select(["Frame"])
	await _wait(5)
	var frame: Polygon2D = _other()
	var before: Array = [frame.polygon, frame.uv, frame.polygons, frame.internal_vertex_count]
	_items()[0].select(0)
	_take(0, 1.0, 25.0, 1.0)
	var hole: Vector2 = _canvas() * (frame.global_transform * Vector2(45, 0))
	_take(0, 1.0, 1.0, 1.0)
	_stroke(hole, hole)
	var facts: Dictionary = {"in hole": frame.get_bone_count()}
	_take(0, 1.0, 30.0, 1.0)
	var corner: Vector2 = _canvas() * (frame.global_transform * frame.polygon[0])
	_stroke(corner, corner + Vector2(2, 0))
	await _wait(5)
	facts["bare"] = _unweighted(frame)
	facts["told"] = _subject()
	await _press("Weigh Again")
	await _wait(5)
	facts["bare after"] = _unweighted(frame)
	facts["told after"] = _subject()
	var after: Array = [frame.polygon, frame.uv, frame.polygons, frame.internal_vertex_count]
	facts["same"] = before == after
	await _select(["Bare", "Frame"])
	await _wait(5)
	facts["of two"] = _subject()
	_seen["frame"] = facts
	await _select(["Bare"])
	await _wait(5)


func _use_empty_skeleton() -> void:
	_bare().skeleton = ^"../Empty"
	_bare().clear_bones()
	await _wait(5)
	await _press("Weigh Again")
	await _press("Mirror")
	await _press("Smooth")
	_stroke(_corner(), _corner() + Vector2(5, 0))
	_seen["empty"] = [_bare().get_bone_count(), _told(), _subject()]
	_switch("Weights").button_pressed = false


## Nodes that go while a skin is computed, or before it is confirmed.
func _interrupt_dialog() -> void:
	var facts: Dictionary = {}
	var breaks: Dictionary = {
		"bone freed": func() -> void: _node(BONES[1]).free(),
		"sprite freed": func() -> void: _node("Big").free(),
		"skeleton freed": func() -> void: _node("Skeleton").free(),
		"rest changed": func() -> void: (_node(BONES[1]) as Bone2D).rest = Transform2D.IDENTITY,
		"bone renamed": func() -> void: _node(BONES[1]).name = "Renamed",
		"bone moved": func() -> void: _node(BONES[1]).reparent(_node("Skeleton")),
		"scene changed": func() -> void: EditorInterface.open_scene_from_path("res://plain.tscn"),
		"scene closed": func() -> void: EditorInterface.call("close_scene"),
	}
	var large: Texture2D = ImageTexture.create_from_image(_image(Vector2i(1024, 1024)))
	for title: String in breaks:
		for waits: bool in [true, false]:
			await _reload()
			(_node("Sprite") as Sprite2D).texture = null
			(_node("Big") as Sprite2D).texture = large
			await _select(["Big", "Skeleton"])
			await _choose("Skin to Bones…")
			await _wait(3)
			var dialog: AcceptDialog = _dialog("Skin to Bones")
			if not waits:
				_ask_for_many(dialog)
			while waits and dialog.get_ok_button().disabled:
				await process_frame
			breaks[title].call()
			# A scene goes a frame later.
			if waits or title.begins_with("scene"):
				await _wait(2)
			dialog.confirmed.emit()
			dialog.hide()
			await _wait(8)
			facts["%s %s" % [title, waits]] = await _message()
	_seen["dialog"] = facts
	# The editor quits while this is computed.
	await _reload()
	(_node("Big") as Sprite2D).texture = _textures()["huge"]
	await _select(["Big", "Skeleton"])
	await _choose("Skin to Bones…")
	await _wait(3)
	_ask_for_many(_dialog("Skin to Bones"))
	_seen["computing"] = _dialog("Skin to Bones").get_ok_button().disabled


## So many vertices that they are still being computed a few frames later.
func _ask_for_many(dialog: AcceptDialog) -> void:
	(dialog.find_children("*", "SpinBox", true, false)[1] as SpinBox).value = 20000.0


func _dialog(title: String) -> AcceptDialog:
	for dialog: AcceptDialog in _found("AcceptDialog"):
		if dialog.title == title:
			return dialog
	return null


## What Tendon's message says.
func _message() -> String:
	await _wait(1)
	var dialog: AcceptDialog = _dialog("Tendon")
	if dialog == null or not dialog.visible:
		return ""
	dialog.hide()
	return dialog.dialog_text
