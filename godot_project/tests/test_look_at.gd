extends "res://tests/suite.gd"
## TendonLookAt2D.

const TARGETS: Array[Vector2] = [
	Vector2(50, 10), Vector2(-40, 25), Vector2(-5, -60), Vector2(80, -33), Vector2(3, 30)
]


func test_points_its_axis_at_the_target() -> void:
	var figure: Figure = _figure()
	for point: Vector2 in TARGETS:
		figure.solve(point)
		_looks(figure, figure.bones[0], Vector2.RIGHT, "at %v" % point)
	equal(figure.shape()[0][0], Vector2(3, 4), "position")


## The line from the muzzle along its X axis goes through the target, wherever the muzzle is.
func test_a_muzzle_points_at_the_target() -> void:
	for about: String in Figure.ANCESTORS:
		for turn: float in [0.0, 0.4, -2.0]:
			var figure: Figure = Figure.new([30.0, 20.0], [0.2, 0.1], Figure.ANCESTORS[about])
			figure.look_at()
			add_child(figure.stage)
			var muzzle: Marker2D = Marker2D.new()
			muzzle.position = Vector2(14, -9)
			muzzle.rotation = turn
			figure.bones[1].add_child(muzzle)
			var gun: TendonLookAt2D = figure.rig.get_child(0)
			gun.bone = figure.bones[1]
			gun.tip = muzzle
			for root: Bone2D in [null, figure.bones[0]]:
				gun.chain_root = root
				for point: Vector2 in [Vector2(120, 30), Vector2(-90, 70), Vector2(40, -150)]:
					figure.solve_anew(point)
					equal(gun.get_status(), TendonLookAt2D.STATUS_REACHED, about)
					var seen: Vector2 = (
						muzzle.global_transform.affine_inverse()
						* (figure.skeleton.global_transform * point)
					)
					near(seen.angle(), 0.0, 2e-3, "%s, turned by %s, at %v" % [about, turn, point])
			figure.stage.free()


## Nearer to the joint than the line of the muzzle, it cannot hit.
func test_a_muzzle_that_cannot_hit_says_so() -> void:
	var figure: Figure = _figure()
	var gun: TendonLookAt2D = figure.rig.get_child(0)
	var muzzle: Marker2D = Marker2D.new()
	muzzle.position = Vector2(14, -9)
	figure.bones[0].add_child(muzzle)
	gun.tip = muzzle
	figure.solve(Vector2(3, 4) + Vector2(5, 0))
	equal(gun.get_status(), TendonLookAt2D.STATUS_OUT_OF_REACH, "status")
	check(is_finite(figure.bones[0].rotation), "a number")


func test_bone_angle_is_part_of_the_axis() -> void:
	var figure: Figure = _figure()
	for angle: float in [0.4, -1.9, 3.0]:
		figure.bones[0].set_bone_angle(angle)
		for point: Vector2 in TARGETS:
			figure.solve(point)
			_looks(figure, figure.bones[0], Vector2.from_angle(angle), "%f at %v" % [angle, point])


## If the engine has to guess, it takes the rotation that a bone had when it entered the tree for
## its angle: after each pose that was saved it would be another one.
func test_a_bone_whose_end_is_unknown_points_along_its_axis() -> void:
	for posed: float in [0.0, 0.3, -2.0]:
		var figure: Figure = Figure.new([30.0])
		figure.bones[0].set_autocalculate_length_and_angle(true)
		figure.bones[0].rotation = posed
		figure.look_at()
		add_child(figure.stage)
		figure.solve(Vector2(3, 4) + Vector2(50, 50))
		near_angle(figure.bones[0].rotation, PI / 4, 1e-5, "posed by %s" % posed)
		var scene: PackedScene = figure.pack()
		var copy: Node2D = scene.instantiate()
		add_child(copy)
		var rig: TendonRig2D = copy.get_node("Skeleton/Rig")
		rig.advance(0.0)
		var bone: Bone2D = copy.get_node("Skeleton/Bone0")
		near_angle(bone.rotation, PI / 4, 1e-5, "packed and loaded, posed by %s" % posed)
		copy.free()


func test_axis_goes_to_the_first_child_bone_as_it_is_now() -> void:
	var figure: Figure = Figure.new([20, 15])
	figure.look_at()
	add_child(figure.stage)
	figure.solve(Vector2(-30, 40))
	_looks(figure, figure.bones[0], Vector2(20, 0), "at first")
	# The engine's own length and angle do not follow.
	figure.bones[1].position = Vector2(4, 18)
	for point: Vector2 in TARGETS:
		figure.solve(point)
		_looks(figure, figure.bones[0], Vector2(4, 18), "moved child, at %v" % point)


func test_without_automatic_length_a_child_does_not_matter() -> void:
	var figure: Figure = Figure.new([20, 15])
	figure.look_at()
	figure.bones[0].set_autocalculate_length_and_angle(false)
	figure.bones[0].set_bone_angle(0.3)
	figure.bones[1].position = Vector2(4, 18)
	add_child(figure.stage)
	figure.solve(Vector2(-30, 40))
	_looks(figure, figure.bones[0], Vector2.from_angle(0.3), "bone angle")


func test_additional_rotation_mirrors_with_the_character() -> void:
	var plain: Figure = _figure()
	var mirrored: Figure = _figure([Transform2D(0.0, Vector2(-1, 1), 0.0, Vector2.ZERO)])
	for figure: Figure in [plain, mirrored]:
		figure.rig.get_child(0).set("additional_rotation", 0.7)
		figure.solve(Vector2(60, -20))
	near_angle(mirrored.bones[0].rotation, plain.bones[0].rotation, 1e-6, "local rotation")
	var end: Vector2 = Figure.axis_end(plain.bones[0])
	near_point(Figure.axis_end(mirrored.bones[0]), Vector2(-end.x, end.y), 1e-4, "mirror image")


func test_every_ancestor() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = _figure(Figure.ANCESTORS[about])
		figure.bones[0].set_bone_angle(0.8)
		for point: Vector2 in TARGETS:
			figure.solve(point)
			_looks(figure, figure.bones[0], Vector2.from_angle(0.8), "%s, at %v" % [about, point])


func test_own_scale_and_skew() -> void:
	var figure: Figure = _figure()
	var bone: Bone2D = figure.bones[0]
	bone.set_bone_angle(0.6)
	for scale: Vector2 in [Vector2(2, 1), Vector2(1, -1), Vector2(-1, 1), Vector2(-0.5, -3)]:
		for skew: float in [0.0, 0.5]:
			bone.scale = scale
			bone.skew = skew
			for point: Vector2 in TARGETS:
				figure.solve(point)
				var about: String = "scale %v, skew %f, at %v" % [scale, skew, point]
				_looks(figure, bone, Vector2.from_angle(0.6), about)
				equal(bone.scale, scale, "scale")


func test_reports() -> void:
	var figure: Figure = _figure()
	var modifier: TendonLookAt2D = figure.rig.get_child(0)
	equal(modifier.get_status(), TendonLookAt2D.STATUS_IDLE, "before the first pass")
	figure.solve(Vector2(3, 54))
	equal(modifier.get_status(), TendonLookAt2D.STATUS_REACHED, "status")
	near(modifier.get_target_distance(), 40.0, 1e-3, "distance from the bone's end")
	near_point(modifier.get_tip_position(), Figure.axis_end(figure.bones[0]), 1e-3, "tip")


## One bone of length 10 which looks at the target.
func _figure(above: Array = []) -> Figure:
	var figure: Figure = Figure.new([10], [0.2], above)
	figure.look_at()
	add_child(figure.stage)
	return figure


## The ray from [param bone]'s joint along its local [param axis] goes through the target, on
## the screen.
func _looks(figure: Figure, bone: Bone2D, axis: Vector2, message: String) -> void:
	var ray: Vector2 = bone.global_transform.basis_xform(axis)
	var way: Vector2 = figure.target.global_position - bone.global_position
	near(ray.angle_to(way), 0.0, 2e-5, message)
