@tool
extends "moving_in_driver.gd"
## What [code]test_jiggle.gd[/code] has an editor convert.


func _stay() -> void:
	for scene: String in ["jiggle", "heavy", "tail", "holder", "carried"]:
		_seen[scene] = await _convert_and_describe(scene)
