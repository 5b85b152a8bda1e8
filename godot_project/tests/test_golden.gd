extends "res://tests/suite.gd"
## The golden cases of the solver's own tests, with real bones in the engine.

const ScriptedModifier := preload("res://tests/scripted_modifier.gd")
const TABLE: String = "../rust/solver/golden/cases.jsonl"
const CHANNELS: PackedStringArray = ["rotation", "position_x", "position_y", "scale_x", "scale_y"]
const SPACES: PackedStringArray = ["parent", "skeleton", "global"]
const STATUSES: PackedStringArray = ["idle", "reached", "out_of_reach", "invalid"]

var _bones: Array[Bone2D] = []
## The classes of the modifiers in all cases.
var _classes: Dictionary[String, bool] = {}


func test_all_cases() -> void:
	var file: String = ProjectSettings.globalize_path("res://").path_join(TABLE)
	var lines: PackedStringArray = FileAccess.get_file_as_string(file).split("\n", false)
	var cases: int = 0
	for line: String in lines:
		var golden: Variant = JSON.parse_string(line)
		check(golden is Dictionary, "a case in each line")
		if golden is Dictionary and not _continues(golden):
			_run(golden)
			cases += 1
	check(2 * cases > lines.size(), "%d cases of %d in %s" % [cases, lines.size(), TABLE])
	for kind: String in modifier_classes():
		# Their input is what the physics server finds: see test_feet.gd, test_gait.gd and
		# test_ragdoll.gd.
		if kind in ["TendonFootPlacement2D", "TendonGait2D", "TendonRagdoll2D"]:
			continue
		# It samples an animation, which no case has: see test_slider.gd.
		if kind == "TendonSlider2D":
			continue
		check(kind in _classes, "no case in %s has a %s" % [TABLE, kind])
	forgive([INVALID])


## Whether a modifier starts from a pose that it solved before, which a new one has not.
func _continues(golden: Dictionary) -> bool:
	return golden["rig"]["modifiers"].any(
		func(settings: Dictionary) -> bool:
			return (
				"memory" in settings["solver"].values()[0]
				or "memory" in settings.get("handover", {})
			)
	)


func _run(golden: Dictionary) -> void:
	var about: String = golden["name"]
	var figure: Figure = Figure.new([], [], golden["ancestors"].map(_to_transform))
	_build_bones(figure, golden["rig"]["bones"])
	add_child(figure.stage)
	_add_limits(golden["rig"]["bones"])
	var modifiers: Array[Node] = []
	for settings: Dictionary in golden["rig"]["modifiers"]:
		modifiers.append(_build_modifier(figure, settings))
	figure.rig.advance(0.0)
	var expected: Dictionary = golden["result"]
	var worst: float = 0.0
	for index: int in expected.get("scales", []).size():
		var scale: Vector2 = _to_vector(expected["scales"][index])
		near_point(_bones[index].scale, scale, 1e-3, "%s, scale of bone %d" % [about, index])
	for index: int in _bones.size():
		var error: float = angle_difference(expected["rotations"][index], _bones[index].rotation)
		worst = maxf(worst, INF if is_nan(error) else absf(error))
		var position: Vector2 = _to_vector(golden["rig"]["bones"][index]["position"])
		if "positions" in expected:
			position = _to_vector(expected["positions"][index])
		var tolerance: float = 1e-3 * (1 + position.length())
		near_point(_bones[index].position, position, tolerance, "%s, bone %d" % [about, index])
	near(worst, 0.0, 1e-3, about + ", the rotation that differs most")
	for index: int in modifiers.size():
		_classes[modifiers[index].get_class()] = true
		_compare(figure, modifiers[index], expected["modifiers"][index], about)
	figure.stage.free()


func _compare(figure: Figure, modifier: Node, expected: Dictionary, about: String) -> void:
	var status: String = STATUSES[modifier.call("get_status")]
	equal(status, expected["status"], about + ", status")
	var tip: Vector2 = _to_vector(expected["tip"])
	var actual: Vector2 = figure.to_skeleton(modifier.call("get_tip_position"))
	var tolerance: float = 1e-3 * (1 + tip.length())
	near_point(actual, tip, tolerance, about + ", tip")
	var distance: float = modifier.call("get_target_distance")
	if "target" in modifier and modifier.get("target") == null:
		equal(distance, INF, about + ", nothing to measure")
	else:
		near(distance, expected["distance"], tolerance, about + ", distance")
	if modifier.has_method("get_penetration"):
		var penetration: float = expected.get("penetration", 0.0)
		near(modifier.call("get_penetration"), penetration, tolerance, about + ", penetration")


func _build_bones(figure: Figure, described: Array) -> void:
	_bones = []
	for part: Dictionary in described:
		var bone: Bone2D = Bone2D.new()
		bone.set_autocalculate_length_and_angle(false)
		bone.position = _to_vector(part["position"])
		var scale: Vector2 = _to_vector(part["scale"])
		if is_zero_approx(scale.x) or is_zero_approx(scale.y):
			# The property itself does not take zero.
			bone.transform = Transform2D(part["rotation"], scale, part["skew"], bone.position)
		else:
			bone.scale = scale
			bone.skew = part["skew"]
			bone.rotation = part["rotation"]
		bone.rest = Transform2D(bone.rotation, bone.position)
		var parent: Node = figure.skeleton if part["parent"] == null else _bones[part["parent"]]
		parent.add_child(bone)
		_bones.append(bone)


## Below the bones, whose rest poses are such that the limits' angles count from what the table
## says.
func _add_limits(described: Array) -> void:
	for index: int in described.size():
		var part: Dictionary = described[index]
		if part.get("limit") == null:
			continue
		var bone: Bone2D = _bones[index]
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = part["limit"]["min"]
		limit.max_angle = part["limit"]["max"]
		limit.stiffness = part["limit"]["stiffness"]
		bone.rest = Transform2D(part["limit"]["rest"], bone.scale, bone.skew, bone.position)
		if part["limit"]["space"] == "skeleton":
			limit.space = TendonJointLimit2D.SPACE_SKELETON
			var parent: Bone2D = bone.get_parent() as Bone2D
			if parent != null:
				bone.rest = parent.get_skeleton_rest().affine_inverse() * bone.rest
		bone.add_child(limit)


## Whether the limb from [param first] to the [param end] below [param last] is bent
## counterclockwise at rest.
func _rests_flipped(first: Bone2D, last: Bone2D, end: Dictionary) -> bool:
	var tip: Vector2 = Vector2.ZERO
	var carrier: Bone2D = _bones[end["bone"]] if "bone" in end else _bones[end["point"]["bone"]]
	if "point" in end:
		tip = _to_vector(end["point"]["position"])
	while carrier != last:
		tip = carrier.rest * tip
		carrier = carrier.get_parent()
	var below: Transform2D = last.rest
	var bone: Bone2D = last.get_parent()
	while bone != first:
		below = bone.rest * below
		bone = bone.get_parent()
	var upper: Vector2 = first.rest.basis_xform(below.origin)
	var lower: Vector2 = first.rest.basis_xform(below.basis_xform(tip))
	return upper.cross(lower) < -0.0175 * upper.length() * lower.length()


func _build_modifier(figure: Figure, settings: Dictionary) -> Node:
	var kind: String = settings["solver"].keys()[0]
	var parts: Dictionary = settings["solver"][kind]
	match kind:
		"custom":
			return _build_script(figure, settings, parts)
		"copy_transform":
			return _build_mapping(figure, settings, parts)
		"slider":
			return _build_slider(figure, settings, parts)
		"full_body":
			return _build_body(figure, settings, parts)
	var chain: Dictionary = parts.get("chain", parts)
	var joints: Array = chain.get("joints", [parts.get("bone")])
	var first: Bone2D = _bones[joints[0]]
	# The joints of a tree end with those of its other tips.
	var end: Dictionary = chain["end"]
	var is_tree: bool = "effectors" in parts
	var last: Bone2D = _bones[joints[-1]]
	if is_tree:
		last = _bones[end["point"]["bone"]] if "point" in end else _bones[end["bone"]].get_parent()
	var solver: Dictionary = parts.get("settings", {})
	var modifier: Node
	match kind:
		"look_at":
			modifier = TendonLookAt2D.new()
			modifier.set("bone", last)
			if joints.size() > 1:
				modifier.set("chain_root", first)
			if "shares" in parts:
				modifier.set("share_curve", _to_curve(parts["shares"]))
			var tip: Vector2 = _to_vector(end["point"]["position"])
			last.set_bone_angle(tip.angle())
			last.set_length(tip.length())
		"two_bone":
			modifier = TendonTwoBoneIK2D.new()
			modifier.set("bone_one", first)
			modifier.set("bone_two", last)
			# The table has the side from a limb that is straight at rest.
			var rests_flipped: bool = _rests_flipped(first, last, end)
			solver = solver.duplicate()
			solver["flip_bend_direction"] = solver["flip_bend_direction"] != rests_flipped
			if "pole" in parts:
				modifier.set("pole", _place(figure, parts["pole"]))
		"trail":
			modifier = TendonTrail2D.new()
			modifier.set("root_bone", first)
			modifier.set("tip_bone", last)
			if "leader" in parts:
				modifier.set("leader", _place(figure, parts["leader"]))
		"wave":
			modifier = TendonWave2D.new()
			modifier.set("root_bone", first)
			modifier.set("tip_bone", last)
			if "factors" in parts:
				modifier.set("amplitude_curve", _to_curve(parts["factors"]))
		"chain_ik" when parts["algorithm"] is Dictionary:
			modifier = TendonCCDIK2D.new()
			modifier.set("root_first", parts["algorithm"]["ccd"]["root_first"])
		"chain_ik":
			modifier = TendonFABRIK2D.new()
		"spring":
			modifier = TendonSpring2D.new()
			modifier.set("root_bone", first)
			modifier.set("tip_bone", last)
			if "frequency" in parts.get("tuning", {}):
				modifier.set("frequency_curve", _to_curve(parts["tuning"]["frequency"]))
			if "pin" in parts:
				modifier.set("pin", _place(figure, parts["pin"]))
				modifier.set("slack", parts.get("slack", 1.0))
		"spline":
			modifier = TendonSplineIK2D.new()
			modifier.set("path_2d", _build_path(figure, parts["path"]))
			modifier.set("root_bone", first)
			modifier.set("tip_bone", last)
			modifier.set("stretch", parts.get("stretch", 1.0))
	if "approach" in parts:
		modifier.set("root_bone", first)
		modifier.set("tip_bone", last)
	if kind != "look_at":
		modifier.set("tip", _build_end(end))
	for several: Dictionary in [solver, parts.get("approach", {}), parts.get("elasticity", {})]:
		_set_all(modifier, several)
	modifier.set("active", settings["active"])
	modifier.set("influence", settings["influence"])
	if "target" in parts:
		modifier.set("target", _place(figure, parts["target"]))
	if "heading" in parts:
		_set_heading(modifier, parts)
	for described: Dictionary in parts.get("effectors", []):
		modifier.add_child(_build_effector(figure, described))
	for described: Dictionary in parts.get("obstacles", []):
		modifier.get("obstacles").append(_build_obstacle(figure, described))
	figure.rig.add_child(modifier)
	return modifier


## Sets what the table has of the properties of [param node].
func _set_all(node: Node, settings: Dictionary) -> void:
	for member: String in settings:
		var value: Variant = settings[member]
		if member in node:
			node.set(member, _to_vector(value) if value is Array else value)


## Turns the target so that the end of a chain takes over the direction of the table.
func _set_heading(modifier: Node, parts: Dictionary) -> void:
	var heading: Dictionary = parts["heading"]
	var direction: Dictionary = heading.get("direction", heading)
	var target: Node2D = modifier.get("target")
	if direction["bone"] != parts["target"]["bone"]:
		target.reparent(_bones[direction["bone"]])
	target.rotation = _to_vector(direction["vector"]).angle()
	modifier.set("match_target_rotation", true)
	if "bone" in heading and "direction" in heading:
		modifier.set("tip", _bones[heading["bone"]])


## What a script did, done by another one.
func _build_script(figure: Figure, settings: Dictionary, parts: Dictionary) -> Node:
	var modifier: ScriptedModifier = ScriptedModifier.new()
	modifier.influence = settings["influence"]
	modifier.act = func(custom: ScriptedModifier, _delta: float) -> void:
		for entry: Dictionary in parts["scripted"]:
			custom.set_pose_rotation(_bones[entry["bone"]], entry["rotation"])
	figure.rig.add_child(modifier)
	return modifier


func _build_mapping(figure: Figure, settings: Dictionary, parts: Dictionary) -> Node:
	var solver: Dictionary = parts["settings"]
	var bone: Bone2D = _bones[parts["bone"]]
	var modifier: TendonCopyTransform2D = TendonCopyTransform2D.new()
	modifier.bone = bone
	modifier.influence = settings["influence"]
	modifier.set("source_channel", CHANNELS.find(solver["source_channel"]))
	modifier.set("bone_channel", CHANNELS.find(solver["bone_channel"]))
	modifier.set("space", SPACES.find(solver["space"]))
	modifier.source_min = solver["source_range"][0]
	modifier.source_max = solver["source_range"][1]
	modifier.bone_min = solver["bone_range"][0]
	modifier.bone_max = solver["bone_range"][1]
	for member: String in ["clamp", "relative", "additive"]:
		modifier.set(member, solver[member])
	var source: Dictionary = parts["mapping"].get("source", {})
	if "bone" in source:
		modifier.source = _bones[source["bone"]["bone"]]
	elif "node" in source:
		var local: Dictionary = source["node"]["local"]
		var node: Node2D = Node2D.new()
		node.position = _to_vector(local["position"])
		node.rotation = local["rotation"]
		node.scale = _to_vector(local["scale"])
		figure.skeleton.add_child(node)
		modifier.source = node
	bone.set_length(_to_vector(parts["end"]["point"]["position"]).length())
	figure.rig.add_child(modifier)
	return modifier


## A slider whose animation has the values of the table at any time.
func _build_slider(figure: Figure, settings: Dictionary, parts: Dictionary) -> Node:
	var animation: Animation = Animation.new()
	for sample: Dictionary in parts["samples"]:
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		var property: String = (sample["channel"] as String).replace("_x", ":x").replace("_y", ":y")
		var bone: Bone2D = _bones[sample["bone"]]
		var path: NodePath = "%s:%s" % [figure.skeleton.get_path_to(bone), property]
		animation.track_set_path(track, path)
		animation.track_insert_key(track, 0.0, sample["value"])
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"pose", animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.add_animation_library(&"", library)
	figure.skeleton.add_child(player)
	var slider: TendonSlider2D = TendonSlider2D.new()
	var ends: Array = parts["settings"]["source_range"]
	slider.source = _bones[parts["source"]["bone"]]
	slider.source_min = ends[0]
	slider.source_max = ends[1]
	slider.set("loop", parts["settings"]["loops"])
	slider.animation_player = player
	slider.animation = &"pose"
	slider.influence = settings["influence"]
	figure.rig.add_child(slider)
	return slider


func _build_body(figure: Figure, settings: Dictionary, parts: Dictionary) -> Node:
	var modifier: TendonFullBody2D = TendonFullBody2D.new()
	modifier.root_bone = _bones[parts["joints"][0]]
	modifier.influence = settings["influence"]
	_set_all(modifier, parts["settings"])
	for described: Dictionary in parts["effectors"]:
		modifier.add_child(_build_effector(figure, described))
	figure.rig.add_child(modifier)
	return modifier


func _build_effector(figure: Figure, described: Dictionary) -> TendonEffector2D:
	var effector: TendonEffector2D = TendonEffector2D.new()
	effector.tip = _build_end(described["end"])
	effector.tip_bone = effector.tip.get_parent()
	effector.target = _place(figure, described["target"])
	effector.weight = described.get("weight", 1.0)
	if "heading" in described:
		effector.target.rotation = _to_vector(described["heading"]["vector"]).angle()
		effector.match_target_rotation = true
	return effector


## The node at the end of a chain: a bone, or a marker.
func _build_end(end: Dictionary) -> Node2D:
	if "bone" in end:
		return _bones[end["bone"]]
	return _marker(_bones[end["point"]["bone"]], _to_vector(end["point"]["position"]))


func _build_path(figure: Figure, described: Dictionary) -> Path2D:
	var path: Path2D = Path2D.new()
	path.transform = _to_transform(described["frame"])
	path.curve = Curve2D.new()
	path.curve.bake_interval = described["curve"]["bake_interval"]
	for point: Dictionary in described["curve"]["points"]:
		var handles: Array[Vector2] = [Vector2.ZERO, Vector2.ZERO]
		for index: int in 2:
			if ["in", "out"][index] in point:
				handles[index] = _to_vector(point[["in", "out"][index]])
		path.curve.add_point(_to_vector(point["position"]), handles[0], handles[1])
	if described.get("bone") == null:
		path.transform = figure.skeleton.transform * path.transform
		figure.skeleton.get_parent().add_child(path)
	else:
		_bones[described["bone"]].add_child(path)
	return path


func _build_obstacle(figure: Figure, described: Dictionary) -> CollisionShape2D:
	var obstacle: CollisionShape2D = CollisionShape2D.new()
	obstacle.transform = _to_transform(described["frame"])
	if described.get("bone") == null:
		obstacle.transform = figure.skeleton.transform * obstacle.transform
		figure.skeleton.get_parent().add_child(obstacle)
	else:
		_bones[described["bone"]].add_child(obstacle)
	var kind: String = described["shape"].keys()[0]
	match kind:
		"circle":
			obstacle.shape = CircleShape2D.new()
		"capsule":
			obstacle.shape = CapsuleShape2D.new()
		"rectangle":
			obstacle.shape = RectangleShape2D.new()
		"segment":
			obstacle.shape = SegmentShape2D.new()
	var measures: Dictionary = described["shape"][kind]
	for measure: String in measures:
		var value: Variant = measures[measure]
		obstacle.shape.set(measure, _to_vector(value) if value is Array else value)
	return obstacle


## A marker at a point of the table: on its bone, or else beside the skeleton.
func _place(figure: Figure, described: Dictionary) -> Marker2D:
	var point: Vector2 = _to_vector(described["position"])
	if described["bone"] == null:
		return _marker(figure.skeleton.get_parent(), figure.skeleton.transform * point)
	return _marker(_bones[described["bone"]], point)


func _marker(parent: Node, position: Vector2) -> Marker2D:
	var marker: Marker2D = Marker2D.new()
	marker.position = position
	parent.add_child(marker)
	return marker


## Values along a chain, as a curve.
func _to_curve(values: Array) -> Curve:
	var curve: Curve = Curve.new()
	var linear: Curve.TangentMode = Curve.TANGENT_LINEAR
	for index: int in values.size():
		var point: Vector2 = Vector2(float(index) / (values.size() - 1), values[index])
		curve.add_point(point, 0.0, 0.0, linear, linear)
	return curve


func _to_vector(pair: Array) -> Vector2:
	return Vector2(pair[0], pair[1])


func _to_transform(values: Array) -> Transform2D:
	return Transform2D(
		Vector2(values[0], values[1]), Vector2(values[2], values[3]), Vector2(values[4], values[5])
	)
