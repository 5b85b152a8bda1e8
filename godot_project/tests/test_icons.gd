extends "res://tests/suite.gd"
## Every node class of the addon has an icon.

const EXTENSION: String = "res://addons/tendon/tendon.gdextension"


func test_every_node_has_an_icon() -> void:
	var config: ConfigFile = ConfigFile.new()
	equal(config.load(EXTENSION), OK, "the extension's file is read")
	var classes: PackedStringArray = ["TendonRig2D", "TendonJointLimit2D", "TendonEffector2D"]
	for kind: String in ClassDB.get_class_list():
		if kind.begins_with("Tendon") and ClassDB.class_has_method(kind, "get_status", true):
			classes.append(kind)
	check(classes.size() >= 7, "modifiers are found: %s" % classes)
	for kind: String in classes:
		var icon: String = config.get_value("icons", kind, "")
		var path: String = EXTENSION.get_base_dir().path_join(icon)
		check(icon != "" and FileAccess.file_exists(path), 'icon of %s: "%s"' % [kind, icon])
