extends "res://tests/ground_suite.gd"
## A knee is bent to the side on which the animation has it, and a foot that needs nothing is left
## to its animation.

## How the animation bends the left knee, on level ground.
const KNEES: Array[float] = [0.5, 0.3, 0.113, -0.113, -0.3, -0.5]
## What both knees of the rest pose are bent by.
const REST: float = 0.5


func test_a_knee_stays_on_the_side_of_its_animation() -> void:
	for knee: float in KNEES:
		begin()
		box(Vector2.ZERO, Vector2(2000, 40))
		var legs: Legs = _standing()
		_bend_left(legs, knee)
		var right: float = legs.uppers[1].rotation
		var watch: Watch = Watch.new(legs)
		var differs: float = 0.0
		for tick: int in 240:
			legs.uppers[1].rotation = right + 0.25 * sin(tick * TICK)
			await ticks(1)
			if tick > 20:
				differs = maxf(differs, _differs(legs))
		equal(watch.wrong_knee, 0, "knee at %.3f: looks at a knee on the other side" % knee)
		# One that is less bent reaches into the ground: it has to be bent as at rest. The other foot
		# may bring the pelvis down a little.
		var most: float = 0.06 + REST - absf(knee)
		check(differs <= most, "knee at %.3f: differs by %.3f rad" % [knee, differs])


func test_feet_that_need_nothing_are_left_to_their_animation() -> void:
	for animation: String in ["idle", "walk", "run", "crouch", "breathe"]:
		begin()
		box(Vector2.ZERO, Vector2(2000, 40))
		var character: Hero = hero(Vector2.ZERO)
		character.falls = false
		character.play(animation)
		# On the spot. A foot that stands would be held there.
		for foot: TendonFoot2D in character.legs.feet:
			foot.lock = TendonFoot2D.LOCK_NONE
		await ticks(2)
		for tick: int in 90:
			await ticks(1)
			var differs: float = 0.0
			for bone: Bone2D in character.legs.uppers + character.legs.lowers:
				var base: float = character.legs.rig.get_base_rotation(bone)
				differs = maxf(differs, absf(base - bone.rotation))
			if differs > 0.005:
				check(false, "%s, tick %d: differs by %.4f" % [animation, tick, differs])
				break
		check_count += 1


func test_knees_in_a_crouch_and_in_a_walk_on_slopes() -> void:
	for animation: String in ["crouch", "walk", "run", "breathe"]:
		for slope: float in [-0.3, -0.1, 0.1, 0.3]:
			begin()
			box(Vector2.ZERO, Vector2(4000, 400), StaticBody2D.new(), slope)
			var character: Hero = hero(Vector2(0, -4))
			character.floor_snap_length = 10.0
			character.play(animation)
			character.speed = 100.0 if animation == "walk" else 0.0
			await seconds(0.3)
			var watch: Watch = Watch.new(character.legs)
			await seconds(1.2)
			var text: String = "%s on a slope of %.1f" % [animation, slope]
			equal(watch.broken_laws(), "", text)
			check(watch.added_turn <= 0.3, "%s: %.2f rad in a tick" % [text, watch.added_turn])


func test_knees_bend_backwards_if_the_animation_bends_them_so() -> void:
	begin()
	box(Vector2(0, 12), Vector2(4000, 400), StaticBody2D.new(), 0.1)
	var legs: Legs = _standing()
	var watch: Watch = Watch.new(legs)
	for tick: int in 90:
		for leg: int in 2:
			var knee: float = -0.5 - 0.2 * sin(tick * 0.1 + PI * leg)
			legs.uppers[leg].rotation = 0.5 * (PI - knee)
			legs.lowers[leg].rotation = knee
		await ticks(1)
	equal(watch.broken_laws(), "", "both backwards")


## Two legs of 40 and 40, both knees bent to the front, the feet ten pixels apart.
func _standing() -> Legs:
	var legs: Legs = Legs.new(40.0, 40.0, 80.0 * cos(0.5 * REST))
	legs.placement = TendonFootPlacement2D.new()
	legs.placement.pelvis = legs.pelvis
	legs.rig.add_child(legs.placement)
	legs.add_leg(Vector2(5, 0), Vector2(5, 0), 1)
	legs.add_leg(Vector2(-5, 0), Vector2(-5, 0), 1)
	return put(legs, Vector2.ZERO)


func _bend_left(legs: Legs, knee: float) -> void:
	legs.uppers[0].rotation = 0.5 * (PI - knee)
	legs.lowers[0].rotation = knee


## How far the left leg is from its animation.
func _differs(legs: Legs) -> float:
	var upper: float = legs.rig.get_base_rotation(legs.uppers[0])
	var lower: float = legs.rig.get_base_rotation(legs.lowers[0])
	return maxf(
		absf(angle_difference(upper, legs.uppers[0].rotation)),
		absf(angle_difference(lower, legs.lowers[0].rotation))
	)
