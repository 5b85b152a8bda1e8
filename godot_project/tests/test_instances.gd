extends "res://tests/suite.gd"
## Many instances of one scene do not affect one another.

const COUNT: int = 200
const LENGTHS: Array[float] = [30.0, 25.0, 12.0, 40.0]
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567]


func test_all_instances_agree_bit_for_bit() -> void:
	var instances: Array[Node] = _instances()
	for point: Vector2 in [Vector2(-20, 55), Vector2(60, 10), Vector2(400, 0)]:
		for instance: Node in instances:
			var target: Marker2D = instance.get_node("Target")
			target.position = point
			_rig(instance).advance(0.0)
		var pose: PackedFloat32Array = _pose(instances[0])
		var different: int = 0
		for instance: Node in instances:
			different += int(_pose(instance) != pose)
		equal(different, 0, "instances that differ, at %v" % point)
	check(_pose(instances[0]) != PackedFloat32Array(POSE), "is solved")


func test_they_agree_when_idle_frames_run_them() -> void:
	var instances: Array[Node] = _instances()
	for instance: Node in instances:
		instance.get_node("Target").set("position", Vector2(-20, 55))
		_rig(instance).callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	await frames(2)
	var pose: PackedFloat32Array = _pose(instances[0])
	var different: int = 0
	for instance: Node in instances:
		different += int(_pose(instance) != pose)
	equal(different, 0, "instances that differ")
	check(pose != PackedFloat32Array(POSE), "is solved")


func test_each_has_its_own_target() -> void:
	var instances: Array[Node] = _instances()
	for index: int in COUNT:
		var target: Marker2D = instances[index].get_node("Target")
		target.position = Vector2.from_angle(index) * (20 + index % 70)
		_rig(instances[index]).advance(0.0)
	var misses: int = 0
	for index: int in COUNT:
		var modifier: TendonFABRIK2D = _rig(instances[index]).get_child(0)
		equal(modifier.target, instances[index].get_node("Target"), "target")
		var tip: Vector2 = Figure.axis_end(modifier.tip_bone)
		misses += int(tip.distance_to(modifier.target.global_position) > 0.01)
	equal(misses, 0, "misses")


func test_one_that_goes_does_not_matter_to_the_others() -> void:
	var instances: Array[Node] = _instances()
	for instance: Node in instances:
		_rig(instance).advance(0.0)
	var pose: PackedFloat32Array = _pose(instances[7])
	for index: int in range(0, COUNT, 2):
		instances[index].free()
	for index: int in range(1, COUNT, 2):
		_rig(instances[index]).advance(0.0)
	equal(_pose(instances[7]), pose, "pose")
	instances[7].get_node("Target").set("position", Vector2(50, 1))
	for index: int in range(1, COUNT, 2):
		_rig(instances[index]).advance(0.0)
	check(_pose(instances[7]) != pose, "the one whose target has moved")
	equal(_pose(instances[9]), pose, "the one whose target has not")


func _instances() -> Array[Node]:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.fabrik()
	figure.target.position = Vector2(-33, 21)
	for node: Node in figure.stage.find_children("*", "", true, false):
		node.owner = figure.stage
	var scene: PackedScene = PackedScene.new()
	scene.pack(figure.stage)
	figure.stage.free()
	var instances: Array[Node] = []
	for count: int in COUNT:
		var instance: Node = scene.instantiate()
		add_child(instance)
		instances.append(instance)
	return instances


func _rig(instance: Node) -> TendonRig2D:
	return instance.get_node("Skeleton/Rig")


func _pose(instance: Node) -> PackedFloat32Array:
	var rotations: PackedFloat32Array = []
	var bone: Node = instance.get_node_or_null("Skeleton/Bone0")
	while bone != null:
		rotations.append(bone.get("rotation"))
		bone = bone.get_node_or_null("Bone%d" % rotations.size())
	return rotations
