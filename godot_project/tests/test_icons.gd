extends "res://tests/suite.gd"
## Every node class of the addon has an icon.

const EXTENSION: String = "res://addons/tendon/tendon.gdextension"


func test_every_node_has_an_icon() -> void:
	var config: ConfigFile = ConfigFile.new()
	equal(config.load(EXTENSION), OK, "the extension's file is read")
	var classes: PackedStringArray = []
	for kind: String in extension_classes():
		if ClassDB.get_parent_class(kind) == &"Node":
			classes.append(kind)
	for kind: String in ["TendonRig2D", "TendonJointLimit2D", "TendonEffector2D"]:
		check(kind in classes, "%s is found: %s" % [kind, classes])
	check(modifier_classes().size() > 0, "modifiers are found")
	for kind: String in classes:
		var icon: String = config.get_value("icons", kind, "")
		var path: String = EXTENSION.get_base_dir().path_join(icon)
		check(icon != "" and FileAccess.file_exists(path), 'icon of %s: "%s"' % [kind, icon])
