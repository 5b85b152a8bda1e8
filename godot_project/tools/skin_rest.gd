@tool
extends SceneTree
## Draws skins beside their sprites, at rest, and compares each pixel: see
## [code]scripts/screenshots --skins[/code].
##
## [code]godot --editor --path godot_project --script res://tools/skin_rest.gd[/code]
## says by how much they differ, of 255, and quits. Half of the drawings have soft edges; half are
## scaled and have a fringe, of which what is in narrow gaps is not covered.

const SIZE: Vector2i = Vector2i(220, 220)
const DRAWINGS: int = 20
## How much larger those are drawn that are scaled.
const LARGER: int = 3

var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _viewport: SubViewport
var _skeleton: Skeleton2D
## Of soft drawings, and of scaled ones.
var _worst: Array[int] = [0, 0]
var _drawn: int = 0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	for frame: int in 30:
		await process_frame
	while EditorInterface.get_resource_filesystem().is_scanning():
		await process_frame
	_random.seed = 5
	_make_viewport()
	for drawing: int in DRAWINGS:
		var texture: Texture2D = ImageTexture.create_from_image(_draw(drawing % 2 == 1))
		for filter: CanvasItem.TextureFilter in [
			CanvasItem.TEXTURE_FILTER_NEAREST, CanvasItem.TEXTURE_FILTER_LINEAR
		]:
			await _compare(drawing, _sprite(drawing, texture, filter))
	print("COMPARED %d" % _drawn)
	print("AT REST soft %d, scaled %d of 255" % _worst)
	quit()


func _make_viewport() -> void:
	_viewport = SubViewport.new()
	_viewport.size = SIZE * 2
	_viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	_viewport.disable_3d = true
	var ground: ColorRect = ColorRect.new()
	ground.size = SIZE * 2
	ground.color = Color.WHITE
	_viewport.add_child(ground)
	_skeleton = Skeleton2D.new()
	_viewport.add_child(_skeleton)
	# The editor draws bones over what is compared.
	_skeleton.hide()
	var above: Node = _skeleton
	for place: Vector2 in [Vector2(140, 220), Vector2(90, 0)]:
		var bone: Bone2D = Bone2D.new()
		bone.position = place
		bone.hide()
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(90.0)
		bone.rest = bone.transform
		above.add_child(bone)
		above = bone
	EditorInterface.get_base_control().add_child(_viewport)


## A body with limbs, soft or scaled.
func _draw(is_scaled: bool) -> Image:
	var factor: int = LARGER if is_scaled else 1
	var softness: float = 0.01 if is_scaled else _random.randf_range(1.0, 3.0)
	var limbs: Array[PackedFloat32Array] = []
	for limb: int in 4:
		var way: Vector2 = Vector2.from_angle(_random.randf() * TAU) * _random.randf_range(20, 80)
		limbs.append([way.x, way.y, _random.randf_range(6.0, 22.0)])
	var image: Image = Image.create_empty(
		SIZE.x * factor, SIZE.y * factor, false, Image.FORMAT_RGBA8
	)
	for y: int in image.get_height():
		for x: int in image.get_width():
			var place: Vector2 = (Vector2(x, y) + Vector2(0.5, 0.5)) / factor - SIZE * 0.5
			var nearest: float = INF
			for limb: PackedFloat32Array in limbs:
				var way: Vector2 = Vector2(limb[0], limb[1])
				var along: float = clampf(place.dot(way) / way.length_squared(), 0.0, 1.0)
				nearest = minf(nearest, place.distance_to(way * along) - limb[2])
			var alpha: float = clampf(0.5 - nearest / softness, 0.0, 1.0)
			image.set_pixel(x, y, Color(0.1, 0.2 + 0.002 * x / factor, 0.1, alpha))
	if is_scaled:
		image.resize(SIZE.x, SIZE.y, Image.INTERPOLATE_LANCZOS)
	return image


## Each drawing is shown in another way.
func _sprite(drawing: int, texture: Texture2D, filter: CanvasItem.TextureFilter) -> Sprite2D:
	var sprite: Sprite2D = Sprite2D.new()
	sprite.texture = texture
	sprite.texture_filter = filter
	sprite.position = SIZE
	sprite.flip_h = drawing % 3 == 1
	sprite.flip_v = drawing % 4 == 1
	if drawing % 5 == 1:
		sprite.region_enabled = true
		sprite.region_rect = Rect2(20, 30, 170, 150)
	if drawing % 5 == 2:
		sprite.offset = Vector2(13, -7)
	if drawing % 5 == 3:
		# No pixel lies on the edge between two of the texture, where rounding would choose one.
		sprite.scale = Vector2(1.7123, 1.3071)
	if drawing % 5 == 4:
		sprite.scale = Vector2(-1.0, 1.0)
	if drawing % 7 == 6:
		sprite.centered = false
		sprite.position = SIZE * 0.5
	return sprite


func _compare(drawing: int, sprite: Sprite2D) -> void:
	_viewport.add_child(sprite)
	var first: Image = await _picture()
	var bones: Array[Bone2D] = [_skeleton.get_bone(0), _skeleton.get_bone(1)]
	var skin: Polygon2D = TendonSkin.make(sprite, bones)
	_viewport.remove_child(sprite)
	var empty: Image = await _picture()
	_viewport.add_child(skin)
	# The engine draws any polygon that is new in such a viewport twice, until it is drawn again.
	await process_frame
	skin.queue_redraw()
	var second: Image = await _picture()
	var most: int = _difference(first, second)
	# What is not drawn at all would be equal, too.
	if _difference(first, empty) < 100 or _difference(second, empty) < 100:
		most = 255
	if most > 2:
		print("DRAWING %d, filter %d: %d of 255" % [drawing, sprite.texture_filter, most])
	_worst[drawing % 2] = maxi(_worst[drawing % 2], most)
	_drawn += 1
	skin.free()
	sprite.free()


func _picture() -> Image:
	for frame: int in 3:
		await process_frame
	RenderingServer.force_draw()
	var image: Image = _viewport.get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	return image


## The largest one, in any channel of any pixel.
func _difference(first: Image, second: Image) -> int:
	var most: int = 0
	var bytes: PackedByteArray = second.get_data()
	var others: PackedByteArray = first.get_data()
	for index: int in bytes.size():
		most = maxi(most, absi(bytes[index] - others[index]))
	return most
