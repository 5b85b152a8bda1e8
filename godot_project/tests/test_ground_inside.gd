extends "res://tests/ground_suite.gd"
## Walls, steep slopes and ledges: no foot is in the ground, climbs a wall, or pulls the body down.


func test_a_foot_does_not_climb_inside_a_wall() -> void:
	for wall: String in ["crates", "tiles", "tiles across a border", "one box"]:
		begin()
		_floor_with_wall(wall)
		var character: Hero = hero(Vector2(8, -0.1))
		character.falls = false
		character.play("walk")
		var highest: float = 0.0
		for tick: int in 120:
			await ticks(1)
			for leg: int in 2:
				highest = maxf(highest, -character.legs.sole(leg).y)
		check(highest <= 15.8, "%s: a sole is %.1f px up, in the animation 14" % [wall, highest])


func test_no_foot_of_a_gait_goes_through_a_wall() -> void:
	for wall: String in ["tiles", "tiles across a border", "one box", "crates", "wall on a floor"]:
		for count: int in [4, 8]:
			begin()
			_floor_with_wall(wall)
			var legs: Legs = put(Legs.spider(count), Vector2(-220, 0))
			await ticks(40)
			var inside: int = 0
			var deepest: float = 0.0
			for tick: int in 400:
				holder_of(legs).position.x = minf(holder_of(legs).position.x + 1.0, -20.0)
				await ticks(1)
				for leg: int in count:
					var sole: Vector2 = legs.sole(leg)
					if legs.feet[leg].is_planted() and sole.x > 21.0 and sole.y > -99.0:
						inside += 1
						deepest = maxf(deepest, sole.x - 20.0)
			var text: Array = [wall, count, inside, deepest]
			check(inside == 0, "%s, %d legs: in %d looks, up to %.0f px" % text)
			var planted: int = legs.planted()
			check(planted >= count - 2, "%s, %d legs: %d stand" % [wall, count, planted])


func test_soles_are_on_slopes_of_45_degrees() -> void:
	begin()
	box(Vector2(-400, 0), Vector2(1000, 200))
	polygon(
		[
			Vector2(100, 0),
			Vector2(700, -600),
			Vector2(900, -600),
			Vector2(900, 50),
			Vector2(100, 50)
		]
	)
	var character: Hero = hero(Vector2(60, -0.1))
	character.floor_snap_length = 10.0
	character.floor_max_angle = deg_to_rad(46.0)
	for foot: TendonFoot2D in character.legs.feet:
		foot.max_slope = deg_to_rad(50.0)
	character.play("walk")
	character.speed = 100.0
	var deepest: float = 0.0
	for tick: int in 300:
		await ticks(1)
		for leg: int in 2:
			deepest = maxf(deepest, -height_above_ground(character.legs.sole(leg)))
	check(character.position.y < -150.0, "it climbs: %.0f" % character.position.y)
	check(deepest <= 2.0, "a sole is %.1f px in the slope" % deepest)


func test_feet_are_planted_in_a_walk_up_and_down_slopes() -> void:
	for degrees: float in [10.0, 20.0, 30.0, -30.0, -20.0]:
		begin()
		var slope: float = tan(deg_to_rad(degrees))
		var ends: Array[Vector2] = [Vector2(-900, 900 * slope), Vector2(900, -900 * slope)]
		polygon([ends[0], ends[1], Vector2(900, 1500), Vector2(-900, 1500)])
		var character: Hero = hero(Vector2(-300, 300 * slope - 4))
		character.floor_snap_length = 12.0
		character.floor_constant_speed = true
		character.play("walk")
		character.speed = 100.0
		await seconds(0.6)
		var watch: Watch = Watch.new(character.legs)
		await seconds(2.5)
		var share: float = float(watch.planted_looks) / watch.looks
		check(share > 0.45, "%.0f degrees: planted in %.2f of the looks" % [degrees, share])
		check(watch.depth <= 1.0, "%.0f degrees: %.1f px deep" % [degrees, watch.depth])
		equal(watch.broken_laws(), "", "%.0f degrees" % degrees)


func test_soles_are_on_the_slope_after_landing_uphill() -> void:
	for degrees: float in [20.0, 30.0]:
		begin()
		var slope: float = tan(deg_to_rad(degrees))
		polygon([Vector2(-600, 600 * slope), Vector2(600, -600 * slope), Vector2(600, 900)])
		var character: Hero = hero(Vector2(-100, 100 * slope - 4))
		character.floor_snap_length = 6.0
		character.play("walk")
		character.speed = 100.0
		await seconds(0.5)
		character.jump = 300.0
		await ticks(4)
		var deepest: float = 0.0
		var landed: int = 0
		for tick: int in 90:
			await ticks(1)
			landed += int(character.is_on_floor())
			if landed > 9:
				for leg: int in 2:
					deepest = maxf(deepest, -height_above_ground(character.legs.sole(leg)))
		check(landed > 20, "it has landed")
		check(deepest <= 1.0, "%.0f degrees: a sole is %.1f px deep" % [degrees, deepest])


## The ground beside the ledge is deeper than the pelvis goes down, or as the other foot stands.
func test_a_foot_beside_a_ledge_does_not_pull_the_body_down() -> void:
	for depth: float in [45.0, 60.0, 200.0]:
		begin()
		box(Vector2(0, depth), Vector2(2000, 100))
		box(Vector2(-100, 0), Vector2(200, 20))
		var character: Hero = hero(Vector2.ZERO)
		character.falls = false
		character.play("idle")
		var lowest: float = -INF
		for tick: int in 90:
			await ticks(1)
			lowest = maxf(lowest, character.legs.pelvis.position.y + 64.0)
		check(lowest <= 2.0, "ledge of %.0f: the body sinks by %.1f px" % [depth, lowest])
		near(character.legs.sole(1).y, 0.0, 0.5, "ledge of %.0f: the foot on it" % depth)


func test_planted_feet_are_on_hills() -> void:
	begin()
	var points: PackedVector2Array = [Vector2(-200, 400)]
	for index: int in 60:
		points.append(Vector2(-200 + 30.0 * index, 24.0 * sin(index * 0.7)))
	points.append(Vector2(1570, 400))
	polygon(points)
	var character: Hero = hero(Vector2(0, -30))
	character.floor_snap_length = 12.0
	character.play("walk")
	character.speed = 100.0
	await seconds(0.5)
	var watch: Watch = Watch.new(character.legs)
	await seconds(6.0)
	check(watch.planted_looks > 100, "planted in %d looks" % watch.planted_looks)
	# The animation lifts a foot by so much when it is planted.
	check(watch.height <= 0.5, "a planted sole is %.2f px above" % watch.height)
	check(watch.depth <= 0.5, "a planted sole is %.2f px deep" % watch.depth)
	equal(watch.broken_laws(), "", "hills")


## The wall begins at x = 20 and is 100 pixels high.
func _floor_with_wall(wall: String) -> void:
	match wall:
		"tiles":
			var layer: GroundTiles = tiles(Rect2i(-40, 0, 80, 3))
			layer.position.x = 4.0
			layer.fill(Rect2i(1, -7, 4, 7))
		"tiles across a border":
			# The server has the tiles of each 16 rows in a body of their own.
			var layer: GroundTiles = tiles(Rect2i(-40, 1, 80, 3))
			layer.position = Vector2(4, -16)
			layer.fill(Rect2i(1, -6, 4, 7))
		"one box":
			box(Vector2(-480, 0), Vector2(1000, 60))
			box(Vector2(70, -100), Vector2(100, 200))
		"crates":
			box(Vector2.ZERO, Vector2(2000, 200))
			for index: int in 5:
				box(Vector2(40, -20.0 * (index + 1)), Vector2(40, 20))
		"wall on a floor":
			box(Vector2.ZERO, Vector2(2000, 60))
			box(Vector2(70, -100), Vector2(100, 100))
