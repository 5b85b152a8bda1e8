extends "res://tests/suite.gd"
## What docs/outfits.md says: skins of one skeleton that are exchanged in a game.

const PAGE: String = "res://../docs/outfits.md"


## The script of the page, on a character with a skeleton.
func _make_character() -> Node2D:
	var text: String = FileAccess.get_file_as_string(ProjectSettings.globalize_path(PAGE))
	var code: String = text.substr(text.find("```gdscript\nextends Node2D"))
	code = code.trim_prefix("```gdscript\n")
	var script: GDScript = GDScript.new()
	script.source_code = code.left(code.find("```"))
	equal(script.reload(), OK, "the script of the page")
	var character: Node2D = Node2D.new()
	character.set_script(script)
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Bones"
	character.add_child(skeleton)
	var upper: Bone2D = _add_bone(skeleton, "Upper", Vector2(10, 0))
	_add_bone(upper, "Lower", Vector2(40, 0))
	character.set("skeleton", skeleton)
	add_child(character)
	return character


func _add_bone(parent: Node, title: String, place: Vector2) -> Bone2D:
	var bone: Bone2D = Bone2D.new()
	bone.name = title
	bone.position = place
	bone.rest = bone.transform
	bone.set_autocalculate_length_and_angle(false)
	bone.set_length(40.0)
	parent.add_child(bone)
	return bone


func _make_skin(size: Vector2i, color: Color) -> Polygon2D:
	var skin: Polygon2D = Polygon2D.new()
	skin.name = "Sleeve"
	skin.polygon = [Vector2.ZERO, Vector2(size.x, 0), size, Vector2(0, size.y)]
	skin.uv = skin.polygon
	skin.texture = _make_texture(size, color)
	skin.add_bone(^"Upper", PackedFloat32Array([1, 0, 0, 1]))
	skin.add_bone(^"Upper/Lower", PackedFloat32Array([0, 1, 1, 0]))
	return skin


func _make_texture(size: Vector2i, color: Color) -> Texture2D:
	var image: Image = Image.create_empty(size.x, size.y, false, Image.FORMAT_RGBA8)
	image.fill(color)
	return ImageTexture.create_from_image(image)


## As the editor saves a branch: its skeleton is where the character was drawn.
func _make_outfit(title: String, size: Vector2i, color: Color) -> PackedScene:
	var root: Node2D = Node2D.new()
	root.name = title
	var skin: Polygon2D = _make_skin(size, color)
	skin.skeleton = ^"../../Skeleton2D"
	root.add_child(skin)
	skin.owner = root
	var scene: PackedScene = PackedScene.new()
	scene.pack(root)
	root.free()
	return scene


func test_another_texture_of_the_same_layout() -> void:
	var character: Node2D = _make_character()
	character.call("wear", _make_outfit("Shirt", Vector2i(90, 20), Color.RED))
	var skin: Polygon2D = character.get_node("Shirt/Sleeve")
	var before: Array = [skin.polygon, skin.uv, skin.get("bones"), skin.skeleton]
	var blue: Texture2D = _make_texture(Vector2i(90, 20), Color.BLUE)
	character.call("recolor", skin, blue)
	await frames(2)
	equal(skin.texture, blue, "the texture")
	equal([skin.polygon, skin.uv, skin.get("bones"), skin.skeleton], before, "the mesh and weights")
	character.free()


func test_outfits_are_scenes() -> void:
	var character: Node2D = _make_character()
	var skeleton: Skeleton2D = character.get_node("Bones")
	for title: String in ["Shirt", "Coat", "Shirt"]:
		var size: Vector2i = Vector2i(90, 20 if title == "Shirt" else 50)
		character.call("wear", _make_outfit(title, size, Color.RED))
		await frames(2)
		var outfit: Node2D = character.get("outfit")
		var skins: Array[Node] = character.find_children("*", "Polygon2D", true, false)
		equal(skins.size(), 1, title + ": the last one is gone")
		var skin: Polygon2D = outfit.get_node("Sleeve")
		equal(skin.get_node(skin.skeleton), skeleton, title + ": its skeleton")
		for bone: int in skin.get_bone_count():
			var path: NodePath = skin.get_bone_path(bone)
			check(skeleton.get_node_or_null(path) is Bone2D, "%s: bone %s" % [title, path])
	character.free()


func test_arms_change_sides_by_keys() -> void:
	var look: Node2D = Node2D.new()
	look.name = "Look"
	add_child(look)
	for arm: String in ["SwordArm", "ShieldArm"]:
		var skin: Polygon2D = _make_skin(Vector2i(90, 20), Color.RED)
		skin.name = arm
		look.add_child(skin)
	var turn: Animation = Animation.new()
	turn.length = 0.4
	# The table of the page.
	for row: Array in [
		[^"Look:scale", Vector2(1, 1), Vector2(-1, 1)],
		[^"Look/SwordArm:z_index", 1, -1],
		[^"Look/ShieldArm:z_index", -1, 1],
	]:
		var track: int = turn.add_track(Animation.TYPE_VALUE)
		turn.track_set_path(track, row[0])
		turn.value_track_set_update_mode(track, Animation.UPDATE_DISCRETE)
		turn.track_insert_key(track, 0.0, row[1])
		turn.track_insert_key(track, 0.2, row[2])
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation("turn", turn)
	var player: AnimationPlayer = AnimationPlayer.new()
	add_child(player)
	player.add_animation_library("", library)
	player.play("turn")
	for time: float in [0.0, 0.1, 0.19, 0.21, 0.39]:
		player.seek(time, true)
		var side: int = 1 if time < 0.2 else -1
		equal(look.scale.x, float(side), "side at %s" % time)
		equal((look.get_node("SwordArm") as Polygon2D).z_index, side, "sword arm at %s" % time)
		equal((look.get_node("ShieldArm") as Polygon2D).z_index, -side, "shield arm at %s" % time)
	player.free()
	look.free()
