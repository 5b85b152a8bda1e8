//! The library that games load: the nodes.

tendon_nodes::extension!(tendon_nodes::on_stage_init);
