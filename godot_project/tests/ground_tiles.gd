extends TileMapLayer
## Square tiles of 16 pixels, all solid or all open from below.

const SIZE: int = 16


func _init(is_one_way: bool = false) -> void:
	# Not every build of the engine has it.
	navigation_enabled = false
	var source: TileSetAtlasSource = TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(SIZE, SIZE, false, Image.FORMAT_RGB8)
	)
	source.texture_region_size = Vector2i(SIZE, SIZE)
	source.create_tile(Vector2i.ZERO)
	tile_set = TileSet.new()
	tile_set.add_physics_layer()
	tile_set.add_source(source, 0)
	var tile: TileData = source.get_tile_data(Vector2i.ZERO, 0)
	tile.add_collision_polygon(0)
	tile.set_collision_polygon_points(
		0, 0, [Vector2(-8, -8), Vector2(8, -8), Vector2(8, 8), Vector2(-8, 8)]
	)
	tile.set_collision_polygon_one_way(0, 0, is_one_way)


func fill(cells: Rect2i) -> void:
	for x: int in range(cells.position.x, cells.end.x):
		for y: int in range(cells.position.y, cells.end.y):
			set_cell(Vector2i(x, y), 0, Vector2i.ZERO)


func clear_cells(cells: Rect2i) -> void:
	for x: int in range(cells.position.x, cells.end.x):
		for y: int in range(cells.position.y, cells.end.y):
			erase_cell(Vector2i(x, y))
