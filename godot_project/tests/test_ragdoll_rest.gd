extends "res://tests/ragdoll_suite.gd"
## Ragdolls at rest: what wakes them, and that nothing is asked or written meanwhile.

const SOLID: int = 1
const NONE: int = 0


func test_a_body_at_rest_writes_nothing() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = await _lying(Vector2(0, -120))
	check(not await _moves(dummy, 90), "no bone moves")
	var state: PackedByteArray = dummy.rig.get_state()
	await _ticks(30)
	equal(dummy.rig.get_state(), state, "nothing is kept anew")
	dummy.body.free()
	_free_ground()


## What the physics server tells of nobody is only found by a query: a body that gets a layer. So it
## shows when there is one: not before half a second has passed.
func test_a_body_at_rest_asks_the_world_twice_a_second() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = await _lying(Vector2(0, -120))
	await _ticks(3)
	var waits: PackedInt32Array = []
	for time: int in 4:
		var block: StaticBody2D = StaticBody2D.new()
		block.collision_layer = NONE
		var hip: Vector2 = dummy.bones[0].global_position
		_add_ground(Rect2(hip.x - 20, -4, 40, 4), block)
		await _ticks(2)
		_told.clear()
		var before: PackedFloat32Array = dummy.rotations()
		block.collision_layer = SOLID
		var waited: int = 0
		while dummy.rotations() == before and waited < 60:
			await get_tree().physics_frame
			waited += 1
		waits.append(waited)
		block.free()
		await _until_settled()
		await _ticks(3)
	print("   it looks around by itself after %s ticks at rest" % [waits])
	for waited: int in waits:
		check(waited > 15 and waited <= 31, "after %s ticks" % waited)
	dummy.body.free()
	_free_ground()


func test_what_wakes_it() -> void:
	var acts: Array[Callable] = [
		_move, _free, _remove, _disable, _shrink, _make_a_belt, _turn_gravity, _push, _start, _hook
	]
	acts.append_array([_except, _mask, _stiffen, _lead])
	for act: Callable in acts:
		var ground: Node2D = _add_ground(Rect2(-2000, 0, 4000, 100))
		var dummy: Dummy = await _lying(Vector2(0, -120))
		await _ticks(5)
		act.call(ground, dummy)
		check(await _moves(dummy, 8), act.get_method())
		dummy.body.free()
		if is_instance_valid(ground) and not ground.is_inside_tree():
			ground.free()
		_free_ground()


func test_a_crate_that_hits_it_wakes_it() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var dummy: Dummy = await _lying(Vector2(0, -120))
	var hip: Vector2 = dummy.bones[0].global_position
	var crate: RigidBody2D = RigidBody2D.new()
	crate.mass = 6.0
	_add_ground(Rect2(hip.x - 20, -600, 40, 40), crate)
	var least: float = INF
	for tick: int in 90:
		await get_tree().physics_frame
		least = minf(least, dummy.bones[0].global_position.y - crate.position.y)
	check(least > 22.0, "the crate lies on it and not in it: %s" % least)
	check(crate.position.y > -80.0, "it has come down: %s" % crate.position)
	dummy.body.free()
	_free_ground()


## A state that is put back does nothing to the world.
func test_a_state_that_is_put_back_pushes_nothing() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var crate: RigidBody2D = RigidBody2D.new()
	_add_ground(Rect2(-60, -80, 120, 80), crate)
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -230))
	await _ticks(5)
	_listen(dummy)
	var put_back: Callable = func(_bone: Bone2D, _impulse: Vector2, _collider: Node) -> void:
		var state: PackedByteArray = dummy.rig.get_state()
		for time: int in 20:
			dummy.rig.set_state(state)
	dummy.ragdoll.hit.connect(put_back, CONNECT_ONE_SHOT)
	dummy.ragdoll.start(Vector2(0, 9000))
	while "hit" not in _told:
		await get_tree().physics_frame
	await get_tree().process_frame
	check(_told.count("hit") < 5, "no hit is told of again: %s" % [_told])
	dummy.body.free()
	_free_ground()


func test_one_that_is_not_active_pushes_nothing() -> void:
	_add_ground(Rect2(-2000, 0, 4000, 100))
	var crate: RigidBody2D = RigidBody2D.new()
	_add_ground(Rect2(-60, -80, 120, 80), crate)
	var dummy: Dummy = Dummy.new(self, Node2D.new(), Vector2(0, -230))
	var wave: TendonWave2D = TendonWave2D.new()
	wave.root_bone = dummy.bone("ArmL")
	wave.tip_bone = dummy.bone("HandL")
	dummy.rig.add_child(wave)
	dummy.rig.move_child(wave, 0)
	await _ticks(5)
	_listen(dummy)
	dummy.ragdoll.start(Vector2(0, 9000))
	while "hit" not in _told:
		await get_tree().physics_frame
	dummy.ragdoll.active = false
	await _ticks(2)
	_told.clear()
	await _ticks(30)
	equal(_told.count("hit"), 0, "no hit is told of")
	near(crate.linear_velocity.length(), 0.0, 1.0, "the crate lies still")
	dummy.body.free()
	_free_ground()


func _move(ground: Node2D, _dummy: Dummy) -> void:
	ground.position.y += 3.0


func _free(ground: Node2D, _dummy: Dummy) -> void:
	ground.free()


func _remove(ground: Node2D, _dummy: Dummy) -> void:
	ground.get_parent().remove_child(ground)


func _disable(ground: Node2D, _dummy: Dummy) -> void:
	(ground.get_child(0) as CollisionShape2D).disabled = true


func _shrink(ground: Node2D, _dummy: Dummy) -> void:
	var shape: CollisionShape2D = ground.get_child(0)
	(shape.shape as RectangleShape2D).size.y = 40.0


func _make_a_belt(ground: Node2D, _dummy: Dummy) -> void:
	(ground as StaticBody2D).constant_linear_velocity = Vector2(90, 0)


func _turn_gravity(_ground: Node2D, dummy: Dummy) -> void:
	dummy.ragdoll.gravity_scale = -0.5


func _push(_ground: Node2D, dummy: Dummy) -> void:
	dummy.ragdoll.apply_impulse(Vector2(0, -800), Vector2.ZERO)


func _start(_ground: Node2D, dummy: Dummy) -> void:
	dummy.ragdoll.start(Vector2(0, -900))


func _hook(_ground: Node2D, dummy: Dummy) -> void:
	var hook: Marker2D = Marker2D.new()
	hook.position = Vector2(0, -300)
	dummy.body.add_child(hook)
	dummy.ragdoll.grab(dummy.bones[2], dummy.bones[2].global_position, hook)


func _except(ground: Node2D, dummy: Dummy) -> void:
	dummy.ragdoll.add_exception(ground as PhysicsBody2D)


func _mask(_ground: Node2D, dummy: Dummy) -> void:
	dummy.ragdoll.collision_mask = 8


func _stiffen(_ground: Node2D, dummy: Dummy) -> void:
	dummy.ragdoll.frequency = 4.0


func _lead(_ground: Node2D, dummy: Dummy) -> void:
	dummy.ragdoll.root_frequency = 4.0
	dummy.body.position.y -= 60.0


func _moves(dummy: Dummy, ticks: int) -> bool:
	var before: Array = [dummy.rotations(), dummy.bones[0].position]
	await _ticks(ticks)
	return before != [dummy.rotations(), dummy.bones[0].position]
