extends "res://tests/ragdoll_suite.gd"
## Ragdolls that meet one another.


func test_one_falls_on_another() -> void:
	var heights: PackedFloat32Array = []
	for layer: int in [0, 1]:
		_add_ground(Rect2(-2000, 0, 4000, 200))
		var below: Dummy = await _lying(Vector2(0, -Dummy.SOLE))
		below.ragdoll.collision_layer = layer
		await _ticks(2)
		var place: Vector2 = _middle(below) + Vector2(0, -160)
		var above: Dummy = Dummy.new(self, Node2D.new(), place)
		above.skeleton.rotation = PI / 2
		above.ragdoll.collision_layer = layer
		await _ticks(2)
		_listen(above)
		above.ragdoll.start()
		await _until_settled()
		check(await _come_to_rest([below, above]), "both lie at last")
		heights.append(-_middle(above).y)
		below.body.free()
		above.body.free()
		_free_ground()
	check(heights[1] > heights[0] + 8.0, "it lies upon the other: %s" % [heights])


func test_both_take_their_parts_of_a_hit() -> void:
	for masses: Array in [[10.0, 10.0], [10.0, 40.0], [60.0, 12.0]]:
		var dummies: Array[Dummy] = []
		for index: int in 2:
			var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(120 * index, 0))
			dummy.ragdoll.collision_layer = 4
			dummy.ragdoll.collision_mask = 4
			dummy.ragdoll.gravity_scale = 0.0
			dummy.ragdoll.mass = masses[index]
			dummies.append(dummy)
		await _ticks(2)
		dummies[1].ragdoll.start()
		dummies[0].ragdoll.start(Vector2(masses[0] * 300.0, 0))
		await _ticks(60)
		var before: Array[Vector2] = [_centre(dummies[0]), _centre(dummies[1])]
		await _ticks(6)
		var momentum: Vector2 = Vector2.ZERO
		var speeds: PackedFloat32Array = []
		for index: int in 2:
			var speed: Vector2 = (_centre(dummies[index]) - before[index]) * 10.0
			speeds.append(speed.x)
			momentum += masses[index] * speed
		# The air takes a tenth of a speed in a second.
		var wanted: float = masses[0] * 300.0 * exp(-0.1)
		var off: float = (momentum - Vector2(wanted, 0)).length() / wanted
		check(off < 0.25, "masses %s: speeds %s, momentum off by %.2f" % [masses, speeds, off])
		check(speeds[1] > speeds[0] - 30.0, "none goes through the other: %s" % [speeds])
		for dummy: Dummy in dummies:
			dummy.body.free()


func test_whom_a_body_does_not_meet() -> void:
	# Its layer, its mask, an exception, one that is not simulated, one that is gone.
	for how: String in ["met", "layer", "mask", "exception", "stopped", "freed"]:
		var still: Dummy = Dummy.new(self, CharacterBody2D.new(), Vector2(200, 0))
		var thrown: Dummy = Dummy.new(self, Node2D.new(), Vector2.ZERO)
		for dummy: Dummy in [still, thrown]:
			dummy.ragdoll.gravity_scale = 0.0
		thrown.ragdoll.collision_mask = 8
		still.ragdoll.collision_layer = 8
		match how:
			"layer":
				still.ragdoll.collision_layer = 4
			"mask":
				thrown.ragdoll.collision_mask = 4
			"exception":
				thrown.ragdoll.add_exception(still.body as CharacterBody2D)
		await _ticks(2)
		still.ragdoll.start()
		await _ticks(2)
		if how == "stopped":
			still.ragdoll.stop()
		elif how == "freed":
			still.body.free()
		_listen(thrown)
		thrown.ragdoll.start(Vector2(4000, 0))
		await _ticks(60)
		equal("hit" in _told, how == "met", how)
		if how != "freed":
			still.body.free()
		thrown.body.free()


## Whether all of them cease to move.
func _come_to_rest(dummies: Array[Dummy]) -> bool:
	var before: Array[PackedFloat32Array] = []
	var still: int = 0
	for tick: int in 600:
		var now: Array[PackedFloat32Array] = []
		for dummy: Dummy in dummies:
			now.append(dummy.rotations())
		still = still + 1 if now == before else 0
		before = now
		if still == 30:
			return true
		await get_tree().physics_frame
	return false


## The middle of the hip.
static func _middle(dummy: Dummy) -> Vector2:
	return dummy.bone("Spine").global_position


## Its centre of mass: limbs weigh what their areas are.
static func _centre(dummy: Dummy) -> Vector2:
	var sum: Vector2 = Vector2.ZERO
	var mass: float = 0.0
	for index: int in Dummy.LIMBS.size():
		var radius: float = Dummy.LIMBS[index][4]
		var own: float = radius * (2.0 * Dummy.LIMBS[index][3] + PI * radius)
		sum += own * 0.5 * (dummy.bones[index].global_position + dummy.end_of(index))
		mass += own
	return sum / mass
