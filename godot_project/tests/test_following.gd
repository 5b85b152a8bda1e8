# gdlint: disable=max-public-methods
extends "res://tests/suite.gd"
## Modifiers go on from the last pass: chains follow their targets without a leap, the animation
## stays visible, and what ends a memory ends it. Each test says which rule it holds.

const CountingBone := preload("res://tests/counting_bone.gd")
## The root of a [Figure]'s chain.
const ROOT: Vector2 = Vector2(3, 4)
const COUNT: int = 6
const LENGTH: float = 20.0
const REACH: float = COUNT * LENGTH
const NEAR: Vector2 = Vector2(70, -25)
const ELSEWHERE: Vector2 = Vector2(-45, 30)
const KINDS: Array[String] = ["ccd", "fabrik"]
## What a chain may have to respect.
const FREE: String = "free"
const LIMITS: String = "limits"
const CIRCLES: String = "circles"


## The pose without memory is the same whatever came before.
func test_reset_forgets() -> void:
	for kind: String in KINDS:
		for rules: String in [FREE, LIMITS, CIRCLES]:
			var fresh: Figure = _figure(kind, rules)
			fresh.solve(NEAR)
			var figure: Figure = _figure(kind, rules)
			_roam(figure, 1.0)
			_aim(figure, NEAR)
			figure.rig.advance(TICK)
			check(figure.pose() != fresh.pose(), "goes on, %s, %s" % [kind, rules])
			figure.rig.reset()
			figure.rig.advance(TICK)
			equal(figure.pose(), fresh.pose(), "reset, %s, %s" % [kind, rules])


func test_reset_of_a_rig_that_swings_over() -> void:
	for kind: String in ["look_at", "two_bone"]:
		var figure: Figure = _stopped_limb(kind)
		figure.rig.advance(TICK)
		var started: PackedFloat32Array = figure.pose()
		figure.rig.reset()
		figure.rig.advance(TICK)
		var ended: PackedFloat32Array = figure.pose()
		check(ended != started, "it was on its way, " + kind)
		figure.rig.advance(TICK)
		equal(figure.pose(), ended, "it is there, " + kind)


func test_reset_at_odd_times() -> void:
	var lonely: TendonRig2D = TendonRig2D.new()
	lonely.reset()
	lonely.free()
	var figure: Figure = _figure("fabrik", FREE)
	figure.rig.reset()
	figure.rig.modification_processed.connect(figure.rig.reset)
	figure.solve(NEAR)
	var first: PackedFloat32Array = figure.pose()
	figure.solve(ELSEWHERE)
	figure.solve(NEAR)
	equal(figure.pose(), first, "after each pass")
	figure.rig.modification_processed.disconnect(figure.rig.reset)
	remove_child(figure.stage)
	figure.rig.reset()
	figure.stage.free()
	expect_warnings([], "none of it is a fault")


func test_switched_on_again_it_begins_without_memory() -> void:
	for kind: String in KINDS:
		for who: String in ["rig", "modifier"]:
			var fresh: Figure = _figure(kind, FREE)
			fresh.solve(NEAR)
			var figure: Figure = _figure(kind, FREE)
			var switched: Node = figure.rig if who == "rig" else figure.rig.get_child(0)
			_roam(figure, 1.0)
			_aim(figure, NEAR)
			switched.set("active", false)
			figure.rig.advance(TICK)
			switched.set("active", true)
			figure.rig.advance(TICK)
			equal(figure.pose(), fresh.pose(), "%s, the %s" % [kind, who])


func test_a_copy_begins_without_memory() -> void:
	for kind: String in KINDS:
		var fresh: Figure = _figure(kind, FREE)
		fresh.solve(NEAR)
		var figure: Figure = _figure(kind, FREE)
		_roam(figure, 1.0)
		_aim(figure, NEAR)
		figure.rig.advance(TICK)
		var copy: Node = figure.stage.duplicate()
		add_child(copy)
		copy.get_node("Skeleton/Rig").call("advance", TICK)
		var bone: Node = copy.get_node("Skeleton/Bone0")
		for index: int in COUNT:
			near_angle(bone.get("rotation"), fresh.pose()[index], 1e-5, "%s, %d" % [kind, index])
			bone = bone.get_node_or_null("Bone%d" % (index + 1))
		check(figure.pose() != fresh.pose(), "the original goes on, " + kind)


func test_a_rig_that_slept_begins_without_memory() -> void:
	for kind: String in KINDS:
		var fresh: Figure = _figure(kind, FREE)
		fresh.solve(NEAR)
		var figure: Figure = _figure(kind, FREE)
		_roam(figure, 1.0)
		figure.rig.skip_when_invisible = true
		figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
		figure.stage.hide()
		await frames(2)
		_aim(figure, NEAR)
		figure.stage.show()
		await frames(2)
		equal(figure.pose(), fresh.pose(), kind)


## At rest nothing is written, whatever the way there.
func test_a_rig_at_rest_writes_nothing() -> void:
	for kind: String in KINDS:
		for rules: String in [FREE, LIMITS, CIRCLES]:
			for above: String in ["mirrored in x", "skewed"]:
				var figure: Figure = _figure(kind, rules, Figure.ANCESTORS[above])
				_roam(figure, 0.5)
				_expect_rest(figure, "%s, %s, %s" % [kind, rules, above])


## A modifier has nothing to do because another one of the same rig has.
func test_a_chain_at_rest_beside_one_that_moves() -> void:
	for kind: String in KINDS:
		for rules: String in [FREE, LIMITS, CIRCLES]:
			var figure: Figure = _figure(kind, rules)
			_roam(figure, 0.5)
			var other: Bone2D = Figure.branch(figure.skeleton, Vector2(-200, 0), [30])[0]
			var look: TendonLookAt2D = figure.look_at()
			look.bone = other
			look.target = Marker2D.new()
			figure.stage.add_child(look.target)
			settle(figure, "%s, %s" % [kind, rules])
			var writes: int = CountingBone.count(figure.bones)
			check(writes > 0, "writes are counted")
			var turns: PackedFloat32Array = []
			for count: int in 30:
				look.target.position = Vector2(10 * count, 90)
				figure.rig.advance(TICK)
				turns.append(other.rotation)
			check(turns[0] != turns[-1], "the other one moves")
			var message: String = "writes of the one at rest, %s, %s" % [kind, rules]
			equal(CountingBone.count(figure.bones) - writes, 0, message)


## Whether the rig comes to rest, and then neither writes nor changes a bit.
func _expect_rest(figure: Figure, message: String) -> void:
	settle(figure, message)
	var pose: PackedFloat32Array = figure.pose()
	var writes: int = CountingBone.count(figure.bones)
	check(writes > 0, message + ": writes are counted")
	for count: int in 60:
		figure.rig.advance([TICK, 0.0, 0.5][count % 3])
	equal(CountingBone.count(figure.bones), writes, message + ", writes")
	equal(figure.pose(), pose, message + ", pose")


## Follows the target on its way for [param seconds]. The modifiers are told of [param delta] a
## frame.
func _roam(figure: Figure, seconds: float, delta: float = TICK) -> void:
	for frame: int in roundi(seconds / TICK):
		_aim(figure, ROOT + _place(frame * TICK) * REACH)
		figure.rig.advance(delta)


## Where a target that roams through the whole disc is after [param time], in reaches. It moves by
## at most 1.6 hundredths in a frame.
func _place(time: float) -> Vector2:
	var place: Vector2 = Vector2(
		sin(time * 0.9) * 0.8 + sin(time * 0.37) * 0.15,
		cos(time * 0.71) * 0.75 + sin(time * 0.23) * 0.2
	)
	return place.limit_length(0.999)


func _aim(figure: Figure, point: Vector2) -> void:
	figure.target.global_position = figure.skeleton.global_transform * point


## A nearly straight chain whose bones count their writes.
func _figure(kind: String, rules: String, above: Array = []) -> Figure:
	var lengths: Array[float] = []
	var pose: Array[float] = []
	for index: int in COUNT:
		lengths.append(LENGTH)
		pose.append(0.05)
	var figure: Figure = Figure.new(lengths, pose, above)
	for bone: Bone2D in figure.bones:
		bone.set_script(CountingBone)
	var modifier: Node = figure.call(kind)
	add_child(figure.stage)
	match rules:
		LIMITS:
			for bone: Bone2D in figure.bones:
				_limit(bone, PI / 3)
		CIRCLES:
			modifier.set("obstacles", _circles(figure))
	return figure


## A limb at the end of its limits, whose target has gone round to the other end.
func _stopped_limb(kind: String) -> Figure:
	var figure: Figure = Figure.new([30, 25], [0.0, 0.3])
	for bone: Bone2D in figure.bones:
		bone.set_script(CountingBone)
	figure.call(kind)
	add_child(figure.stage)
	_limit(figure.bones[0], 2.5)
	figure.solve(ROOT + Vector2.from_angle(PI - 0.01) * 52)
	_aim(figure, ROOT + Vector2.from_angle(PI + 0.01) * 52)
	return figure


func _limit(bone: Bone2D, angle: float) -> void:
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	limit.min_angle = -angle
	limit.max_angle = angle
	bone.add_child(limit)


func _circles(figure: Figure) -> Array[CollisionShape2D]:
	var obstacles: Array[CollisionShape2D] = []
	for circle: Vector3 in [
		Vector3(0.45, 0.25, 0.12), Vector3(-0.3, 0.45, 0.1), Vector3(0.1, -0.5, 0.13)
	]:
		var obstacle: CollisionShape2D = CollisionShape2D.new()
		obstacle.shape = CircleShape2D.new()
		obstacle.shape.set("radius", circle.z * REACH)
		obstacle.position = ROOT + Vector2(circle.x, circle.y) * REACH
		figure.skeleton.add_child(obstacle)
		obstacles.append(obstacle)
	return obstacles
