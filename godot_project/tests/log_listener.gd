extends Logger
## Passes on what the engine logs. This is a separate file because it needs Godot 4.5.

## Takes whether it is a warning, and its text.
var heard: Callable


func _log_error(
	_function: String,
	_file: String,
	_line: int,
	code: String,
	rationale: String,
	_editor_notify: bool,
	error_type: int,
	_backtraces: Array[ScriptBacktrace]
) -> void:
	var message: String = code if rationale.is_empty() else rationale
	heard.call(error_type == ERROR_TYPE_WARNING, message)
