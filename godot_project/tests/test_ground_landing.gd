extends "res://tests/ground_suite.gd"
## Platforms that are reached from below and from above: feet stand on them within a second.


func test_stepping_legs_that_are_raised_through_a_platform_stand_on_it() -> void:
	for top: float in [20.0, 45.0, 75.0]:
		for speed: float in [1.0, 3.0, 10.0]:
			begin()
			box(Vector2.ZERO, Vector2(600, 40))
			one_way(Vector2(0, -top), Vector2(600, 10))
			var legs: Legs = put(Legs.stepping(2), Vector2.ZERO)
			await ticks(40)
			for tick: int in ceili(top / speed):
				holder_of(legs).position.y = maxf(holder_of(legs).position.y - speed, -top)
				await ticks(1)
			await seconds(1.0)
			for leg: int in 2:
				near(legs.sole(leg).y, -top, 0.5, "top %.0f, %.0f px a tick" % [top, speed])


func test_stepping_legs_land_on_platforms_that_they_jump_to() -> void:
	for is_one_way: bool in [true, false]:
		for top: float in [30.0, 55.0, 80.0]:
			for speed: float in [0.0, 80.0, 160.0] if is_one_way else [80.0, 160.0]:
				for count: int in [2, 6]:
					await _jump(count, is_one_way, top, speed)


func test_placed_feet_land_on_platforms_that_they_jump_to() -> void:
	for is_one_way: bool in [true, false]:
		for top: float in [30.0, 55.0, 80.0]:
			begin()
			box(Vector2.ZERO, Vector2(4000, 100))
			var start: float = 0.0 if is_one_way else -20.0
			_platform(is_one_way, top)
			var character: Hero = hero(Vector2(start, -0.1))
			character.play("idle")
			await seconds(0.5)
			character.jump = sqrt(2.0 * GRAVITY * (top + 25.0))
			character.speed = 0.0 if is_one_way else 160.0
			await seconds(1.2)
			character.speed = 0.0
			await seconds(1.0)
			near(character.position.y, -top, 1.0, "the body is on it")
			for leg: int in 2:
				near(character.legs.sole(leg).y, -top, 1.0, "top %.0f" % top)
			equal(character.legs.planted(), 2, "top %.0f: planted" % top)


func test_feet_stand_within_ticks_after_a_landing() -> void:
	begin()
	box(Vector2.ZERO, Vector2(4000, 100))
	var character: Hero = hero(Vector2(0, -150))
	character.play("idle")
	for tick: int in 120:
		await ticks(1)
		if character.is_on_floor():
			break
	await ticks(12)
	equal(character.legs.planted(), 2, "planted")


func _jump(count: int, is_one_way: bool, top: float, speed: float) -> void:
	begin()
	box(Vector2.ZERO, Vector2(4000, 100))
	_platform(is_one_way, top)
	var legs: Legs = Legs.stepping(count)
	var body: CharacterBody2D = carry(legs, Vector2(0.0 if is_one_way else -20.0, -0.1))
	body.floor_snap_length = 4.0
	await fall(body, 0.0, 0.5)
	body.velocity.y = -sqrt(2.0 * GRAVITY * (top + 25.0))
	await fall(body, speed, 1.4)
	await fall(body, 0.0, 1.0)
	var text: String = "%d legs, one-way %s, top %.0f, %.0f px/s" % [count, is_one_way, top, speed]
	near(body.position.y, -top, 1.0, text + ": the body is on it")
	for leg: int in count:
		near(legs.sole(leg).y, -top, 1.0, text)
	equal(legs.planted(), count, text + ": planted")


func _platform(is_one_way: bool, top: float) -> void:
	if is_one_way:
		one_way(Vector2(0, -top), Vector2(1200, 10))
	else:
		box(Vector2(500, -top), Vector2(1000, 10))
