extends Node
## Plays the gallery by itself and checks that every rig does what its scene promises.
##
## It does so only when asked to, with
## [code]godot --path godot_project -- --check[/code], and then quits. It is no test
## among the others because it runs in the exported gallery, which has none of them.
## With [code]--fixed-fps 60[/code] the scenes always play the same.

const STEP: float = 1.0 / 60.0
const FRAMES: int = 600
## Frames in which a limb may swing over to another side of a shape.
const SWING: int = 30

## How far a tip may be from its target that is said to be reached, in pixels.
const TOLERANCE: float = 0.05

## About half as wide as what is drawn for a bone, in pixels.
const WIDTH: float = 16.0

## How much at least a bone turns in the whole time that a modifier turns.
const TURN: float = 0.01

const SCENES: String = "res://scenes/"

## The modifiers whose targets are out of reach at times, by their rigs' skeletons.
## All others reach theirs in every frame.
const STRAINED: Dictionary[String, PackedStringArray] = {
	"aim":
	[
		# The recoil throws them off.
		"Figure/Skeleton2D/TendonRig2D/HeadLooks",
		"Figure/Skeleton2D/TendonRig2D/GunAims",
	],
	"climber": ["Climber/Skeleton2D/TendonRig2D/FullBody"],
	"fabrik": ["LongTentacle/Skeleton2D/TendonRig2D/Reach"],
	"first_steps": ["Puppet/Skeleton2D/TendonRig2D/HeadLookAt"],
	"limits":
	[
		"Skeleton2D/TendonRig2D/HeadLooks",
		"Skeleton2D/TendonRig2D/LegKicks",
		"Skeleton2D/TendonRig2D/ArmReaches",
	],
	"poses": ["Skeleton2D/TendonRig2D/HeadLooks"],
	"stretch":
	[
		"Plain/Skeleton2D/TendonRig2D/ArmReaches",
		"Soft/Skeleton2D/TendonRig2D/ArmReaches",
	],
	"torso": ["Skeleton2D/TendonRig2D/BothReach"],
	"two_bone": ["Figure/Skeleton2D/TendonRig2D/ArmReaches"],
	"walker": ["Character/Skeleton2D/TendonRig2D/Scarf"],
}


## A modifier, and what it did so far.
class Observed:
	var modifier: Node
	var bone: Bone2D
	var is_look_at: bool
	var statuses: Dictionary[int, int] = {}
	## Frames in which it went over from one target to another.
	var transitions: int = 0
	var widest_gap: float = 0.0
	## The rotation of the bone, or what else the modifier writes.
	var least: float = INF
	var most: float = -INF

	func _init(node: Node) -> void:
		modifier = node
		is_look_at = node is TendonLookAt2D
		for property: StringName in [&"bone", &"bone_one", &"root_bone", &"pelvis"]:
			if property in node:
				bone = node.get(property)
		if node is TendonSlider2D:
			bone = _posed_bone(node as TendonSlider2D)
		if bone == null:
			# A script names no bones.
			var skeleton: Node = node.get_parent().get_parent()
			bone = skeleton.find_children("*", "Bone2D", true, false).back()

	func look() -> void:
		var status: int = modifier.call("get_status")
		if "transition_duration" in modifier and modifier.call("is_in_transition"):
			transitions += 1
		else:
			statuses[status] = statuses.get(status, 0) + 1
		least = minf(least, _value())
		most = maxf(most, _value())
		# Legs that step have no target of their own.
		var is_goal: bool = modifier.get("target") != null or "path_2d" in modifier
		var reaches: bool = is_goal and not is_look_at
		if status == TendonFABRIK2D.STATUS_REACHED and reaches:
			widest_gap = maxf(widest_gap, _gap())

	## The first one that the animation of a slider has a track for.
	func _posed_bone(slider: TendonSlider2D) -> Bone2D:
		var player: AnimationPlayer = slider.animation_player
		var path: NodePath = player.get_animation(slider.animation).track_get_path(0)
		var root: Node = player.get_node(player.root_node)
		return root.get_node(NodePath(path.get_concatenated_names()))

	func _value() -> float:
		if modifier is TendonSlider2D or modifier is TendonFootPlacement2D:
			return bone.position.x + bone.position.y + bone.rotation
		var copy: TendonCopyTransform2D = modifier as TendonCopyTransform2D
		if copy == null or copy.bone_channel == TendonCopyTransform2D.CHANNEL_ROTATION:
			return bone.rotation
		var others: Array[float] = [bone.position.x, bone.position.y, bone.scale.x, bone.scale.y]
		return others[copy.bone_channel - 1]

	func _gap() -> float:
		if modifier is TendonSplineIK2D:
			return _gap_to_path((modifier as TendonSplineIK2D).path_2d)
		var to: Node2D = modifier.get("target")
		return _tip().distance_to(to.global_position)

	## Between two baked points the path is not looked at.
	func _gap_to_path(path: Path2D) -> float:
		var place: Vector2 = path.to_local(_tip())
		var gap: float = place.distance_to(path.curve.get_closest_point(place))
		return maxf(gap - 0.2, 0.0)

	func times(status: int) -> int:
		return statuses.get(status, 0)

	## How often it had nothing to do: a body that was not let go, or a leg whose foot stays as it
	## is animated.
	func rests() -> int:
		var feet: Array[Node] = modifier.get_parent().find_children(
			"*", "TendonFoot2D", true, false
		)
		var is_leg: bool = feet.any(
			func(foot: Node) -> bool: return (foot as TendonFoot2D).limb == modifier
		)
		return times(TendonFABRIK2D.STATUS_IDLE) if is_leg or modifier is TendonRagdoll2D else 0

	## By the nodes themselves, whatever the modifier says of its tip.
	func _tip() -> Vector2:
		var marker: Node2D = modifier.get("tip")
		if marker:
			return marker.global_position
		var last: Bone2D = modifier.get("tip_bone" if "tip_bone" in modifier else "bone_two")
		for child: Node in last.get_children():
			if child is Bone2D and last.get_autocalculate_length_and_angle():
				return (child as Bone2D).global_position
		return last.to_global(Vector2.from_angle(last.get_bone_angle()) * last.get_length())


var _problems: PackedStringArray = []
var _modifiers: int = 0


func _ready() -> void:
	if "--check" in OS.get_cmdline_user_args():
		_check_all.call_deferred()
	else:
		queue_free()


func _check_all() -> void:
	GalleryScene.fixed_step = STEP
	# Without a window the engine would sleep that long in every frame.
	OS.low_processor_usage_mode_sleep_usec = 1
	for folder: String in ResourceLoader.list_directory(SCENES):
		await _check(folder.trim_suffix("/"))
	for problem: String in _problems:
		print(problem)
	print("GALLERY: %d modifiers, %d problems" % [_modifiers, _problems.size()])
	get_tree().quit()


func _check(title: String) -> void:
	get_tree().unload_current_scene()
	get_tree().change_scene_to_file(SCENES.path_join(title).path_join(title + ".tscn"))
	while get_tree().current_scene == null:
		await get_tree().process_frame
	var scene: Node = get_tree().current_scene
	var all: Array[Observed] = []
	for node: Node in scene.find_children("*", "Node", true, false):
		if node.has_method("get_status"):
			all.append(Observed.new(node))
	if all.is_empty():
		_problems.append("%s: no modifiers" % title)
	# The frame that the scene came in; its rigs run at the end of it.
	await get_tree().process_frame
	var over_words: Dictionary[StringName, bool] = {}
	for frame: int in FRAMES:
		_move_mouse(TAU * frame / FRAMES)
		await get_tree().process_frame
		for observed: Observed in all:
			observed.look()
		over_words.merge(_bones_over_words(scene))
	if not over_words.is_empty():
		_problems.append("%s: over the words are %s" % [title, over_words.keys()])
	for observed: Observed in all:
		var path: String = scene.get_path_to(observed.modifier)
		_judge(observed, "%s: %s" % [title, path], path in STRAINED.get(title, []))
	_modifiers += all.size()


## The bones that are where the words of the scene are to be read.
func _bones_over_words(scene: Node) -> Dictionary[StringName, bool]:
	var found: Dictionary[StringName, bool] = {}
	if not scene.has_node("Caption"):
		return found
	var words: Rect2 = (scene.get_node("Caption/Margin/Words") as Control).get_global_rect().grow(
		WIDTH
	)
	for bone: Bone2D in scene.find_children("*", "Bone2D", true, false):
		if words.has_point(bone.get_global_transform_with_canvas().origin):
			found[bone.name] = true
	return found


## Once round the middle of the scene, for those that have no path of their own.
func _move_mouse(angle: float) -> void:
	var middle: Vector2 = get_viewport().get_visible_rect().get_center()
	var motion: InputEventMouseMotion = InputEventMouseMotion.new()
	motion.position = middle + middle * 0.8 * Vector2.from_angle(angle)
	motion.global_position = motion.position
	Input.parse_input_event(motion)
	Input.flush_buffered_events()


func _judge(observed: Observed, title: String, is_strained: bool) -> void:
	var reached: int = observed.times(TendonFABRIK2D.STATUS_REACHED)
	var missed: int = observed.times(TendonFABRIK2D.STATUS_OUT_OF_REACH)
	if reached + missed + observed.rests() + observed.transitions != FRAMES:
		_problems.append("%s: statuses %s" % [title, observed.statuses])
	# A limb that swings over to another side of a shape misses its target meanwhile.
	if reached == 0 or is_strained != (missed > SWING):
		_problems.append("%s: %d times reached, %d times not" % [title, reached, missed])
	if observed.widest_gap > TOLERANCE:
		_problems.append("%s: %s pixels from its target" % [title, observed.widest_gap])
	if observed.most - observed.least < TURN:
		_problems.append("%s: %s never turns" % [title, observed.bone.name])
