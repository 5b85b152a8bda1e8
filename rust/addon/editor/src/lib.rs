//! The library that the editor loads: the nodes, and what is added to the editor.

tendon_nodes::extension!(tendon_editor::on_stage_init);
