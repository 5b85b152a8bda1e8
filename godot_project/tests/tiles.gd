extends TileMapLayer
## Uneven ground of tiles of 16 pixels, drawn as a line that begins at the origin: [code]_[/code] is
## level, [code]/[/code] and [code]\[/code] go up and down by half a tile, and [code]+[/code] and
## [code]-[/code] are level after a stair of a whole one.

## The corners of the tiles. In the first of two, the lower end is at the bottom, or the level line
## at the top; in the second, at half the height.
const SHAPES: Dictionary[String, Array] = {
	"_":
	[
		[Vector2(-8, -8), Vector2(8, -8), Vector2(8, 8), Vector2(-8, 8)],
		[Vector2(-8, 0), Vector2(8, 0), Vector2(8, 8), Vector2(-8, 8)],
	],
	"/":
	[
		[Vector2(-8, 8), Vector2(8, 0), Vector2(8, 8)],
		[Vector2(-8, 0), Vector2(8, -8), Vector2(8, 8), Vector2(-8, 8)],
	],
	"\\":
	[
		[Vector2(-8, 0), Vector2(8, 8), Vector2(-8, 8)],
		[Vector2(-8, -8), Vector2(8, 0), Vector2(8, 8), Vector2(-8, 8)],
	],
}


func _init(line: String) -> void:
	# Not every build of the engine has it.
	navigation_enabled = false
	var source: TileSetAtlasSource = TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(48, 32, false, Image.FORMAT_RGB8)
	)
	source.texture_region_size = Vector2i(16, 16)
	tile_set = TileSet.new()
	tile_set.add_physics_layer()
	tile_set.add_source(source, 0)
	for kind: int in SHAPES.size():
		for half: int in 2:
			var place: Vector2i = Vector2i(kind, half)
			source.create_tile(place)
			var tile: TileData = source.get_tile_data(place, 0)
			tile.add_collision_polygon(0)
			tile.set_collision_polygon_points(0, 0, SHAPES.values()[kind][half])
	# In half tiles.
	var height: int = 0
	for column: int in line.length():
		var kind: String = line[column]
		height += 2 * (int(kind == "+") - int(kind == "-"))
		kind = "_" if kind in "+-" else kind
		var low: int = height - int(kind == "\\")
		var half: int = posmod(low, 2)
		@warning_ignore("integer_division")
		var row: int = -(low + half if kind == "_" else low + 2 - half) / 2
		set_cell(Vector2i(column, row), 0, Vector2i(SHAPES.keys().find(kind), half))
		for below: int in [1, 2, 3]:
			set_cell(Vector2i(column, row + below), 0, Vector2i.ZERO)
		height += int(kind == "/") - int(kind == "\\")
