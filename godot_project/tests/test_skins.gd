extends "res://tests/editor_suite.gd"
## Skins, in an editor: see [code]skin_driver.gd[/code].

const DRIVER: String = "skin_driver"
const SIZE: Vector2i = Vector2i(96, 32)

## Scenes that inherit another one, and have an instance of it.
const OF_BASE: String = """[gd_scene load_steps=2 format=3]

[ext_resource type="PackedScene" path="res://base.tscn" id="1"]

"""
const OUTER: String = """[node name="Outer" type="Node2D"]

[node name="A" parent="." instance=ExtResource("1")]

[editable path="A"]
"""
## A robot as in the engine's own demo of 2D skeletons: below which bone each is, its joint, and
## what it is turned by in the scene. Ends have a length and an angle.
const BONES: Dictionary[String, Array] = {
	"Hip": ["", Vector2(-3, -11), 0.0],
	"Chest": ["Hip", Vector2(-3, -43), -0.09],
	"Head": ["Chest", Vector2(-3, -203), 0.29],
	"Chin": ["Head", Vector2(-3, -252), -0.04, 16.0, -2.5],
	"RightArm": ["Chest", Vector2(77, -143), -0.52],
	"RightForearm": ["RightArm", Vector2(66, -46), -0.05],
	"RightHand": ["RightForearm", Vector2(79, 48), 1.23, 16.0, 1.2],
	"LeftArm": ["Chest", Vector2(-103, -143), 0.74],
	"LeftForearm": ["LeftArm", Vector2(-105, -48), -0.82],
	"LeftHand": ["LeftForearm", Vector2(-96, 54), 1.23, 16.0, 1.2],
	"LeftLeg": ["Hip", Vector2(-75, 15), 0.1],
	"LeftLowerLeg": ["LeftLeg", Vector2(-88, 106), 0.61],
	"LeftFoot": ["LeftLowerLeg", Vector2(-81, 233), 0.0, 16.0, 0.0],
	"RightLeg": ["Hip", Vector2(43, 0), -0.76],
	"RightLowerLeg": ["RightLeg", Vector2(17, 94), 0.62],
	"RightFoot": ["RightLowerLeg", Vector2(19, 223), 0.0, 16.0, 0.0],
}
## Its parts, in their order, and a hat.
const PARTS: Dictionary[String, Array] = {
	"RightArm":
	[
		34,
		-192,
		68,
		-210,
		124,
		-191,
		121,
		-145,
		99,
		-68,
		126,
		44,
		145,
		71,
		122,
		112,
		67,
		116,
		30,
		-14
	],
	"RightLeg":
	[74, -9, 15, -28, 3, 62, -23, 106, -27, 282, 133, 287, 135, 250, 75, 190, 57, 141, 68, 68],
	"Body":
	[38, -265, -5, -274, -91, -187, -60, -54, -89, 1, -64, 41, 32, 54, 55, 3, 36, -35, 87, -114],
	"LeftLeg":
	[
		-87,
		-12,
		-34,
		-4,
		-32,
		76,
		-46,
		150,
		10,
		202,
		35,
		273,
		-132,
		285,
		-123,
		206,
		-129,
		129,
		-98,
		70
	],
	"Head":
	[
		-36,
		-532,
		-144,
		-447,
		-170,
		-398,
		-159,
		-280,
		-99,
		-244,
		5,
		-240,
		155,
		-271,
		162,
		-436,
		17,
		-528
	],
	"Chin": [-163, -292, 163, -306, 174, -263, 141, -202, 73, -178, -102, -182, -156, -222],
	"LeftArm":
	[-78, -224, -134, -181, -147, 1, -131, 82, -107, 120, -42, 113, -30, 70, -76, -60, -41, -170],
	"Hat": [-60, -640, 60, -640, 60, -590, -60, -590],
}


func test_a_skin_shows_what_its_sprite_shows() -> void:
	var shown: Dictionary = seen.get("shown", {})
	equal(shown.size(), 9, "sprites")
	for sprite: String in shown:
		var facts: Dictionary = shown[sprite]
		check(facts["pixels"] > 500, sprite + ", opaque pixels: %s" % facts["pixels"])
		equal(facts["uncovered"], 0.0, sprite + ", pixels that are not covered")
		near(facts["off"], 0.0, 0.01, sprite + ", texture coordinates")
		equal(facts["outside"], 0.0, sprite + ", vertices beside what is shown")
		check(facts["area"] < 1.2, sprite + ", area: %s" % facts["area"])
		check(facts["transform"] and facts["skeleton"], sprite + ", place and skeleton")


func test_the_web_of_a_fork_does_not_fold() -> void:
	check(seen["web"] <= 0.005, "part of the triangles that turn over: %s" % seen["web"])


func test_weights_add_up() -> void:
	for sprite: String in seen.get("shown", {}):
		var facts: Dictionary = seen["shown"][sprite]
		equal(facts["bones"], 2.0, sprite + ", bones")
		near(facts["sum"][0], 1.0, 1e-5, sprite + ", least sum")
		near(facts["sum"][1], 1.0, 1e-5, sprite + ", greatest sum")
	var weighed: Array = seen["weighed"]
	equal(weighed[0], 2.0, "bones of a polygon")
	near(weighed[1][0], 1.0, 1e-5, "no vertex is left without weights")
	equal(weighed[2], true, "the polygon follows the skeleton")


func test_a_sprite_below_a_bone_is_shown_where_it_is_at_rest() -> void:
	equal(seen["below a bone"]["skeleton"], "..", "it belongs to the skeleton")
	near(seen["below a bone"]["off"], 0.0, 1e-3, "its place")


func test_regions_of_negative_sizes() -> void:
	equal(seen["turned regions"], [true, true, true], "covered, and no more")


func test_options_and_looks() -> void:
	equal(seen["looks"], [true, 3.0, float(CanvasItem.TEXTURE_FILTER_NEAREST)], "looks")
	near(seen["vertices"], 200.0, 40.0, "vertices")
	var stiff: Array = seen["stiff"]
	equal(stiff[0], 1.0, "one bone")
	equal(stiff[1], [1.0, 1.0], "has all the weight")
	check(stiff[2] < stiff[3], "what is stiff needs fewer vertices: %s" % [stiff])


func test_bad_arguments_are_refused() -> void:
	equal(seen["refused"], seen["asked"], "nothing is made")
	equal(seen["without rest"], true, "nothing without rest poses")
	for reason: String in [
		"there is no sprite",
		"there are no bones",
		'"Stray" belongs to no Skeleton2D',
		'"Empty" has no texture',
		'"Polygon" is not a Sprite2D',
		"the picture has no opaque pixel",
		'there is no option "details"',
		'"detail" has to be a number',
		"the detail has to be at least",
		"the margin has to be between",
		"the reach has to be a positive number",
		"there is no polygon",
		"Select the skeleton alone, then Skeleton2D > Overwrite Rest Pose",
	]:
		check(reason in output, "not said: " + reason)


func test_the_menu_skins_several_sprites_in_one_undo_step() -> void:
	check("Skeleton2D" in seen["without bones"], "without bones: %s" % seen["without bones"])
	equal([seen["asks"], seen["cancelled"]], [true, true], "asks, and changes nothing if cancelled")
	check("run through it" in str(seen["about"]), "which bones: %s" % [seen["about"]])
	check(seen["height"] < 640.0, "height of the window: %s" % seen["height"])
	var facts: Dictionary = seen["menu skins"]
	equal(facts["ArmSkin"]["bones"], ["Upper", "Upper/Lower"], "bones under the arm")
	equal(facts["LegSkin"]["bones"], ["Leg"], "bones under the leg")
	equal([facts["ArmSkin"]["index"], facts["LegSkin"]["index"]], [1.0, 3.0], "order")
	check(facts["ArmSkin"]["owned"] and facts["hidden"], "saved, and the sprites hidden")
	equal([seen["saved"], seen["undone"], seen["redone"]], [true, true, true], "undo and redo")


func test_options_are_previewed() -> void:
	var facts: Dictionary = seen["options"]
	var fine: int = int(facts["fine"])
	check(fine > int(facts["coarse"]) and int(facts["coarse"]) > 8, "vertices: %s" % [facts])
	equal(facts["waits"], true, "what is not computed cannot be confirmed")
	equal(facts["listed"], ["Upper", "Lower", "Leg", "Upper", "Lower", "Leg"], "bones")
	equal(facts["parts"], ["Arm: Upper, Lower", "Leg: Leg"], "pictures")
	equal(facts["icons"], true, "with their pictures")
	equal(facts["without bones"], ["no bone is checked", true], "without bones")
	equal(seen["changed"], true, "a preview changes nothing")


func test_sprites_are_removed_if_it_is_wanted() -> void:
	var facts: Dictionary = seen["removed"]
	equal(facts["nodes"], ["ArmSkin", "Leg", "LegSkin", "Skeleton"], "nodes")
	equal([facts["hidden"], facts["undone"], facts["redone"]], [true, true, true], "undo and redo")


## Sleeve and hand overlap the torso, and are drawn after it.
func test_skins_are_drawn_in_the_order_of_their_sprites() -> void:
	var all: Array = ["Upper", "TorsoSkin", "HandSkin", "SleeveSkin", [2.0, false]]
	equal(seen["order"][0], all, "all together")
	equal(seen["order"][1], ["TorsoSkin", "Upper"], "the first one alone")
	equal(seen["order"][2], ["Upper", "HandSkin", [2.0, false]], "the last one alone")
	var sorted: Dictionary = {
		"sorted_cutout": ["Sleeve", "Torso", "Hand"], "sorted_puppet": ["Leg", "Arm"]
	}
	for scene: String in sorted:
		equal(seen["sorted"][scene], [sorted[scene], sorted[scene]], scene)


func test_sprites_of_other_scenes_are_hidden_there() -> void:
	for scene: String in ["heir", "outer"]:
		var facts: Dictionary = seen[scene]
		equal(facts["shown"], [false, false], scene + ": sprites, after loading")
		equal(facts["skins"], 2.0, scene + ": skins")
		check("is hidden, because" in facts["told"], "%s: told: %s" % [scene, facts["told"]])


## Arms hang in front of legs, and begin within the body. The chin lies over the neck, and the hat
## is above all bones.
func test_each_part_has_its_own_bones() -> void:
	var expected: Dictionary = {
		"Body": ["Hip", "Chest"],
		"RightArm": ["RightArm", "RightForearm", "RightHand"],
		"LeftArm": ["LeftArm", "LeftForearm", "LeftHand"],
		"RightLeg": ["RightLeg", "RightLowerLeg", "RightFoot"],
		"LeftLeg": ["LeftLeg", "LeftLowerLeg", "LeftFoot"],
		"Head": ["Head"],
		"Chin": ["Chin"],
	}
	for scene: String in ["robot", "robot_sprites"]:
		var facts: Dictionary = seen[scene]
		for part: String in expected:
			equal(facts["moved"][part], expected[part], "%s, %s" % [scene, part])
		equal(facts["moved"]["Hat"], ["Head"], scene + ", hat, after a click")
		check(facts["parts"].has("Hat: Chin"), scene + ", hat, before: %s" % [facts["parts"]])
		equal(facts["changed"], "Hat: Head", scene + ", changed")
		check('No bone lies inside "Hat"' in facts["told"], "told: %s" % facts["told"])
	var by_code: Array = seen["robot by code"]
	var leg: Array = ["Hip/RightLeg", "Hip/RightLeg/RightLowerLeg"]
	equal(by_code[0], leg + ["Hip/RightLeg/RightLowerLeg/RightFoot"], "the leg by code")
	check("Hip/Chest/RightArm" in by_code[1], "all bones by code: %s" % [by_code])


func test_options_of_a_cancelled_window_are_not_kept() -> void:
	var defaults: Array = [0.0, -1.0, false]
	var values: Array = seen["kept options"]
	equal(values[0], defaults, "at first")
	equal(values[1], defaults, "after a window that was cancelled")
	equal(values[2], [20.0, 99.0, true], "after one that was confirmed")
	equal(values[3], defaults, "in another scene")


func test_animated_pictures_are_told_of() -> void:
	check('"Arm" (frame)' in seen["animated"], "told: %s" % seen["animated"])
	check("Leg" not in seen["animated"], "the other is not animated: %s" % seen["animated"])
	check("TendonSkin.make: Animations change the picture of" in output, "by code")


func test_lines_in_the_window_are_cuts() -> void:
	var facts: Dictionary = seen["cut in window"]
	check(int(facts["cut"]) > int(facts["before"]), "vertices: %s" % [facts])
	equal(facts["buttons"], [false, true, false], "Undo Cut works while there is a cut")
	equal(facts["place"][0], facts["place"][1], "a cut moves no button")
	equal(facts["undone"], facts["before"], "the cut taken back")
	check(facts["doubled"] >= 3.0, "vertices at both sides of the cut: %s" % [facts["doubled"]])


func test_fewer_vertices_are_offered() -> void:
	var facts: Dictionary = seen["fewer"]
	equal(facts["before"], false, "not where there are few")
	check(_vertices(facts["many"]) > 5000 and facts["many"][1], "many: %s" % [facts["many"]])
	check("These are many" in facts["many"][0], "told: %s" % [facts["many"]])
	var drawn: Array = facts["drawn"]
	check(drawn[1] - drawn[0] < 4.0 * slowness(), "milliseconds to draw them: %s" % [drawn])
	check(_vertices(facts["fewer"]) < 1500, "fewer: %s" % [facts["fewer"]])
	equal(facts["fewer"][1], false, "offered once")


## The large one takes many seconds.
func test_a_cancelled_picture_does_not_keep_the_next_one_waiting() -> void:
	var facts: Dictionary = seen["after a large one"]
	equal(facts["is computed"], true, "the large one, when it is cancelled")
	check(facts["waited"] < 2000.0, "milliseconds for the small one: %s" % facts["waited"])


func _vertices(told: Array) -> int:
	return int((told[0] as String).get_slice(" ", 0))


func _make_scenes() -> Dictionary:
	var removed: Node2D = _make_puppet()
	removed.get_node("Leg").add_child(Node2D.new())
	return {
		"arm": _make_arm(),
		"puppet": _make_puppet(),
		"removed": removed,
		"cutout": _make_cutout(),
		"sorted_cutout": _sort_by_height(_make_cutout()),
		"sorted_puppet": _sort_by_height(_make_puppet()),
		"base": _make_puppet(),
		"heir": OF_BASE + '[node name="Heir" instance=ExtResource("1")]\n',
		"outer": OF_BASE + OUTER,
		"robot": _make_robot(false),
		"robot_sprites": _make_robot(true),
		"animated": _make_animated(),
		"large": _make_large(),
	}


## A picture of a limb with soft edges, and further parts of the same size beside and below it.
func _draw(columns: int = 1) -> ImageTexture:
	var image: Image = Image.create_empty(SIZE.x * columns, SIZE.y, false, Image.FORMAT_RGBA8)
	for x: int in image.get_width():
		for y: int in SIZE.y:
			var place: Vector2 = Vector2(x % SIZE.x + 0.5, y + 0.5)
			var nearest: Vector2 = Vector2(clampf(place.x, 16.0, 80.0), 16.0)
			var edge: float = 14.0 - 4.0 * place.x / SIZE.x - place.distance_to(nearest)
			image.set_pixel(x, y, Color(1.0, 0.5, 0.0, clampf(edge + 0.5, 0.0, 1.0)))
	return ImageTexture.create_from_image(image)


func _add_sprite(root: Node, title: String, place: Vector2 = Vector2(50.0, 0.0)) -> Sprite2D:
	var sprite: Sprite2D = Sprite2D.new()
	sprite.name = title
	sprite.position = place
	sprite.texture = _draw()
	root.add_child(sprite)
	return sprite


func _add_bone(parent: Node, title: String, place: Vector2, length: float = 0.0) -> Bone2D:
	var bone: Bone2D = Bone2D.new()
	bone.name = title
	bone.position = place
	if length > 0.0:
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(length)
	bone.rest = bone.transform
	parent.add_child(bone)
	return bone


func _add_skeleton(root: Node) -> Skeleton2D:
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	root.add_child(skeleton)
	var upper: Bone2D = _add_bone(skeleton, "Upper", Vector2(18.0, 0.0))
	_add_bone(upper, "Lower", Vector2(32.0, 0.0), 30.0)
	return skeleton


func _make_arm() -> Node2D:
	var root: Node2D = Node2D.new()
	var skeleton: Skeleton2D = _add_skeleton(root)
	var hand: Sprite2D = _add_sprite(skeleton.get_node("Upper/Lower"), "Hand", Vector2(4.0, 2.0))
	hand.rotation = 0.3
	_add_sprite(root, "Plain")
	_add_sprite(root, "Flipped").flip_h = true
	var region: Sprite2D = _add_sprite(root, "Region")
	region.texture = _draw(3)
	region.region_enabled = true
	region.region_rect = Rect2(Vector2(96.0, 0.0), SIZE)
	var frame: Sprite2D = _add_sprite(root, "Frame")
	frame.texture = _draw(3)
	frame.hframes = 3
	frame.frame = 2
	var atlas: AtlasTexture = AtlasTexture.new()
	atlas.atlas = _draw(2)
	atlas.region = Rect2(Vector2(96.0, 0.0), SIZE)
	_add_sprite(root, "Atlas").texture = atlas
	var margin: AtlasTexture = atlas.duplicate()
	margin.margin = Rect2(6, 4, 20, 10)
	_add_sprite(root, "Margin").texture = margin
	_add_sprite(root, "Stretched").scale = Vector2(1.5, 0.4)
	var corner: Sprite2D = _add_sprite(root, "Corner", Vector2(2.0, -16.0))
	corner.centered = false
	corner.offset = Vector2(0.0, 3.0)
	var fine: Image = _draw().get_image()
	fine.generate_mipmaps()
	_add_sprite(root, "Mipmaps").texture = ImageTexture.create_from_image(fine)
	_add_sprite(root, "Empty").texture = null
	var nothing: Image = Image.create_empty(8, 8, false, Image.FORMAT_RGBA8)
	_add_sprite(root, "Transparent").texture = ImageTexture.create_from_image(nothing)
	_add_bone(root, "Stray", Vector2.ZERO, 5.0)
	var polygon: Polygon2D = Polygon2D.new()
	polygon.name = "Polygon"
	polygon.polygon = [
		Vector2(0, -9), Vector2(50, -9), Vector2(90, 0), Vector2(50, 9), Vector2(0, 9)
	]
	root.add_child(polygon)
	_add_fork(root)
	return root


## A handle with two tines that spread from its end.
func _add_fork(root: Node) -> void:
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Fork"
	root.add_child(skeleton)
	var handle: Bone2D = _add_bone(skeleton, "Handle", Vector2(20, 60))
	var ends: PackedVector2Array = [Vector2(140, 30), Vector2(140, 90)]
	for tine: int in 2:
		var bone: Bone2D = _add_bone(handle, ["Left", "Right"][tine], Vector2(50, 0), 75.0)
		bone.set_bone_angle((ends[tine] - Vector2(70, 60)).angle())
	var image: Image = Image.create_empty(160, 120, false, Image.FORMAT_RGBA8)
	for x: int in 160:
		for y: int in 120:
			var place: Vector2 = Vector2(x + 0.5, y + 0.5)
			var distance: float = INF
			for line: Array in [[Vector2(20, 60), 16.0], [ends[0], 11.0], [ends[1], 11.0]]:
				var nearest: Vector2 = Geometry2D.get_closest_point_to_segment(
					place, Vector2(70, 60), line[0]
				)
				distance = minf(distance, place.distance_to(nearest) - line[1])
			image.set_pixel(x, y, Color(1.0, 0.5, 0.0, clampf(0.5 - distance, 0.0, 1.0)))
	var sprite: Sprite2D = _add_sprite(root, "ForkPicture", Vector2.ZERO)
	sprite.centered = false
	sprite.texture = ImageTexture.create_from_image(image)


func _make_puppet() -> Node2D:
	var root: Node2D = Node2D.new()
	_add_sprite(root, "Arm")
	_add_sprite(root, "Leg", Vector2(50.0, 100.0))
	_add_bone(_add_skeleton(root), "Leg", Vector2(18.0, 100.0), 60.0)
	return root


func _make_cutout() -> Node2D:
	var root: Node2D = Node2D.new()
	var upper: Node = _add_skeleton(root).get_node("Upper")
	var lower: Bone2D = upper.get_node("Lower")
	_add_sprite(upper, "Torso", Vector2(20.0, 0.0))
	upper.move_child(upper.get_node("Torso"), 0)
	_add_sprite(lower, "Sleeve", Vector2.ZERO)
	var hand: Sprite2D = _add_sprite(lower, "Hand", Vector2(4.0, 0.0))
	lower.z_index = -1
	lower.get_node("Sleeve").z_index = 1
	hand.z_index = 3
	hand.show_behind_parent = true
	return root


## The first drawings lie lowest: their order in the tree is not that in which they are drawn.
func _sort_by_height(root: Node2D) -> Node2D:
	var sprites: Array = root.find_children("*", "Sprite2D", true, false)
	for index: int in sprites.size():
		sprites[index].position.y += 200.0 * (sprites.size() - index)
	for item: Node in [root] + root.find_children("*", "Node2D", true, false):
		if not item is Sprite2D:
			(item as Node2D).y_sort_enabled = true
	return root


## Its parts are sprites, or polygons without triangles that know bones without weights, as the
## engine's panel makes them.
func _make_robot(are_sprites: bool) -> Node2D:
	var root: Node2D = Node2D.new()
	root.scale = Vector2(0.06, 0.06)
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	root.add_child(skeleton)
	var bones: Dictionary[String, Bone2D] = {}
	for title: String in BONES:
		var facts: Array = BONES[title]
		var above: Node = bones.get(facts[0], skeleton)
		var place: Vector2 = facts[1] - (BONES[facts[0]][1] if facts[0] else Vector2.ZERO)
		bones[title] = _add_bone(above, title, place, facts[3] if facts.size() > 3 else 0.0)
		bones[title].rotation = facts[2]
		if facts.size() > 3:
			bones[title].set_bone_angle(facts[4])
	var parts: Node2D = Node2D.new()
	parts.name = "Parts"
	root.add_child(parts)
	for title: String in PARTS:
		var outline: PackedVector2Array = []
		for index: int in range(0, PARTS[title].size(), 2):
			outline.append(Vector2(PARTS[title][index] + 200, PARTS[title][index + 1] + 700))
		if are_sprites:
			var sprite: Sprite2D = _add_sprite(parts, title, Vector2(-200, -700))
			sprite.centered = false
			sprite.texture = _filled(outline)
		else:
			var polygon: Polygon2D = Polygon2D.new()
			polygon.name = title
			polygon.position = Vector2(-200, -700)
			polygon.polygon = outline
			polygon.skeleton = ^"../../Skeleton"
			var none: PackedFloat32Array = []
			none.resize(outline.size())
			for bone: NodePath in [^"Hip", ^"Hip/Chest", ^"RightLeg"]:
				polygon.add_bone(bone, none)
			parts.add_child(polygon)
	return root


func _filled(outline: PackedVector2Array) -> ImageTexture:
	var image: Image = Image.create_empty(400, 1000, false, Image.FORMAT_RGBA8)
	for y: int in image.get_height():
		var row: PackedVector2Array = [Vector2(0, y + 0.5), Vector2(400, y + 0.5)]
		for part: PackedVector2Array in Geometry2D.intersect_polyline_with_polygon(row, outline):
			var left: int = int(minf(part[0].x, part[-1].x))
			var right: int = int(maxf(part[0].x, part[-1].x))
			image.fill_rect(Rect2i(left, y, right - left, 1), Color.ORANGE)
	return ImageTexture.create_from_image(image)


func _make_animated() -> Node2D:
	var root: Node2D = _make_puppet()
	(root.get_node("Arm") as Sprite2D).texture = _draw(2)
	(root.get_node("Arm") as Sprite2D).hframes = 2
	var animation: Animation = Animation.new()
	for path: NodePath in [^"Arm:frame", ^"Leg:position"]:
		animation.track_set_path(animation.add_track(Animation.TYPE_VALUE), path)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation("walk", animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library("", library)
	root.add_child(player)
	return root


func _make_large() -> Node2D:
	var root: Node2D = _make_puppet()
	var image: Image = _draw().get_image()
	image.resize(SIZE.x * 5, SIZE.y * 5, Image.INTERPOLATE_NEAREST)
	(root.get_node("Arm") as Sprite2D).texture = ImageTexture.create_from_image(image)
	(root.get_node("Arm") as Sprite2D).scale = Vector2.ONE / 5.0
	return root
