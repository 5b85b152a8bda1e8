extends "res://tests/ground_suite.gd"
## Whole feet: heel and toe have a ray each. A foot does not fall between bars, lies along ground
## that bends below it, and is in no riser.

## Of the foot bones of a hero.
const FOOT: float = 13.0
## How far a heel is drawn behind the ankle, and how long toes are.
const HEEL: float = 0.6 * Hero.ANKLE
const TOES: float = 7.0


func test_feet_do_not_fall_between_bars() -> void:
	for bars: Vector3 in [Vector3(8, 10, 30), Vector3(4, 8, 20), Vector3(10, 11, 60)]:
		for speed: float in [0.0, 60.0, 100.0]:
			begin()
			box(Vector2(2000, bars.z), Vector2(12000, 100))
			box(Vector2(2000, 0), Vector2(12000, 100)).collision_layer = 2
			for index: int in 60:
				box(Vector2(-50 + index * (bars.x + bars.y), 0), Vector2(bars.x, bars.z + 5))
			var character: Hero = hero(Vector2(0, -0.1))
			character.collision_mask = 2
			character.speed = speed
			character.play("idle" if speed == 0.0 else "walk")
			var low: int = 0
			var planted: int = 0
			for tick: int in 200:
				await ticks(1)
				for leg: int in 2:
					if character.legs.feet[leg].is_planted():
						planted += 1
						low += int(character.legs.sole(leg).y > 3.0)
			var about: String = "bars %s at %.0f px/s" % [bars, speed]
			check(planted > 60, "%s: feet are planted in %d looks" % [about, planted])
			equal(low, 0, about + ": looks at planted feet that are down in a gap")


func test_heel_and_toe_are_on_ground_that_bends() -> void:
	# Of the slope that begins there, in a valley and on a ridge.
	for rise: float in [0.3, -0.3]:
		for from: float in [-10.0, -4.0, 2.0, 8.0]:
			begin()
			polygon(
				[
					Vector2(-500, 0),
					Vector2(from, 0),
					Vector2(500, -rise * (500.0 - from)),
					Vector2(500, 400),
					Vector2(-500, 400)
				]
			)
			var character: Hero = hero(Vector2(0, -4.0))
			character.falls = false
			character.play("idle")
			await seconds(1.0)
			for leg: int in 2:
				for end: float in [0.0, FOOT]:
					var foot: Bone2D = character.legs.foot_bones[leg]
					var place: Vector2 = foot.to_global(Vector2(end, Hero.ANKLE))
					var height: float = height_above_ground(place)
					var about: Array = [rise, from, leg, end, height]
					check(
						height > -0.7 and height < 4.5,
						"slope %.1f from %.0f, leg %d: at %.0f it is %.1f px up" % about
					)


func test_a_foot_is_put_beside_a_riser() -> void:
	for toe: float in [1.0, 4.0, 6.0]:
		begin()
		box(Vector2.ZERO, Vector2(2000, 200))
		box(Vector2(300 + 3 + FOOT - toe, -16), Vector2(600, 40))
		var character: Hero = hero(Vector2(0, -0.1))
		character.falls = false
		character.play("idle")
		await seconds(1.0)
		check(character.legs.feet[0].is_planted(), "with %.0f px in it: it is planted" % toe)
		var place: Vector2 = character.legs.foot_bones[0].to_global(Vector2(FOOT, Hero.ANKLE))
		var deep: float = place.x - (3.0 + FOOT - toe)
		check(deep < 0.5, "with %.0f px in it: the toe is %.1f px in the riser" % [toe, deep])
		check(absf(place.y) < 0.5, "with %.0f px in it: it stands below" % toe)


func test_a_heel_is_put_beside_a_riser() -> void:
	for deep: float in [1.0, 3.0]:
		begin()
		box(Vector2.ZERO, Vector2(2000, 200))
		# The left foot stands up there.
		box(Vector2(3.0 - HEEL + deep - 300.0, -16), Vector2(600, 40))
		var character: Hero = hero(Vector2(0, -0.1))
		character.falls = false
		character.play("idle")
		await seconds(1.0)
		check(character.legs.feet[0].is_planted(), "%.0f px in it: it is planted" % deep)
		var place: Vector2 = character.legs.foot_bones[0].to_global(Vector2(-HEEL, Hero.ANKLE))
		var inside: float = 3.0 - HEEL + deep - place.x
		check(inside < 0.5, "%.0f px in it: the heel is %.1f px in the riser" % [deep, inside])
		near(place.y, 0.0, 0.5, "%.0f px in it: it stands below" % deep)


func test_a_foot_does_not_squeeze_between_stones() -> void:
	for gap: float in [8.0, 13.0]:
		begin()
		box(Vector2(0, 8), Vector2(2000, 200))
		# The heel is on one, and the toe comes to be in the other.
		box(Vector2(7.0 - 0.5 * gap - 100.0, 0), Vector2(200, 40))
		box(Vector2(7.0 + 0.5 * gap + 100.0, 0), Vector2(200, 40))
		var character: Hero = hero(Vector2(0, -0.1))
		character.falls = false
		character.play("idle")
		await seconds(1.0)
		check(character.legs.feet[0].is_planted(), "gap of %.0f: it is planted" % gap)
		near(character.legs.sole(0).y, 0.0, 0.5, "gap of %.0f: it stands on both" % gap)


func test_toes_do_not_hang_over_an_edge() -> void:
	for reaches: float in [3.0, 5.0]:
		for drop: float in [3.0, 6.0, 200.0]:
			begin()
			var edge: float = 3.0 + FOOT + TOES - reaches
			box(Vector2(edge - 500.0, 0), Vector2(1000, 200))
			box(Vector2(edge + 500.0, drop), Vector2(1000, 200))
			var character: Hero = hero(Vector2(0, -0.1))
			character.falls = false
			var toes: Bone2D = Bone2D.new()
			Legs._attach(toes, character.legs.foot_bones[0], Vector2(FOOT, 0), 0.0, TOES)
			character.play("idle")
			await seconds(1.0)
			check(character.legs.feet[0].is_planted(), "%.0f over an edge: planted" % reaches)
			near(toes.rotation, 0.0, 0.05, "%.0f over an edge of %.0f" % [reaches, drop])
