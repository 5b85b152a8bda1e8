extends "res://tests/ground_suite.gd"
## Tiles that hold from above only, beside solid ones, in quadrants of any size, of which the
## engine makes bodies of them.

const Dummy := preload("res://tests/dummy.gd")
const SOLID: Vector2i = Vector2i(0, 0)
const LEDGE: Vector2i = Vector2i(1, 0)
## A solid half below a ledge: a body of each kind in one cell.
const DOUBLE: Vector2i = Vector2i(2, 0)
const FULL: PackedVector2Array = [
	Vector2(-16, -16), Vector2(16, -16), Vector2(16, 16), Vector2(-16, 16)
]
const UPPER: PackedVector2Array = [
	Vector2(-16, -16), Vector2(16, -16), Vector2(16, -8), Vector2(-16, -8)
]
const LOWER: PackedVector2Array = [
	Vector2(-16, 0), Vector2(16, 0), Vector2(16, 16), Vector2(-16, 16)
]


func test_bodies_come_up_through_ledges_and_not_through_walls() -> void:
	for quadrant: int in [1, 3, 16, 32]:
		for corner: Vector2i in [SOLID, LEDGE, DOUBLE]:
			begin()
			var layer: TileMapLayer = _cave(quadrant)
			layer.set_cell(Vector2i.ZERO, 0, corner)
			var about: String = "quadrants of %d, %s at the first cell" % [quadrant, corner]
			var risen: Dummy = Dummy.new(world, Node2D.new(), Vector2(176, 345))
			var thrown: Dummy = Dummy.new(world, Node2D.new(), Vector2(300, 345))
			await ticks(3)
			risen.ragdoll.start(Vector2(0, -9500))
			thrown.ragdoll.start(Vector2(9000, 0))
			var top: float = INF
			for tick: int in 70:
				await get_tree().physics_frame
				top = minf(top, risen.bones[0].global_position.y)
			check(top < 230.0, "%s: through the ledge, up to %.0f" % [about, top])
			for index: int in thrown.bones.size():
				var far: float = thrown.end_of(index).x
				check(far < 388.0, "%s: limb %d at the wall, %.0f" % [about, index, far])


func test_feet_hold_to_walls_of_a_quadrant_with_ledges() -> void:
	for kind: String in [GAIT, PLACEMENT]:
		for corner: Vector2i in [SOLID, LEDGE]:
			begin()
			var layer: TileMapLayer = _cave(16)
			layer.set_cell(Vector2i.ZERO, 0, corner)
			var legs: Legs = stand(kind)
			# It stands in front of the ledge, which crosses its thighs, on the solid floor.
			holder_of(legs).position = Vector2(144, 448)
			layer.set_cell(Vector2i(4, 12), 0, LEDGE)
			await ticks(60)
			for foot: int in 2:
				near(legs.sole(foot).y, 448.0, 1.5, "%s, %s: foot %d" % [kind, corner, foot])


## The same bodies have the same numbers in every instance, so a state goes on where it was saved.
func test_a_state_goes_on_beside_ledges() -> void:
	var rests: Array[PackedFloat32Array] = []
	var state: PackedByteArray = []
	for round_number: int in 2:
		begin()
		var layer: TileMapLayer = _cave(16)
		if round_number == 1:
			# Its bodies are made anew, in another order.
			layer.erase_cell(Vector2i(2, 8))
			await ticks(2)
			layer.set_cell(Vector2i(2, 8), 0, LEDGE)
		var dummy: Dummy = Dummy.new(world, Node2D.new(), Vector2(176, 350))
		await ticks(3)
		dummy.ragdoll.start(Vector2(1500, 0))
		await ticks(20)
		if round_number == 0:
			state = dummy.rig.get_state()
		else:
			check(dummy.rig.set_state(state), "restored")
		await ticks(40)
		rests.append(dummy.rotations())
	equal(rests[1], rests[0], "the same bits")


## A floor at 448, a wall at 384, and a ledge at 256 that can be passed from below.
func _cave(quadrant: int) -> TileMapLayer:
	var layer: TileMapLayer = TileMapLayer.new()
	layer.navigation_enabled = false
	layer.tile_set = TileSet.new()
	layer.tile_set.tile_size = Vector2i(32, 32)
	layer.tile_set.add_physics_layer()
	var source: TileSetAtlasSource = TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(96, 32, false, Image.FORMAT_RGB8)
	)
	source.texture_region_size = Vector2i(32, 32)
	layer.tile_set.add_source(source, 0)
	for kind: Vector2i in [SOLID, LEDGE, DOUBLE]:
		source.create_tile(kind)
		var tile: TileData = source.get_tile_data(kind, 0)
		var polygons: Array = [FULL] if kind == SOLID else [UPPER, LOWER].slice(0, kind.x)
		for index: int in polygons.size():
			tile.add_collision_polygon(0)
			tile.set_collision_polygon_points(0, index, polygons[index])
			tile.set_collision_polygon_one_way(0, index, polygons[index] == UPPER)
	# The property came with Godot 4.5.
	layer.set("physics_quadrant_size", quadrant)
	for x: int in 16:
		layer.set_cell(Vector2i(x, 14), 0, SOLID)
	for y: int in range(2, 14):
		layer.set_cell(Vector2i(12, y), 0, SOLID)
	for x: int in range(2, 9):
		layer.set_cell(Vector2i(x, 8), 0, LEDGE)
	world.add_child(layer)
	return layer
