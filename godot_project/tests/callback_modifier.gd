extends TendonCustomModifier2D
## A custom modifier that does something in one of its callbacks: [member act], with the modifier.

var where: StringName
var act: Callable
var calls: int = 0


func _enter_tree() -> void:
	_run(&"_enter_tree")


func _ready() -> void:
	_run(&"_ready")


func _process(_delta: float) -> void:
	_run(&"_process")


func _physics_process(_delta: float) -> void:
	_run(&"_physics_process")


func _process_modification(_delta: float) -> void:
	_run(&"_process_modification")


func _exit_tree() -> void:
	_run(&"_exit_tree")


func _run(callback: StringName) -> void:
	if callback == where:
		calls += 1
		act.call(self)
