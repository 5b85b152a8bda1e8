extends RefCounted
## A cut-out without bones, as many are drawn: sprites, polygons and nodes that are parents of each
## other, with all that makes one part look differently from another.


## The figure. Each drawing has a name of its own as metadata.
static func make() -> Node2D:
	var root: Node2D = Node2D.new()
	root.name = "Stickman"
	root.position = Vector2(300, 260)
	_sprite(root, "Shadow", Vector2(0, 90), Vector2(80, 10))
	var hips: Node2D = _polygon(root, "Hips", Vector2(0, -10), Vector2(30, 20))
	hips.modulate = Color(1, 0.9, 0.8)
	var torso: Sprite2D = _sprite(hips, "Torso", Vector2(0, -8), Vector2(28, 70))
	torso.offset = Vector2(0, -30)
	torso.scale = Vector2(1.2, 0.9)
	torso.self_modulate = Color(0.5, 1, 0.7)
	torso.z_index = 1
	_arm(torso, "L", Vector2(-14, -55)).show_behind_parent = true
	var head: Sprite2D = _sprite(torso, "Head", Vector2(0, -62), Vector2(34, 34))
	head.offset = Vector2(2, -16)
	head.flip_h = true
	head.rotation = 0.1
	_sprite(head, "Eyes", Vector2(6, -20), Vector2(12, 5)).z_index = 2
	var arm: Node2D = _arm(torso, "R", Vector2(14, -55))
	arm.scale = Vector2(-1, 1.1)
	arm.rotation = 2.9
	_leg(hips, "L", Vector2(-9, 6))
	var leg: Node2D = _leg(hips, "R", Vector2(9, 6))
	leg.scale = Vector2(-0.9, -1)
	leg.skew = 0.2
	_cape(torso)
	var between: Sprite2D = _sprite(root, "Belt", Vector2(0, -14), Vector2(34, 6))
	between.modulate.a = 0.5
	_polygon(
		_sprite(root, "Pack", Vector2(-20, -60), Vector2(20, 30)),
		"Flap",
		Vector2(0, -9),
		Vector2(16, 9)
	)
	_sprite(root, "Cloud", Vector2(0, -200), Vector2(90, 20))
	return root


static func _arm(torso: Node2D, side: String, place: Vector2) -> Node2D:
	var upper: Sprite2D = _sprite(torso, "UpperArm" + side, place, Vector2(10, 34))
	upper.offset = Vector2(0, 15)
	var lower: Node2D = _polygon(upper, "Forearm" + side, Vector2(0, 30), Vector2(8, 28))
	(lower as Polygon2D).offset = Vector2(0, 13)
	lower.scale = Vector2(0.8, 1.3)
	var hand: Sprite2D = _sprite(lower, "Hand" + side, Vector2(0, 27), Vector2(11, 11))
	hand.offset = Vector2(1, 5)
	return upper


## A joint without a picture of its own, whose pictures are its children.
static func _leg(hips: Node2D, side: String, place: Vector2) -> Node2D:
	var thigh: Node2D = Node2D.new()
	thigh.name = "Thigh" + side
	thigh.position = place
	hips.add_child(thigh)
	_sprite(thigh, "ThighPicture" + side, Vector2(0, 18), Vector2(12, 40))
	var shin: Node2D = Node2D.new()
	shin.name = "Shin" + side
	shin.position = Vector2(0, 38)
	thigh.add_child(shin)
	_sprite(shin, "ShinPicture" + side, Vector2(0, 17), Vector2(10, 38))
	var foot: Sprite2D = _sprite(shin, "Foot" + side, Vector2(0, 36), Vector2(22, 9))
	foot.offset = Vector2(7, 3)
	_sprite(foot, "Toe" + side, Vector2(16, 3), Vector2(8, 6)).use_parent_material = true
	foot.material = CanvasItemMaterial.new()
	return thigh


## Parts that are sorted by their Y, and one with a child that is no part.
static func _cape(torso: Node2D) -> void:
	var cape: Sprite2D = _sprite(torso, "Cape", Vector2(-12, -40), Vector2(20, 50))
	cape.y_sort_enabled = true
	cape.texture_filter = CanvasItem.TEXTURE_FILTER_NEAREST
	_sprite(cape, "Pin", Vector2(0, 4), Vector2(6, 6))
	_sprite(cape, "Hem", Vector2(0, -3), Vector2(18, 4)).z_as_relative = false
	var spark: Label = Label.new()
	spark.name = "Spark"
	spark.set_meta(&"drawing", "Spark")
	spark.position = Vector2(3, 9)
	cape.add_child(spark)


static func _sprite(parent: Node, title: String, place: Vector2, size: Vector2) -> Sprite2D:
	var sprite: Sprite2D = Sprite2D.new()
	sprite.name = title
	sprite.set_meta(&"drawing", title)
	var texture: GradientTexture2D = GradientTexture2D.new()
	texture.width = int(size.x)
	texture.height = int(size.y)
	texture.gradient = Gradient.new()
	texture.gradient.set_color(0, Color.from_hsv(hash(title) % 97 / 97.0, 0.6, 0.9))
	texture.gradient.set_color(1, Color.from_hsv(hash(title) % 89 / 89.0, 0.7, 0.5))
	sprite.texture = texture
	sprite.position = place
	parent.add_child(sprite)
	return sprite


static func _polygon(parent: Node, title: String, place: Vector2, size: Vector2) -> Polygon2D:
	var polygon: Polygon2D = Polygon2D.new()
	polygon.name = title
	polygon.set_meta(&"drawing", title)
	var half: Vector2 = 0.5 * size
	polygon.polygon = [
		-half, Vector2(half.x, -half.y), half, Vector2(0, half.y + 4), Vector2(-half.x, half.y)
	]
	polygon.color = Color.from_hsv(hash(title) % 97 / 97.0, 0.5, 0.8)
	polygon.position = place
	parent.add_child(polygon)
	return polygon


static func make_animated() -> Node2D:
	var root: Node2D = make()
	animate(root)
	return root


## The player "Player", with animations of all kinds of tracks in two libraries, and a second player
## whose root is a part.
static func animate(root: Node2D) -> void:
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	root.add_child(player)
	player.add_animation_library(&"", AnimationLibrary.new())
	player.add_animation_library(&"more", AnimationLibrary.new())
	player.get_animation_library(&"").add_animation(&"RESET", _reset(root))
	player.get_animation_library(&"").add_animation(&"walk", _walk())
	player.get_animation_library(&"more").add_animation(&"odd", _odd())
	var second: AnimationPlayer = AnimationPlayer.new()
	second.name = "Second"
	second.root_node = ^".."
	root.get_node(^"Hips/Torso").add_child(second)
	second.add_animation_library(&"", AnimationLibrary.new())
	var nod: Animation = Animation.new()
	nod.length = 1.0
	keys(nod, ^".:rotation", [0.0, 0.3, -0.2])
	keys(nod, ^"Head:rotation", [0.1, 0.5, 0.0])
	second.get_animation_library(&"").add_animation(&"nod", nod)
	_mix(root)


## A tree that mixes two animations, one of them through a filter, and a node that moves a part.
static func _mix(root: Node2D) -> void:
	var tree: AnimationTree = AnimationTree.new()
	tree.name = "Tree"
	tree.anim_player = ^"../Player"
	tree.active = false
	tree.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	var blend: AnimationNodeBlend2 = AnimationNodeBlend2.new()
	blend.filter_enabled = true
	for path: NodePath in [
		^"Hips:position", ^"Hips/ThighL:rotation", ^"Hips/Torso/Head:self_modulate"
	]:
		blend.set_filter_path(path, true)
	var mixed: AnimationNodeBlendTree = AnimationNodeBlendTree.new()
	for animation: StringName in [&"walk", &"more/odd"]:
		var node: AnimationNodeAnimation = AnimationNodeAnimation.new()
		node.animation = animation
		mixed.add_node(animation.get_file(), node)
	mixed.add_node(&"blend", blend)
	mixed.connect_node(&"blend", 0, &"odd")
	mixed.connect_node(&"blend", 1, &"walk")
	mixed.connect_node(&"output", 0, &"blend")
	tree.tree_root = mixed
	root.add_child(tree)
	tree.set(&"parameters/blend/blend_amount", 0.7)
	var remote: RemoteTransform2D = RemoteTransform2D.new()
	remote.name = "Remote"
	remote.position = Vector2(9, -80)
	remote.remote_path = ^"../Hips/Torso/Head/Eyes"
	root.add_child(remote)


static func _reset(root: Node2D) -> Animation:
	var reset: Animation = Animation.new()
	reset.length = 0.001
	for path: NodePath in [
		^"Hips:position", ^"Hips/Torso/UpperArmR:scale", ^"Hips/ThighL:rotation"
	]:
		var property: NodePath = NodePath(path.get_concatenated_subnames())
		var node: Node = root.get_node(NodePath(path.get_concatenated_names()))
		keys(reset, path, [node.get_indexed(property)])
	return reset


static func _walk() -> Animation:
	var walk: Animation = Animation.new()
	walk.length = 2.0
	walk.loop_mode = Animation.LOOP_LINEAR
	keys(
		walk, ^"Hips:position", [Vector2(0, -10), Vector2(3, -4), Vector2(-2, -14), Vector2(0, -10)]
	)
	keys(walk, ^"Hips:rotation", [0.0, 0.1, -0.1, 0.0])
	keys(walk, ^"Hips/Torso:scale", [Vector2(1.2, 0.9), Vector2(0.8, 1.2), Vector2(-1, 1)])
	keys(walk, ^"Hips/Torso:skew", [0.0, 0.2, -0.3])
	keys(walk, ^"Hips/ThighL:rotation", [0.0, 0.7, -0.6, 0.0])
	keys(walk, ^"Hips/ThighR:rotation", [0.0, -0.7, 0.6, 0.0], Animation.INTERPOLATION_CUBIC)
	keys(walk, ^"Hips/ThighR:scale", [Vector2(-0.9, -1), Vector2(-0.5, -1.2)])
	keys(walk, ^"Hips/ThighL/ShinL:rotation_degrees", [0.0, -40.0, 0.0])
	keys(
		walk,
		^"Hips/Torso/UpperArmR:rotation",
		[2.9, 3.6, 2.0],
		Animation.INTERPOLATION_LINEAR_ANGLE
	)
	keys(walk, ^"Hips/Torso/UpperArmL/ForearmL:rotation", [0.0, -1.0, 0.2])
	keys(walk, ^"Hips/Torso:visible", [true, true, false, true])
	keys(walk, ^"Hips/Torso/Head:modulate", [Color.WHITE, Color.RED])
	keys(walk, ^"Hips/Torso/Head:self_modulate", [Color.WHITE, Color.BLUE])
	keys(walk, ^"Hips/Torso/Cape:z_index", [0, 3, -2])
	keys(walk, ^"Pack:rotation", [0.0, 0.4])
	keys(walk, ^"Pack/Flap:color", [Color.WHITE, Color.BLACK])
	keys(walk, ^"Shadow:scale", [Vector2.ONE, Vector2(0.8, 1)])
	return walk


static func _odd() -> Animation:
	var odd: Animation = Animation.new()
	odd.length = 1.5
	keys(odd, ^"Hips:position:x", [0.0, 14.0, -6.0])
	_bezier(odd, ^"Hips:position:y", [-10.0, 0.0, -20.0])
	_bezier(odd, ^"Hips/Torso:rotation", [0.0, 0.5, -0.5])
	_bezier(odd, ^"Hips/Torso/UpperArmR:rotation", [2.9, 2.0, 4.0])
	_bezier(odd, ^"Hips/Torso/UpperArmR:scale:x", [-1.0, -0.4, -1.3])
	keys(odd, ^"Hips/ThighR:scale:y", [-1.0, 0.5, -0.7])
	keys(odd, ^"Hips/ThighR:skew", [0.2, -0.4])
	keys(odd, ^"Hips/ThighR:rotation_degrees", [0, 20])
	keys(
		odd,
		^"Hips/Torso/Head:transform",
		[Transform2D(0.1, Vector2(0, -62)), Transform2D(1.0, Vector2(9, -70))]
	)
	keys(odd, ^"Hips/Torso/Head:offset", [Vector2(2, -16), Vector2(5, -20)])
	keys(odd, ^"Hips/Torso/Head:flip_h", [true, false])
	keys(odd, ^"Hips/Torso/UpperArmL:show_behind_parent", [true, false, true])
	keys(odd, ^"Hips/Torso/Cape/Pin:position", [Vector2(0, 4), Vector2(2, -9)])
	keys(odd, ^"Hips/Torso/Cape:y_sort_enabled", [true, false])
	var calls: int = odd.add_track(Animation.TYPE_METHOD)
	odd.track_set_path(calls, ^"Hips/Torso/UpperArmL/ForearmL/HandL")
	odd.track_insert_key(calls, 0.3, {"method": &"set_rotation", "args": [0.8]})
	odd.track_insert_key(calls, 0.6, {"method": &"hide", "args": []})
	odd.track_insert_key(calls, 0.9, {"method": &"show", "args": []})
	return odd


## A track with [param values] at equal distances.
static func keys(
	animation: Animation,
	path: NodePath,
	values: Array,
	interpolation: Animation.InterpolationType = Animation.INTERPOLATION_LINEAR
) -> void:
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, path)
	animation.track_set_interpolation_type(track, interpolation)
	if values[0] is bool or values[0] is int:
		animation.value_track_set_update_mode(track, Animation.UPDATE_DISCRETE)
	for index: int in values.size():
		var time: float = animation.length * index / maxi(1, values.size() - 1)
		animation.track_insert_key(track, time, values[index])


static func _bezier(animation: Animation, path: NodePath, values: Array) -> void:
	var track: int = animation.add_track(Animation.TYPE_BEZIER)
	animation.track_set_path(track, path)
	for index: int in values.size():
		var time: float = animation.length * index / maxi(1, values.size() - 1)
		var into: Vector2 = Vector2(-0.2, 0.3)
		var out: Vector2 = Vector2(0.3, 0.5)
		animation.bezier_track_insert_key(track, time, values[index], into, out)


## What is drawn below [param root], in the order in which it is: the name of each drawing, its
## transform, color, order and filter.
static func drawn(root: CanvasItem) -> Array:
	var all: Array = []
	_draw(root, {"modulate": Color.WHITE, "z": 0, "filter": 0, "material": null}, all)
	var order: Dictionary = {}
	for index: int in all.size():
		order[all[index]] = index
	all.sort_custom(
		func(one: Dictionary, other: Dictionary) -> bool:
			return one["z"] < other["z"] or (one["z"] == other["z"] and order[one] < order[other])
	)
	return all


static func _draw(item: CanvasItem, above: Dictionary, all: Array) -> void:
	if not item.visible:
		return
	var own: Dictionary = _inherited(item, above)
	var children: Array = item.get_children().filter(
		func(child: Node) -> bool: return child is CanvasItem
	)
	if item.y_sort_enabled:
		_draw_sorted(item, own, all)
		return
	for child: CanvasItem in children:
		if child.show_behind_parent:
			_draw(child, own, all)
	_draw_itself(item, own, all)
	for child: CanvasItem in children:
		if not child.show_behind_parent:
			_draw(child, own, all)


## What [param item] has of what is above it.
static func _inherited(item: CanvasItem, above: Dictionary) -> Dictionary:
	return {
		"modulate": above["modulate"] * item.modulate,
		"z": item.z_index + (above["z"] if item.z_as_relative else 0),
		"filter": item.texture_filter if item.texture_filter != 0 else above["filter"],
		"material": above["material"] if item.use_parent_material else item.material,
	}


static func _draw_itself(item: CanvasItem, own: Dictionary, all: Array) -> void:
	if not item.has_meta(&"drawing"):
		return
	var facts: Dictionary = own.duplicate()
	facts["name"] = item.get_meta(&"drawing")
	facts["place"] = item.get_global_transform()
	for property: String in ["self_modulate", "offset", "flip_h", "color", "texture", "polygon"]:
		facts[property] = item.get(property)
	all.append(facts)


static func _draw_sorted(item: CanvasItem, own: Dictionary, all: Array) -> void:
	var sorted: Array = []
	_sort(item, own, Transform2D.IDENTITY, sorted)
	sorted.sort_custom(
		func(one: Dictionary, other: Dictionary) -> bool:
			if is_equal_approx(one["y"], other["y"]):
				return one["index"] < other["index"]
			return one["y"] < other["y"]
	)
	for entry: Dictionary in sorted:
		if entry["itself"]:
			_draw_itself(entry["item"], entry["has"], all)
		else:
			_draw(entry["item"], entry["has"], all)


## Adds [param item], and what is sorted with it.
static func _sort(item: CanvasItem, own: Dictionary, place: Transform2D, sorted: Array) -> void:
	var entry: Dictionary = {"y": place.origin.y, "item": item, "has": own, "itself": true}
	entry["index"] = sorted.size()
	sorted.append(entry)
	for child: Node in item.get_children():
		if not child is CanvasItem or not (child as CanvasItem).visible:
			continue
		var there: Transform2D = place * (child as CanvasItem).get_transform()
		if (child as CanvasItem).y_sort_enabled:
			_sort(child, _inherited(child, own), there, sorted)
		else:
			entry = {"y": there.origin.y, "item": child, "has": own, "itself": false}
			entry["index"] = sorted.size()
			sorted.append(entry)


## Plays all animations of [param before] and of [param after], sixty frames a second: the number of
## frames, by how many pixels a drawing is elsewhere at most, and what else is not the same.
static func compare(before: Node2D, after: Node2D) -> Dictionary:
	var found: Dictionary = {"frames": 0, "pixels": 0.0, "unlike": []}
	for player: Node in before.find_children("*", "AnimationPlayer", true, false):
		var other: AnimationPlayer = after.find_child(player.name, true, false)
		for animation: String in (player as AnimationPlayer).get_animation_list():
			_compare_animation(animation, [player, other], [before, after], found)
			player.stop()
			other.stop()
	for tree: Node in before.find_children("*", "AnimationTree", true, false):
		_compare_tree([tree, after.get_node(before.get_path_to(tree))], [before, after], found)
	return found


## Begins an animation in several players, in the pose that it begins with.
static func begin(animation: String, players: Array) -> void:
	for player: AnimationPlayer in players:
		if player.has_animation("RESET"):
			player.play("RESET")
			player.advance(0.0)
		player.play(animation)
		player.advance(0.0)


static func _compare_animation(
	animation: String, players: Array, roots: Array, found: Dictionary
) -> void:
	begin(animation, players)
	for frame: int in ceili(players[0].get_animation(animation).length * 60.0):
		_compare_frame("%s %d" % [animation, frame], drawn(roots[0]), drawn(roots[1]), found)
		found["frames"] += 1
		for player: AnimationPlayer in players:
			player.advance(1.0 / 60.0)


static func _compare_tree(trees: Array, roots: Array, found: Dictionary) -> void:
	for frame: int in 90:
		for tree: AnimationTree in trees:
			tree.active = true
			tree.advance(1.0 / 60.0)
		_compare_frame("tree %d" % frame, drawn(roots[0]), drawn(roots[1]), found)
		found["frames"] += 1
	for tree: AnimationTree in trees:
		tree.active = false


static func _compare_frame(about: String, before: Array, after: Array, found: Dictionary) -> void:
	var names: Callable = func(facts: Dictionary) -> String: return facts["name"]
	if before.map(names) != after.map(names):
		found["unlike"].append("%s: %s, not %s" % [about, after.map(names), before.map(names)])
		return
	for index: int in before.size():
		for fact: String in before[index]:
			var was: Variant = before[index][fact]
			var now: Variant = after[index][fact]
			if fact == "place":
				for corner: Vector2 in [Vector2.ZERO, Vector2(40, 0), Vector2(0, 40)]:
					var way: float = (was * corner).distance_to(now * corner)
					found["pixels"] = maxf(found["pixels"], way)
			elif not was is Object and was != now:
				found["unlike"].append("%s: %s of %s" % [about, fact, before[index]["name"]])
