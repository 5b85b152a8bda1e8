extends "res://tests/suite.gd"
## TendonCopyTransform2D.

const CHANNELS: Array[int] = [
	TendonCopyTransform2D.CHANNEL_ROTATION,
	TendonCopyTransform2D.CHANNEL_POSITION_X,
	TendonCopyTransform2D.CHANNEL_POSITION_Y,
	TendonCopyTransform2D.CHANNEL_SCALE_X,
	TendonCopyTransform2D.CHANNEL_SCALE_Y,
]
const SPACES: Array[int] = [
	TendonCopyTransform2D.SPACE_PARENT,
	TendonCopyTransform2D.SPACE_SKELETON,
	TendonCopyTransform2D.SPACE_GLOBAL,
]
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736]


func test_each_pair_of_channels_in_each_space() -> void:
	for about: String in Figure.ANCESTORS:
		for space: int in SPACES:
			var figure: Figure = _figure(Figure.ANCESTORS[about])
			var mapping: TendonCopyTransform2D = _mapping(figure)
			mapping.space = space as TendonCopyTransform2D.Space
			mapping.relative = false
			mapping.bone_min = 0.2
			mapping.bone_max = 1.1
			for from: int in CHANNELS:
				for to: int in CHANNELS:
					mapping.source_channel = from as TendonCopyTransform2D.Channel
					mapping.bone_channel = to as TendonCopyTransform2D.Channel
					figure.rig.advance(0.0)
					_expect_mapped(figure, mapping, "%s, space %d" % [about, space])
			figure.stage.free()


## The bone has what its source maps to, as the space of the mapping sees both.
func _expect_mapped(figure: Figure, mapping: TendonCopyTransform2D, about: String) -> void:
	var text: String = "%s, %d to %d" % [about, mapping.source_channel, mapping.bone_channel]
	var value: float = _read(figure, mapping.source, mapping.source_channel, mapping.space)
	var wanted: float = 0.2 + 0.9 * value
	var actual: float = _read(figure, mapping.bone, mapping.bone_channel, mapping.space)
	equal(mapping.get_status(), TendonCopyTransform2D.STATUS_REACHED, "status, " + text)
	if mapping.bone_channel == TendonCopyTransform2D.CHANNEL_ROTATION:
		near_angle(actual, wanted, 2e-5 * (1 + absf(wanted)), text)
	else:
		near(actual, wanted, 1e-4 * (1 + absf(wanted) + absf(value)), text)


func _read(figure: Figure, node: Node2D, channel: int, space: int) -> float:
	var frame: Transform2D = node.global_transform
	if space == TendonCopyTransform2D.SPACE_SKELETON:
		frame = figure.skeleton.global_transform.affine_inverse() * frame
	var is_local: bool = space == TendonCopyTransform2D.SPACE_PARENT
	match channel:
		TendonCopyTransform2D.CHANNEL_ROTATION:
			return node.rotation if is_local else (frame.x * signf(node.scale.x)).angle()
		TendonCopyTransform2D.CHANNEL_POSITION_X:
			return node.position.x if is_local else frame.origin.x
		TendonCopyTransform2D.CHANNEL_POSITION_Y:
			return node.position.y if is_local else frame.origin.y
		TendonCopyTransform2D.CHANNEL_SCALE_X:
			return node.scale.x if is_local else frame.x.length() * signf(node.scale.x)
	return node.scale.y if is_local else frame.y.length() * signf(node.scale.y)


func test_switching_off_puts_back_every_bit() -> void:
	for space: int in SPACES:
		for to: int in CHANNELS:
			var figure: Figure = _figure([Transform2D(0.3, Vector2(-1, 2), 0.2, Vector2(3, 4))])
			var mapping: TendonCopyTransform2D = _mapping(figure)
			mapping.space = space as TendonCopyTransform2D.Space
			mapping.bone_channel = to as TendonCopyTransform2D.Channel
			mapping.bone.scale = Vector2(1.1, -0.7)
			mapping.bone.skew = 0.3
			mapping.bone.rest = mapping.bone.transform
			figure.rig.restore_pose()
			var base: Array = _parts(mapping.bone)
			for count: int in 2:
				mapping.source.rotation = 0.6 + count
				figure.rig.advance(0.0)
				check(_parts(mapping.bone) != base, "is solved, %d in %d" % [to, space])
				figure.rig.active = false
				equal(_parts(mapping.bone), base, "off, %d in %d" % [to, space])
				figure.rig.active = true
			figure.rig.advance(0.0)
			mapping.bone = null
			figure.rig.advance(0.0)
			equal(_parts(figure.bones[1]), base, "released, %d in %d" % [to, space])
			forgive(['Set "Bone"'])


func test_an_animation_goes_on_below_it() -> void:
	var figure: Figure = _figure()
	var mapping: TendonCopyTransform2D = _mapping(figure)
	mapping.bone_channel = TendonCopyTransform2D.CHANNEL_SCALE_X
	mapping.relative = false
	mapping.additive = true
	for factor: float in [1.0, 1.5, 0.5]:
		figure.bones[1].scale.x = factor
		figure.rig.advance(0.0)
		near(figure.bones[1].scale.x, factor * mapping.source.rotation, 1e-6, "scale")
	figure.rig.active = false
	equal(figure.bones[1].scale.x, 0.5, "base pose")


func test_reset_forgets_whole_turns() -> void:
	var figure: Figure = _figure()
	var gear: TendonCopyTransform2D = _mapping(figure)
	gear.relative = false
	gear.bone_max = 0.5
	for step: int in 70:
		gear.source.rotation = 0.1 * step
		figure.rig.advance(0.0)
	gear.source.rotation = 0.0
	figure.rig.advance(0.0)
	near_angle(gear.bone.rotation, PI, 1e-4, "a turn was made")
	figure.rig.reset()
	figure.rig.advance(0.0)
	near_angle(gear.bone.rotation, 0.0, 1e-4, "forgotten")


func test_without_a_source_a_bone_keeps_its_direction() -> void:
	for about: String in Figure.ANCESTORS:
		for space: int in [
			TendonCopyTransform2D.SPACE_SKELETON, TendonCopyTransform2D.SPACE_GLOBAL
		]:
			for relative: bool in [true, false]:
				var figure: Figure = _figure(Figure.ANCESTORS[about])
				var mapping: TendonCopyTransform2D = _mapping(figure)
				mapping.source = null
				mapping.bone = figure.bones[2]
				mapping.relative = relative
				mapping.space = space as TendonCopyTransform2D.Space
				var start: float = NAN
				for step: int in 5:
					figure.bones[0].rotation = 0.4 + 0.9 * step
					figure.bones[1].rotation = -0.3 * step
					figure.rig.advance(0.0)
					var angle: float = _read(
						figure, mapping.bone, TendonCopyTransform2D.CHANNEL_ROTATION, space
					)
					start = angle if is_nan(start) else start
					near_angle(angle, start, 2e-5, "%s, space %d" % [about, space])
				var own: float = POSE[2] + (POSE[0] + POSE[1] if relative else 0.0)
				near_angle(start, own, 2e-5, "%s, its direction" % about)


func test_a_source_bone_counts_as_the_pose_has_it() -> void:
	var figure: Figure = _figure()
	var arm: TendonLookAt2D = figure.look_at()
	arm.bone = figure.bones[0]
	var mapping: TendonCopyTransform2D = TendonCopyTransform2D.new()
	mapping.bone = Figure.branch(figure.skeleton, Vector2(50, 0), [10])[0]
	mapping.source = figure.bones[0]
	mapping.relative = false
	figure.rig.add_child(mapping)
	for point: Vector2 in [Vector2(50, 10), Vector2(-40, 25), Vector2(-5, -60)]:
		figure.solve(point)
		near_angle(mapping.bone.rotation, figure.bones[0].rotation, 1e-6, "at %v" % point)


func test_a_node_on_a_posed_bone_counts_where_the_pose_has_it() -> void:
	var figure: Figure = _figure([Transform2D(0.4, Vector2(-1, 1), 0.0, Vector2(7, 8))])
	var arm: TendonLookAt2D = figure.look_at()
	var held: Node2D = Node2D.new()
	held.rotation = 0.2
	figure.bones[2].add_child(held)
	var mapping: TendonCopyTransform2D = TendonCopyTransform2D.new()
	mapping.bone = Figure.branch(figure.skeleton, Vector2(50, 0), [10])[0]
	mapping.source = held
	mapping.relative = false
	mapping.space = TendonCopyTransform2D.SPACE_GLOBAL
	figure.rig.add_child(mapping)
	for point: Vector2 in [Vector2(50, 10), Vector2(-40, 25), Vector2(-5, -60)]:
		figure.solve(point)
		check(arm.get_status() == TendonLookAt2D.STATUS_REACHED, "the arm points")
		near_angle(mapping.bone.global_rotation, held.global_rotation, 2e-5, "at %v" % point)


func test_what_cannot_be_copied_is_refused() -> void:
	var figure: Figure = _figure()
	var mapping: TendonCopyTransform2D = _mapping(figure)
	var below: Node2D = Node2D.new()
	figure.bones[2].add_child(below)
	for source: Node2D in [figure.bones[1], figure.bones[2], below]:
		mapping.source = source
		figure.rig.advance(0.0)
		equal(mapping.get_status(), TendonCopyTransform2D.STATUS_IDLE, source.name)
		equal(figure.pose(), PackedFloat32Array(POSE), source.name)
	expect_warnings(["is below a bone of the chain that goes by it"], "once")
	mapping.source = null
	figure.rig.advance(0.0)
	expect_warnings(['Set "Source"'], "nothing to copy")
	mapping.source = figure.target
	figure.bones[1].rest = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
	figure.rig.advance(0.0)
	expect_warnings(["has none"], "no rest pose")
	# The engine's own word on such a rest pose.
	forgive(["det == 0"])
	mapping.relative = false
	figure.rig.advance(0.0)
	equal(mapping.get_status(), TendonCopyTransform2D.STATUS_REACHED, "absolute")


func test_a_freed_source_stops_it() -> void:
	var figure: Figure = _figure()
	var mapping: TendonCopyTransform2D = _mapping(figure)
	mapping.space = TendonCopyTransform2D.SPACE_SKELETON
	figure.rig.advance(0.0)
	mapping.source.free()
	figure.rig.advance(0.0)
	equal(mapping.get_status(), TendonCopyTransform2D.STATUS_IDLE, "status")
	equal(figure.pose(), PackedFloat32Array(POSE), "base pose")
	mapping.source = figure.target
	figure.rig.advance(0.0)
	equal(mapping.get_status(), TendonCopyTransform2D.STATUS_REACHED, "another one")


func test_a_rig_at_rest_sleeps_and_wakes() -> void:
	var figure: Figure = _figure()
	var mapping: TendonCopyTransform2D = _mapping(figure)
	figure.rig.advance(0.0)
	var before: String = figure.rig.capture()
	figure.rig.advance(0.5)
	equal(figure.rig.capture(), before, "no further pass")
	var turned: float = mapping.bone.rotation
	mapping.source.rotation += 0.1
	figure.rig.advance(0.0)
	check(figure.rig.capture() != before, "a pass")
	near(mapping.bone.rotation, turned + 0.1, 1e-6, "which turns the bone")


func test_fields_are_hidden_where_they_mean_nothing() -> void:
	var mapping: TendonCopyTransform2D = TendonCopyTransform2D.new()
	var source: Node2D = Node2D.new()
	for has_source: bool in [false, true]:
		mapping.source = source if has_source else null
		for member: String in ["source_channel", "bone_channel", "source_min", "bone_max", "clamp"]:
			equal(_is_shown(mapping, member), has_source, member)
		for member: String in ["bone", "source", "space", "relative"]:
			check(_is_shown(mapping, member), member)
	mapping.source_channel = TendonCopyTransform2D.CHANNEL_POSITION_X
	for pair: Array in [["source_min", "px"], ["bone_min", "radians_as_degrees"]]:
		check(pair[1] in str(_property(mapping, pair[0])["hint_string"]), "unit of " + pair[0])
	mapping.free()
	source.free()


func _property(node: Node, member: String) -> Dictionary:
	for property: Dictionary in node.get_property_list():
		if property["name"] == member:
			return property
	return {}


func _is_shown(node: Node, member: String) -> bool:
	return _property(node, member)["usage"] & PROPERTY_USAGE_EDITOR != 0


func _parts(bone: Bone2D) -> Array:
	return [bone.rotation, bone.position, bone.scale, bone.skew]


## Three bones below each other.
func _figure(above: Array = []) -> Figure:
	var figure: Figure = Figure.new([30, 25, 20], POSE, above)
	add_child(figure.stage)
	return figure


## The middle bone copies a dial beside the skeleton.
func _mapping(figure: Figure) -> TendonCopyTransform2D:
	var dial: Node2D = Node2D.new()
	dial.name = "Dial"
	dial.transform = Transform2D(0.7, Vector2(1.3, 0.6), 0.0, Vector2(1.2, 0.8))
	figure.stage.add_child(dial)
	var mapping: TendonCopyTransform2D = TendonCopyTransform2D.new()
	mapping.bone = figure.bones[1]
	mapping.source = dial
	figure.rig.add_child(mapping)
	return mapping
