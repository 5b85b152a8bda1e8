@tool
extends SceneTree
## Draws a cut-out beside what [b]Parts to Bones…[/b] makes of it, in each frame of its animations:
## see [code]scripts/screenshots[/code]. Says in how many frames, and by how much colours differ.

const CutOut := preload("res://tests/cut_out.gd")
const SIZE: Vector2i = Vector2i(600, 480)

var _figures: Array[Node2D] = []
var _places: Array[SubViewport] = []
var _frames: int = 0
var _difference: int = 0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await process_frame
	var scene: PackedScene = _packed(CutOut.make_animated())
	_show(scene.instantiate())
	var converted: Node2D = scene.instantiate()
	root.add_child(converted)
	var chosen: Array[Node2D] = [converted]
	ClassDB.class_call_static("TendonParts", "to_bones", chosen)
	root.remove_child(converted)
	_show(_packed(converted).instantiate())
	for player: AnimationPlayer in _figures[0].find_children("*", "AnimationPlayer", true, false):
		var other: AnimationPlayer = _figures[1].find_child(player.name, true, false)
		for animation: String in player.get_animation_list():
			await _play(animation, [player, other])
	print("PARTS DRAWN %d frames, %d of 255" % [_frames, _difference])
	quit()


func _show(figure: Node2D) -> void:
	var place: SubViewport = SubViewport.new()
	place.size = SIZE
	place.transparent_bg = true
	place.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	for bone: Bone2D in figure.find_children("*", "Bone2D"):
		# The editor draws it over the character.
		bone.set("editor_settings/show_bone_gizmo", false)
	place.add_child(figure)
	root.add_child(place)
	_places.append(place)
	_figures.append(figure)


func _play(animation: String, players: Array) -> void:
	CutOut.begin(animation, players)
	for frame: int in ceili(players[0].get_animation(animation).length * 60.0):
		await process_frame
		await RenderingServer.frame_post_draw
		_compare()
		for player: AnimationPlayer in players:
			player.advance(1.0 / 60.0)


func _compare() -> void:
	var bytes: Array = _places.map(
		func(place: SubViewport) -> PackedByteArray:
			return place.get_texture().get_image().get_data()
	)
	_frames += 1
	if bytes[0] != bytes[1]:
		for index: int in bytes[0].size():
			_difference = maxi(_difference, absi(bytes[0][index] - bytes[1][index]))


func _packed(figure: Node2D) -> PackedScene:
	for node: Node in figure.find_children("*", "", true, false):
		node.owner = figure
	var scene: PackedScene = PackedScene.new()
	scene.pack(figure)
	figure.free()
	return scene
