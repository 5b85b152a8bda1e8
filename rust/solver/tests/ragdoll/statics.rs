//! Whether a body that lies is borne: by contacts that only push and rub, and by its limits.
//!
//! The smallest acceleration that any such forces leave (Gauss's principle of least constraint) is found by nonnegative
//! least squares. It does not know how the solver has found its own.
//!
//! Source: C. Lawson, R. Hanson, *Solving Least Squares Problems* (1974), chapter 23.

use glam::{DVec2, Vec2};

use crate::puppet::Puppet;
use crate::world::World;

/// What is nearer touches, in pixels, and in radians.
const TOUCH: f32 = 0.6;
const AT_LIMIT: f32 = 0.012;

/// A body whose joints are at `places` of skeleton space.
struct Statics {
    parents: Vec<Option<usize>>,
    places: Vec<DVec2>,
    /// Rows of forces on the place of the root and on the angles of all bones.
    gravity: Vec<f64>,
    mass: Vec<Vec<f64>>,
    pushes: Vec<Vec<f64>>,
}

impl Statics {
    fn new(puppet: &Puppet, world: &World, friction: f64) -> Self {
        let to_global = puppet.rig.to_global;
        let local = to_global.inverse();
        let place =
            |bone: usize, at: Vec2| local.transform_point2(puppet.place(bone, at)).as_dvec2();
        let bones = &puppet.rig.bones;
        let count = bones.len();
        let mut statics = Self {
            parents: bones.iter().map(|bone| bone.parent).collect(),
            places: (0..count).map(|bone| place(bone, Vec2::ZERO)).collect(),
            gravity: vec![0.0; count + 2],
            mass: vec![vec![0.0; count + 2]; count + 2],
            pushes: Vec::new(),
        };
        let linear = to_global.matrix2.as_dmat2();
        let gravity = linear.inverse() * world.gravity.as_dvec2();
        let unit = linear.determinant().abs().sqrt();
        for (bone, shape) in puppet.shapes.iter().enumerate() {
            let [from, to] = [shape.from, shape.to].map(|end| place(bone, end));
            let radius = f64::from(shape.radius.expect("a radius"));
            let length = from.distance(to);
            let mass = radius * (2.0 * length + std::f64::consts::PI * radius);
            let inertia = mass * (length * length / 12.0 + radius * radius / 3.0);
            let columns = statics.columns(bone, 0.5 * (from + to));
            for (row, one) in columns.iter().enumerate() {
                statics.gravity[row] += mass * one.dot(gravity);
                for (column, other) in columns.iter().enumerate() {
                    statics.mass[row][column] += mass * one.dot(*other);
                }
            }
            statics.mass[bone + 2][bone + 2] += inertia;
            for part in 0..=64 {
                let at = shape.from.lerp(shape.to, part as f32 / 64.0);
                let place = puppet.place(bone, at);
                let Some((distance, normal)) = world.nearest(place) else {
                    continue;
                };
                if distance - (unit * radius) as f32 > TOUCH {
                    continue;
                }
                let normal = normal.as_dvec2();
                let point = place.as_dvec2() - unit * radius * normal;
                let point = local.as_daffine2().transform_point2(point);
                for side in [1.0, -1.0] {
                    let push = normal + side * friction * normal.perp();
                    let seen = linear.transpose() * push;
                    let columns = statics.columns(bone, point);
                    statics
                        .pushes
                        .push(columns.iter().map(|it| it.dot(seen)).collect());
                }
            }
        }
        for (bone, posed) in bones.iter().enumerate() {
            let (Some(limit), Some(parent)) = (posed.limit, posed.parent) else {
                continue;
            };
            let tau = std::f32::consts::TAU;
            let turned = puppet.rig.rotation(bone) - limit.rest;
            let turned = turned - tau * (turned / tau).round();
            for (gap, sign) in [(turned - limit.min, 1.0), (limit.max - turned, -1.0)] {
                if gap < AT_LIMIT {
                    let mut push = vec![0.0; count + 2];
                    push[bone + 2] = sign;
                    push[parent + 2] = -sign;
                    statics.pushes.push(push);
                }
            }
        }
        statics
    }

    /// What each coordinate moves `point` of a bone by.
    fn columns(&self, bone: usize, point: DVec2) -> Vec<DVec2> {
        let mut columns = vec![DVec2::ZERO; self.places.len() + 2];
        (columns[0], columns[1]) = (DVec2::X, DVec2::Y);
        let mut below = point;
        let mut next = Some(bone);
        while let Some(bone) = next {
            columns[bone + 2] = (below - self.places[bone]).perp();
            below = self.places[bone];
            next = self.parents[bone];
        }
        columns
    }
}

/// The Cholesky factor of a matrix.
fn factor(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut factor = matrix.to_vec();
    for row in 0..matrix.len() {
        for column in 0..=row {
            let known: f64 = (0..column)
                .map(|it| factor[row][it] * factor[column][it])
                .sum();
            let left = matrix[row][column] - known;
            factor[row][column] = match row == column {
                true => left.max(1e-12).sqrt(),
                false => left / factor[column][column],
            };
        }
    }
    factor
}

fn forwards(factor: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let mut solved = vector.to_vec();
    for row in 0..vector.len() {
        let known: f64 = (0..row).map(|it| factor[row][it] * solved[it]).sum();
        solved[row] = (solved[row] - known) / factor[row][row];
    }
    solved
}

fn backwards(factor: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let mut solved = vector.to_vec();
    for row in (0..vector.len()).rev() {
        let known: f64 = (row + 1..vector.len())
            .map(|it| factor[it][row] * solved[it])
            .sum();
        solved[row] = (solved[row] - known) / factor[row][row];
    }
    solved
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// What is left of `target` after the nonnegative sum of `columns` that is nearest to its opposite was added.
fn least(columns: &[Vec<f64>], target: &[f64]) -> Vec<f64> {
    let mut sizes = vec![0.0; columns.len()];
    let left = |sizes: &[f64]| {
        let mut left = target.to_vec();
        for (column, size) in columns.iter().zip(sizes) {
            let pairs = left.iter_mut().zip(column);
            pairs.for_each(|(left, entry)| *left += size * entry);
        }
        left
    };
    let (mut used, mut vain) = (Vec::<usize>::new(), Vec::<usize>::new());
    let scale = dot(target, target).sqrt();
    loop {
        let now = left(&sizes);
        let gain = |index: &usize| {
            let column = &columns[*index];
            -dot(column, &now) / dot(column, column).sqrt()
        };
        let open = |index: &usize| !used.contains(index) && !vain.contains(index);
        let unused = (0..columns.len()).filter(open);
        let best = unused.max_by(|one, other| gain(one).total_cmp(&gain(other)));
        let Some(best) = best.filter(|best| gain(best) > 1e-7 * scale) else {
            return now;
        };
        used.push(best);
        while let Some(part) = go_on(columns, target, &used, &mut sizes) {
            used.retain(|&it| sizes[it] > 1e-9 * part);
        }
        vain.push(best);
        let after = left(&sizes);
        if dot(&after, &after) < (1.0 - 1e-12) * dot(&now, &now) {
            vain.clear();
        }
    }
}

/// Goes to the least squares of the `used` columns, as far as none of their sizes becomes negative. Returns the largest size if
/// that ends before.
fn go_on(columns: &[Vec<f64>], target: &[f64], used: &[usize], sizes: &mut [f64]) -> Option<f64> {
    let products = |row: usize| {
        let own = &columns[used[row]];
        let mut products: Vec<f64> = used.iter().map(|&it| dot(own, &columns[it])).collect();
        products[row] *= 1.0 + 1e-9;
        products
    };
    let factor = factor(&(0..used.len()).map(products).collect::<Vec<_>>());
    let wanted: Vec<f64> = used.iter().map(|&it| -dot(&columns[it], target)).collect();
    let found = backwards(&factor, &forwards(&factor, &wanted));
    let pairs = || used.iter().zip(&found);
    let negative = pairs().filter(|(_, found)| **found <= 0.0);
    let parts = negative.map(|(&it, found)| (it, sizes[it] / (sizes[it] - found)));
    let first = parts.min_by(|one, other| one.1.total_cmp(&other.1));
    let part = first.map_or(1.0, |(_, part)| part);
    pairs().for_each(|(&it, found)| sizes[it] += part * (found - sizes[it]));
    sizes[first?.0] = 0.0;
    Some(found.iter().copied().fold(0.0, f64::max))
}

/// By what part of gravity the fastest end of a limb gets faster that nothing bears.
pub fn unborne(puppet: &Puppet, world: &World, friction: f64) -> f64 {
    let statics = Statics::new(puppet, world, friction);
    let factor = factor(&statics.mass);
    let target = forwards(&factor, &statics.gravity);
    let columns: Vec<_> = statics
        .pushes
        .iter()
        .map(|push| forwards(&factor, push))
        .collect();
    let rates = backwards(&factor, &least(&columns, &target));
    let local = puppet.rig.to_global.inverse();
    let linear = puppet.rig.to_global.matrix2.as_dmat2();
    let mut fastest = 0.0_f64;
    for (bone, shape) in puppet.shapes.iter().enumerate() {
        for end in [Vec2::ZERO, shape.from, shape.to] {
            let place = local.transform_point2(puppet.place(bone, end)).as_dvec2();
            let columns = statics.columns(bone, place);
            let moved: DVec2 = columns
                .iter()
                .zip(&rates)
                .map(|(column, rate)| *rate * *column)
                .sum();
            fastest = fastest.max((linear * moved).length());
        }
    }
    fastest / f64::from(world.gravity.length())
}
