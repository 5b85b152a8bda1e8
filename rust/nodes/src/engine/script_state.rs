//! What the script of a node remembers, as text: it says so, and takes it back, by two methods.

use godot::classes::{Engine, Script};
use godot::global::{bytes_to_var, var_to_bytes};
use godot::prelude::*;

const GET_STATE: &str = "_get_state";
const SET_STATE: &str = "_set_state";

/// The state that the script of `node` returns, as text. `None` if it returns none.
pub(crate) fn state_of(node: &Gd<Node>) -> Option<String> {
    let mut node = running(node, GET_STATE)?;
    let state = node.try_call(GET_STATE, &[]).ok()?;
    let bytes = (!state.is_nil()).then(|| var_to_bytes(&state))?;
    Some(bytes.hex_encode().to_string())
}

/// Returns `true` if the script of `node` takes back what [`state_of`] has returned.
pub(crate) fn takes_state(node: &Gd<Node>) -> bool {
    running(node, SET_STATE).is_some()
}

/// Hands the script of `node` what [`state_of`] has returned.
pub(crate) fn set_state(node: &Gd<Node>, state: &str) {
    if let Some(mut node) = running(node, SET_STATE) {
        let state = bytes_to_var(&GString::from(state).hex_decode());
        // An error in the script is the script's: the engine has reported it.
        let _ = node.try_call(SET_STATE, &[state]);
    }
}

/// `node`, if it has a script that runs, with that method.
fn running(node: &Gd<Node>, method: &str) -> Option<Gd<Node>> {
    let node = node.is_instance_valid().then(|| node.clone())?;
    let script = node.get_script()?;
    (runs(&script) && has_method(&script, method)).then_some(node)
}

/// Returns `true` if a script runs: in the editor only one with `@tool` does.
pub(crate) fn runs(script: &Gd<Script>) -> bool {
    script.is_tool() || !Engine::singleton().is_editor_hint()
}

/// Returns `true` if `script`, or one that it extends, has the method.
pub(crate) fn has_method(script: &Gd<Script>, method: &str) -> bool {
    let methods = script.clone().get_script_method_list();
    let mut names = methods
        .iter_shared()
        .filter_map(|method| method.get("name"));
    names.any(|name| name.to_string() == method)
}
