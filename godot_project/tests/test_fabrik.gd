extends "res://tests/chain_suite.gd"
## TendonFABRIK2D.


func _modifier(figure: Figure) -> Node:
	return figure.fabrik()
