extends "res://tests/suite.gd"
## Feet that stand on several bodies stay on theirs: after a new plan, and after a state was loaded,
## also in another instance.

const GaitSuite := preload("res://tests/test_gait.gd")
const FeetSuite := preload("res://tests/test_feet.gd")
const PHYSICS: int = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
const SIZE: Vector2 = Vector2(4000, 40)


func test_a_new_plan_leaves_feet_where_they_stand() -> void:
	for title: String in ["gait", "feet"]:
		# It has found the right one first: a new plan that counts them anew begins with the left one.
		var stage: Stage = _stage(title, 100.0)
		await physics_frames(20)
		await stage.walk_to(0.0)
		await physics_frames(120)
		var colliders: Array = stage.colliders()
		equal(colliders[0], stage.left, title + ": one on the left")
		equal(colliders[-1], stage.right, title + ": one on the right")
		var lifted: Array[int] = [0]
		for foot: TendonFoot2D in stage.feet():
			foot.lifted.connect(func() -> void: lifted[0] += 1)
		for change: int in 3:
			var places: Array = stage.tips()
			stage.rig().add_child(TendonLookAt2D.new())
			await physics_frames(3)
			equal(stage.colliders(), colliders, "%s: the bodies, %d" % [title, change])
			for index: int in places.size():
				near_point(stage.tips()[index], places[index], 0.05, "%s: foot %d" % [title, index])
		equal(lifted[0], 0, title + ": none is lifted")
		stage.free_all()
	forgive(['Set "Bone" to a Bone2D'])


func test_another_instance_finds_the_bodies_of_a_state() -> void:
	for title: String in ["gait", "feet"]:
		var first: Stage = _stage(title, -100.0)
		await physics_frames(20)
		# Of the two bodies, it has found the left one first.
		await first.walk_to(0.0)
		await physics_frames(120)
		var colliders: PackedStringArray = first.names_of_colliders()
		check("Left" in colliders and "Right" in colliders, "%s: on both, %s" % [title, colliders])
		var state: PackedByteArray = first.rig().get_state()
		var places: Array = first.tips()
		first.free_all()
		await physics_frames(2)
		var second: Stage = _stage(title, 100.0)
		await physics_frames(20)
		equal(second.colliders()[0], second.right, title + ": it has only seen the right one")
		second.body().position.x = 0.0
		check(second.rig().set_state(state), title + ": restored")
		equal(second.names_of_colliders(), colliders, title + ": the bodies, at once")
		var lifted: Array[int] = [0]
		for foot: TendonFoot2D in second.feet():
			foot.lifted.connect(func() -> void: lifted[0] += 1)
		await physics_frames(10)
		equal(second.names_of_colliders(), colliders, title + ": the bodies")
		equal(lifted[0], 0, title + ": none is lifted")
		for index: int in places.size():
			near_point(second.tips()[index], places[index], 0.05, "%s: foot %d" % [title, index])
		second.free_all()
		await physics_frames(2)


## Numbers that become infinite in a product. It must come to an end, and stand again when they are
## gone.
func test_huge_frames_end_and_pass() -> void:
	for title: String in ["gait", "feet"]:
		var stage: Stage = _stage(title, -100.0)
		await physics_frames(20)
		for huge: int in 3:
			await stage.walk_to(-60.0 + 20.0 * huge)
			if huge == 0:
				stage.body().scale.x = 1e38
			elif huge == 1:
				stage.left.position.x = 3e38
			else:
				stage.left.scale = Vector2(3e38, 3e38)
			await physics_frames(4)
			for bone: Node in stage.body().find_children("*", "Bone2D", true, false):
				check(is_finite((bone as Bone2D).rotation), "%s, %d: %s" % [title, huge, bone.name])
			stage.body().scale.x = 1.0
			stage.left.scale = Vector2.ONE
			stage.left.position.x = -2000.0
			await physics_frames(60)
			equal(stage.colliders()[0], stage.left, "%s, %d: it stands again" % [title, huge])
		stage.free_all()
	forgive([INVALID])


func _stage(title: String, x: float) -> Stage:
	var stage: Stage = Stage.new(title)
	stage.body().position.x = x
	add_child(stage.root)
	return stage


## A character on two bodies that meet at zero.
class Stage:
	var root: Node2D = Node2D.new()
	var walker: Variant
	var left: StaticBody2D = StaticBody2D.new()
	var right: StaticBody2D = StaticBody2D.new()

	func _init(title: String) -> void:
		walker = (
			GaitSuite.Walker.new(PHYSICS, 4) if title == "gait" else FeetSuite.Walker.new(PHYSICS)
		)
		root.add_child(walker.body)
		if title == "feet":
			# Both feet on their own side.
			walker.thighs[0].rotation += 0.25
			walker.thighs[1].rotation -= 0.25
		for side: int in [-1, 1]:
			var ground: StaticBody2D = left if side < 0 else right
			ground.name = "Left" if side < 0 else "Right"
			ground.position = Vector2(side * 0.5 * SIZE.x, 20)
			walker.add_shape(ground, SIZE, Vector2.ZERO)
			root.add_child(ground)

	func body() -> CharacterBody2D:
		return walker.body

	func rig() -> TendonRig2D:
		return walker.rig

	func feet() -> Array:
		return walker.feet

	func colliders() -> Array:
		return feet().map(func(foot: TendonFoot2D) -> Node: return foot.get_ground_collider())

	func names_of_colliders() -> PackedStringArray:
		var names: PackedStringArray = []
		for collider: Node in colliders():
			names.append(str(collider.name) if collider != null else "none")
		return names

	func tips() -> Array:
		return range(feet().size()).map(walker.tip)

	func walk_to(x: float) -> void:
		while body().position.x != x:
			body().position.x = move_toward(body().position.x, x, 1.0)
			await body().get_tree().physics_frame

	func free_all() -> void:
		root.free()
