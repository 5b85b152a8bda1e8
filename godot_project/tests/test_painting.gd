extends "res://tests/editor_suite.gd"
## Weights that are painted, in an editor: see [code]painting_driver.gd[/code].

const DRIVER: String = "painting_driver"


func test_the_mode_shows_the_selected_polygon() -> void:
	equal(seen["shown"], true, "the button is there")
	equal(seen["modes"], [false, true], "one mode at a time")
	check("Select the Polygon2D" in seen["nothing selected"], seen["nothing selected"])
	equal(seen["subject"], "Strip", "the polygon")
	equal(seen["bones"], ["Upper", "Lower", "ArmLeft", "ArmRight"], "bones")
	equal(seen["panel"], true, "the panel goes with the mode")
	check("Select the Polygon2D" in seen["elsewhere"], "another scene: %s" % seen["elsewhere"])


func test_a_stroke_is_one_undo_step() -> void:
	var facts: Dictionary = seen["paint"]
	check(facts["painted"] > 0.9, "painted: %s" % facts["painted"])
	equal(facts["far"][0], facts["far"][1], "what is not under the brush")
	near(facts["sums"][0], 1.0, 1e-5, "least sum")
	near(facts["sums"][1], 1.0, 1e-5, "greatest sum")
	equal([facts["steps"], facts["undone"]], [1.0, true], "undo")
	equal(facts["same"], true, "as many events as there are")
	equal(facts["during"], true, "seen while it is painted")
	equal(facts["cancelled"], [true, true], "cancelled")
	equal(facts["beside"], true, "beside the polygon")


func test_nothing_but_weights_changes() -> void:
	var facts: Dictionary = seen["points"]
	equal(facts["strokes"], 32.0, "strokes at points and edges")
	equal(facts["same"], true, "points, triangles and place of the polygon")
	check(facts["painted"] and facts["steps"] <= facts["strokes"], "steps: %s" % facts)


func test_locks_and_marks_hold() -> void:
	equal([seen["locked"], seen["locked itself"]], [true, true], "a locked bone")
	equal(seen["marked"], [3.0], "marked vertices")


func test_messages_are_in_the_panel() -> void:
	check('"Upper" is locked' in seen["refused"][0], "refused: %s" % [seen["refused"]])
	equal(seen["refused"][1], "", "gone when another bone is chosen")
	check("changed nothing" in seen["no change"], "told: %s" % seen["no change"])
	var kept: Array = seen["kept"]
	check("Weigh Again: all vertices" in kept[0], "done: %s" % [kept])
	check("Locked, and as before: ArmLeft." in kept[0], "locked: %s" % [kept])
	equal(kept[1], [], "no toast over the buttons")
	equal(kept[2], "", "gone when it is undone")


func test_the_panel_for_polygons_does_not_open_by_itself() -> void:
	# Opened by the engine; closed by the mode; closed when another is selected; opened by the user;
	# closed when another is selected, and when the same one is again.
	equal(seen["polygon panel"], [true, false, false, true, false, false], "open")
	equal(seen["after a bend"], [true, true], "what is locked and chosen stays")


func test_commands() -> void:
	var facts: Dictionary = seen["commands"]
	check(facts["weighed"] > 0.1 and facts["painted"] > 0.5, "changed: %s" % facts)
	near(facts["again"], 0.0, 1e-5, "weighed again")
	equal(facts["undone"], true, "undone")
	check(facts["smooth"][1] < facts["smooth"][0], "smoothed: %s" % [facts["smooth"]])
	near(facts["mirrored"][0], 0.0, 1e-4, "mirrored")
	check(facts["mirrored"][1] > 0.5, "mirrored: %s" % [facts["mirrored"]])
	near(facts["middle"], 0.0, 1e-6, "a bone in the middle has no side")


func test_nothing_is_lost() -> void:
	var facts: Dictionary = seen["bare"]
	equal([facts["before"], facts["after"], facts["undone"]], [0.0, 2.0, 0.0], "no weights")
	near(facts["every vertex"], 1.0, 1e-5, "weights of each vertex")
	equal(facts["kept"], 1.0, "weights of a bone that is not there")
	equal(seen["outline edited"], true, "the engine's editor of points works beside it")
	expect_no_errors(["SCRIPT ERROR", "panicked", "ERROR: Tendon"])


func test_a_bone_that_is_added_later_gets_weights() -> void:
	var facts: Dictionary = seen["new bone"]
	check("Tip" in facts["listed"], "listed: %s" % [facts["listed"]])
	check(facts["weight"] > 0.8, "the weight at its end: %s" % [facts])
	equal([facts["locked"], facts["undone"]], [true, true], "locks, and undo")
	check("New: Tip." in facts["told"], "told: %s" % facts["told"])
	equal(facts["foreign"], 0.0, "a bone of another limb gets none")
	for title: String in facts["colors"][0]:
		equal(facts["colors"][1][title], facts["colors"][0][title], "the color of %s" % title)
	equal(facts["colors"][1].values().size(), 6, "colors")
	for refused: Array in facts["refused"]:
		check('"Tip" has no rest pose' in refused[0], "without a rest pose: %s" % refused[0])
		equal(refused[1], true, "nothing is lost")


func test_a_polygon_is_cut_with_the_mouse() -> void:
	var facts: Dictionary = seen["cut"]
	check(facts["doubled"] >= 3.0, "vertices at both sides of the cut: %s" % [facts])
	check("Cut: " in facts["told"], "told: %s" % facts["told"])
	near(facts["sums"][0], 1.0, 1e-5, "least sum of weights")
	near(facts["sums"][1], 1.0, 1e-5, "greatest sum of weights")
	equal([facts["steps"], facts["undone"], facts["redone"]], [1.0, true, true], "undo and redo")
	equal(facts["far"], true, "what was painted far from the cut")
	check("Cut" in facts["hints"][0], "where it is found: %s" % [facts["hints"]])
	check("Draw a line" in facts["hints"][1], "how it is done: %s" % [facts["hints"]])
	check("cuts nothing" in facts["beside"], "beside the polygon: %s" % facts["beside"])


func test_a_new_drawing_keeps_the_weights() -> void:
	var facts: Dictionary = seen["drawing"]
	equal(facts["asks"], true, "the entry asks for a file")
	near(facts["after"], facts["painted"], 0.03, "what was painted: %s" % [facts])
	check(facts["grown"], "the outline is the new one")
	equal(facts["texture"], true, "the texture")
	equal([facts["steps"], facts["undone"]], [1.0, true], "undo")
	near(facts["sums"][0], 1.0, 1e-5, "least sum of weights")
	equal(facts["by code"], true, "by code")
	check("has its new drawing" in facts["told"], "told: %s" % facts["told"])
	equal(facts["toasted"], [], "no toast over the buttons")


func test_a_dab_keeps_what_is_beside_it() -> void:
	var facts: Dictionary = seen["by hand"]
	var bones: Array = ["ArmLeft", "Gone", "Upper/Lower", "Upper", "ArmRight"]
	equal(facts["bones"], bones, "bones, also those without weights, in their order")
	equal([facts["same"], facts["undone"]], [true, true], "weights of other vertices")
	equal(facts["painted"], 1.0, "the weight under the brush")


func test_the_second_of_two_polygons_is_painted() -> void:
	var facts: Dictionary = seen["second"]
	equal(facts["strip"], true, "the first one is as it was")
	check(facts["painted"] > 0.9, "the second one: %s" % [facts])
	check("Wings" in facts["subject"] and "One of 2" in facts["subject"], facts["subject"])


## With ten thousand vertices, frames are as fluid as a hand needs.
func test_strokes_are_fluid() -> void:
	var facts: Dictionary = seen["fine"]
	equal(facts["vertices"], 10000.0, "vertices")
	for title: String in ["over", "brush 0", "brush 2"]:
		check(facts[title] < 8.0 * slowness(), "milliseconds of a frame, %s: %s" % [title, facts])


func _make_scenes() -> Dictionary:
	return {
		"strip": _make_strip(),
		"plain": Node2D.new(),
		"fine": _make_fine(),
		"drawn": _make_drawn(),
	}


func _add_bone(parent: Node, title: String, place: Vector2, length: float, angle: float) -> Bone2D:
	var bone: Bone2D = Bone2D.new()
	bone.name = title
	bone.position = place
	bone.set_autocalculate_length_and_angle(false)
	bone.set_length(length)
	bone.set_bone_angle(angle)
	bone.rest = bone.transform
	parent.add_child(bone)
	return bone


## A strip of ten by two squares over two bones, a bare square, and a row of five points on both
## sides of the middle, with weights on the left one only.
func _make_strip() -> Node2D:
	var root: Node2D = Node2D.new()
	root.name = "Root"
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	root.add_child(skeleton)
	var upper: Bone2D = _add_bone(skeleton, "Upper", Vector2(0, 20), 100.0, 0.0)
	_add_bone(upper, "Lower", Vector2(100, 0), 100.0, 0.0)
	_add_bone(skeleton, "ArmLeft", Vector2(-20, 150), 80.0, PI)
	_add_bone(skeleton, "ArmRight", Vector2(20, 150), 80.0, 0.0)
	var strip: Polygon2D = _add_polygon(root, "Strip")
	var points: PackedVector2Array = []
	for x: int in 10:
		points.append(Vector2(x * 22, 0))
	for x: int in 10:
		points.append(Vector2((9 - x) * 22, 40))
	var middle: PackedVector2Array = []
	for x: int in 8:
		middle.append(Vector2((x + 1) * 22, 20))
	strip.polygon = points + middle
	strip.internal_vertex_count = 8
	strip.polygons = _triangles_of(strip.polygon)
	_weigh(strip, "Upper", func(point: Vector2) -> float: return float(point.x < 105.0))
	_weigh(strip, "Upper/Lower", func(point: Vector2) -> float: return float(point.x >= 105.0))
	var bare: Polygon2D = _add_polygon(root, "Bare")
	bare.position = Vector2(100, 20)
	bare.polygon = [Vector2(-40, -20), Vector2(40, -20), Vector2(40, 20), Vector2(-40, 20)]
	var wings: Polygon2D = _add_polygon(root, "Wings")
	wings.polygon = [
		Vector2(-80, 140),
		Vector2(-40, 140),
		Vector2(0, 140),
		Vector2(40, 140),
		Vector2(80, 140),
		Vector2(0, 170)
	]
	_weigh(wings, "ArmLeft", func(point: Vector2) -> float: return clampf(-point.x / 40.0, 0, 1))
	_weigh(wings, "Upper", func(point: Vector2) -> float: return 1 - clampf(-point.x / 40.0, 0, 1))
	return root


## A sprite over two bones.
func _make_drawn() -> Node2D:
	var root: Node2D = Node2D.new()
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	root.add_child(skeleton)
	var upper: Bone2D = _add_bone(skeleton, "Upper", Vector2(-80, 0), 80.0, 0.0)
	_add_bone(upper, "Lower", Vector2(80, 0), 80.0, 0.0)
	var sprite: Sprite2D = Sprite2D.new()
	sprite.name = "Sprite"
	root.add_child(sprite)
	return root


## A grid of a hundred by a hundred points over a chain of twelve bones.
func _make_fine() -> Node2D:
	var root: Node2D = Node2D.new()
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	root.add_child(skeleton)
	var fine: Polygon2D = _add_polygon(root, "Fine")
	var points: PackedVector2Array = []
	var triangles: Array = []
	for index: int in 10000:
		points.append(Vector2(index % 100, index / 100) * 4.0)
		if index % 100 < 99 and index < 9900:
			triangles.append(PackedInt32Array([index, index + 1, index + 101]))
			triangles.append(PackedInt32Array([index, index + 101, index + 100]))
	fine.polygon = points
	fine.internal_vertex_count = 9604
	fine.polygons = triangles
	var above: Node = skeleton
	for index: int in 12:
		var place: Vector2 = Vector2(0, 200) if index == 0 else Vector2(33, 0)
		above = _add_bone(above, "Bone%d" % index, place, 33.0, 0.0)
		var near: Callable = func(point: Vector2) -> float:
			return float(clampi(int(point.x / 33.0), 0, 11) == index)
		_weigh(fine, skeleton.get_path_to(above), near)
	return root


func _add_polygon(root: Node, title: String) -> Polygon2D:
	var polygon: Polygon2D = Polygon2D.new()
	polygon.name = title
	polygon.skeleton = ^"../Skeleton"
	root.add_child(polygon)
	return polygon


func _triangles_of(points: PackedVector2Array) -> Array:
	var triangles: Array = []
	var corners: PackedInt32Array = Geometry2D.triangulate_delaunay(points)
	for corner: int in range(0, corners.size(), 3):
		triangles.append(corners.slice(corner, corner + 3))
	return triangles


func _weigh(polygon: Polygon2D, path: NodePath, weight: Callable) -> void:
	var weights: PackedFloat32Array = []
	for point: Vector2 in polygon.polygon:
		weights.append(weight.call(point))
	polygon.add_bone(path, weights)
