//! Modifiers that undo the work of others: of the same class, for the same bones.

use std::any::TypeId;
use std::collections::HashMap;

use tendon_solver::Modifier;

use crate::plan::Plan;
use crate::warnings::problem::Problem;

/// What two modifiers have in common of which only the lower one's result is seen.
type Work<'a> = (TypeId, &'a [usize]);

impl Plan {
    /// Adds a problem to each modifier whose bones one of the same class turns again below it, both with a
    /// target and as they are set now: one that is switched off, or blended in, is there to take turns.
    pub(super) fn check_overlap(&mut self) {
        let mut last: HashMap<Work<'_>, usize> = HashMap::new();
        let mut overridden = Vec::new();
        for (index, (planned, modifier)) in self.pairs().enumerate() {
            let Some(modifier) = modifier.filter(|modifier| overrides(modifier)) else {
                continue;
            };
            let work = (planned.class(), modifier.parts().joints());
            if let Some(above) = last.insert(work, index) {
                overridden.push([above, index]);
            }
        }
        for [above, below] in overridden {
            let other = self.modifiers[below].node().alive();
            let other = other.map_or_else(String::new, |other| other.get_name().to_string());
            self.modifiers[above]
                .flaws
                .push(Problem::Overridden { other });
        }
    }
}

fn overrides(modifier: &Modifier) -> bool {
    modifier.active && modifier.influence >= 1.0 && modifier.parts().reaches()
}
