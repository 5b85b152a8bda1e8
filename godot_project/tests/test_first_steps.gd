extends "res://tests/suite.gd"
## The puppet that docs/guide.md builds: both feet are always where the script puts them, whichever
## way it faces, and a foot on the ground does not slide.

const FRAME: float = 1.0 / 60.0

## As long as the puppet walks to one side.
const FRAMES: int = 180

var _scene: Node
var _puppet: Node2D
var _legs: Array[TendonTwoBoneIK2D]


func test_the_puppet_walks_both_ways() -> void:
	_build()
	for way: float in [1000.0, -1000.0]:
		var start: float = _puppet.position.x
		_walk(way, 30)
		var slid: float = 0.0
		var stood: int = 0
		for frame: int in FRAMES:
			var before: Array[Vector2] = _feet()
			_walk(way, 1)
			var after: Array[Vector2] = _feet()
			for foot: int in 2:
				if absf(before[foot].y) < 0.01 and absf(after[foot].y) < 0.01:
					stood += 1
					slid = maxf(slid, before[foot].distance_to(after[foot]))
		check((_puppet.position.x - start) * way > 0.0, "it goes there, to %s" % way)
		near(stood, FRAMES, 15, "frames in which a foot stands, to %s" % way)
		near(slid, 0.0, 0.01, "a foot on the ground slides, to %s" % way)


func test_it_stands_still_when_it_has_come() -> void:
	_build()
	_walk(1000.0, 40)
	_walk(0.0, 60)
	for foot: Vector2 in _feet():
		near_point(foot, Vector2(_puppet.position.x, 0.0), 1e-3, "both feet below the body")


func test_the_guide_has_the_script_as_it_is() -> void:
	var project: String = ProjectSettings.globalize_path("res://")
	var guide: String = FileAccess.get_file_as_string(project.path_join("../docs/guide.md"))
	var script: String = FileAccess.get_file_as_string("res://scenes/first_steps/first_steps.gd")
	check("```gdscript\n%s```\n" % script in guide, "docs/guide.md has another script")


func _build() -> void:
	_scene = (load("res://scenes/first_steps/first_steps.tscn") as PackedScene).instantiate()
	add_child(_scene)
	_scene.set_process(false)
	_puppet = _scene.get_node("Puppet")
	var rig: Node = _puppet.get_node("Skeleton2D/TendonRig2D")
	_legs = [rig.get_node("FrontLeg"), rig.get_node("BackLeg")]


## Where the feet are: across the scene, and up or down from the ground.
func _feet() -> Array[Vector2]:
	var feet: Array[Vector2] = []
	for leg: TendonTwoBoneIK2D in _legs:
		feet.append(leg.get_tip_position() - Vector2(0.0, _puppet.global_position.y))
	return feet


func _walk(way: float, frames: int) -> void:
	var rig: TendonRig2D = _puppet.get_node("Skeleton2D/TendonRig2D")
	for frame: int in frames:
		_scene.call("walk", way, FRAME)
		rig.advance(FRAME)
		for leg: TendonTwoBoneIK2D in _legs:
			equal(leg.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, leg.name)
