extends "res://tests/suite.gd"
## Handover: modifiers go over from one target to another.

const KINDS: Array[String] = ["look_at", "two_bone", "ccd", "fabrik"]


func test_the_tip_goes_over_without_a_jump() -> void:
	for kind: String in KINDS:
		var figure: Figure = _figure(kind)
		var modifier: Node = figure.rig.get_child(0)
		var finished: Array[int] = [0]
		modifier.connect("transition_finished", func() -> void: finished[0] += 1)
		var before: PackedFloat32Array = figure.pose()
		modifier.set("target", _marker(Vector2(20, -25)))
		figure.rig.advance(1.0 / 60.0)
		_near_pose(figure, before, 1e-3, kind + " at the exchange")
		check(modifier.call("is_in_transition"), kind + " goes over")
		check(modifier.call("get_status") != TendonCCDIK2D.STATUS_REACHED, kind + " says so")
		for frame: int in 19:
			figure.rig.advance(1.0 / 60.0)
		check(not modifier.call("is_in_transition"), kind + " has gone over")
		equal(modifier.call("get_status"), TendonCCDIK2D.STATUS_REACHED, kind + " has reached")
		equal(finished[0], 1, kind + ": one signal")


## From a node to a place, from there to another one, and to another node.
func test_places_are_reached_as_nodes_are() -> void:
	for kind: String in KINDS:
		var figure: Figure = _figure(kind)
		var modifier: Node = figure.rig.get_child(0)
		for goal: Variant in [Vector2(20, -25), Vector2(-10, -30), _marker(Vector2(25, -12))]:
			var before: PackedFloat32Array = figure.pose()
			if goal is Vector2:
				modifier.call("reach", goal)
				equal(modifier.get("target"), null, kind + ": the target is removed")
				equal(modifier.get("target_position"), goal, kind + ": the place")
			else:
				modifier.set("target", goal)
			figure.rig.advance(1.0 / 60.0)
			_near_pose(figure, before, 1e-3, "%s at the exchange, %s" % [kind, goal])
			check(modifier.call("is_in_transition"), "%s goes over, %s" % [kind, goal])
			for frame: int in 20:
				var last: PackedFloat32Array = figure.pose()
				figure.rig.advance(1.0 / 60.0)
				_near_pose(figure, last, 0.5, "%s, %s, frame %d" % [kind, goal, frame])
			check(not modifier.call("is_in_transition"), "%s has gone over, %s" % [kind, goal])
			equal(
				modifier.call("get_status"), TendonCCDIK2D.STATUS_REACHED, "%s, %s" % [kind, goal]
			)
		modifier.call("reach", Vector2.INF)
		modifier.set("target", null)
		for frame: int in 22:
			figure.rig.advance(1.0 / 60.0)
		equal(figure.pose(), PackedFloat32Array([0.3, 0.4]), kind + " lets go")


## In a time of its own, without a `transition_duration`: also when idle, and when it lets go.
func test_a_place_is_reached_in_so_many_seconds() -> void:
	for kind: String in KINDS:
		var figure: Figure = _figure(kind)
		var modifier: Node = figure.rig.get_child(0)
		modifier.set("transition_duration", 0.0)
		figure.rig.advance(1.0 / 60.0)
		for place: Vector2 in [Vector2(20, -25), Vector2(-10, -30), Vector2.INF, Vector2(20, -25)]:
			modifier.call("reach", place, 0.3)
			var before: PackedFloat32Array = figure.pose()
			figure.rig.advance(1.0 / 60.0)
			_near_pose(figure, before, 1e-3, "%s at the exchange, %s" % [kind, place])
			for frame: int in 17:
				check(modifier.call("is_in_transition"), "%s, %s, %d" % [kind, place, frame])
				before = figure.pose()
				figure.rig.advance(1.0 / 60.0)
				_near_pose(figure, before, 0.5, "%s, %s, frame %d" % [kind, place, frame])
			figure.rig.advance(1.0 / 60.0)
			check(not modifier.call("is_in_transition"), "%s has gone over, %s" % [kind, place])
			if place.is_finite():
				equal(modifier.call("get_status"), TendonCCDIK2D.STATUS_REACHED, kind)
			else:
				equal(figure.pose(), PackedFloat32Array([0.3, 0.4]), kind + " lets go")
		modifier.call("reach", Vector2(-10, -30))
		figure.rig.advance(1.0 / 60.0)
		check(not modifier.call("is_in_transition"), kind + " goes over at once")
		equal(modifier.call("get_status"), TendonCCDIK2D.STATUS_REACHED, kind + " at once")


## What a script does around `reach()` in the same frame, and while the modifier is off.
func test_a_place_is_reached_from_what_was_shown() -> void:
	for kind: String in KINDS:
		for case: String in ["off", "twice", "target removed"]:
			var figure: Figure = _figure(kind)
			var modifier: Node = figure.rig.get_child(0)
			modifier.set("transition_duration", 0.0)
			modifier.set("active", case != "off")
			figure.rig.advance(1.0 / 60.0)
			figure.rig.advance(1.0 / 60.0)
			var before: PackedFloat32Array = figure.pose()
			if case == "twice":
				modifier.call("reach", Vector2(-10, -30), 0.3)
			elif case == "target removed":
				modifier.set("target", null)
			modifier.call("reach", Vector2(20, -25), 0.3)
			for frame: int in 20:
				figure.rig.advance(1.0 / 60.0)
				var most: float = 1e-3 if frame == 0 or case == "off" else 0.5
				_near_pose(figure, before, most, "%s, %s, %d" % [kind, case, frame])
				before = figure.pose()
			equal(modifier.call("get_status") == 1, case != "off", "%s, %s" % [kind, case])


## A chain whose pole moves to the other side goes over more slowly where its rig says so.
func test_a_rig_says_how_fast_limbs_go_over() -> void:
	var frames: PackedInt32Array = []
	for speed: float in [15.0, 3.0]:
		var figure: Figure = _figure("two_bone")
		var modifier: Node = figure.rig.get_child(0)
		figure.rig.transition_turn_speed = speed
		modifier.set("transition_duration", 0.0)
		modifier.set("pole", _marker(Vector2(20, -90)))
		(modifier.get("target") as Node2D).position = Vector2(20, 0)
		for frame: int in 10:
			figure.rig.advance(1.0 / 60.0)
		(modifier.get("pole") as Node2D).position = Vector2(20, 90)
		frames.append(0)
		var before: PackedFloat32Array = []
		while figure.pose() != before and frames[-1] < 300:
			before = figure.pose()
			figure.rig.advance(1.0 / 60.0)
			frames[-1] += 1
	check(frames[1] > 2 * frames[0], "slowly: %s" % frames)


## What a script sets, in all ways: the second differences of all joints, and that it arrives.
func test_what_is_set_goes_over() -> void:
	var above: Marker2D = _marker(Vector2(60, -90))
	var below: Marker2D = _marker(Vector2(60, 190))
	var changes: Dictionary[String, Array] = {
		"flip_bend_direction": ["two_bone", [true, false]],
		"pole": ["two_bone", [below, above, null, below]],
		"additional_rotation": ["look_at", [2.0, -0.5]],
	}
	for property: String in changes:
		var figure: Figure = _figure(changes[property][0])
		var modifier: Node = figure.rig.get_child(0)
		modifier.set("transition_duration", 0.4)
		(modifier.get("target") as Node2D).position = Vector2(40, 25)
		for frame: int in 4:
			figure.rig.advance(1.0 / 60.0)
		var poses: Array[PackedFloat32Array] = [figure.pose()]
		var went_over: int = 0
		for value: Variant in changes[property][1]:
			modifier.set(property, value)
			figure.rig.advance(1.0 / 60.0)
			_near_pose(figure, poses[-1], 1e-3, property + " when it is set")
			went_over += int(modifier.call("is_in_transition"))
			for frame: int in 26:
				figure.rig.advance(1.0 / 60.0)
				poses.append(figure.pose())
			check(not modifier.call("is_in_transition"), property + " has gone over")
			equal(modifier.call("get_status"), TendonCCDIK2D.STATUS_REACHED, property)
		check(went_over > 1, property + " goes over")
		for index: int in range(2, poses.size()):
			for bone: int in poses[index].size():
				var now: float = angle_difference(poses[index - 1][bone], poses[index][bone])
				var before: float = angle_difference(poses[index - 2][bone], poses[index - 1][bone])
				check(absf(now - before) < 0.06, "%s: %s" % [property, now - before])


func test_it_lets_go_of_a_target_that_is_freed() -> void:
	for kind: String in KINDS:
		var figure: Figure = _figure(kind)
		var modifier: Node = figure.rig.get_child(0)
		var solved: PackedFloat32Array = figure.pose()
		(modifier.get("target") as Node).free()
		figure.rig.advance(1.0 / 60.0)
		_near_pose(figure, solved, 1e-3, kind + " when it was freed")
		check(modifier.call("is_in_transition"), kind + " lets go")
		for frame: int in 20:
			figure.rig.advance(1.0 / 60.0)
		equal(figure.pose(), PackedFloat32Array([0.3, 0.4]), kind + ": the base pose")
		equal(modifier.call("get_status"), TendonCCDIK2D.STATUS_IDLE, kind + " is idle")
		equal(modifier.call("get_target_distance"), INF, kind + " has no target")
		modifier.set("target", _marker(Vector2(20, -25)))
		figure.rig.advance(1.0 / 60.0)
		_near_pose(figure, PackedFloat32Array([0.3, 0.4]), 1e-3, kind + " begins there")
		for frame: int in 40:
			figure.rig.advance(1.0 / 60.0)
		equal(modifier.call("get_status"), TendonCCDIK2D.STATUS_REACHED, kind + " is back")


## What scripts do in the signal: exchange again, switch off, free the modifier, set nonsense.
func test_its_signal_may_change_everything() -> void:
	for kind: String in KINDS:
		for trouble: String in ["exchange", "switch", "free", "numbers"]:
			var figure: Figure = _figure(kind)
			var modifier: Node = figure.rig.get_child(0)
			var other: Marker2D = _marker(Vector2(20, -25))
			var heard: Array[int] = [0]
			var act: Callable = func() -> void:
				heard[0] += 1
				match trouble:
					"exchange":
						var is_other: bool = modifier.get("target") == other
						modifier.set("target", figure.target if is_other else other)
					"switch":
						modifier.set("active", not modifier.get("active"))
					"free":
						modifier.queue_free()
					"numbers":
						modifier.set("max_turn_speed", -3.0)
						modifier.set("transition_duration", 1e30)
			modifier.connect("transition_finished", act)
			modifier.set("target", other)
			for frame: int in 60:
				figure.rig.advance(1.0 / 60.0)
				await frames()
				for angle: float in figure.pose():
					check(is_finite(angle), "%s, %s" % [kind, trouble])
			var often: bool = trouble in ["exchange", "switch"]
			check(heard[0] > 1 if often else heard[0] == 1, "%s, %s: heard" % [kind, trouble])


func test_the_state_has_all_of_a_transition() -> void:
	for kind: String in KINDS:
		var figure: Figure = _figure(kind)
		var modifier: Node = figure.rig.get_child(0)
		modifier.set("target", _marker(Vector2(20, -25)))
		for frame: int in 5:
			figure.rig.advance(1.0 / 60.0)
		var state: PackedByteArray = figure.rig.get_state()
		figure.rig.advance(1.0 / 60.0)
		var pose: PackedFloat32Array = figure.pose()
		figure.rig.advance(1.0 / 60.0)
		check(figure.rig.set_state(state), kind + " restores")
		figure.rig.advance(1.0 / 60.0)
		equal(figure.pose(), pose, kind + " goes on to the bit")


func test_joints_turn_no_faster_than_they_may() -> void:
	for kind: String in KINDS:
		var figure: Figure = _figure(kind)
		var modifier: Node = figure.rig.get_child(0)
		modifier.set("transition_duration", 0.0)
		modifier.set("max_turn_speed", 1.5)
		figure.rig.advance(1.0 / 60.0)
		modifier.set("target", _marker(Vector2(-20, -25)))
		for frame: int in 200:
			var before: PackedFloat32Array = figure.pose()
			figure.rig.advance(1.0 / 60.0)
			for bone: int in before.size():
				var turn: float = absf(angle_difference(before[bone], figure.pose()[bone]))
				check(turn <= 1.5 / 60.0 + 1e-5, "%s turns by %s" % [kind, turn])
		equal(modifier.call("get_status"), TendonCCDIK2D.STATUS_REACHED, kind + " arrives")


## A bone that turns by a radian shows the curve, and beside it what keeps its velocity at the
## exchange (see the solver's handover.rs): so much of [code]p (1 - p)²[/code] as one sample tells.
func test_the_curves_are_those_of_tweens() -> void:
	for transition: Tween.TransitionType in Tween.TRANS_SPRING + 1:
		for ease: Tween.EaseType in Tween.EASE_OUT_IN + 1:
			var curve: Callable = func(part: float) -> float:
				return Tween.interpolate_value(0.0, 1.0, part, 1.0, transition, ease)
			var shown: PackedFloat64Array = _turns(transition, ease)
			var kept: float = (shown[6] - curve.call(0.375)) / (0.375 * 0.625 * 0.625)
			# Expo ends where it should, and steep curves begin with a known slope.
			var tolerance: float = 2e-3 if transition == Tween.TRANS_EXPO else 1e-4
			for index: int in range(2, shown.size()):
				var part: float = 0.0625 * index
				var value: float = shown[index] - kept * part * (1.0 - part) * (1.0 - part)
				var about: String = "transition %d, ease %d at %.2f" % [transition, ease, part]
				near(value, curve.call(part), tolerance, about)


func test_the_curve_is_hidden_without_a_duration() -> void:
	for duration: float in [0.0, 0.5]:
		var modifier: TendonLookAt2D = TendonLookAt2D.new()
		modifier.transition_duration = duration
		for property: Dictionary in modifier.get_property_list():
			if property["name"] in ["transition_type", "ease_type"]:
				var is_shown: bool = property["usage"] & PROPERTY_USAGE_EDITOR != 0
				equal(is_shown, duration > 0.0, str(property["name"]))
		modifier.free()


## How far a bone has turned to a target that is a radian off, in each sixteenth of the time, which
## has no rounding.
func _turns(transition: Tween.TransitionType, ease: Tween.EaseType) -> PackedFloat64Array:
	var figure: Figure = Figure.new([30], [0.0])
	add_child(figure.stage)
	var modifier: TendonLookAt2D = figure.look_at()
	modifier.transition_duration = 1.0
	modifier.transition_type = transition
	modifier.ease_type = ease
	var joint: Vector2 = figure.bones[0].global_position
	modifier.target = _marker(joint + Vector2(50, 0))
	for frame: int in 4:
		figure.rig.advance(0.05)
	modifier.target = _marker(joint + 50.0 * Vector2.from_angle(1.0))
	var turns: PackedFloat64Array = []
	for frame: int in 16:
		figure.rig.advance(0.0625)
		turns.append(figure.bones[0].rotation)
	figure.stage.free()
	return turns


## A limb at its target for a while.
func _figure(kind: String) -> Figure:
	var figure: Figure = Figure.new([30, 20], [0.3, 0.4])
	add_child(figure.stage)
	var modifier: Node = figure.call(kind)
	modifier.set("transition_duration", 0.3)
	modifier.set("target", _marker(Vector2(30, 25)))
	for frame: int in 4:
		figure.rig.advance(1.0 / 60.0)
	return figure


func _marker(place: Vector2) -> Marker2D:
	var marker: Marker2D = Marker2D.new()
	marker.position = place
	add_child(marker)
	return marker


func _near_pose(
	figure: Figure, expected: PackedFloat32Array, tolerance: float, about: String
) -> void:
	for bone: int in expected.size():
		near(figure.pose()[bone], expected[bone], tolerance, about)
