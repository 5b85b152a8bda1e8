extends "res://tests/suite.gd"
## Handover: modifiers go over from one target to another.

const KINDS: Array[String] = ["look_at", "two_bone", "ccd", "fabrik"]


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
