extends RefCounted
## A character for fault tests. It has a description of all its parts, so that it can be repaired
## after any fault: see [method repair].

const FaultModifier := preload("res://tests/fault_modifier.gd")
const CallbackBone := preload("res://tests/callback_bone.gd")
const Figure := preload("res://tests/figure.gd")

## What the characters are made of: their modifiers, in order, and what these have.
const PLANS: PackedStringArray = [
	"look_at",
	"two_bone pole",
	"two_bone tip limit stretch",
	"two_bone pole tip",
	"ccd tip",
	"ccd limit obstacle",
	"ccd stretch match",
	"fabrik",
	"fabrik effector",
	"fabrik limit obstacle tip",
	"look_at fabrik effector limit tip",
	"fabrik ccd obstacle",
	"spline path",
	"look_at spline path tip stretch",
	"copy",
	"look_at copy limit",
	"fabrik script",
	"look_at script copy fabrik tip limit",
	"look_at two_bone ccd fabrik pole tip limit effector obstacle",
	"spring limit obstacle",
	"look_at spring tip",
	"wave fabrik limit tip",
	"look_at trail limit",
	"slider fabrik limit",
	"look_at slider",
	"feet two_bone limit",
	"gait two_bone limit",
	"look_at ragdoll limit",
	"full_body limit tip effector",
]
const MODIFIERS: Dictionary[String, String] = {
	"look_at": "TendonLookAt2D",
	"two_bone": "TendonTwoBoneIK2D",
	"ccd": "TendonCCDIK2D",
	"fabrik": "TendonFABRIK2D",
	"full_body": "TendonFullBody2D",
	"spring": "TendonSpring2D",
	"slider": "TendonSlider2D",
	"spline": "TendonSplineIK2D",
	"copy": "TendonCopyTransform2D",
	"trail": "TendonTrail2D",
	"wave": "TendonWave2D",
	"feet": "TendonFootPlacement2D",
	"gait": "TendonGait2D",
	"ragdoll": "TendonRagdoll2D",
	"script": "TendonCustomModifier2D",
}
const LENGTHS: Array[float] = [30.0, 25.0, 20.0, 15.0, 10.0]
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567, 0.5432109]
## Where the target is, in the skeleton's space.
const POINTS: PackedVector2Array = [Vector2(-20, 45), Vector2(50, 20)]
const FAR: Vector2 = Vector2(900, 300)
## Properties that cannot be repaired by setting them, or that would break the engine.
const LEFT_ALONE: PackedStringArray = ["script", "modification_stack", "owner", "name"]

static var _defaults: Dictionary[String, Dictionary] = {}

var plan: String
## The nodes by their names. Any of them may be freed, or anywhere.
var nodes: Dictionary[StringName, Variant] = {}
## Its class, its parent's name, its properties: node properties hold names of parts.
var parts: Dictionary[StringName, Dictionary] = {}
## The last modifier. It has to reach its target.
var main: StringName
## The pose that it solves for each of [constant POINTS].
var solved: Array[PackedFloat32Array] = []

## The parent of the character and of what a fault adds.
var _holder: Node = Node.new()


## Makes the character number [param number] below [param above].
func _init(number: int, above: Node) -> void:
	plan = PLANS[number % PLANS.size()]
	above.add_child(_holder)
	_plan_skeleton(Figure.ANCESTORS.values()[number % Figure.ANCESTORS.size()])
	for word: String in plan.split(" "):
		if word in MODIFIERS:
			_plan_modifier(word)
	repair()
	for point: int in POINTS.size():
		solve_anew(point)
		solved.append(pose())


func part(title: StringName) -> Node:
	var node: Variant = nodes.get(title)
	return node if is_instance_valid(node) else null


func rig() -> TendonRig2D:
	return part(&"Rig") as TendonRig2D


## The existing parts whose name begins with this.
func find(beginning: String) -> Array[Node]:
	var found: Array[Node] = []
	for title: StringName in parts:
		if title.begins_with(beginning) and part(title) != null:
			found.append(part(title))
	return found


## Every existing part.
func all() -> Array[Node]:
	return find("")


## Forgets a node and those below it: another thread has them now.
func forget(node: Node) -> void:
	for title: StringName in nodes:
		var own: Node = part(title)
		if own != null and (own == node or node.is_ancestor_of(own)):
			nodes[title] = null


## One pass, with the target at a point of the skeleton's space, if both still exist.
func aim_and_advance(point: Vector2) -> void:
	var target: Node2D = part(&"Target") as Node2D
	var skeleton: Node2D = part(&"Skeleton") as Node2D
	if (
		target != null
		and skeleton != null
		and target.is_inside_tree()
		and skeleton.is_inside_tree()
	):
		target.global_position = skeleton.global_transform * point
	advance()


func advance() -> void:
	if rig() != null:
		rig().advance(0.0)


func solve(point: int) -> void:
	aim_and_advance(POINTS[point])


## The same without what the rig remembers: a pose that a fault cannot have changed.
func solve_anew(point: int) -> void:
	rig().reset()
	solve(point)


func status() -> int:
	return part(main).call("get_status")


## The rotation of each existing bone.
func pose() -> PackedFloat32Array:
	var rotations: PackedFloat32Array = []
	for bone: Node in find("Bone"):
		rotations.append((bone as Node2D).rotation)
	return rotations


## The rotations that the bones should have before anything is solved.
func base_pose() -> PackedFloat32Array:
	var rotations: PackedFloat32Array = []
	for title: StringName in parts:
		if title.begins_with("Bone"):
			rotations.append(parts[title]["set"][&"rotation"])
	return rotations


## Calls [param action] while the rig writes the bone number [param index].
func arm(index: int, action: Callable) -> void:
	var bones: Array[Node] = find("Bone")
	if not bones.is_empty():
		bones[index % bones.size()].set("callback", action)


## Calls [param action] in the script of the custom modifier, if there is one. Returns that.
func arm_script(action: Callable) -> Node:
	for title: StringName in parts:
		if parts[title]["script"] == FaultModifier and part(title) != null:
			part(title).set("callback", action)
			return part(title)
	return null


## Repairs everything: creates missing parts, moves others back, frees what does not belong to it
## and sets every property.
func repair() -> void:
	for title: StringName in parts:
		_place(title)
	_free_foreign_nodes()
	for title: StringName in parts:
		_put_in_order(title)
		_set_right(title)
	# A base that differs in the last bit from what the rig remembers would be taken for it. Not
	# by a round number: a joint may have been turned back by just that.
	for bone: Node in find("Bone"):
		(bone as Node2D).rotation += 0.4321
	# A body that gets up would write the pose that it lay in, which may be just the base pose.
	rig().reset()
	advance()
	for title: StringName in parts:
		if title.begins_with("Bone"):
			part(title).set(&"rotation", parts[title]["set"][&"rotation"])


func free_all() -> void:
	for node: Node in all():
		if is_instance_valid(node):
			node.free()
	_holder.free()


func _plan_skeleton(above: Array) -> void:
	_add(&"Stage", "Node2D", &"")
	var parent: StringName = &"Stage"
	for index: int in above.size():
		var title: StringName = &"Above%d" % index
		var place: Transform2D = above[index]
		var own: Dictionary = {
			&"position": place.origin,
			&"rotation": place.get_rotation(),
			&"scale": place.get_scale(),
			&"skew": place.get_skew(),
		}
		_add(title, "Node2D", parent, own)
		parent = title
	_add(&"Skeleton", "Skeleton2D", parent, {&"position": Vector2(6, -2)})
	parent = &"Skeleton"
	for index: int in LENGTHS.size():
		_add_bone(&"Bone%d" % index, parent, LENGTHS[index - 1] if index > 0 else 0.0, index)
		parent = &"Bone%d" % index
	_add_bone(&"BoneA", &"Bone1", LENGTHS[1], 3)
	_add_bone(&"BoneB", &"BoneA", LENGTHS[3], 2)
	_add(&"Target", "Marker2D", &"Stage")
	if "pole" in plan:
		_add(&"Pole", "Marker2D", &"Stage", {&"position": Vector2(80, -70)})
	if "tip" in plan:
		_add(&"Tip", "Marker2D", &"Bone4", {&"position": Vector2(9, 4)})
	if "limit" in plan:
		var angles: Dictionary = {&"min_angle": -1.5, &"max_angle": 2.0, &"stiffness": 0.25}
		_add(&"Limit", "TendonJointLimit2D", &"Bone2", angles)
	if "path" in plan:
		_add(&"Path", "Path2D", &"Target")
	if "slider" in plan:
		_add(&"Player", "AnimationPlayer", &"Skeleton")
	if "obstacle" in plan:
		_add(&"Obstacle", "CollisionShape2D", &"Skeleton", {&"position": Vector2(30, -60)})
	if "effector" in plan:
		_add(&"Target2", "Marker2D", &"Stage", {&"position": Vector2(40, 60)})
	_add(&"Rig", "TendonRig2D", &"Skeleton", {&"callback_mode_process": 2})


func _add_bone(title: StringName, parent: StringName, along: float, like: int) -> void:
	var place: Vector2 = Vector2(along, 0.0) if along > 0.0 else Vector2(3, 4)
	var own: Dictionary = {
		&"position": place,
		&"rotation": POSE[like],
		&"rest": Transform2D(POSE[like], place),
		&"auto_calculate_length_and_angle": false,
		&"length": LENGTHS[like],
		&"bone_angle": 0.0,
	}
	_add(title, "Bone2D", parent, own)
	parts[title]["script"] = CallbackBone


func _plan_modifier(word: String) -> void:
	var own: Dictionary = (
		{}
		if word in ["copy", "script", "feet", "gait", "ragdoll", "full_body"]
		else {&"target": &"Target"}
	)
	match word:
		"full_body":
			own = {&"root_bone": &"Bone0"}
		"spring":
			# Without time it is where gravity and springs are in balance.
			own = {&"root_bone": &"Bone0", &"tip_bone": &"Bone4", &"gravity": Vector2(300, 500)}
		"spline":
			own = {&"root_bone": &"Bone0", &"tip_bone": &"Bone4", &"path_2d": &"Path"}
		"trail":
			own = {&"root_bone": &"Bone0", &"tip_bone": &"Bone4", &"leader": &"Target"}
		"feet", "gait":
			own = {&"pelvis": &"Bone0"}
		"ragdoll":
			# fault_fall.gd lets it go. Let go here, it would write just the base pose, and a bone
			# that is set to what the rig wrote counts as it was.
			own = {&"root_bone": &"Bone0", &"simulating": false}
		"wave":
			own = {&"root_bone": &"Bone0", &"tip_bone": &"Bone4", &"phase": 0.2}
		"slider":
			own = {&"source": &"Target", &"channel": 1, &"source_max": 90.0, &"loop": true}
			own.merge({&"animation_player": &"Player", &"animation": "turn"})
		"copy":
			own.merge({&"bone": &"Bone1", &"source": &"Target", &"source_channel": 2})
			# Never just the rest pose: a bone that is set to what the rig wrote counts as it was.
			own.merge({&"source_max": 100.0, &"bone_min": 0.13, &"bone_max": -0.5})
		"script":
			pass
		"look_at":
			own[&"bone"] = &"Bone0"
		"two_bone":
			own.merge({&"bone_one": &"Bone0", &"bone_two": &"Bone2"})
		_:
			own.merge({&"root_bone": &"Bone0", &"tip_bone": &"Bone4"})
	if "pole" in plan and word == "two_bone":
		own[&"pole"] = &"Pole"
	if "tip" in plan and word in ["two_bone", "ccd", "fabrik"]:
		own[&"tip"] = &"Tip"
	if "stretch" in plan and not word in ["copy", "script"]:
		own[&"stretch"] = 1.5
	if "match" in plan and not word in ["copy", "script"]:
		own[&"match_target_rotation"] = true
	if "obstacle" in plan and word in ["ccd", "fabrik", "spring"]:
		own[&"obstacles"] = [&"Obstacle"]
	var title: String = "Modifier " + word
	_add(title, MODIFIERS[word], &"Rig", own)
	if word == "ragdoll":
		return
	main = title
	if word == "script":
		parts[main]["script"] = FaultModifier
	if word in ["feet", "gait"]:
		_add(&"Foot", "TendonFoot2D", main, {&"limb": &"Modifier two_bone"})
	if word == "full_body":
		var hand: Dictionary = {&"tip_bone": &"Bone4", &"target": &"Target", &"tip": &"Tip"}
		_add(&"Effector2", "TendonEffector2D", main, hand)
	if "effector" in plan and word in ["fabrik", "full_body"]:
		var ends: Dictionary = {&"tip_bone": &"BoneB", &"target": &"Target2", &"weight": 0.0}
		_add(&"Effector", "TendonEffector2D", main, ends)


func _add(title: StringName, kind: String, parent: StringName, own: Dictionary = {}) -> void:
	parts[title] = {"class": kind, "parent": parent, "set": own, "script": null}


func _place(title: StringName) -> void:
	var node: Node = part(title)
	if (
		node != null
		and (node.is_queued_for_deletion() or node.get_class() != parts[title]["class"])
	):
		node.free()
		node = null
	if node == null:
		node = ClassDB.instantiate(parts[title]["class"])
		nodes[title] = node
		if node is Bone2D:
			# A bone without a child below it would complain of having to guess its length.
			node.set(&"auto_calculate_length_and_angle", false)
	node.set_block_signals(false)
	if node.get_script() != parts[title]["script"]:
		node.set_script(parts[title]["script"])
	if parts[title]["script"] != null:
		node.set("callback", Callable())
	var parent: Node = part(parts[title]["parent"])
	parent = _holder if parent == null else parent
	if node.get_parent() != parent:
		if node.get_parent() != null:
			node.get_parent().remove_child(node)
		parent.add_child(node)
	node.name = title


func _free_foreign_nodes() -> void:
	var strangers: Array[Node] = []
	for node: Node in _holder.find_children("*", "", true, false):
		if not node in nodes.values():
			strangers.append(node)
	for stranger: Variant in strangers:
		if is_instance_valid(stranger):
			(stranger as Node).free()


## The children of each parent stand in the order in which they are written down.
func _put_in_order(title: StringName) -> void:
	var node: Node = part(title)
	node.name = title
	node.get_parent().move_child(node, -1)


func _set_right(title: StringName) -> void:
	var node: Node = part(title)
	var own: Dictionary = parts[title]["set"]
	var defaults: Dictionary = _defaults_of(parts[title]["class"])
	for property: StringName in defaults:
		if not property in own and not is_same(node.get(property), defaults[property]):
			var default: Variant = defaults[property]
			# Two nodes with one array would share what a fault does to it.
			node.set(property, (default as Array).duplicate() if default is Array else default)
	for property: StringName in own:
		var value: Variant = _resolve(own[property])
		if property == &"obstacles" or not is_same(node.get(property), value):
			node.set(property, value)
	if node is Path2D:
		var curve: Curve2D = Curve2D.new()
		curve.add_point(Vector2.ZERO, Vector2.ZERO, Vector2(80, 0))
		curve.add_point(Vector2(400, 90), Vector2(-80, -50), Vector2(80, 50))
		curve.add_point(Vector2(900, 60))
		(node as Path2D).curve = curve
	if node is AnimationPlayer:
		_give_animation(node as AnimationPlayer)
	if node is CollisionShape2D:
		var shape: CircleShape2D = CircleShape2D.new()
		shape.radius = 8.0
		(node as CollisionShape2D).shape = shape


## One that turns two bones, never to just the rest pose.
func _give_animation(player: AnimationPlayer) -> void:
	var animation: Animation = Animation.new()
	for line: Array in [["Bone0/Bone1", 0.31, -0.47], ["Bone0/Bone1/Bone2/Bone3", 0.83, 0.21]]:
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		animation.track_set_path(track, "%s:rotation" % line[0])
		animation.track_insert_key(track, 0.0, line[1])
		animation.track_insert_key(track, 1.0, line[2])
	for title: StringName in player.get_animation_library_list():
		player.remove_animation_library(title)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"turn", animation)
	player.add_animation_library(&"", library)


## The nodes instead of their names.
func _resolve(value: Variant) -> Variant:
	if value is StringName:
		return part(value)
	if value is Array:
		var line: Array[CollisionShape2D] = []
		for title: StringName in value:
			line.append(part(title))
		return line
	return value


## Every property that a scene would keep, as a new node of the class has it.
static func _defaults_of(kind: String) -> Dictionary:
	if not kind in _defaults:
		var node: Node = ClassDB.instantiate(kind)
		var found: Dictionary = {}
		for property: Dictionary in node.get_property_list():
			var title: String = property["name"]
			if property["usage"] & PROPERTY_USAGE_STORAGE and not title in LEFT_ALONE:
				found[StringName(title)] = node.get(title)
		node.free()
		_defaults[kind] = found
	return _defaults[kind]
