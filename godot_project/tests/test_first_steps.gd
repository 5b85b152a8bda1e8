extends "res://tests/editor_suite.gd"
## README.md and docs/guide.md, word for word: the nodes of their tables, the steps of their texts
## in an editor, and their scripts as they stand. And the puppet that the guide builds: both feet
## are always where the script puts them, and a foot on the ground does not slide.

const Document := preload("res://tests/document.gd")

const FRAME: float = 1.0 / 60.0

## As long as the puppet walks to one side.
const FRAMES: int = 180

const README: String = "README.md"
const GUIDE: String = "docs/guide.md"
const FINISHED: String = "res://scenes/first_steps/first_steps.tscn"
const STARTER: String = "res://scenes/first_steps/bones_and_sprites.tscn"
const SCRIPT: String = "res://scenes/first_steps/first_steps.gd"

const NODES: PackedStringArray = [
	"node", "class", "child of", "Position", "Rotation", "Length", "Bone Angle"
]
const BONES: PackedStringArray = ["bone", "Position", "Rotation", "Length", "Bone Angle"]
const SPRITES: PackedStringArray = ["sprite below", "Texture", "Offset"]
const LIMITS: PackedStringArray = ["joint limit below", "Min Angle", "Max Angle"]

## Tells what the script of the README draws.
const DRAW_AND_TELL: String = """

var drawn: PackedVector2Array = []


func _draw_and_tell(points: PackedVector2Array, colour: Color, width: float) -> void:
	drawn = points
	draw_polyline(points, colour, width)
"""

var _empty: DirAccess = DirAccess.create_temp("tendon")
var _scene: Node
var _puppet: Node2D
var _legs: Array[TendonTwoBoneIK2D]


func test_the_puppet_walks_both_ways() -> void:
	_build(_open(FINISHED))
	for way: float in [1000.0, -1000.0]:
		var start: float = _puppet.position.x
		_walk(way, 30)
		var slid: float = 0.0
		var stood: int = 0
		for frame: int in FRAMES:
			var before: Array[Vector2] = _feet()
			_walk(way, 1)
			var after: Array[Vector2] = _feet()
			for foot: int in 2:
				if absf(before[foot].y) < 0.01 and absf(after[foot].y) < 0.01:
					stood += 1
					slid = maxf(slid, before[foot].distance_to(after[foot]))
		check((_puppet.position.x - start) * way > 0.0, "it goes there, to %s" % way)
		near(stood, FRAMES, 15, "frames in which a foot stands, to %s" % way)
		near(slid, 0.0, 0.01, "a foot on the ground slides, to %s" % way)


func test_it_stands_still_when_it_has_come() -> void:
	_build(_open(FINISHED))
	_walk(1000.0, 40)
	_walk(0.0, 60)
	for foot: Vector2 in _feet():
		near_point(foot, Vector2(_puppet.position.x, 0.0), 1e-3, "both feet below the body")


func test_the_guide_has_the_script_as_it_is() -> void:
	var script: String = FileAccess.get_file_as_string(SCRIPT)
	equal(Array(Document.new(GUIDE).scripts()), [script], "the script of docs/guide.md")


func test_the_guide_has_the_numbers_of_both_scenes() -> void:
	var guide: Document = Document.new(GUIDE)
	for file: String in [STARTER, FINISHED]:
		var scene: Node = _open(file)
		add_child(scene)
		near_point(
			scene.get_node("Puppet").position, _number_pair(guide, "Place `Puppet` at"), 0, file
		)
		var ground: Node2D = scene.get_node("Ground")
		near(
			ground.position.y,
			_number(guide, "The ground of the finished scene is at\ny ="),
			0,
			file
		)
		var bones: Array[Node] = scene.find_children("*", "Bone2D")
		equal(bones.size(), guide.table(BONES).size(), file + ", bones")
		for row: Dictionary in guide.table(BONES):
			_expect_bone(scene.find_child(row["bone"]), row, file)
		for row: Dictionary in guide.table(SPRITES):
			var sprite: Sprite2D = scene.find_child(row["sprite below"]).get_node("Sprite2D")
			var about: String = "%s, sprite of %s" % [file, row["sprite below"]]
			equal(sprite.texture.resource_path.get_file(), row["Texture"], about)
			equal(sprite.offset, Document.point(row["Offset"]), about)
			check(not sprite.centered and sprite.transform == Transform2D(), about + ", is plain")
		scene.free()
	var finished: Node = _open(FINISHED)
	_expect_limits(finished, guide)
	finished.free()


## The nodes that the steps of the guide make are those of the finished scene, and walk.
func test_the_steps_of_the_guide() -> void:
	if not await _ask_editor():
		return
	var built: Node = _reopen("guide")
	var finished: Node = _open(FINISHED)
	equal(_paths(built), _paths(finished), "nodes")
	for path: String in _paths(built):
		if built.get_node(path).get_class().begins_with("Tendon"):
			_expect_same(built, finished, path)
	finished.free()
	built.set_script(load(SCRIPT))
	_build(built)
	_walk(1000.0, 60)
	_walk(-1000.0, 60)


## The script of the README runs in the scene that its steps make, and the hand is at the mouse.
func test_the_steps_of_the_readme() -> void:
	if not await _ask_editor():
		return
	var script: GDScript = GDScript.new()
	var text: String = Document.new(README).scripts()[0]
	script.source_code = text
	equal(script.reload(), OK, "the script of README.md")
	script.source_code = text.replace("draw_polyline(", "_draw_and_tell(") + DRAW_AND_TELL
	equal(script.reload(), OK, "the script of README.md, with what it draws told")
	var built: Node2D = _reopen("readme")
	built.set_script(script)
	var window: SubViewport = SubViewport.new()
	window.size = Vector2i(1000, 600)
	add_child(window)
	window.add_child(built)
	var arm: TendonTwoBoneIK2D = built.get("arm")
	check(arm != null and arm.target == built.get("target"), "the arm and its target are found")
	for reach: Vector2 in [Vector2(90, 40), Vector2(60, -80)]:
		var mouse: InputEventMouseMotion = InputEventMouseMotion.new()
		mouse.position = (built.get("upper_arm") as Bone2D).global_position + reach
		window.push_input(mouse)
		await frames(3)
		equal(arm.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, "status")
		near_point(arm.get_tip_position(), mouse.position, 0.01, "the hand")
		var drawn: PackedVector2Array = built.get("drawn")
		equal(drawn.size(), 3, "points of the line that is drawn")
		var joints: Array = ["UpperArm", "UpperArm/Forearm"].map(
			func(path: String) -> Vector2:
				return built.get_node("Skeleton2D/" + path).global_position
		)
		for index: int in mini(drawn.size(), 3):
			var point: Vector2 = (joints + [mouse.position])[index]
			near_point(built.to_global(drawn[index]), point, 0.02, "point %d of it" % index)
	equal(arm.target_reached.get_connections().size(), 1, "listeners")


## What any document calls an entry of the Tendon menu is one.
func test_documents_name_entries_of_the_menu() -> void:
	if not await _ask_editor():
		return
	var count: int = 0
	for file: String in Document.all():
		for entry: String in Document.new(file).entries("Tendon"):
			check(entry in seen.get("menu", []), "%s: Tendon > %s" % [file, entry])
			count += 1
	check(count > 10, "entries are named: %d" % count)


## In the first start of an editor, too, when it has no help of its own yet.
func test_words_that_are_searched() -> void:
	if not await _ask_editor():
		return
	var wanted: Dictionary[String, String] = {
		"elbow": "TendonTwoBoneIK2D",
		"jiggle": "TendonSpring2D",
		"hair": "TendonSpring2D",
		"inverse": "TendonFABRIK2D",
		"aim": "TendonLookAt2D",
		"ragdoll": "TendonRagdoll2D",
		"foot": "TendonFootPlacement2D",
	}
	for word: String in wanted:
		check(wanted[word] in seen["found"][word], "%s: %s" % [word, seen["found"][word]])
	check("frequency" in seen["filtered"]["stiff"], "stiff: %s" % [seen["filtered"]["stiff"]])
	check("gravity" in seen["filtered"]["wind"], "wind: %s" % [seen["filtered"]["wind"]])


func test_the_editor_logs_no_errors() -> void:
	if await _ask_editor():
		expect_no_errors(["panic", "SCRIPT ERROR", "Tendon", "There is no"])


func _ask_editor() -> bool:
	OS.set_environment("XDG_CACHE_HOME", _empty.get_current_dir())
	return await ask_editor("documents_driver")


func _make_scenes() -> Dictionary:
	var readme: Document = Document.new(README)
	var guide: Document = Document.new(GUIDE)
	var stories: Dictionary = {"readme": readme.steps(), "guide": guide.steps()}
	return {
		"readme": _make_nodes(readme.table(NODES)),
		"guide": _make_bones(guide.table(BONES)),
		"steps.json": JSON.stringify(stories),
	}


## The nodes of README.md, in the order of its table.
func _make_nodes(rows: Array[Dictionary]) -> Node:
	var scene: Node
	for row: Dictionary in rows:
		var node: Node = ClassDB.instantiate(row["class"])
		node.name = row["node"]
		if scene == null:
			scene = node
		else:
			var parent: String = row["child of"]
			(scene if parent == scene.name else scene.find_child(parent, true, false)).add_child(
				node
			)
		_set_numbers(node, row)
	return scene


## The bones of the guide, below the nodes that its picture of the tree has above them.
func _make_bones(rows: Array[Dictionary]) -> Node:
	var starter: Node = _open(STARTER)
	for sprite: Node in starter.find_children("*", "Sprite2D"):
		# The editor's project has no pictures.
		(sprite as Sprite2D).texture = null
	for row: Dictionary in rows:
		var bone: Bone2D = starter.find_child(row["bone"])
		bone.transform = Transform2D()
		bone.rest = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
		_set_numbers(bone, row)
	return starter


func _set_numbers(node: Node2D, row: Dictionary) -> void:
	node.position = Document.point(row["Position"])
	if not node is Bone2D:
		return
	node.rotation_degrees = row["Rotation"].to_float()
	if row["Length"] != "automatic":
		node.set_autocalculate_length_and_angle(false)
		node.set_length(row["Length"].to_float())
		node.set_bone_angle(deg_to_rad(row["Bone Angle"].to_float()))


func _expect_bone(bone: Bone2D, row: Dictionary, file: String) -> void:
	var about: String = "%s, %s" % [file, row["bone"]]
	near_point(bone.position, Document.point(row["Position"]), 1e-4, about)
	near_angle(bone.rotation, deg_to_rad(row["Rotation"].to_float()), 1e-6, about)
	check(bone.rest.is_equal_approx(bone.transform), about + ": the rest pose is the base pose")
	var is_automatic: bool = row["Length"] == "automatic"
	equal(bone.get_autocalculate_length_and_angle(), is_automatic, about + ", automatic")
	if not is_automatic:
		near(bone.get_length(), row["Length"].to_float(), 1e-4, about + ", length")
		near(bone.get_bone_angle(), deg_to_rad(row["Bone Angle"].to_float()), 1e-6, about)


func _expect_limits(scene: Node, guide: Document) -> void:
	var rows: Array[Dictionary] = guide.table(LIMITS)
	equal(scene.find_children("*", "TendonJointLimit2D").size(), rows.size(), "joint limits")
	for row: Dictionary in rows:
		var limit: TendonJointLimit2D = scene.find_child(row["joint limit below"]).get_node(
			"JointLimit"
		)
		near(
			rad_to_deg(limit.min_angle), row["Min Angle"].to_float(), 1e-4, row["joint limit below"]
		)
		near(
			rad_to_deg(limit.max_angle), row["Max Angle"].to_float(), 1e-4, row["joint limit below"]
		)


## What the menu sets is the same in both scenes. The angles of limits are numbers of a table.
func _expect_same(built: Node, finished: Node, path: String) -> void:
	var node: Node = built.get_node(path)
	for property: Dictionary in ClassDB.class_get_property_list(node.get_class(), true):
		var title: String = property["name"]
		if title in ["min_angle", "max_angle"] or property["usage"] & PROPERTY_USAGE_STORAGE == 0:
			continue
		var actual: Variant = _comparable(node.get(title), built)
		var expected: Variant = _comparable(finished.get_node(path).get(title), finished)
		equal(actual, expected, "%s, %s" % [path, title])


func _comparable(value: Variant, scene: Node) -> Variant:
	return str(scene.get_path_to(value)) if value is Node else value


func _paths(scene: Node) -> PackedStringArray:
	var paths: PackedStringArray = []
	for node: Node in scene.find_children("*"):
		paths.append(str(scene.get_path_to(node)))
	paths.sort()
	return paths


## The number in the text after [param words].
func _number(document: Document, words: String) -> float:
	check(words in document.text, "the text has: " + words)
	return document.text.get_slice(words, 1).strip_edges().to_float()


func _number_pair(document: Document, words: String) -> Vector2:
	check(words in document.text, "the text has: " + words)
	return Document.point(document.text.get_slice(words + " (", 1).get_slice(")", 0))


func _open(file: String) -> Node:
	return (load(file) as PackedScene).instantiate()


## A scene as the editor has saved it.
func _reopen(title: String) -> Node:
	var folder: DirAccess = DirAccess.create_temp("tendon")
	var file: String = folder.get_current_dir().path_join(title + ".tscn")
	_write(file, str(seen.get(title, "")))
	return _open(file)


func _build(scene: Node) -> void:
	_scene = scene
	add_child(_scene)
	_scene.set_process(false)
	_puppet = _scene.get_node("Puppet")
	var rig: Node = _puppet.get_node("Skeleton2D/TendonRig2D")
	_legs = [rig.get_node("FrontShinTwoBoneIK"), rig.get_node("BackShinTwoBoneIK")]


## Where the feet are: across the scene, and up or down from the ground.
func _feet() -> Array[Vector2]:
	var feet: Array[Vector2] = []
	for leg: TendonTwoBoneIK2D in _legs:
		feet.append(leg.get_tip_position() - Vector2(0.0, _puppet.global_position.y))
	return feet


func _walk(way: float, count: int) -> void:
	var rig: TendonRig2D = _puppet.get_node("Skeleton2D/TendonRig2D")
	for frame: int in count:
		_scene.call("walk", way, FRAME)
		rig.advance(FRAME)
		for leg: TendonTwoBoneIK2D in _legs:
			equal(leg.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, leg.name)
