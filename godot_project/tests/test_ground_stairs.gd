extends "res://tests/ground_suite.gd"
## High stairs, and stairs at a run. A leg that has to get over them turns its joints no faster than
## an eye follows, and its feet stand on the stairs.

## More than the animation, in a sixtieth of a second.
const MOST_TURN: float = 0.3
## A gait has no animation that takes part of the motion.
const MOST_TURN_OF_GAIT: float = 0.301


func test_walking_over_stairs_of_24_with_legs_of_64() -> void:
	await _pass_stairs("walk", 100.0, 24.0, 0.4)


func test_walking_over_stairs_of_16() -> void:
	await _pass_stairs("walk", 100.0, 16.0, 0.4)


func test_running_over_stairs_of_8() -> void:
	await _pass_stairs("run", 400.0, 8.0, 0.2)


func test_running_over_stairs_of_24() -> void:
	await _pass_stairs("run", 400.0, 24.0, 0.08)


## Treads that are hardly longer than the foot.
func test_walking_over_narrow_stairs() -> void:
	await _pass_stairs("walk", 100.0, 12.0, 0.4, 16.0)


func test_gaits_walk_over_narrow_stairs() -> void:
	for count: int in [2, 4, 6]:
		begin()
		_floor()
		stairs(300.0, 16.0, 12.0, 8)
		var legs: Legs = Legs.striding() if count == 2 else Legs.stepping(count)
		var body: CharacterBody2D = carry(legs, Vector2(200, -0.1))
		body.collision_mask = 2
		body.floor_snap_length = 20.0
		await fall(body, 0.0, 0.3)
		var watch: Watch = Watch.new(legs)
		var inside: int = 0
		for tick: int in 300:
			await fall(body, 100.0, TICK)
			for leg: int in count:
				inside += int(height_above_ground(legs.sole(leg)) < -4.0)
		check(body.position.x > 590.0, "%d legs: behind the stairs: %s" % [count, body.position])
		check(inside <= 4, "%d legs: in a stair in %d looks" % [count, inside])
		_is_calm(watch, MOST_TURN_OF_GAIT, "%d legs" % count, 0.4)


func test_walking_with_a_body_that_is_put_onto_each_stair() -> void:
	begin()
	_floor()
	for index: int in 6:
		box(Vector2(900, -24.0 * (index + 1)), Vector2(1200.0 - 72.0 * index, 24))
	var character: Hero = hero(Vector2(150, -0.1))
	character.step_up = 26.0
	character.floor_snap_length = 4.0
	character.play("walk")
	character.speed = 100.0
	var watch: Watch = Watch.new(character.legs)
	await seconds(6.0)
	check(character.position.y < -140.0, "it is at the top: %.0f" % character.position.y)
	_is_calm(watch, MOST_TURN, "walk")
	check(watch.height <= 1.0, "a planted sole is %.1f px above its stair" % watch.height)


func test_standing_while_the_body_is_raised_in_a_tick() -> void:
	for by: float in [12.0, 24.0]:
		begin()
		_floor()
		var legs: Legs = stand(PLACEMENT)
		await ticks(60)
		var watch: Watch = Watch.new(legs)
		holder_of(legs).position.y -= by
		await ticks(60)
		check(watch.height <= 1.0, "by %.0f: a planted sole is %.1f px up" % [by, watch.height])
		check(watch.added_turn <= MOST_TURN, "by %.0f: %.2f rad" % [by, watch.added_turn])


func test_a_gait_walks_over_blocks_of_16() -> void:
	for speed: float in [60.0, 200.0]:
		for count: int in [4, 6, 8]:
			begin()
			_floor()
			for index: int in 12:
				box(Vector2(_block(index), -16), Vector2(32, 16))
			var legs: Legs = put(Legs.spider(count), Vector2.ZERO)
			await ticks(40)
			var watch: Watch = Watch.new(legs)
			var cut: float = 0.0
			for tick: int in int(900.0 / speed / TICK):
				holder_of(legs).position.x += speed * TICK
				await ticks(1)
				for leg: int in count:
					cut = maxf(cut, _depth_in_blocks(legs.sole(leg)))
			_is_calm(watch, MOST_TURN_OF_GAIT, "%d legs, %.0f px/s" % [count, speed])
			check(watch.depth <= 1.0, "a planted sole is %.1f px deep" % watch.depth)
			check(cut <= 6.0, "%d legs: a foot passes %.1f px through a block" % [count, cut])


func _block(index: int) -> float:
	return 200.0 + 110.0 * index


## How deep a place is in one of the blocks of 32 by 16.
func _depth_in_blocks(place: Vector2) -> float:
	var deepest: float = 0.0
	for index: int in 12:
		deepest = maxf(deepest, minf(16.0 - absf(place.x - _block(index)), place.y + 16.0))
	return deepest


## Over six stairs up and six down, with a body that glides. A foot stands in that part of all
## looks.
func _pass_stairs(
	animation: String, speed: float, rise: float, stands: float, tread: float = 36.0
) -> void:
	begin()
	_floor()
	stairs(300.0, tread, rise, 6)
	var character: Hero = hero(Vector2(150, -0.1))
	character.collision_mask = 2
	character.floor_snap_length = 20.0
	character.play(animation)
	character.speed = speed
	var watch: Watch = Watch.new(character.legs)
	await seconds(800.0 / speed)
	check(character.position.x > 760.0, "it is behind the stairs: %.0f" % character.position.x)
	_is_calm(watch, MOST_TURN, animation, stands)


func _is_calm(watch: Watch, most: float, text: String, stands: float = 0.08) -> void:
	var at: Array = [text, watch.added_turn, watch.added_at]
	check(watch.added_turn <= most, "%s: a joint turns by %.2f more in a tick: %s" % at)
	equal(watch.broken_laws(), "", text)
	var share: float = float(watch.planted_looks) / watch.looks
	check(share > stands, "%s: planted in %.2f of the looks" % [text, share])


func _floor() -> void:
	var ground: CollisionObject2D = box(Vector2(2000, 0), Vector2(12000, 200))
	ground.collision_layer = 1 | 2
