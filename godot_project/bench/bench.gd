extends SceneTree
## Measures Tendon beside the engine's own 2D inverse kinematics.
##
## [code]godot --headless --path godot_project --script res://bench/bench.gd -- [--quick]
## [--json FILE] [--table FILE] [--only direct|cold|modifiers|feet|frames|crowds|memory][/code]

const Runner := preload("res://bench/runner.gd")


func _initialize() -> void:
	root.add_child(Runner.new())
