extends "res://tests/ground_suite.gd"
## A character that turns round is its own mirror image, at once.

## Where the animation has the feet.
const PLACES: Array[Vector2] = [Vector2(-5, 11), Vector2(-12, 12), Vector2(2, 20)]


func test_who_stands_is_its_mirror_image() -> void:
	for kind: String in BOTH:
		for places: Vector2 in PLACES:
			for mirrors_skeleton: bool in [false, true]:
				begin()
				box(Vector2.ZERO, Vector2(6000, 40))
				var legs: Legs = stand(kind)
				if kind == PLACEMENT:
					legs.pose_leg(0, Vector2(places.x, 0))
					legs.pose_leg(1, Vector2(places.y, 0))
				await ticks(60)
				var before: PackedVector2Array = [legs.sole(0), legs.sole(1)]
				var mirrored: Node2D = legs if mirrors_skeleton else holder_of(legs)
				mirrored.scale.x = -1.0
				for wait: int in [2, 60]:
					await ticks(wait)
					for leg: int in 2:
						var image: Vector2 = before[leg] * Vector2(-1, 1)
						var text: String = "%s, feet at %s, after %d" % [kind, places, wait]
						near_point(legs.sole(leg), image, 0.5, text)


func test_who_stands_on_a_slope_has_its_feet_on_it_after_turning() -> void:
	begin()
	box(Vector2.ZERO, Vector2(6000, 400), StaticBody2D.new(), 0.3)
	var legs: Legs = stand(PLACEMENT)
	await ticks(60)
	holder_of(legs).scale.x = -1.0
	await ticks(60)
	for leg: int in 2:
		var sole: Vector2 = legs.sole(leg)
		near(sole.x, [12.0, -12.0][leg], 0.5, "foot %d is the mirror image" % leg)
		near(sole.y, sole.x * tan(0.3), 0.5, "foot %d on the slope" % leg)


## On level ground, at the speed that the animation is made for, each foot is where it has it.
func test_who_walks_takes_its_feet_along_when_it_turns() -> void:
	for phase: float in [0.6, 0.7, 0.83, 0.95]:
		begin()
		box(Vector2.ZERO, Vector2(4000, 40))
		var character: Hero = hero(Vector2(0, -0.1))
		character.play("walk")
		character.speed = 100.0
		await seconds(phase)
		character.legs.scale.x = -1.0
		character.speed = -100.0
		var farthest: float = 0.0
		await ticks(1)
		for tick: int in 30:
			await ticks(1)
			for leg: int in 2:
				var tip: Vector2 = character.legs.to_local(character.legs.tip(leg))
				farthest = maxf(farthest, absf(tip.x - character.legs.animated_tip(leg).x))
		check(farthest <= 5.0, "turned after %.2f s: a foot is %.0f px off" % [phase, farthest])


func test_knees_keep_their_side_through_turns() -> void:
	for kind: String in BOTH:
		begin()
		box(Vector2.ZERO, Vector2(4000, 40))
		var legs: Legs = stand(kind)
		var watch: Watch = Watch.new(legs)
		for turn: int in 6:
			for tick: int in 13:
				holder_of(legs).position.x += 1.5 * holder_of(legs).scale.x
				await ticks(1)
			holder_of(legs).scale.x *= -1.0
		await ticks(30)
		equal(watch.broken_laws(), "", kind)
