extends "res://tests/editor_suite.gd"
## The engine's jiggle, converted in an editor, and then played beside it.

const StackedArm := preload("res://tests/stacked_arm.gd")

const DRIVER: String = "jiggle_driver"
const FRAME: float = 1.0 / 60.0
## How much of its own motion a converted jiggle may be off the engine's, as a mean of squares. A
## single bone follows the same law. It is off because it takes its goal to move evenly within a
## frame: that is half a frame, 4 % of a sway at 0.7 Hz, and more near the bone's own frequency. The
## engine's bones of a chain swing each for itself, and those of a spring as a rod that bends.
const OFF: Dictionary[String, float] = {"jiggle": 0.08, "heavy": 0.08, "tail": 0.2}
## The same for the farthest points of the motion.
const PEAK_OFF: float = 0.1
## What the engine says of scenes with a stack.
const ENGINE_NOISE: PackedStringArray = [
	'Parameter "t" is null',
	"leaked at exit",
	"cache is out of date",
	"Cannot update",
	"cannot update"
]


func test_a_jiggle_becomes_a_look_at_and_a_spring() -> void:
	var nodes: Dictionary = seen["jiggle"]["nodes"]
	equal(nodes["ArmLookAt"]["bone"], "Skeleton/Arm", "the look-at")
	equal(nodes["ArmLookAt"]["target"], "Target", "and its target")
	var spring: Dictionary = nodes["ArmSpring"]
	equal([spring["root_bone"], spring["tip_bone"]], ["Skeleton/Arm", "Skeleton/Arm"], "bones")
	near(spring["frequency"], 1.25, 0.005, "frequency of the engine's defaults")
	near(spring["damping_ratio"], 0.196, 0.001, "damping ratio")
	equal(spring["gravity"], str(Vector2.ZERO), "gravity is not used")
	check("1 of 1" in seen["jiggle"]["report"], seen["jiggle"]["report"])
	check("1.25 Hz" in seen["jiggle"]["report"], seen["jiggle"]["report"])
	equal(seen["jiggle"]["nodes"].has("HandSpring"), false, "no other spring")


## One spring for all joints, below what poses them.
func test_a_jiggle_of_several_bones() -> void:
	var nodes: Dictionary = seen["tail"]["nodes"]
	var spring: Dictionary = nodes["HandSpring"]
	equal(spring["root_bone"], "Skeleton/Arm", "root bone")
	equal(spring["tip_bone"], "Skeleton/Arm/Forearm/Hand", "tip bone")
	var saved: String = seen["tail files"]["after"]
	for title: String in ["ArmLookAt", "ForearmLookAt", "HandLookAt"]:
		check(nodes.has(title), title)
		check(
			saved.find('"%s"' % title) < saved.find('"HandSpring"'), title + " is above the spring"
		)
	check(not "order" in seen["tail"]["report"], "sorts nothing: " + seen["tail"]["report"])
	equal(spring["frequency_curve"], null, "joints that are alike need no curve")


func test_a_jiggle_in_a_stack_within_the_stack() -> void:
	var nodes: Dictionary = seen["holder"]["nodes"]
	near(nodes["Tail"]["influence"], 0.5, 1e-6, "influence of the spring")
	near(nodes["HandLookAt"]["influence"], 0.5, 1e-6, "influence of a look-at")
	near(nodes["ForearmTwoBoneIK"]["influence"], 1.0, 1e-6, "influence of what is not held")
	check(seen["holder"]["nodes"]["Tail"]["frequency_curve"] != null, "a softer end")
	check("2 of 2" in seen["holder"]["report"], seen["holder"]["report"])
	equal(seen["holder"]["converted"], seen["holder"]["base"], "no bone moves")
	var saved: String = seen["holder files"]["after"]
	check(saved.find('"ForearmTwoBoneIK"') < saved.find('name="Tail" type'), "the spring is last")
	check("Curve" in saved, "the curve is saved")


## The goal is then the pose, since there is nothing to look at.
func test_a_jiggle_whose_target_it_carries_itself() -> void:
	var nodes: Dictionary = seen["carried"]["nodes"]
	check(nodes.has("ForearmSpring"), "%s" % [nodes.keys()])
	check(not nodes.has("ArmLookAt"), "%s" % [nodes.keys()])


## The engine's jiggle and what it was converted to, under the same motion. What is compared is the
## direction from the first joint to the end of the last.
func test_a_converted_jiggle_moves_like_the_engines() -> void:
	for scene: String in OFF:
		for motion: String in ["jump", "sway", "turn", "walk"]:
			var about: String = "%s, %s" % [scene, motion]
			var facts: Dictionary = _compare(
				await _play(scene, "before", motion), await _play(scene, "after", motion)
			)
			print("   %s, in degrees: %s" % [about, facts])
			near(facts["difference at rest"], 0.0, 0.05, about + ": at rest")
			if motion == "walk":
				# The engine's bones run ahead of a character, those of a spring lag behind.
				check(facts["peaks"][1] > 3.0 * facts["peaks"][0], about + ": is felt")
				continue
			check(facts["motion"] > 10.0, about + ": the engine's moves")
			check(facts["difference"] < OFF[scene] * facts["motion"], about + ": difference")
			var peaks: Array = facts["peaks"]
			near(peaks[1] / peaks[0], 1.0, PEAK_OFF, about + ": peaks")
	forgive(["Bone2D cache", "cache is out of date", "Target cache"])


func test_converting_is_one_undo_step() -> void:
	for scene: String in ["jiggle", "heavy", "tail", "holder", "carried"]:
		var files: Dictionary = seen[scene + " files"]
		check(files["before"] != files["after"], scene + ": something is done")
		equal(files["undone"], files["before"], scene + ": undone")
		equal(files["redone"], files["after"], scene + ": redone")


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["panic", "SCRIPT ERROR", 'TendonRig2D "', "TendonMenu"], ENGINE_NOISE)


func _make_scenes() -> Dictionary:
	return {
		"jiggle": _jiggling(1),
		"tail": _jiggling(3),
		"heavy": _heavy(),
		"holder": _held(),
		"carried": _jiggling_around(^"Arm/Forearm/Hand/Tip"),
	}


## The direction of the arm in each frame while the target, or the whole scene, moves.
func _play(scene: String, moment: String, motion: String) -> PackedFloat32Array:
	var file: String = "user://%s_%s.tscn" % [scene, moment]
	_write(file, seen[scene + " files"][moment])
	var root: Node2D = (load(file) as PackedScene).instantiate()
	DirAccess.remove_absolute(ProjectSettings.globalize_path(file))
	add_child(root)
	await frames(3)
	var skeleton: Skeleton2D = root.get_node("Skeleton")
	var rig: Node = skeleton.get_node_or_null("TendonRig2D")
	var step: Callable = skeleton.execute_modifications.bind(FRAME, 0)
	if rig != null:
		rig.set("callback_mode_process", TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL)
		step = rig.advance.bind(FRAME)
	var directions: PackedFloat32Array = []
	var target: Node2D = root.get_node("Target")
	var arm: Node2D = skeleton.get_node("Arm")
	var start: Vector2 = target.position - arm.position
	for frame: int in range(-600, 240):
		var time: float = maxf(0.0, frame * FRAME)
		match motion:
			"jump":
				target.position = arm.position + start.rotated(0.5 if frame >= 0 else 0.0)
			"sway":
				target.position = arm.position + start.rotated(0.4 * sin(TAU * 0.7 * time))
			"turn":
				root.rotation = 0.4 * sin(TAU * 0.7 * time)
				root.position = arm.position - arm.position.rotated(root.rotation)
			"walk":
				root.position.x = 200.0 * minf(time, 1.0)
		step.call()
		if frame >= -1:
			var bone: Node = skeleton.find_child("Hand") if scene == "tail" else arm
			directions.append((Figure.axis_end(bone) - arm.global_position).angle())
	root.free()
	return directions


## How the second of two motions differs from the first.
func _compare(old: PackedFloat32Array, new: PackedFloat32Array) -> Dictionary:
	var squares: float = 0.0
	var swing: float = 0.0
	var peaks: Array[float] = [0.0, 0.0]
	for frame: int in old.size():
		var moved: float = angle_difference(old[0], old[frame])
		squares += angle_difference(old[frame], new[frame]) ** 2
		swing += moved ** 2
		peaks[0] = maxf(peaks[0], absf(moved))
		peaks[1] = maxf(peaks[1], absf(angle_difference(new[0], new[frame])))
	return {
		"difference at rest": rad_to_deg(absf(angle_difference(old[0], new[0]))),
		"difference": rad_to_deg(sqrt(squares / old.size())),
		"motion": rad_to_deg(sqrt(swing / old.size())),
		"peaks": peaks.map(rad_to_deg),
	}


## An arm of which [param count] bones jiggle, with the engine's defaults, around a target that is
## out of their reach.
func _jiggling(count: int) -> Node2D:
	var jiggle: SkeletonModification2DJiggle = SkeletonModification2DJiggle.new()
	jiggle.target_nodepath = "../Target"
	jiggle.jiggle_data_chain_length = count
	var path: String = "Arm/Forearm/Hand"
	for joint: int in count:
		jiggle.set_jiggle_joint_bone2d_node(joint, "/".join(path.split("/").slice(0, joint + 1)))
	var root: Node2D = StackedArm.make([jiggle])
	(root.get_node("Target") as Marker2D).position = Vector2(-10, 65)
	return root


func _heavy() -> Node2D:
	var root: Node2D = _jiggling(1)
	var skeleton: Skeleton2D = root.get_node("Skeleton")
	var jiggle: Resource = skeleton.get_modification_stack().get_modification(0)
	jiggle.set("use_gravity", true)
	jiggle.set("gravity", Vector2(0, 40))
	return root


## A bone that looks at something that it carries itself.
func _jiggling_around(target: NodePath) -> Node2D:
	var root: Node2D = _jiggling(2)
	var skeleton: Skeleton2D = root.get_node("Skeleton")
	var jiggle: Resource = skeleton.get_modification_stack().get_modification(0)
	jiggle.set("target_nodepath", target)
	return root


## A jiggle of its own values in a stack within the stack, with gravity. The last joint is softer.
func _held() -> Node2D:
	var root: Node2D = _jiggling(3)
	var skeleton: Skeleton2D = root.get_node("Skeleton")
	var held: SkeletonModificationStack2D = skeleton.get_modification_stack()
	var jiggle: SkeletonModification2DJiggle = held.get_modification(0)
	jiggle.resource_name = "Tail"
	jiggle.stiffness = 8.0
	jiggle.damping = 0.5
	jiggle.use_gravity = true
	jiggle.gravity = Vector2(0, 40)
	jiggle.set_jiggle_joint_override(2, true)
	jiggle.set_jiggle_joint_stiffness(2, 4.0)
	jiggle.set_jiggle_joint_mass(2, 1.5)
	jiggle.set_jiggle_joint_damping(2, 0.5)
	held.strength = 0.5
	var holder: SkeletonModification2DStackHolder = SkeletonModification2DStackHolder.new()
	holder.set_held_modification_stack(held)
	var stack: SkeletonModificationStack2D = SkeletonModificationStack2D.new()
	stack.add_modification(StackedArm.modification("TwoBoneIK"))
	stack.add_modification(holder)
	stack.enabled = false
	skeleton.set_modification_stack(stack)
	return root
