@tool
extends SceneTree
## What visits to an editor share, which suites start on a project of its own: see
## [code]editor_suite.gd[/code]. What a visit has seen is printed as one line of JSON.

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


## What the visit does in the editor.
func _stay() -> void:
	pass


func _wait(count: int) -> void:
	for frame: int in count:
		await process_frame
