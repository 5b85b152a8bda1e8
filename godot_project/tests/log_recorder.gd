extends RefCounted
## Records what the engine logs as errors and warnings, for the tests.

var errors: PackedStringArray = []
var warnings: PackedStringArray = []

var _listener: RefCounted
var _mutex: Mutex = Mutex.new()


## Whether anything is heard: engines before 4.5 have no class Logger.
func can_hear() -> bool:
	return ClassDB.class_exists(&"Logger")


func start() -> void:
	if can_hear():
		_listener = load("res://tests/log_listener.gd").new()
		_listener.set("heard", add)
		OS.call("add_logger", _listener)


func stop() -> void:
	if _listener != null:
		OS.call("remove_logger", _listener)
		_listener = null


## Called from any thread.
func add(is_warning: bool, message: String) -> void:
	_mutex.lock()
	if is_warning:
		warnings.append(message)
	else:
		errors.append(message)
	_mutex.unlock()


func clear() -> void:
	_mutex.lock()
	errors.clear()
	warnings.clear()
	_mutex.unlock()


## Takes the errors, or the warnings, that there are so far.
func take(are_warnings: bool) -> PackedStringArray:
	_mutex.lock()
	var taken: PackedStringArray = (warnings if are_warnings else errors).duplicate()
	if are_warnings:
		warnings.clear()
	else:
		errors.clear()
	_mutex.unlock()
	return taken
