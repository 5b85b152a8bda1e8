extends "res://tests/suite.gd"
## TendonFullBody2D: a body whose hips move, with hands and feet that have targets.

const ROOT: Vector2 = Vector2(0, -84)
const TORSO: Array[float] = [16.0, 30.0, 24.0]
const TORSO_POSE: Array[float] = [-PI / 2, 0.1, 0.05]
const ARM: Array[float] = [30.0, 28.0]
const ARM_POSES: Array[Array] = [[2.6, -0.7], [2.9, -0.5]]
const LEG: Array[float] = [42.0, 40.0, 14.0]
const LEG_POSES: Array[Array] = [[2.9, 0.5, -1.7], [3.2, 0.5, -1.7]]
## Pixels and radians that a pin may be off.
const EXACT: float = 0.05
const EXACT_TURN: float = 0.1 * PI / 180.0
const STEP: float = 1.0 / 60.0


## Hips with a spine, two arms and two legs, and an effector at the end of each.
class Hero:
	extends Figure
	var body: TendonFullBody2D
	## Left and right hand, left and right foot.
	var effectors: Array[TendonEffector2D] = []
	var limbs: Array[Bone2D] = []

	func _init(above: Array = []) -> void:
		super(TORSO, TORSO_POSE, above)
		bones[0].position = ROOT
		bones[0].rest = bones[0].transform
		for pose: Array in ARM_POSES:
			limbs.append_array(branch(bones[2], Vector2(18, 0), ARM, pose))
		for pose: Array in LEG_POSES:
			limbs.append_array(branch(bones[0], Vector2.ZERO, LEG, pose))
		body = rig.add_full_body(bones[0])
		for last: Bone2D in [limbs[1], limbs[3], limbs[6], limbs[9]]:
			var goal: Marker2D = Marker2D.new()
			stage.add_child(goal)
			effectors.append(body.add_effector(last, goal))

	func all() -> Array[Bone2D]:
		return bones + limbs

	## Puts each target where its tip is.
	func pin_all() -> void:
		for effector: TendonEffector2D in effectors:
			effector.target.global_position = Figure.axis_end(effector.tip_bone)
			effector.target.global_rotation = effector.tip_bone.global_rotation

	## How far the end of an effector is from its target, in global units.
	func miss(index: int) -> float:
		var goal: Vector2 = effectors[index].target.global_position
		return Figure.axis_end(effectors[index].tip_bone).distance_to(goal)

	func turn_all(change: float) -> void:
		for index: int in all().size():
			all()[index].rotation += change * (1.0 if index % 2 == 0 else -1.0)


func test_pins_hold_while_the_hips_move() -> void:
	for stiffness: float in [1.0, 0.3]:
		var hero: Hero = _hero()
		hero.body.root_stiffness = stiffness
		for index: int in [2, 3]:
			hero.effectors[index].match_target_rotation = true
		var turns: Array[float] = _turns(hero)
		for frame: int in 240:
			var time: float = frame * STEP
			var way: Vector2 = Vector2(10 * sin(1.9 * time), 15 - 15 * cos(1.3 * time))
			hero.bones[0].position = ROOT + way
			hero.rig.advance(STEP)
			for index: int in [2, 3]:
				check(hero.miss(index) < EXACT, "frame %d: %f px" % [frame, hero.miss(index)])
				var off: float = absf(angle_difference(_turns(hero)[index], turns[index]))
				check(off < EXACT_TURN, "frame %d: %f rad" % [frame, off])
		hero.stage.free()


func test_targets_within_reach_are_reached_below_all_ancestors() -> void:
	for about: String in Figure.ANCESTORS:
		var hero: Hero = _hero(Figure.ANCESTORS[about])
		for change: float in [0.15, -0.2]:
			var base: PackedFloat32Array = _pose(hero)
			hero.turn_all(change)
			hero.pin_all()
			for index: int in base.size():
				hero.all()[index].rotation = base[index]
			hero.rig.reset()
			hero.rig.advance(0.0)
			equal(hero.body.get_status(), TendonFullBody2D.STATUS_REACHED, about)
			for index: int in 4:
				var distance: float = hero.effectors[index].get_target_distance()
				check(distance < EXACT, "%s, effector %d: %f" % [about, index, distance])
			hero.rig.active = false
			hero.rig.active = true
		hero.stage.free()


func test_the_base_pose_comes_back() -> void:
	var hero: Hero = _hero()
	var base: PackedFloat32Array = _pose(hero)
	hero.effectors[0].target.global_position += Vector2(40, -60)
	hero.rig.advance(0.0)
	check(hero.bones[0].position.distance_to(ROOT) > 0.5, "the hips moved")
	hero.body.influence = 0.0
	hero.rig.advance(0.0)
	near_point(hero.bones[0].position, ROOT, 1e-4, "without influence")
	hero.body.influence = 1.0
	hero.rig.advance(0.0)
	hero.rig.active = false
	hero.rig.advance(0.0)
	equal(hero.bones[0].position, ROOT, "the place of the hips")
	equal(_pose(hero), base, "the rotations")
	hero.stage.free()


func test_what_is_missing_is_told_and_nothing_breaks() -> void:
	var hero: Hero = _hero()
	hero.effectors[1].target.free()
	hero.effectors[2].tip_bone = null
	hero.rig.advance(0.0)
	equal(hero.body.get_status(), TendonFullBody2D.STATUS_REACHED, "the others work")
	expect_warnings(["Tip Bone"], "is told")
	hero.effectors[0].target.position = Vector2(NAN, 0)
	var base: PackedFloat32Array = _pose(hero)
	hero.rig.advance(0.0)
	equal(hero.body.get_status(), TendonFullBody2D.STATUS_INVALID, "no number")
	equal(_pose(hero), base, "left alone")
	expect_warnings(["is not finite"], "is told")
	hero.effectors[0].target.position = Vector2.ZERO
	hero.rig.advance(0.0)
	check(hero.body.get_status() != TendonFullBody2D.STATUS_INVALID, "it recovers")
	for effector: TendonEffector2D in hero.effectors:
		effector.free()
	hero.rig.advance(0.0)
	equal(hero.body.get_status(), TendonFullBody2D.STATUS_IDLE, "without effectors")
	expect_warnings(["Add a TendonEffector2D for each hand and foot"], "is told")
	hero.body.root_bone = null
	hero.rig.advance(0.0)
	equal(hero.body.get_status(), TendonFullBody2D.STATUS_IDLE, "without a root")
	expect_warnings(["Root Bone"], "is told")
	hero.stage.free()


func test_two_effectors_on_one_bone_and_one_on_the_root() -> void:
	var hero: Hero = _hero()
	var pull: Marker2D = Marker2D.new()
	hero.stage.add_child(pull)
	pull.global_position = hero.bones[0].global_position + Vector2(12, 14)
	var hips: TendonEffector2D = hero.body.add_effector(hero.bones[0], pull)
	hips.tip = Marker2D.new()
	hero.bones[0].add_child(hips.tip)
	hero.body.add_effector(hero.limbs[1], pull)
	for frame: int in 60:
		hero.rig.advance(STEP)
	check(hips.get_target_distance() < EXACT, "%f px" % hips.get_target_distance())
	for bone: Bone2D in hero.all():
		check(is_finite(bone.rotation), "a number")
	hero.stage.free()


## Effectors that are taken away, added, switched and exchanged: the body goes over in the duration,
## and the feet stay.
func test_effectors_go_over_in_the_duration() -> void:
	for way: String in ["weight", "target", "removed", "freed"]:
		var hero: Hero = _hero()
		hero.body.transition_duration = 0.4
		hero.effectors[1].target.global_position += Vector2(18, -22)
		var finished: Array[int] = [0]
		hero.body.transition_finished.connect(func() -> void: finished[0] += 1)
		var last: PackedFloat32Array = _pose(hero)
		var speeds: PackedFloat32Array = []
		speeds.resize(last.size())
		var leap: float = 0.0
		for frame: int in 180:
			if frame == 60 or frame == 120 and way != "freed":
				_exchange(hero, way, frame == 60)
			hero.rig.advance(STEP)
			var pose: PackedFloat32Array = _pose(hero)
			for bone: int in pose.size():
				var turn: float = angle_difference(last[bone], pose[bone])
				if frame > 20:
					leap = maxf(leap, absf(turn - speeds[bone]))
				speeds[bone] = turn
			last = pose
			for index: int in [2, 3]:
				check(hero.miss(index) < EXACT, "%s, foot: %f px" % [way, hero.miss(index)])
			if frame == 61:
				check(hero.body.is_in_transition(), way + ": goes over")
		check(leap < 0.06, "%s: a joint leaps by %f rad a frame" % [way, leap])
		check(not hero.body.is_in_transition(), way + ": has gone over")
		equal(finished[0], 1 if way == "freed" else 2, way + ": signals")
		hero.stage.free()


## Without any effector left, the body goes back to the animation in the duration: its hips, too.
func test_it_goes_back_after_the_last_effector() -> void:
	for way: String in ["freed", "removed"]:
		var hero: Hero = _hero()
		var base: PackedFloat32Array = _pose(hero)
		hero.body.transition_duration = 0.4
		hero.effectors[0].target.global_position += Vector2(45, -50)
		for frame: int in 60:
			hero.rig.advance(STEP)
		var off: float = hero.bones[0].position.distance_to(ROOT)
		check(off > 0.5, "the hips are off by %f" % off)
		for effector: TendonEffector2D in hero.effectors:
			if way == "freed":
				effector.free()
			else:
				hero.body.remove_child(effector)
		var last: PackedFloat32Array = _pose(hero)
		var leap: float = 0.0
		var place: Vector2 = hero.bones[0].position
		for frame: int in 25:
			hero.rig.advance(STEP)
			for bone: int in last.size():
				leap = maxf(leap, absf(angle_difference(last[bone], _pose(hero)[bone])))
			check(place.distance_to(hero.bones[0].position) < 0.2 * off, "%s: the hips" % way)
			last = _pose(hero)
			place = hero.bones[0].position
			if frame == 11:
				near(place.distance_to(ROOT), 0.5 * off, 0.02 * off, way + ": half")
		check(leap < 0.12, "%s: a joint turns by %f rad a frame" % [way, leap])
		equal([_pose(hero), place], [base, ROOT], way + ": is back")
		equal(hero.body.get_status(), TendonFullBody2D.STATUS_IDLE, way + ": status")
		expect_warnings(["Add a TendonEffector2D for each hand and foot"], way + ": is told")
		if way == "removed":
			for effector: TendonEffector2D in hero.effectors:
				effector.free()
		hero.stage.free()


## Takes the hand from its target, or lets it go there again.
func _exchange(hero: Hero, way: String, is_first: bool) -> void:
	var hand: TendonEffector2D = hero.effectors[1]
	match way:
		"weight":
			hand.weight = 0.0 if is_first else 1.0
		"target":
			hand.target = hero.effectors[0].target if is_first else _marker(hero)
		"removed":
			if is_first:
				hero.body.remove_child(hand)
			else:
				hero.body.add_child(hand)
		"freed":
			hand.free()


## A target near the second hand.
func _marker(hero: Hero) -> Marker2D:
	var marker: Marker2D = Marker2D.new()
	hero.stage.add_child(marker)
	marker.global_position = Figure.axis_end(hero.limbs[3]) + Vector2(-14, 9)
	return marker


func _hero(above: Array = []) -> Hero:
	var hero: Hero = Hero.new(above)
	add_child(hero.stage)
	hero.pin_all()
	hero.rig.advance(0.0)
	return hero


func _pose(hero: Hero) -> PackedFloat32Array:
	var rotations: PackedFloat32Array = []
	for bone: Bone2D in hero.all():
		rotations.append(bone.rotation)
	return rotations


func _turns(hero: Hero) -> Array[float]:
	var turns: Array[float] = []
	for effector: TendonEffector2D in hero.effectors:
		turns.append(effector.tip_bone.global_rotation)
	return turns
