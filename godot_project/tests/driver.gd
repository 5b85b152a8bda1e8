@tool
extends SceneTree
## What the scripts share that drive an editor. Suites start them on a project of their own: see
## [code]editor_suite.gd[/code]. What a script has seen is printed as one line of JSON.

var _seen: Dictionary = {}


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	await _wait(30)
	while EditorInterface.get_resource_filesystem().is_scanning():
		await _wait(5)
	await _stay()
	print("SEEN ", JSON.stringify(_seen, "", false, true))
	quit()


## What the script does in the editor.
func _stay() -> void:
	pass


func _wait(count: int) -> void:
	for frame: int in count:
		await process_frame
