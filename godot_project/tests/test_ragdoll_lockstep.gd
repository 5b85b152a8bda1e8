extends "res://tests/ragdoll_suite.gd"
## Ragdolls of two machines: a world each, and the same bits.

const LATE: int = 6


## A world of its own with a dummy in it, as a game has on one machine.
class Machine:
	var view: SubViewport = SubViewport.new()
	var dummy: Dummy
	var saved: Array[PackedByteArray] = []

	## With [param before], the machine has met other ground before.
	func _init(above: Node, before: bool) -> void:
		view.world_2d = World2D.new()
		above.add_child(view)
		if before:
			_add("Shelf", Rect2(-200, -560, 400, 20))
		_add("Floor", Rect2(-2000, 0, 2000, 100))
		_add("Other floor", Rect2(0, 0, 2000, 100))
		_add("Step", Rect2(40, -24, 80, 24))
		dummy = Dummy.new(view, Node2D.new(), Vector2(0, -700 if before else -150))
		dummy.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
		dummy.ragdoll.frequency = 1.5

	func play(push: Vector2) -> void:
		if push != Vector2.ZERO:
			dummy.ragdoll.apply_impulse(push, Vector2(0, -100), dummy.bones[1])
		dummy.rig.advance(TICK)
		saved.append(dummy.rig.get_state())

	func _add(title: String, rect: Rect2) -> void:
		var body: StaticBody2D = StaticBody2D.new()
		body.name = title
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		(shape.shape as RectangleShape2D).size = rect.size
		body.position = rect.get_center()
		body.add_child(shape)
		view.add_child(body)


## What a player does in a tick.
func _input_of(tick: int) -> Vector2:
	return Vector2(40.0 * (tick % 13) - 250.0, -200.0) if tick % 29 == 11 else Vector2.ZERO


## The second has fallen from elsewhere, met other ground, and then takes over the first one's
## state.
func test_a_machine_that_joins_later_has_the_same_bits() -> void:
	var one: Machine = Machine.new(self, false)
	var other: Machine = Machine.new(self, true)
	await _ticks(3)
	for machine: Machine in [one, other]:
		machine.play(Vector2.ZERO)
		machine.dummy.ragdoll.start(Vector2(600, 0))
	for tick: int in 25:
		one.play(_input_of(tick))
		other.play(Vector2.ZERO)
	other.dummy.body.position = one.dummy.body.position
	check(other.dummy.rig.set_state(one.saved[-1]), "the state is taken")
	for tick: int in range(25, 205):
		one.play(_input_of(tick))
		other.play(_input_of(tick))
		if one.saved[-1] != other.saved[-1]:
			check(false, "tick %d" % tick)
			break
	check(one.dummy.lowest() > -30.0, "it has come down: %s" % one.dummy.lowest())
	one.view.free()
	other.view.free()


## The second gets input late: it guesses that there is none, goes back and plays again.
func test_a_machine_that_rolls_back_has_the_same_bits() -> void:
	var one: Machine = Machine.new(self, false)
	var other: Machine = Machine.new(self, false)
	await _ticks(3)
	for machine: Machine in [one, other]:
		machine.play(Vector2.ZERO)
		machine.dummy.ragdoll.start(Vector2(600, 0))
		machine.saved.clear()
	for tick: int in 180:
		one.play(_input_of(tick))
		other.play(Vector2.ZERO)
		var late: int = tick - LATE
		if late > 0 and _input_of(late) != Vector2.ZERO:
			other.dummy.rig.set_state(other.saved[late - 1])
			other.saved.resize(late)
			for again: int in range(late, tick + 1):
				other.play(_input_of(again) if again == late else Vector2.ZERO)
		if late > 0 and one.saved[late] != other.saved[late]:
			check(false, "tick %d" % late)
			break
	equal(one.saved.size(), other.saved.size(), "as many ticks")
	one.view.free()
	other.view.free()
