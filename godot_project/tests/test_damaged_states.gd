extends "res://tests/suite.gd"
## States that are damaged in any place are refused as a whole, or gone on from. A long run tries
## more: [code]state_faults.gd[/code].

const DamagedStates := preload("res://tests/damaged_states.gd")


func test_damaged_states_of_all_kinds() -> void:
	var states: DamagedStates = DamagedStates.new(1)
	await states.make(self)
	for time: int in 30:
		await physics_frames()
		states.try_some(20)
	equal(states.wrong, PackedStringArray(), "wrong")
	check(states.taken > 0.05 * states.tried, "%d of %d taken" % [states.taken, states.tried])
	check(states.taken < 0.8 * states.tried, "%d of %d taken" % [states.taken, states.tried])
	states.free_all()
	forgive(["set_state() has changed nothing", INVALID])
