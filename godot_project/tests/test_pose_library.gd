extends "res://tests/suite.gd"
## Libraries of poses while a game runs.

const BENT: Array[float] = [0.4, -0.9]

var _stops: bool = false


## An arm at rest.
func _arm(above: String = "plain", size: float = 1.0) -> Figure:
	var figure: Figure = Figure.new(
		[60.0 * size, 50.0 * size], [0.25, 0.5], Figure.ANCESTORS[above]
	)
	figure.target.position = Vector2(60, 70)
	add_child(figure.stage)
	return figure


func _bend(figure: Figure) -> void:
	for bone: int in 2:
		figure.bones[bone].rotation += BENT[bone]
	figure.bones[1].position += Vector2(3, -2)
	figure.bones[1].scale = Vector2(1.2, 0.9)


## A library with the pose "Bent".
func _library() -> TendonPoseLibrary:
	var figure: Figure = _arm()
	_bend(figure)
	var library: TendonPoseLibrary = TendonPoseLibrary.new()
	check(library.store(figure.skeleton, "Bent"), "is stored")
	figure.stage.free()
	return library


func test_a_pose_goes_to_another_character() -> void:
	var library: TendonPoseLibrary = _library()
	for above: String in ["plain", "mirrored, then stretched"]:
		var figure: Figure = _arm(above, 1.7)
		figure.bones[0].rotation += TAU
		check(library.apply(figure.skeleton, "Bent"), "is applied")
		near(figure.bones[0].rotation, 0.25 + TAU + BENT[0], 1e-5, above)
		near(figure.bones[1].rotation, 0.5 + BENT[1], 1e-5, above)
		near(figure.bones[1].position.x, 60 * 1.7 + 3, 1e-4, above)
		near(figure.bones[1].scale.y, 0.9, 1e-5, above)
		figure.stage.free()


## As a tween does it, at any frame rate.
func test_a_blend_from_another_pose_does_not_compound() -> void:
	var library: TendonPoseLibrary = _library()
	var figure: Figure = _arm()
	check(library.store(figure.skeleton, "Rest"), "the pose at rest")
	for steps: int in [3, 12]:
		for step: int in steps:
			var weight: float = 0.2 * (step + 1) / steps
			check(library.apply(figure.skeleton, "Bent", weight, "Rest"), "is applied")
		near(figure.bones[1].rotation, 0.5 + 0.2 * BENT[1], 1e-5, "in %d steps" % steps)
	check(not library.apply(figure.skeleton, "Bent", 0.5, "Nowhere"), "no such pose to begin with")
	expect_errors(['there is no pose "Nowhere"'], "is told")
	near(figure.bones[1].rotation, 0.5 + 0.2 * BENT[1], 1e-5, "and nothing moves")
	figure.stage.free()


func test_the_weight_blends_from_the_present_pose() -> void:
	var library: TendonPoseLibrary = _library()
	for weight: float in [0.0, 0.25, 1.0, 7.0, -2.0]:
		var figure: Figure = _arm()
		library.apply(figure.skeleton, "Bent", weight)
		var share: float = clampf(weight, 0.0, 1.0)
		near(figure.bones[1].rotation, 0.5 + share * BENT[1], 1e-5, "rotation at %s" % weight)
		near(figure.bones[1].position.y, -2 * share, 1e-5, "position at %s" % weight)
		near(figure.bones[1].scale.x, 1 + 0.2 * share, 1e-5, "scale at %s" % weight)
		figure.stage.free()


func test_it_is_the_base_pose_that_counts() -> void:
	var library: TendonPoseLibrary = TendonPoseLibrary.new()
	var figure: Figure = _arm()
	figure.two_bone()
	figure.solve()
	var solved: float = figure.bones[0].rotation
	check(absf(solved - 0.25) > 0.05, "the rig is at work")
	library.store(figure.skeleton, "Rest")
	_bend(figure)
	figure.solve()
	library.apply(figure.skeleton, "Rest")
	near(figure.bones[0].rotation, 0.25, 1e-5, "applied")
	figure.solve()
	near(figure.rig.get_base_rotation(figure.bones[0]), 0.25, 1e-5, "base pose")
	figure.stage.free()


func test_targets_are_part_of_a_pose() -> void:
	var library: TendonPoseLibrary = TendonPoseLibrary.new()
	for above: String in ["plain", "mirrored, then stretched"]:
		var figure: Figure = _arm(above)
		figure.two_bone()
		figure.target.position = Vector2(31, 44)
		figure.target.rotation = 0.3
		figure.solve()
		var solved: float = figure.bones[0].rotation
		library.store(figure.skeleton, "Kick")
		figure.target.position = Vector2(80, -20)
		figure.target.rotation = 0.0
		figure.solve()
		check(absf(figure.bones[0].rotation - solved) > 0.05, above + ": the limb has moved")
		library.apply(figure.skeleton, "Kick", 0.5)
		near_point(figure.target.position, Vector2(55.5, 12), 1e-3, above + ", half")
		library.apply(figure.skeleton, "Kick")
		near_point(figure.target.position, Vector2(31, 44), 1e-3, above)
		near_angle(figure.target.rotation, 0.3, 1e-4, above)
		figure.solve()
		near_angle(figure.bones[0].rotation, solved, 1e-3, above + ", solved")
		figure.stage.free()


func test_the_side_to_which_a_limb_bends_is_part_of_a_pose() -> void:
	var library: TendonPoseLibrary = TendonPoseLibrary.new()
	for above: String in ["plain", "mirrored, then stretched"]:
		var figure: Figure = _arm(above)
		var limb: TendonTwoBoneIK2D = figure.two_bone()
		figure.target.global_position = figure.bones[1].global_transform * Vector2(20, 25)
		figure.solve()
		var drawn: float = figure.bones[1].rotation
		library.store(figure.skeleton, "As drawn")
		limb.flip_bend_direction = true
		figure.rig.reset()
		figure.solve()
		var flipped: float = figure.bones[1].rotation
		check(absf(angle_difference(drawn, flipped)) > 0.3, above + ": it bends the other way")
		library.store(figure.skeleton, "Flipped")
		for pose: Array in [["As drawn", false, drawn], ["Flipped", true, flipped]]:
			library.apply(figure.skeleton, pose[0], 0.4)
			equal(
				limb.flip_bend_direction, not pose[1], "%s, %s, less than half" % [above, pose[0]]
			)
			library.apply(figure.skeleton, pose[0])
			equal(limb.flip_bend_direction, pose[1], "%s, %s" % [above, pose[0]])
			figure.rig.reset()
			figure.solve()
			near_angle(figure.bones[1].rotation, pose[2], 1e-3, "%s, %s" % [above, pose[0]])
		# A pose of before, which does not say it.
		var poses: Dictionary = library.poses.duplicate(true)
		for target: Dictionary in (poses["As drawn"]["targets"] as Dictionary).values():
			target.erase("flip_bend_direction")
		library.poses = poses
		library.apply(figure.skeleton, "As drawn")
		check(limb.flip_bend_direction, above + ": stays where a pose says nothing of it")
		figure.stage.free()


func test_targets_come_along_with_the_character() -> void:
	var library: TendonPoseLibrary = TendonPoseLibrary.new()
	var figure: Figure = _arm()
	figure.two_bone()
	library.store(figure.skeleton, "Kick")
	var place: Vector2 = figure.target.position
	figure.skeleton.position += Vector2(300, 20)
	library.apply(figure.skeleton, "Kick")
	near_point(figure.target.position, place + Vector2(300, 20), 1e-3, "beside the skeleton")
	# Of the bone that carries it, whatever that does.
	figure.target.reparent(figure.bones[0])
	library.store(figure.skeleton, "Carried")
	place = figure.target.position
	figure.target.position += Vector2(5, 5)
	figure.bones[0].rotation += 1.0
	library.apply(figure.skeleton, "Carried")
	near_point(figure.target.position, place, 1e-3, "on a bone")
	figure.stage.free()


func test_targets_of_the_bones_that_are_stored() -> void:
	var library: TendonPoseLibrary = TendonPoseLibrary.new()
	var figure: Figure = _arm()
	figure.two_bone()
	var other: Bone2D = Figure.branch(figure.skeleton, Vector2(0, 90), [20.0])[0]
	other.name = "Other"
	library.store_bones(figure.skeleton, "Other", [other])
	library.store_bones(figure.skeleton, "Arm", [figure.bones[1]])
	check(not (library.poses["Other"] as Dictionary).has("targets"), "of another limb")
	equal((library.poses["Arm"] as Dictionary)["targets"].keys(), ["Target"], "of the arm")
	library.poses["Odd"] = {"bones": {}, "targets": {"Target": {"position": 3}, 5: "x"}}
	library.apply(figure.skeleton, "Odd")
	figure.stage.free()


func test_only_some_bones_are_stored() -> void:
	var figure: Figure = _arm()
	_bend(figure)
	var library: TendonPoseLibrary = TendonPoseLibrary.new()
	library.store_bones(figure.skeleton, "Hand", [figure.bones[1]])
	equal(library.get_bone_list("Hand"), PackedStringArray(["Bone1"]), "bones")
	figure.stage.free()
	figure = _arm()
	library.apply(figure.skeleton, "Hand")
	near(figure.bones[0].rotation, 0.25, 1e-6, "others stay")
	near(figure.bones[1].rotation, 0.5 + BENT[1], 1e-5, "the hand")
	figure.stage.free()


func test_poses_have_names() -> void:
	var library: TendonPoseLibrary = _library()
	var changes: Array[int] = [0]
	library.changed.connect(func() -> void: changes[0] += 1)
	library.poses["Empty"] = {}
	check(library.has_pose("Bent") and not library.has_pose("Other"), "has")
	check(library.rename_pose("Bent", "Crouch"), "is renamed")
	check(not library.rename_pose("Bent", "Crouch"), "is gone")
	check(not library.rename_pose("Crouch", "Empty"), "is taken")
	equal(library.get_pose_list(), PackedStringArray(["Crouch", "Empty"]), "in order")
	var picture: Texture2D = PlaceholderTexture2D.new()
	library.set_thumbnail("Crouch", picture)
	equal(library.get_thumbnail("Crouch"), picture, "thumbnail")
	var figure: Figure = _arm()
	library.store(figure.skeleton, "Crouch")
	equal(library.get_thumbnail("Crouch"), picture, "is kept")
	library.set_thumbnail("Crouch", null)
	equal(library.get_thumbnail("Crouch"), null, "is removed")
	check(library.remove_pose("Crouch") and not library.remove_pose("Crouch"), "is removed")
	equal(changes[0], 5, "changes")
	figure.stage.free()


func test_a_library_is_saved_and_loaded_on_another_thread() -> void:
	var library: TendonPoseLibrary = _library()
	var folder: DirAccess = DirAccess.create_temp("tendon")
	var path: String = folder.get_current_dir().path_join("poses.tres")
	equal(ResourceSaver.save(library, path), OK, "is saved")
	ResourceLoader.load_threaded_request(path, "", false, ResourceLoader.CACHE_MODE_IGNORE)
	var loaded: TendonPoseLibrary = ResourceLoader.load_threaded_get(path)
	equal(loaded.get_pose_list(), PackedStringArray(["Bent"]), "is loaded")
	var figure: Figure = _arm()
	loaded.apply(figure.skeleton, "Bent")
	near(figure.bones[1].rotation, 0.5 + BENT[1], 1e-5, "to the bit of a float")
	figure.stage.free()


## The text of a resource has the keys of a dictionary by the alphabet.
func test_the_order_of_poses_is_saved() -> void:
	var library: TendonPoseLibrary = _library()
	for title: String in ["Zebra", "Ant", "Mouse"]:
		library.poses[title] = {"bones": {}}
	library.poses[&"Cat"] = {"bones": {}}
	var folder: DirAccess = DirAccess.create_temp("tendon")
	for extension: String in ["tres", "res"]:
		var path: String = folder.get_current_dir().path_join("order." + extension)
		equal(ResourceSaver.save(library, path), OK, "is saved")
		var loaded: TendonPoseLibrary = ResourceLoader.load(
			path, "", ResourceLoader.CACHE_MODE_IGNORE
		)
		var names: PackedStringArray = ["Bent", "Zebra", "Ant", "Mouse", "Cat"]
		equal(loaded.get_pose_list(), names, extension)
	equal(library.duplicate().get_pose_list()[1], "Zebra", "a copy")
	# A library that was saved before has no order.
	library.pose_order = PackedStringArray()
	equal(library.get_pose_list().size(), 5, "none is lost")
	library.pose_order = PackedStringArray(["Mouse", "Unknown", "Mouse", "Cat"])
	equal(
		library.get_pose_list(), PackedStringArray(["Mouse", "Cat", "Bent", "Zebra", "Ant"]), "set"
	)


func test_what_cannot_be_done_is_told() -> void:
	var library: TendonPoseLibrary = _library()
	var figure: Figure = _arm()
	check(not library.apply(figure.skeleton, "Bend"), "no such pose")
	expect_errors(['no pose "Bend". There are "Bent"'], "no such pose")
	check(not library.apply(null, "Bent"), "no skeleton")
	expect_errors(["skeleton is null"], "no skeleton")
	check(not library.apply(figure.skeleton, "Bent", NAN), "no weight")
	expect_errors(["weight is not finite (NaN or infinity)"], "no weight")
	for bone: Bone2D in figure.bones:
		bone.rest = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
	check(not library.store(figure.skeleton, "Restless"), "no rest pose")
	expect_errors(["has a rest pose"], "no rest pose")
	check(not library.apply(figure.skeleton, "Bent"), "nothing to apply to")
	figure.stage.free()


func test_wrong_data_counts_as_rest() -> void:
	var library: TendonPoseLibrary = _library()
	library.poses = {
		&"Odd":
		{
			"bones":
			{
				"Bone0": {"rotation": NAN, "position": "left", "scale": Vector2(INF, 1)},
				&"Bone1": {"rotation": 1, "unknown": 3},
				"Bone2": 5,
			}
		},
		"Odder": 3,
	}
	var figure: Figure = _arm()
	_bend(figure)
	check(library.apply(figure.skeleton, "Odd"), "is applied")
	near(figure.bones[0].rotation, 0.25, 1e-5, "no number")
	near(figure.bones[0].position.x, 3.0, 1e-5, "no vector")
	near(figure.bones[1].rotation, 1.5, 1e-5, "a whole number")
	check(not library.has_pose("Odder"), "no pose")
	figure.stage.free()


func test_bones_may_be_freed_by_what_a_bone_does() -> void:
	var library: TendonPoseLibrary = _library()
	var figure: Figure = _arm()
	var arm: Bone2D = figure.bones[1]
	figure.bones[0].set_script(load("res://tests/callback_bone.gd"))
	figure.bones[0].set_notify_local_transform(true)
	figure.bones[0].set("callback", func() -> void: arm.free())
	check(library.apply(figure.skeleton, "Bent"), "is applied")
	check(not is_instance_valid(arm), "is freed")
	figure.stage.free()


## Threads read poses, change them and set them all while the main thread does.
func test_two_threads() -> void:
	var library: TendonPoseLibrary = _library()
	var figure: Figure = _arm()
	_stops = false
	var threads: Array[Thread] = []
	for index: int in 2:
		threads.append(Thread.new())
		threads[index].start(_use.bind(library, index))
	for count: int in 300:
		check(library.store(figure.skeleton, "Mine"), "is stored")
		check(library.apply(figure.skeleton, "Bent"), "is applied")
		check("Bent" in library.get_pose_list(), "is listed")
	_stops = true
	for thread: Thread in threads:
		thread.wait_to_finish()
	check(library.has_pose("Bent"), "what nobody has changed is there")
	figure.stage.free()


## On another thread.
func _use(library: TendonPoseLibrary, index: int) -> void:
	while not _stops:
		library.rename_pose("Mine", "Of thread %d" % index)
		library.set_thumbnail("Bent", null)
		library.remove_pose("Of thread %d" % index)
		library.get_bone_list("Bent")
		library.poses = library.poses.duplicate()
