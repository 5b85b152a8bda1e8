extends "res://tests/suite.gd"
## Random trees in which anything is freed, moved, set and solved at random. No error
## may be logged, and what is left in the end must work.

const STEPS: int = 2000
## Each with twenty steps.
const FRAMES: int = 100

const SEED: int = 4711
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567]
const MEMBERS: PackedStringArray = [
	"bone", "bone_one", "bone_two", "root_bone", "tip_bone", "tip", "target", "pole"
]

## Warnings about setups that are wrong on purpose.
const FORGIVEN: PackedStringArray = [
	"to a Bone2D of the skeleton",
	"not a bone of this rig's skeleton",
	"is not below",
	"is below a bone of the chain",
	"already has a TendonRig2D",
	"child of the Skeleton2D",
	"child of the TendonFABRIK2D",
	"advance() was called from within",
	"no Bone2D at the limb's end",
	"child of the Bone2D",
	"Only the first limit",
	"This limit is ignored",
	REFUSAL,
	"A modifier below this one moves",
	"runs after this rig",
	"freed or unreferenced while a signal",
	# The engine's own, of a last bone with automatic length.
	"No Bone2D children",
]

var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _stage: Node2D = Node2D.new()
# Instance ids of nodes that are outside the tree, or were.
var _removed: Array[int] = []
var _interferences: int = 0


func test_changes_between_passes() -> void:
	_random.seed = SEED
	add_child(_stage)
	for step: int in STEPS:
		_do_something()
		for rig: Node in _find("TendonRig2D"):
			if _random.randf() < 0.5 and is_instance_valid(rig):
				rig.call("advance", 0.0)
	_finish()


func test_changes_between_frames() -> void:
	_random.seed = SEED + 1
	add_child(_stage)
	for step: int in FRAMES:
		for count: int in 20:
			_do_something()
		await frames()
	_finish()


func test_changes_in_the_signals_of_a_pass() -> void:
	_random.seed = SEED + 2
	add_child(_stage)
	for step: int in STEPS:
		_do_something()
		for rig: Node in _find("TendonRig2D"):
			if not is_instance_valid(rig):
				continue
			_listen(rig)
			rig.call("advance", 0.0)
	_finish()
	check(_interferences >= 10, "%d interferences" % _interferences)


func test_changes_in_the_signals_of_frames() -> void:
	_random.seed = SEED + 3
	add_child(_stage)
	for step: int in FRAMES:
		for count: int in 20:
			_do_something()
		for rig: Node in _find("TendonRig2D"):
			_listen(rig)
		await frames()
	_finish()
	check(_interferences >= 10, "%d interferences" % _interferences)


## Interferes from now on whenever one of the rig's signals is heard.
func _listen(rig: Node) -> void:
	for node: Node in [rig] + rig.get_children():
		for heard: String in ["modification_processed", "target_reached", "target_lost"]:
			if node.has_signal(heard) and not node.is_connected(heard, _interfere):
				node.connect(heard, _interfere)


func _interfere() -> void:
	if _random.randf() < 0.1:
		_interferences += 1
		_do_something()


func _do_something() -> void:
	if _find("TendonRig2D").size() < 4:
		_add_figure()
	match _random.randi() % 20:
		0:
			_remove(_pick(["Bone2D", "Marker2D", "Tendon", "CollisionShape2D"]))
		1:
			_free(_pick(["Bone2D", "Marker2D", "Tendon", "CollisionShape2D", "Node"]))
		2:
			_move(_pick(["Bone2D", "Marker2D", "Tendon", "CollisionShape2D"]), _pick(["Node"]))
		3, 4, 5:
			var modifier: Node = _pick(["Tendon"])
			var member: String = MEMBERS[_random.randi() % MEMBERS.size()]
			if modifier != null and member in modifier:
				var wants_any: bool = member in ["tip", "target", "pole"]
				modifier.set(member, _pick(["Marker2D", "Bone2D"] if wants_any else ["Bone2D"]))
		6:
			var node: Node = _pick(["Tendon"])
			if node != null:
				node.set("active", _random.randf() < 0.8)
				node.set("influence", _random.randf())
		7:
			for rig: Node in _find("TendonRig2D"):
				rig.call("restore_pose")
		8, 9, 10:
			var target: Node = _pick(["Marker2D"])
			if target != null:
				target.set("position", Vector2.from_angle(_random.randf() * TAU) * 60)
				if _random.randf() < 0.1:
					target.set("position", Vector2(NAN, INF))
		11:
			var bone: Node = _pick(["Bone2D"])
			if bone != null:
				bone.set("rotation", _random.randf_range(-9, 9))
				bone.set("scale", Vector2(-1, 1) if _random.randf() < 0.3 else Vector2(1, 0.9))
		12:
			_put_back(_pick(["Bone2D", "Skeleton2D", "TendonRig2D"]))
		13:
			var original: Node = _pick(["Bone2D", "Marker2D", "Tendon"])
			if original != null and _find("Node").size() < 150:
				original.get_parent().add_child(original.duplicate())
		14:
			_limit(_pick(["Bone2D"]))
		15:
			var modifier: Node = _pick(["TendonFABRIK2D", "TendonCCDIK2D"])
			if modifier != null:
				modifier.get("obstacles").append(_pick(["CollisionShape2D"]))
				if _random.randf() < 0.3:
					modifier.set("obstacles", modifier.get("obstacles").slice(1))
		16:
			var obstacle: Node = _pick(["CollisionShape2D"])
			if obstacle != null:
				obstacle.set("position", Vector2.from_angle(_random.randf() * TAU) * 40)
				obstacle.set("disabled", _random.randf() < 0.2)
				obstacle.set("shape", _any_shape())
		17:
			_move(_pick(["TendonEffector2D"]), _pick(["TendonFABRIK2D"]))
		18, 19:
			_shape(_pick(["Tendon"]))


func _limit(bone: Node) -> void:
	if bone != null and bone.find_children("*", "TendonJointLimit2D", false, false).is_empty():
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.space = _random.randi() % 2
		bone.add_child(limit)


func _shape(node: Node) -> void:
	if node != null:
		node.set("softness", _random.randf_range(-0.2, 0.6))
		node.set("stretch", _random.randf_range(0.8, 1.6))
		node.set("match_target_rotation", _random.randf() < 0.5)
		node.set("min_angle", _random.randf_range(-2.0, 0.2))
		node.set("stiffness", NAN if _random.randf() < 0.05 else _random.randf())


func _any_shape() -> Shape2D:
	var segment: SegmentShape2D = SegmentShape2D.new()
	segment.b = Vector2(30, 5)
	var shapes: Array[Shape2D] = [
		CircleShape2D.new(), CapsuleShape2D.new(), RectangleShape2D.new(), segment, null
	]
	return shapes[_random.randi() % shapes.size()]


func _add_figure() -> void:
	var figure: Figure = Figure.new([30, 25, 12, 40], POSE)
	figure.rig.callback_mode_process = _random.randi() % 3
	for modifier: Node in [figure.look_at(), figure.two_bone(), figure.ccd(), figure.fabrik()]:
		modifier.set("deterministic", _random.randf() < 0.5)
		if "obstacles" in modifier:
			var effector: TendonEffector2D = TendonEffector2D.new()
			effector.tip_bone = figure.bones[_random.randi() % 4]
			effector.target = figure.target
			modifier.add_child(effector)
			var obstacle: CollisionShape2D = CollisionShape2D.new()
			obstacle.shape = _any_shape()
			figure.stage.add_child(obstacle)
			modifier.get("obstacles").append(obstacle)
	_stage.add_child(figure.stage)


## A random node of one of [param kinds] below the stage. There may be none.
func _pick(kinds: PackedStringArray) -> Node:
	var found: Array[Node] = _find(kinds[_random.randi() % kinds.size()])
	return null if found.is_empty() else found[_random.randi() % found.size()]


func _find(kind: String) -> Array[Node]:
	var found: Array[Node] = []
	for node: Node in _stage.find_children("*", "", true, false):
		if node.is_class(kind) or (kind == "Tendon" and node.get_class().begins_with(kind)):
			found.append(node)
	return found


func _remove(node: Node) -> void:
	if node != null:
		node.get_parent().remove_child(node)
		_removed.append(node.get_instance_id())


func _free(node: Node) -> void:
	if node == null:
		return
	if _random.randf() < 0.5:
		node.queue_free()
	elif not node.has_signal("target_reached") and not node.has_signal("modification_processed"):
		# A node that is emitting a signal cannot be freed from a script.
		node.free()


func _move(node: Node, parent: Node) -> void:
	if node == null or parent == null or node == parent:
		return
	if not node.is_ancestor_of(parent):
		node.reparent(parent, _random.randf() < 0.5)


## Puts the last of the removed nodes that still exist below [param parent].
func _put_back(parent: Node) -> void:
	while parent != null and not _removed.is_empty():
		if is_instance_id_valid(_removed[-1]):
			var node: Node = instance_from_id(_removed[-1])
			if node.get_parent() == null:
				parent.add_child(node)
				return
		_removed.pop_back()


func _finish() -> void:
	_stage.free()
	for id: int in _removed:
		var node: Node = instance_from_id(id) if is_instance_id_valid(id) else null
		if node != null and node.get_parent() == null:
			node.free()
	forgive(FORGIVEN)
	forgive([NO_RIG, INVALID, OVERRIDDEN, PARTLY_OVERRIDDEN])
	var figure: Figure = Figure.new([30, 25, 12, 40], POSE)
	figure.fabrik()
	add_child(figure.stage)
	figure.solve(Vector2(-20, 40))
	reaches(figure, "a new figure")
