extends "res://tests/editor_suite.gd"
## The gizmos' handles, in an editor: see [code]gizmo_driver.gd[/code].

const DRIVER: String = "gizmo_driver"
const LENGTHS: Array[float] = [120.0, 100.0]
const POSE: Array[float] = [-0.5, 0.9]
const SCENES: Dictionary[String, String] = {
	"plain": "plain",
	"mirrored": "mirrored in x",
	"skewed": "stretched, skewed and mirrored",
}
const HANDLES: PackedStringArray = [
	"min_angle 0",
	"max_angle 0",
	"min_angle 1",
	"max_angle 1",
	"Target",
	"Pole",
]
const PATH_SCENES: Dictionary[String, String] = {
	"path": "plain",
	"mirrored path": "mirrored, then stretched",
}
const PATH_HANDLES: PackedStringArray = [
	"spline progress",
]
const GROUND_SCENES: Dictionary[String, String] = {
	"ground": "plain",
	"mirrored ground": "mirrored, then stretched",
}
## How far a property may be from what the mouse asks for: degrees, px, or screen pixels.
const MISSES: Dictionary[String, float] = {
	"_angle": 0.15,
	"progress": 0.2,
}


func test_every_drag_is_one_undo_step() -> void:
	for pair: Array in _dragged():
		var facts: Dictionary = seen.get(pair[0], {}).get(pair[1], {})
		var about: String = "%s, %s" % pair
		check(facts.get("live", false), about + ": follows at once, without a step")
		equal(facts.get("steps"), 1.0, about + ": steps")
		check(facts.get("after") != facts.get("before"), about + ": changes")
		equal(facts.get("undone"), facts.get("before"), about + ": undone")
		equal(facts.get("redone"), facts.get("after"), about + ": redone")


func test_what_is_dragged_follows_the_mouse() -> void:
	for pair: Array in _dragged():
		var facts: Dictionary = seen.get(pair[0], {}).get(pair[1], {})
		var most: float = 0.02
		for kind: String in MISSES:
			most = MISSES[kind] if kind in pair[1] else most
		near(facts.get("miss", INF), 0.0, most, "%s, %s: misses" % pair)


func test_edges_mirror_with_the_character() -> void:
	for handle: String in HANDLES.slice(0, 4):
		for scene: String in SCENES:
			var facts: Dictionary = seen.get(scene, {}).get(handle, {})
			var change: float = facts.get("after", 0.0) - facts.get("before", 0.0)
			# Turned against the clock on the screen; the last two scenes are mirrored.
			check((change < 0.0) == (scene == "plain"), "%s, %s: %s" % [scene, handle, change])


func test_drags_can_be_taken_back() -> void:
	var facts: Dictionary = seen.get("otherwise", {})
	for how: String in ["escape", "right click", "deselected"]:
		check(facts["during " + how] != facts["before"], how + ": dragged")
		equal(facts[how], facts["before"], how + ": taken back")
	equal(facts["steps"], 0.0, "steps")


func test_drags_snap() -> void:
	var angle: float = seen.get("otherwise", {}).get("snapped", 1.0)
	near(angle, roundf(angle / 15.0) * 15.0, 1e-3, "degrees")


func test_a_click_on_a_node_selects_it() -> void:
	var facts: Dictionary = seen.get("otherwise", {})
	equal(facts.get("clicked"), ["Pole"], "selected")
	check("Pole:position" not in facts.get("handles", []), "a selected node has no handle of ours")
	check("Target:position" in facts.get("handles", []), "others have")


func test_what_is_shown() -> void:
	var limit: PackedStringArray = ["Skeleton/Bone0/Limit:max_angle"]
	var other: PackedStringArray = ["Skeleton/Bone0/Bone1/Limit:max_angle"]
	var nodes: PackedStringArray = ["Target:position", "Pole:position"]
	_expect_shown("Target", limit + PackedStringArray(["Pole:position"]), ["Target:position"])
	_expect_shown("Target and Pole", limit, nodes)
	_expect_shown("Skeleton", nodes, limit)
	_expect_shown("Skeleton/Rig", nodes, limit)
	_expect_shown("Skeleton/Bone0", nodes + limit, [])
	_expect_shown("Skeleton/Bone0/Bone1/Limit", other, limit)
	_expect_shown("Other", [], nodes + limit + other)
	_expect_shown("inactive", nodes + limit, [])
	_expect_shown("freed", [], nodes + limit)
	for scene: String in GROUND_SCENES:
		equal(seen.get(scene, {}).get("handles"), [], scene + ": no handles")


func test_the_editor_logs_no_errors() -> void:
	for line: String in output.split("\n"):
		var is_noise: bool = "leaked at exit" in line or line.begins_with("SEEN ")
		check(is_noise or not ("ERROR" in line or "panic" in line), line)
	check(not seen.is_empty(), "the editor has answered")


## Every handle of every scene.
func _dragged() -> Array[Array]:
	var pairs: Array[Array] = []
	for scene: String in SCENES:
		for handle: String in HANDLES:
			pairs.append([scene, handle])
	for scene: String in PATH_SCENES:
		for handle: String in PATH_HANDLES:
			pairs.append([scene, handle])
	return pairs


func _expect_shown(node: String, some: PackedStringArray, none: PackedStringArray) -> void:
	check(node in seen.get("shown", {}), "%s was selected" % node)
	var handles: Array = seen.get("shown", {}).get(node, [])
	for handle: String in some:
		check(handle in handles, "%s selected: %s is shown" % [node, handle])
	for handle: String in none:
		check(handle not in handles, "%s selected: %s is not shown" % [node, handle])


func _make_scenes() -> Dictionary:
	var scenes: Dictionary[String, Node] = {}
	for scene: String in SCENES:
		scenes[scene] = _make_scene(Figure.ANCESTORS[SCENES[scene]], scene != "skewed")
	for scene: String in PATH_SCENES:
		scenes[scene] = _make_path(Figure.ANCESTORS[PATH_SCENES[scene]])
	for scene: String in GROUND_SCENES:
		scenes[scene] = _make_ground(Figure.ANCESTORS[GROUND_SCENES[scene]])
	return scenes


## An arm with a limit on either bone, one of each space, a pole, and a node that has nothing to
## do with it.
func _make_scene(ancestors: Array, previewed: bool) -> Node:
	var figure: Figure = Figure.new(LENGTHS, POSE, ancestors)
	var arm: TendonTwoBoneIK2D = figure.two_bone()
	arm.name = "Arm"
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.rig.preview_in_editor = previewed
	figure.target.position = Vector2(150, 60)
	var pole: Marker2D = Marker2D.new()
	pole.name = "Pole"
	pole.position = Vector2(60, -120)
	figure.stage.add_child(pole)
	arm.pole = pole
	for index: int in 2:
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.name = "Limit"
		limit.min_angle = -1.0
		limit.max_angle = 1.2
		limit.space = index
		figure.bones[index].add_child(limit)
	var other: Marker2D = Marker2D.new()
	other.name = "Other"
	figure.stage.add_child(other)
	return figure.stage


## A chain along a path.
func _make_path(above: Array) -> Node:
	var figure: Figure = Figure.new(LENGTHS, POSE, above)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.target.position = Vector2(150, 260)
	var rope: Array[Bone2D] = _branch(figure, "Rope", Vector2(0, 150), [40, 40, 40])
	var path: Path2D = Path2D.new()
	path.name = "Path"
	path.curve = Curve2D.new()
	for index: int in 5:
		var handle: Vector2 = Vector2(20, 0)
		path.curve.add_point(Vector2(60 * index, 150 + 25 * (index % 2)), -handle, handle)
	figure.skeleton.add_child(path)
	var spline: TendonSplineIK2D = TendonSplineIK2D.new()
	spline.name = "Spline"
	spline.root_bone = rope[0]
	spline.tip_bone = rope[-1]
	spline.path_2d = path
	spline.progress = 30.0
	spline.move_root = true
	figure.rig.add_child(spline)
	return figure.stage


## Legs that step, and legs that are placed.
func _make_ground(above: Array) -> Node:
	var figure: Figure = Figure.new(LENGTHS, POSE, above)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.target.position = Vector2(150, 260)
	_add_legs(figure, TendonGait2D.new(), "Gait", 100.0)
	_add_legs(figure, TendonFootPlacement2D.new(), "Placement", 300.0)
	return figure.stage


func _add_legs(figure: Figure, modifier: Node, title: String, aside: float) -> void:
	var pelvis: Bone2D = _branch(figure, title + "Bone", Vector2(aside, -80), [20])[0]
	modifier.name = title
	modifier.set(&"pelvis", pelvis)
	modifier.set(&"max_pelvis_rise", 12.0)
	figure.rig.add_child(modifier)
	for part: float in [-1.0, 1.0]:
		var place: Vector2 = Vector2(30.0 * part, 0)
		var leg: Array[Bone2D] = Figure.branch(pelvis, place, [60, 60], [1.0, 0.9])
		leg[0].name = "Leg%d" % modifier.get_child_count()
		var limb: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
		limb.bone_one = leg[0]
		limb.bone_two = leg[1]
		figure.rig.add_child(limb)
		var foot: TendonFoot2D = TendonFoot2D.new()
		foot.name = "Foot%d" % modifier.get_child_count()
		foot.limb = limb
		foot.sole_height = 4.0
		modifier.add_child(foot)


func _branch(figure: Figure, title: String, at: Vector2, lengths: Array) -> Array[Bone2D]:
	var line: Array[Bone2D] = Figure.branch(figure.skeleton, at, lengths, [0.2])
	line[0].name = title
	return line
