extends RefCounted
## An artist's manikin of twenty bones, made in code: what [code]posing_picture.gd[/code] poses.

const WOOD: Color = Color("d9a566")
const SHADE: Color = Color("8f5f33")
const LIGHT: Color = Color("f3d3a0")
const BALL: Color = Color("6d4728")

## The bones: parent, place in the parent, angle to the parent in degrees, length, and width at both
## ends. Left is the viewer's right.
const BONES: Array[Array] = [
	["Hips", "", Vector2(0, 0), -90.0, 34.0, 44.0, 30.0],
	["Spine", "Hips", Vector2(34, 0), 0.0, 44.0, 30.0, 44.0],
	["Chest", "Spine", Vector2(44, 0), 0.0, 62.0, 50.0, 74.0],
	["Head", "Chest", Vector2(76, 0), 0.0, 66.0, 40.0, 54.0],
	["Shoulder_R", "Chest", Vector2(50, -8), -84.0, 34.0, 22.0, 24.0],
	["UpperArm_R", "Shoulder_R", Vector2(34, 0), -42.0, 76.0, 25.0, 20.0],
	["Forearm_R", "UpperArm_R", Vector2(76, 0), 8.0, 68.0, 20.0, 14.0],
	["Hand_R", "Forearm_R", Vector2(68, 0), 6.0, 32.0, 16.0, 15.0],
	["Shoulder_L", "Chest", Vector2(50, 8), 84.0, 34.0, 22.0, 24.0],
	["UpperArm_L", "Shoulder_L", Vector2(34, 0), 42.0, 76.0, 25.0, 20.0],
	["Forearm_L", "UpperArm_L", Vector2(76, 0), -8.0, 68.0, 20.0, 14.0],
	["Hand_L", "Forearm_L", Vector2(68, 0), -6.0, 32.0, 16.0, 15.0],
	["Thigh_R", "Hips", Vector2(-6, -20), -176.0, 100.0, 36.0, 26.0],
	["Shin_R", "Thigh_R", Vector2(100, 0), -6.0, 96.0, 26.0, 16.0],
	["Foot_R", "Shin_R", Vector2(96, 0), 26.0, 30.0, 20.0, 22.0],
	["Toes_R", "Foot_R", Vector2(30, 0), 12.0, 15.0, 20.0, 16.0],
	["Thigh_L", "Hips", Vector2(-6, 20), 176.0, 100.0, 36.0, 26.0],
	["Shin_L", "Thigh_L", Vector2(100, 0), 6.0, 96.0, 26.0, 16.0],
	["Foot_L", "Shin_L", Vector2(96, 0), -26.0, 30.0, 20.0, 22.0],
	["Toes_L", "Foot_L", Vector2(30, 0), -12.0, 15.0, 20.0, 16.0],
]


## The manikin before a wall, as a scene.
static func pack() -> PackedScene:
	var stage: Node2D = Node2D.new()
	stage.name = "Manikin"
	stage.add_child(_wall())
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton2D"
	stage.add_child(skeleton)
	var bones: Dictionary[String, Bone2D] = {}
	for line: Array in BONES:
		var bone: Bone2D = Bone2D.new()
		bone.name = line[0]
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(line[4])
		bone.position = line[2]
		bone.rotation = deg_to_rad(line[3])
		bone.rest = bone.transform
		var parent: Node = skeleton if line[1] == "" else bones[line[1]]
		parent.add_child(bone)
		bones[line[0]] = bone
		carve(bone, line[4], line[5], line[6])
	for node: Node in stage.find_children("*", "", true, false):
		node.owner = stage
	var scene: PackedScene = PackedScene.new()
	scene.pack(stage)
	stage.free()
	return scene


static func _wall() -> Node2D:
	var wall: Polygon2D = Polygon2D.new()
	wall.name = "Wall"
	wall.polygon = _box(Rect2(-900, -700, 1800, 1400))
	wall.vertex_colors = [Color("39424f"), Color("39424f"), Color("4d5868"), Color("4d5868")]
	var floor_line: Polygon2D = Polygon2D.new()
	floor_line.name = "Floor"
	floor_line.polygon = _box(Rect2(-900, 256, 1800, 500))
	floor_line.vertex_colors = [Color("6b5644"), Color("6b5644"), Color("4a3b2f"), Color("4a3b2f")]
	wall.add_child(floor_line)
	return wall


static func _box(rect: Rect2) -> PackedVector2Array:
	return [
		rect.position,
		rect.position + Vector2(rect.size.x, 0),
		rect.end,
		rect.position + Vector2(0, rect.size.y)
	]


## A turned piece of wood along the bone, and a ball at its joint.
static func carve(bone: Bone2D, length: float, near: float, far: float) -> void:
	var is_head: bool = bone.name == &"Head"
	var start: float = 6.0 if is_head else 4.0
	var points: PackedVector2Array = []
	var colours: PackedColorArray = []
	for step: int in 40:
		var turn: float = TAU * step / 40.0
		var along: float = 0.5 - 0.5 * cos(turn)
		var width: float = lerpf(near, far, along) * (1.0 if is_head else 0.92)
		var round_end: float = pow(absf(sin(turn)), 0.55) * signf(sin(turn))
		points.append(Vector2(lerpf(start, length - 2.0, along), 0.5 * width * round_end))
		var side: float = 0.5 + 0.5 * round_end
		colours.append(
			LIGHT.lerp(WOOD, minf(2.0 * side, 1.0)).lerp(SHADE, maxf(2.0 * side - 1.0, 0))
		)
	var outline: Polygon2D = _shape("Outline", points, [])
	outline.color = Color("40291a")
	outline.polygon = Geometry2D.offset_polygon(points, 1.6, Geometry2D.JOIN_ROUND)[0]
	bone.add_child(outline)
	bone.add_child(_shape("Wood", points, colours))
	var ball: PackedVector2Array = []
	for step: int in 20:
		ball.append(Vector2.from_angle(TAU * step / 20.0) * minf(0.26 * near, 7.0))
	var joint: Polygon2D = _shape("Ball", ball, [])
	joint.color = BALL
	bone.add_child(joint)


static func _shape(
	title: String, points: PackedVector2Array, colours: PackedColorArray
) -> Polygon2D:
	var shape: Polygon2D = Polygon2D.new()
	shape.name = title
	shape.polygon = points
	shape.vertex_colors = colours
	shape.antialiased = true
	return shape
