extends "res://tests/editor_suite.gd"
## Cut-outs without bones get a skeleton, and look in each frame of each animation as before.

const CutOut := preload("res://tests/cut_out.gd")

const DRIVER: String = "parts_driver"
## Pixels of rounding. The engine takes no scale of zero: one that goes through it is off by 1e-5.
const ROUNDING: float = 0.005
const ENGINE_NOISE: PackedStringArray = [
	"leaked at exit",
	'Parameter "t" is null',
	"free the root Node",
	"p_name.is_empty()",
	"PagedAllocator",
]


func test_each_frame_looks_as_before() -> void:
	if not ClassDB.class_exists("TendonParts"):
		check(true, "games have no such class")
		return
	var scene: PackedScene = _packed(CutOut.make_animated())
	var before: Node2D = await _shown(scene)
	var converted: Node2D = await _shown(scene)
	var skeleton: Skeleton2D = _to_bones([converted])
	equal(str(converted.get_path_to(skeleton)), "Skeleton2D", "the skeleton")
	var after: Node2D = await _shown(_packed(converted))
	_expect_alike(CutOut.compare(before, after), "by script")


func test_the_menu_makes_bones_in_one_step() -> void:
	check('"Hips", "Torso"' in seen["asked"], "the window says it: " + seen["asked"])
	var files: Dictionary = seen["files"]
	check(files["before"] != files["after"], "something is done")
	equal(files["undone"], files["before"], "undone")
	equal(files["redone"], files["after"], "redone")
	equal(seen["steps"], 1.0, "undo steps")
	_expect_alike(seen["compared"], "in the editor")
	_expect_alike(seen["undone compared"], "undone")


func test_others_keep_an_animation_that_is_shared() -> void:
	equal(seen["library after"], seen["library before"], "the file of the library")
	check("res://more.tres" in seen["report"], "it is told: " + seen["report"])


func test_scripts_are_told() -> void:
	check("Scripts are not changed" in seen["report"], "it is told: " + seen["report"])


func test_bones_end_at_their_joints_and_can_be_rigged() -> void:
	var bones: Dictionary = seen["bones"]
	equal(bones.size(), 23, "bones")
	for bone: String in bones:
		check(bones[bone]["is at rest"], bone + ": rest pose")
	# The next joint, or where the drawing ends.
	for ends: Array in [
		["ThighL", 38.0, 90.0], ["ShinL", 36.0, 90.0], ["Torso", 62.0, -90.0], ["FootL", 16.3, 10.6]
	]:
		near(bones[ends[0]]["length"], ends[1], 0.1, ends[0] + ": length")
		near(rad_to_deg(bones[ends[0]]["angle"]), ends[2], 0.1, ends[0] + ": angle")
	for limb: String in ["LeftArmIK", "RightArmIK", "LeftLegIK", "RightLegIK", "HeadLookAt"]:
		check(limb in seen["rigged"], "%s in: %s" % [limb, seen["rigged"]])


func test_points_of_lines_are_refused() -> void:
	check("Line2D.points" in seen["line"], "told: " + seen["line"])


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["panic", "SCRIPT ERROR", "ERROR:"], ENGINE_NOISE)


func _make_scenes() -> Dictionary:
	var hero: String = "extends Node2D\nfunc _ready() -> void:\n\tvar head: Node = $Hips/Torso/Head\n"
	hero += "\tvar player: Node = $Player\n"
	return {"figure": CutOut.make_animated(), "line": _line(), "hero.gd": hero}


func _line() -> Node2D:
	var root: Node2D = Node2D.new()
	var line: Line2D = Line2D.new()
	line.name = "Arm"
	line.points = [Vector2.ZERO, Vector2(20, 0), Vector2(40, 0)]
	root.add_child(line)
	var hand: Sprite2D = Sprite2D.new()
	hand.name = "Hand"
	line.add_child(hand)
	var player: AnimationPlayer = AnimationPlayer.new()
	root.add_child(player)
	var animation: Animation = Animation.new()
	var points: Array = [line.points, PackedVector2Array([Vector2.ZERO, Vector2(20, 9)])]
	CutOut.keys(animation, ^"Arm:points", points)
	player.add_animation_library(&"", AnimationLibrary.new())
	player.get_animation_library(&"").add_animation(&"wave", animation)
	return root


func _expect_alike(compared: Dictionary, about: String) -> void:
	print("   %s: %d frames, %.6f px" % [about, compared["frames"], compared["pixels"]])
	check(compared["frames"] > 200, about + ": frames")
	near(compared["pixels"], 0.0, ROUNDING, about + ": pixels")
	equal(compared["unlike"], [], about + ": what else differs")


func _to_bones(chosen: Array[Node2D]) -> Skeleton2D:
	return ClassDB.class_call_static("TendonParts", "to_bones", chosen)


func _shown(scene: PackedScene) -> Node2D:
	var root: Node2D = scene.instantiate()
	add_child(root)
	await frames(2)
	return root


static func _packed(root: Node2D) -> PackedScene:
	for node: Node in root.find_children("*", "", true, false):
		node.owner = root
	var scene: PackedScene = PackedScene.new()
	scene.pack(root)
	root.free()
	return scene
