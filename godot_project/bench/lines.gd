extends SceneTree
## Prints which lines of 64 bytes of a node the engine calls of a pass touch. The numbers in
## [code]rust/godot/src/engine/prefetch.rs[/code] come from it. Only a library with the feature
## [code]bench[/code] can tell.

const Character := preload("res://bench/character.gd")


func _initialize() -> void:
	var character: Character = Character.new(10)
	root.add_child(character)
	await process_frame
	var found: Dictionary = TendonBenchFloor.find_lines(character.bones[0], character.target)
	for call: String in found:
		print("%s: %s" % [call, found[call]])
	quit()
