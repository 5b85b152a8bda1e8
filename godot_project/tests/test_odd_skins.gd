extends "res://tests/editor_suite.gd"
## Skins of odd pictures, bones and polygons, in an editor: see [code]odd_skin_driver.gd[/code].

const DRIVER: String = "odd_skin_driver"
## What is painted although something happens before the stroke ends.
const PAINTED: PackedStringArray = [
	"undone true",
	"rest changed true",
	"bone renamed true",
	"bone moved true",
	"another selected true"
]
## What is made although something happens before it is confirmed.
const MADE: PackedStringArray = ["rest changed true", "bone renamed true", "bone moved true"]


func test_textures_of_all_kinds() -> void:
	_equal_skins(
		seen["textures"],
		[
			"layers without colors",
			"atlas of nothing",
			"outside of the atlas",
			"placeholder",
			"not made",
			"viewport",
			"gradient",
			"noise",
			"curve",
		]
	)
	check(seen["textures"]["dot"] <= 6.0, "a dot needs few: %s" % seen["textures"]["dot"])
	_expect_told(
		["has a texture whose pixels cannot be read", "has an AtlasTexture without an atlas"]
	)


func test_sprites_and_skeletons_at_odd_places() -> void:
	_equal_skins(seen["sprites"], ["not finite", "region outside", "region not finite"])
	_equal_skins(seen["skeletons"], ["rest not finite", "two skeletons", "freed"])
	_expect_told(
		[
			'"Sprite" or what it belongs to has a scale of 0',
			"has no rest pose. Select the skeleton alone",
			"the bones belong to several skeletons",
			"one of the bones is null or freed",
			"shows no part of its texture",
		]
	)


func test_bad_options_get_one_message_each() -> void:
	for option: String in seen["bad options"]:
		equal(seen["bad options"][option], 0.0, "made nothing with " + option)
	_equal_skins(seen["options"], [])
	equal(output.count("ERROR: TendonSkin.make: "), seen["errors"], "messages")


func test_polygons_of_all_kinds() -> void:
	var weighed: Array = ["square", "doubled", "inverted", "lists", "inner", "hole"]
	for title: String in seen["polygons"]:
		var facts: Array = seen["polygons"][title]
		# One of the bones lies in the hole.
		var count: float = 1.0 if title == "hole" else 2.0
		equal(facts[0], count if title in weighed else 0.0, title + ", bones")
		if title in weighed:
			equal(facts[1], 0.0, title + ", vertices without weights")


## What was painted is there or not at all, and nothing is freed that is needed.
func test_strokes_are_interrupted() -> void:
	var gone: Array = ["polygon freed", "scene changed"]
	for title: String in seen["strokes"]:
		var is_as_before: bool = not gone.any(title.begins_with) and title not in PAINTED
		equal(seen["strokes"][title], is_as_before, title)


## Godot draws vertices without weights at wrong places: it is told, and weighing
## gives them some.
func test_vertices_without_weights_are_told_of() -> void:
	var facts: Dictionary = seen["frame"]
	equal(facts["in hole"], 0.0, "a hole is not painted")
	check(facts["bare"] > 0.0 and facts["bare"] < 8.0, "painted in part: %s" % [facts])
	check("%d of 8 vertices have no weights" % facts["bare"] in facts["told"], facts["told"])
	equal([facts["bare after"], facts["told after"]], [0.0, "Frame"], "after Weigh Again")
	equal(facts["same"], true, "points and triangles")
	check(facts["of two"].begins_with("Bare"), "the first of two: %s" % facts["of two"])


func test_bones_that_are_renamed_or_missing() -> void:
	equal(seen["renamed"]["kept"], true, "weights of a bone that is renamed")
	check("Weights of no bone: Upper/Lower" in seen["renamed"]["told"], seen["renamed"]["told"])
	equal(seen["empty"][0], 0.0, "nothing is painted without bones")
	check(
		"has no bones" in seen["empty"][1] and "has no bones" in seen["empty"][2],
		str(seen["empty"])
	)


func test_what_is_computed_may_go_meanwhile() -> void:
	for title: String in seen["dialog"]:
		var is_made: bool = title in MADE
		var told: String = "" if is_made else "What was to be skinned is no longer there."
		equal(seen["dialog"][title], told, title)
	check(seen["computing"], "the editor has quit while a skin was computed")
	expect_no_errors(["SCRIPT ERROR", "panicked"])


## That there is a skin of each but of those in [param none].
func _equal_skins(skins: Dictionary, none: Array) -> void:
	for title: String in skins:
		if title in none:
			equal(skins[title], 0.0, title + ", vertices")
		else:
			check(skins[title] > 3.0, "%s, vertices: %s" % [title, skins[title]])


func _expect_told(reasons: Array) -> void:
	for reason: String in reasons:
		check(reason in output, "not said: " + reason)


func _make_scenes() -> Dictionary:
	return {"odd": _make_odd(), "plain": Node2D.new()}


func _add_bone(parent: Node, title: String, place: Vector2, length: float) -> Bone2D:
	var bone: Bone2D = Bone2D.new()
	bone.name = title
	bone.position = place
	bone.set_autocalculate_length_and_angle(false)
	bone.set_length(length)
	bone.rest = bone.transform
	parent.add_child(bone)
	return bone


func _make_odd() -> Node2D:
	var root: Node2D = Node2D.new()
	root.name = "Root"
	for title: String in ["Skeleton", "Other", "Empty"]:
		var skeleton: Skeleton2D = Skeleton2D.new()
		skeleton.name = title
		root.add_child(skeleton)
	var upper: Bone2D = _add_bone(root.get_node("Skeleton"), "Upper", Vector2(18, 0), 32.0)
	_add_bone(upper, "Lower", Vector2(32, 0), 30.0)
	_add_bone(root.get_node("Other"), "Bone", Vector2.ZERO, 30.0)
	var sprite: Sprite2D = Sprite2D.new()
	sprite.name = "Sprite"
	sprite.position = Vector2(50, 0)
	root.add_child(sprite)
	var big: Sprite2D = Sprite2D.new()
	big.name = "Big"
	root.add_child(big)
	var bare: Polygon2D = Polygon2D.new()
	bare.name = "Bare"
	bare.polygon = [Vector2(0, -20), Vector2(90, -20), Vector2(90, 20), Vector2(0, 20)]
	bare.skeleton = ^"../Skeleton"
	root.add_child(bare)
	var frame: Polygon2D = Polygon2D.new()
	frame.name = "Frame"
	frame.position = Vector2(0, 80)
	for corner: int in 8:
		var far: Vector2 = [Vector2(0, -20), Vector2(90, -20), Vector2(90, 20), Vector2(0, 20)][
			corner % 4
		]
		frame.polygon += PackedVector2Array([far if corner < 4 else far.lerp(Vector2(45, 0), 0.4)])
	for corner: int in 4:
		var next: int = (corner + 1) % 4
		frame.polygons.append(PackedInt32Array([corner, next, 4 + next]))
		frame.polygons.append(PackedInt32Array([corner, 4 + next, 4 + corner]))
	frame.internal_vertex_count = 4
	frame.skeleton = ^"../Skeleton"
	root.add_child(frame)
	return root
