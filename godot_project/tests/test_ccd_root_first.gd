extends "res://tests/chain_suite.gd"
## TendonCCDIK2D from the root to the tip.


func _modifier(figure: Figure) -> Node:
	var modifier: TendonCCDIK2D = figure.ccd()
	modifier.root_first = true
	return modifier
