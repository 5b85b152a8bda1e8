extends "res://tests/posing_suite.gd"
## Pose mode where bones carry pictures and animations play, and what surrounds it, in an editor:
## see [code]posing_pictures_driver.gd[/code].

const DRIVER: String = "posing_pictures_driver"


func _make_scenes() -> Dictionary:
	var scenes: Dictionary = {"puppet": _puppet(), "plain": _character("plain")}
	scenes["playing"] = _swinging(true)
	_play(scenes["playing"])
	scenes["empty"] = Node2D.new()
	scenes["empty"].name = "Empty"
	var driven: Figure = Figure.new([60.0, 50.0], [0.25, 0.5])
	driven.two_bone()
	scenes["driven"] = driven.stage
	return scenes


## An arm with a sprite, of which the upper half can be seen, and a skin; a body whose second child
## is not where it ends; and a background.
func _puppet() -> Node2D:
	var figure: Figure = Figure.new([80.0, 80.0], [0.0, 0.0])
	figure.rig.free()
	figure.target.free()
	figure.bones[0].position = Vector2(100, 100)
	figure.bones[0].rest = figure.bones[0].transform
	var side: Bone2D = Figure.branch(figure.bones[0], Vector2(0, 120), [30.0], [0.0])[0]
	side.name = "Side"
	var image: Image = Image.create_empty(80, 60, false, Image.FORMAT_RGBA8)
	image.fill_rect(Rect2i(0, 0, 80, 30), Color.WHITE)
	var sprite: Sprite2D = Sprite2D.new()
	sprite.name = "Sleeve"
	sprite.centered = false
	sprite.position = Vector2(0, -40)
	sprite.texture = ImageTexture.create_from_image(image)
	figure.bones[1].add_child(sprite)
	var background: ColorRect = ColorRect.new()
	background.name = "Background"
	background.position = Vector2(-500, -500)
	background.size = Vector2(1200, 1200)
	figure.stage.add_child(background)
	figure.stage.move_child(background, 0)
	_add_skin(figure)
	return figure.stage


## Adds a strip above the arm, which follows the upper bone to the left and the lower one to the
## right.
func _add_skin(figure: Figure) -> void:
	var skin: Polygon2D = Polygon2D.new()
	skin.name = "Skin"
	skin.polygon = [Vector2(100, 20), Vector2(180, 20), Vector2(260, 20)]
	skin.polygon += PackedVector2Array([Vector2(260, 50), Vector2(180, 50), Vector2(100, 50)])
	figure.stage.add_child(skin)
	skin.skeleton = NodePath("../Skeleton")
	for bone: int in 2:
		var weights: PackedFloat32Array = [1.0, 0.5, 0.0, 0.0, 0.5, 1.0]
		if bone == 1:
			weights = [0.0, 0.5, 1.0, 1.0, 0.5, 0.0]
		skin.add_bone(figure.skeleton.get_path_to(figure.bones[bone]), weights)


## Has a tree play the animation of the scene.
func _play(stage: Node) -> void:
	var tree: AnimationTree = AnimationTree.new()
	tree.name = "Tree"
	var node: AnimationNodeAnimation = AnimationNodeAnimation.new()
	node.animation = "swing"
	tree.tree_root = node
	stage.add_child(tree)
	tree.anim_player = NodePath("../Player")
	tree.active = true
	stage.get_node("Skeleton/Rig").free()


func test_a_picture_takes_hold_of_its_bone() -> void:
	var facts: Dictionary = seen["pictures"]
	equal(facts["sprite"], ["Bone1", "Bone1"], "a sprite")
	equal(facts["transparent"], [], "where the sprite is not seen")
	equal(facts["skin"], ["Bone1", "Bone1"], "a skin, which has moved")
	equal(facts["turned"], ["Bone1"], "turned: %s" % [facts["turned"]])
	check(facts["sprite stays"], "the sprite stays on its bone")
	equal(facts["steps"], 1.0, "steps")
	check(facts["undone"], "undone")


func test_a_miss_changes_nothing() -> void:
	for keys: String in ["plain", "alt"]:
		equal(seen["misses"][keys], [true, 0.0], keys)


func test_lines_to_all_children_are_taken() -> void:
	equal(seen["pictures"]["side"], ["Bone0", "Bone0"], "the line to the second child")


func test_bones_that_an_animation_sets_are_told_of() -> void:
	var facts: Dictionary = seen["playing"]
	for about: String in ["pulled", "reset"]:
		check('"Tree" is playing' in facts[about], "%s: %s" % [about, facts[about]])
	equal(facts["steps"], 0.0, "steps")
	equal(facts["steps once it is off"], 1.0, "steps once it is off")


func test_the_overlay_follows_the_bones() -> void:
	equal(seen["drawn"]["at rest"], 0.0, "at rest")
	check(seen["drawn"]["moved"] > 0.0, "a bone was moved by a script")
	equal(seen["drawn"]["gizmos at rest"], 0.0, "gizmos, at rest")
	check(seen["drawn"]["gizmos of what was moved"] > 0.0, "a target was moved by a script")
	equal(seen["drawn"]["under the mouse"][0], "Hand", "under the mouse")
	equal(seen["drawn"]["mouse gone"], [], "the mouse has left")


func test_the_toolbar_has_an_order_and_each_scene_its_mode() -> void:
	var facts: Dictionary = seen["toolbar"]
	equal(facts["order"], ["Tendon", "Pose", "Pin Feet", "Weights", "Poses"], "order")
	equal(facts["first"], 0.0, "before the engine's menus")
	# The button for feet is there in pose mode.
	equal(facts["shown"], [true, true, false, true, true], "shown at first")
	equal(facts["without a skeleton"], [false, false, false, false, false], "without a skeleton")
	equal(facts["skeleton added"], [true, true, false, true, true], "once there is one")
	equal(facts["modes"], [true, false, true], "each scene has its mode")


func test_pins_are_saved_with_the_scene() -> void:
	var facts: Dictionary = seen["pins"]
	equal(facts["steps"], 1.0, "one step")
	check(facts["saved"], "in the file")
	equal(facts["limb"], ["Hand", "Lower", "Hand"], "after it was loaded")
	check(facts["undone"], "undone")


func test_the_root_moves_and_pins_hold() -> void:
	var facts: Dictionary = seen["root"]
	equal(facts["taken"], ["Hips"], "taken at its joint")
	check(facts["miss"] < 0.01, "the hips are where the mouse is: %s" % facts["miss"])
	check(facts["foot"] < 0.05, "the pinned foot stays: %s" % facts["foot"])
	near(facts["foot turned"], 0.0, 1e-3, "and keeps its angle")
	check(facts["free"] < 0.01, "what is free comes along: %s" % facts["free"])
	equal(facts["steps"], 1.0, "one step")
	check(facts["undone"], "undone to the bit")
	facts = seen["root of a rig"]
	check(facts["miss"] < 0.01, "the root: %s" % facts["miss"])
	equal(facts["target"], 0.0, "the target stays")
	check(facts["gap"] < 0.1, "the limb reaches it: %s" % facts["gap"])


func test_the_editor_logs_no_errors() -> void:
	# The engine's own, where a scene is loaded again.
	var noise: PackedStringArray = ["attempted to free the root Node of a scene"]
	expect_no_errors(["ERROR", "panic", "Tendon:"], ENGINE_NOISE + noise)
