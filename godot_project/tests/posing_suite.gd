extends "res://tests/editor_suite.gd"
## What the suites of posing share: the scenes.

const ENGINE_NOISE: PackedStringArray = [
	"leaked at exit", "bone index not found!", '"t" is null', "Resource file not found: res:// "
]
const SCENES: Dictionary[String, String] = {
	"plain": "plain",
	"mirrored": "mirrored, then stretched",
	"skewed": "stretched, skewed and mirrored",
	"limited": "mirrored in x",
}


func _make_scenes() -> Dictionary:
	var scenes: Dictionary = {}
	for scene: String in SCENES:
		scenes[scene] = _character(SCENES[scene])
		if scene == "limited":
			_limit(scenes[scene])
	var driven: Figure = Figure.new([60.0, 50.0], [0.25, 0.5])
	driven.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	driven.two_bone()
	driven.target.position = Vector2(60, 70)
	scenes["driven"] = driven.stage
	scenes["driven mirrored"] = _mirrored_limb()
	scenes["solved_keys"] = _swinging(false)
	scenes["swing"] = _swinging(true)
	scenes["keys"] = _character("plain")
	var keyed: Array[String] = [
		"Lower:rotation", "Lower:position", "Shin:rotation", "Shin:position"
	]
	_animate(scenes["keys"], "walk", keyed)
	scenes["twins"] = _twins("plain", 1.0)
	scenes["other_twins"] = _twins("mirrored, then stretched", 1.6)
	scenes["walk"] = _walker()
	scenes["rigged_twins"] = _twins("plain", 1.0)
	_rig_arms(scenes["rigged_twins"])
	return scenes


## A limb below a mirrored parent, with a bone of negative scale.
func _mirrored_limb() -> Node2D:
	var figure: Figure = Figure.new([60.0, 50.0], [0.25, 0.5], Figure.ANCESTORS["mirrored in x"])
	figure.bones[0].scale.y = -1.0
	figure.bones[0].rest = figure.bones[0].transform
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.two_bone()
	figure.target.position = Vector2(-30, 75)
	return figure.stage


## Gives each arm a modifier with a target that turns the hand, too, and the hips a look-at.
func _rig_arms(stage: Node2D) -> void:
	var skeleton: Node2D = stage.find_child("Skeleton", true, false)
	var rig: TendonRig2D = TendonRig2D.new()
	rig.name = "Rig"
	skeleton.add_child(rig)
	for side: String in ["L", "R"]:
		var hand: Bone2D = stage.find_child("Hand_" + side, true, false)
		var target: Marker2D = Marker2D.new()
		# The sides are known by the bones, and not by these names.
		target.name = "First" if side == "L" else "Second"
		stage.add_child(target)
		target.position = skeleton.transform * Vector2(75 if side == "L" else -75, -60)
		var arm: TendonCCDIK2D = TendonCCDIK2D.new()
		arm.name = "Reach" + side
		rig.add_child(arm)
		arm.root_bone = hand.get_parent()
		arm.tip_bone = hand
		arm.target = target
		arm.match_target_rotation = true


## Two legs that lie on each other: a character that is seen from the side.
func _walker() -> Node2D:
	var figure: Figure = Figure.new([50.0], [-PI / 2])
	figure.rig.free()
	figure.target.free()
	figure.bones[0].name = "Hips"
	for side: String in ["L", "R"]:
		var leg: Array = Figure.branch(figure.bones[0], Vector2.ZERO, [60.0, 50.0], [PI, 0.1])
		leg[0].name = "Thigh_" + side
		leg[1].name = "Shin_" + side
	return figure.stage


## Hips with two arms. The frames of the right one are turned at rest, and no images of the left
## one's.
func _twins(ancestors: String, size: float) -> Node2D:
	var figure: Figure = Figure.new([50.0 * size], [-PI / 2], Figure.ANCESTORS[ancestors])
	figure.rig.free()
	figure.target.free()
	var hips: Bone2D = figure.bones[0]
	hips.name = "Hips"
	hips.position.x = 0.0
	hips.rest = hips.transform
	for side: String in ["L", "R"]:
		var way: float = 1.0 if side == "L" else -1.0
		var lengths: Array = [40.0 * size, 30.0 * size]
		var turns: Array = [0.4 * size * way, 0.5 * way]
		var arm: Array = Figure.branch(hips, size * Vector2(50, 10 * way), lengths, turns)
		if side == "R":
			arm[0].rotation += 1.0
			arm[1].rotation -= 1.0
			arm[1].position = arm[1].position.rotated(-1.0)
		for index: int in 2:
			arm[index].name = ["Arm_", "Hand_"][index] + side
			arm[index].rest = arm[index].transform
	return figure.stage


## A spine with two legs, a head and an arm, without a rig.
func _character(ancestors: String) -> Node2D:
	var above: Array = Figure.ANCESTORS[ancestors]
	var figure: Figure = Figure.new([20.0, 60.0], [-1.5, 0.2], above)
	figure.rig.free()
	figure.target.free()
	var names: Array = [["Upper", "Lower", "Hand"], ["Thigh", "Shin", "Foot"], ["Head"], ["Leg"]]
	var lengths: Array = [[50.0, 45.0, 18.0], [55.0, 50.0, 15.0], [30.0], [70.0]]
	var turns: Array = [[1.9, -0.5, 0.3], [2.7, 0.4, -1.2], [0.1], [3.3]]
	for index: int in names.size():
		var parent: Bone2D = figure.bones[1 if index % 2 == 0 else 0]
		var place: Vector2 = Vector2(57, 4 * index) if index % 2 == 0 else Vector2(-4, 3 * index)
		var line: Array = Figure.branch(parent, place, lengths[index], turns[index])
		for bone: int in line.size():
			line[bone].name = names[index][bone]
	figure.bones[0].name = "Hips"
	figure.bones[1].name = "Spine"
	return figure.stage


## Limits the joints of the arm.
func _limit(stage: Node) -> void:
	for title: String in ["Upper", "Lower", "Hand"]:
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.name = "Limit"
		limit.min_angle = -0.6
		limit.max_angle = 0.9
		stage.find_child(title, true, false).add_child(limit)


## An arm with a target, whose bones have keys: both, or the upper one.
func _swinging(is_lower_keyed: bool) -> Node2D:
	var figure: Figure = Figure.new([60.0, 50.0], [0.25, 0.5])
	figure.skeleton.transform = Transform2D(0.3, Vector2(-1.3, 0.8), 0.2, Vector2(200, 40))
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.two_bone().name = "Arm"
	figure.target.position = figure.bones[0].global_position + Vector2(50, 55)
	var animation: Animation = Animation.new()
	animation.length = 1.2
	var turns: Array = [[0.1, 0.9, -0.4, 0.2], [0.5, 1.4, 0.3, 0.7]]
	for bone: int in 2:
		if bone == 1 and not is_lower_keyed:
			continue
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		var path: NodePath = figure.stage.get_path_to(figure.bones[bone])
		animation.track_set_path(track, "%s:rotation" % path)
		for key: int in 4:
			animation.track_insert_key(track, 0.4 * key, turns[bone][key])
	_add_player(figure.stage, "swing", animation)
	return figure.stage


## A player of an animation with a key for each of these properties of nodes.
func _animate(stage: Node, title: String, properties: Array[String]) -> void:
	var animation: Animation = Animation.new()
	for path: String in properties:
		var node: Node = stage.find_child(path.get_slice(":", 0), true, false)
		var property: String = path.get_slice(":", 1)
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		animation.track_set_path(track, "%s:%s" % [stage.get_path_to(node), property])
		animation.track_insert_key(track, 0.0, node.get(property))
	_add_player(stage, title, animation)


func _add_player(stage: Node, title: String, animation: Animation) -> void:
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(title, animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library(&"", library)
	stage.add_child(player)
