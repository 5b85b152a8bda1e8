extends RefCounted
## A skeleton with a chain of bones, a rig and a target, made in code.
##
## Add [member stage] to the tree to make it live. The rig runs only when called: see
## [method solve].

## The name and the transforms, outermost first, of nodes that a skeleton may have above it.
const ANCESTORS: Dictionary[String, Array] = {
	"plain": [],
	"moved and turned": [Transform2D(0.7, Vector2(31, -12))],
	"mirrored in x": [Transform2D(0.0, Vector2(-1, 1), 0.0, Vector2(40, 9))],
	"mirrored in y": [Transform2D(0.0, Vector2(1, -1), 0.0, Vector2(-7, 60))],
	"mirrored twice": [Transform2D(0.3, Vector2(-1, -1), 0.0, Vector2(5, 5))],
	"stretched": [Transform2D(0.0, Vector2(2, 0.5), 0.0, Vector2(13, 17))],
	"skewed": [Transform2D(0.2, Vector2(1, 1), 0.6, Vector2(-3, 8))],
	"mirrored, then stretched":
	[
		Transform2D(-0.9, Vector2(-1, 1), 0.0, Vector2(10, 0)),
		Transform2D(0.4, Vector2(2, 0.5), 0.0, Vector2(0, 10)),
	],
	"stretched, skewed and mirrored":
	[
		Transform2D(1.1, Vector2(0.6, 1.7), 0.0, Vector2(30, 4)),
		Transform2D(-2.0, Vector2(1, 1), -0.5, Vector2(2, -20)),
		Transform2D(0.5, Vector2(1, -1), 0.3, Vector2(-9, 3)),
	],
	"small": [Transform2D(2.5, Vector2(0.05, 0.05), 0.0, Vector2(1, 1))],
}

## The outermost node.
var stage: Node2D = Node2D.new()
## The nodes above the skeleton, outermost first.
var ancestors: Array[Node2D] = []
var skeleton: Skeleton2D = Skeleton2D.new()
## The chain, root first.
var bones: Array[Bone2D] = []
var rig: TendonRig2D = TendonRig2D.new()
## A child of the stage, whatever the ancestors.
var target: Marker2D = Marker2D.new()


## A chain of bones as long as [param lengths], turned by [param rotations].
func _init(lengths: Array, rotations: Array = [], above: Array = []) -> void:
	stage.name = "Stage"
	var place: Node2D = stage
	for transform: Transform2D in above:
		var ancestor: Node2D = Node2D.new()
		ancestor.transform = transform
		place.add_child(ancestor)
		ancestors.append(ancestor)
		place = ancestor
	skeleton.name = "Skeleton"
	skeleton.position = Vector2(6, -2)
	place.add_child(skeleton)
	bones = branch(skeleton, Vector2(3, 4), lengths, rotations)
	rig.name = "Rig"
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	skeleton.add_child(rig)
	target.name = "Target"
	stage.add_child(target)


## Adds a line of bones below [param parent] and returns them.
static func branch(
	parent: Node, at: Vector2, lengths: Array, rotations: Array = []
) -> Array[Bone2D]:
	var line: Array[Bone2D] = []
	for index: int in lengths.size():
		var bone: Bone2D = Bone2D.new()
		bone.name = "Bone%d" % index
		if index == lengths.size() - 1:
			bone.set_autocalculate_length_and_angle(false)
		bone.set_length(lengths[index])
		bone.position = Vector2(lengths[index - 1], 0) if index > 0 else at
		bone.rotation = rotations[index] if index < rotations.size() else 0.0
		bone.rest = bone.transform
		parent.add_child(bone)
		parent = bone
		line.append(bone)
	return line


## The figure as a scene. Frees its nodes.
func pack() -> PackedScene:
	for node: Node in stage.find_children("*", "", true, false):
		node.owner = stage
	var scene: PackedScene = PackedScene.new()
	scene.pack(stage)
	stage.free()
	return scene


## Adds [param modifier] to the rig, with this chain and target: whatever properties it has.
func add(modifier: Node) -> Node:
	rig.add_child(modifier)
	modifier.set(&"target", target)
	var values: Dictionary[String, Node] = {
		"bone": bones[0],
		"bone_one": bones[0],
		"bone_two": bones[-1],
		"root_bone": bones[0],
		"tip_bone": bones[-1],
		"source": target,
	}
	for property: String in values:
		if property in modifier:
			modifier.set(property, values[property])
	if "path_2d" in modifier:
		modifier.set(&"path_2d", _line_from(target))
	return modifier


## A path that begins where [param node] is, and moves with it.
static func _line_from(node: Node) -> Path2D:
	var path: Path2D = Path2D.new()
	path.curve = Curve2D.new()
	path.curve.add_point(Vector2.ZERO)
	path.curve.add_point(Vector2(1000, 0))
	node.add_child(path)
	return path


func look_at() -> TendonLookAt2D:
	return add(TendonLookAt2D.new())


func two_bone() -> TendonTwoBoneIK2D:
	return add(TendonTwoBoneIK2D.new())


func ccd() -> TendonCCDIK2D:
	return add(TendonCCDIK2D.new())


func fabrik() -> TendonFABRIK2D:
	return add(TendonFABRIK2D.new())


## Runs one pass, with the target at [param point] of the skeleton's space if one is given. It goes
## on from the last one, but no time passes: nothing settles, and no limb swings over.
func solve(point: Vector2 = Vector2.INF) -> void:
	if point != Vector2.INF:
		target.global_position = skeleton.global_transform * point
	rig.advance(0.0)


## The same, without memory of the passes before.
func solve_anew(point: Vector2 = Vector2.INF) -> void:
	rig.reset()
	solve(point)


## Each bone's rotation.
func pose() -> PackedFloat32Array:
	var rotations: PackedFloat32Array = []
	for bone: Bone2D in bones:
		rotations.append(bone.rotation)
	return rotations


func set_pose(rotations: Array) -> void:
	for index: int in bones.size():
		bones[index].rotation = rotations[index]


## All of the bones' transforms but the rotations.
func shape() -> Array:
	var parts: Array = []
	for bone: Bone2D in bones:
		parts.append(
			[bone.position, bone.scale, bone.skew, bone.get_length(), bone.get_bone_angle()]
		)
	return parts


## Where the joints and the tip are, in the skeleton's space.
func points() -> PackedVector2Array:
	var found: PackedVector2Array = []
	for bone: Bone2D in bones:
		found.append(to_skeleton(bone.global_position))
	found.append(tip())
	return found


## Where the chain ends, in the skeleton's space, from the engine's own transforms.
func tip() -> Vector2:
	return to_skeleton(axis_end(bones[-1]))


## The sum of the bones' lengths, in the skeleton's units.
func reach() -> float:
	var joints: PackedVector2Array = points()
	var length: float = 0.0
	for index: int in bones.size():
		length += joints[index].distance_to(joints[index + 1])
	return length


## How far the tip is from the target, in the skeleton's units.
func gap() -> float:
	return tip().distance_to(to_skeleton(target.global_position))


func to_skeleton(global_point: Vector2) -> Vector2:
	return skeleton.global_transform.affine_inverse() * global_point


## The global position of the end of a bone that has no automatic length.
static func axis_end(bone: Bone2D) -> Vector2:
	return bone.global_transform * (Vector2.from_angle(bone.get_bone_angle()) * bone.get_length())
