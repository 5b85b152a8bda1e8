extends "res://tests/chain_suite.gd"
## TendonCCDIK2D from the tip to the root, as it is by default.


func _modifier(figure: Figure) -> Node:
	return figure.ccd()


func test_the_end_curls_first_and_the_root_turns_last() -> void:
	var turns: Array[PackedFloat32Array] = []
	for root_first: bool in [false, true]:
		var figure: Figure = _figure()
		figure.set_pose([0.0, 0.1, 0.1, 0.1, 0.1])
		figure.rig.get_child(0).set("root_first", root_first)
		var before: PackedFloat32Array = figure.pose()
		figure.solve(Vector2(90, 60))
		reaches(figure, "root first: %s" % root_first)
		var turned: PackedFloat32Array = []
		for index: int in before.size():
			turned.append(absf(angle_difference(before[index], figure.pose()[index])))
		turns.append(turned)
	check(turns[0][0] < 0.5 * turns[1][0], "the root turns less: %s" % [turns])
	check(turns[0][3] > 1.5 * turns[1][3], "the end of the chain turns more: %s" % [turns])
	check(turns[0][4] > 2.0 * turns[1][4], "the last bone above all: %s" % [turns])
