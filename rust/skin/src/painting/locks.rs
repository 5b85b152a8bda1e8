//! New weights of a vertex beside those of locked bones.

use crate::weights::row::{MOST_BONES, Row, fitted};

/// The locks of the bones: `true` for a bone that keeps its weights.
pub(super) struct Locks(pub(super) Vec<bool>);

impl Locks {
    fn is_locked(&self, bone: usize) -> bool {
        self.0.get(bone).copied().unwrap_or(false)
    }

    /// The part of `row` that stays.
    fn held(&self, row: &[(usize, f64)]) -> Row {
        let held = row.iter().filter(|&&(bone, _)| self.is_locked(bone));
        held.copied().collect()
    }

    fn free(&self, row: &[(usize, f64)]) -> Row {
        let free = row.iter().filter(|&&(bone, _)| !self.is_locked(bone));
        free.copied().collect()
    }

    /// The weights that are `wanted` instead of `row`, as far as locked bones leave room for them.
    pub(super) fn beside(&self, row: &[(usize, f64)], wanted: &[(usize, f64)]) -> Row {
        let held = self.held(row);
        let rest = 1.0 - sum(&held);
        let free = fitted(&self.free(wanted), MOST_BONES - held.len(), rest);
        match free.is_empty() {
            true => Row::from_slice(row),
            false => joined(held, free),
        }
    }

    /// `row` with this weight of a bone. Others share the rest as before. Where no other bone can take it, the bone
    /// keeps all of it.
    pub(super) fn with_weight(&self, row: &[(usize, f64)], bone: usize, weight: f64) -> Row {
        let mut held = self.held(row);
        let rest = 1.0 - sum(&held);
        if self.is_locked(bone) || held.len() >= MOST_BONES || rest <= 0.0 {
            return Row::from_slice(row);
        }
        let weight = weight.clamp(0.0, rest);
        let others: Row = self
            .free(row)
            .into_iter()
            .filter(|it| it.0 != bone)
            .collect();
        let others = fitted(&others, MOST_BONES - 1 - held.len(), rest - weight);
        let has_bone = row.iter().any(|it| it.0 == bone);
        match others.is_empty() {
            // Not even a little of this bone was wanted where it has none.
            true if weight <= 0.0 && !has_bone => return Row::from_slice(row),
            true => held.push((bone, rest)),
            false => {
                // With a part that is too small to count.
                let both: Row = others.into_iter().chain([(bone, weight)]).collect();
                held.extend(fitted(&both, MOST_BONES, rest));
            }
        }
        held.sort_by_key(|&(bone, _)| bone);
        held
    }
}

fn sum(row: &[(usize, f64)]) -> f64 {
    row.iter().map(|&(_, weight)| weight).sum()
}

fn joined(mut held: Row, free: Row) -> Row {
    held.extend(free);
    held.sort_by_key(|&(bone, _)| bone);
    held
}
