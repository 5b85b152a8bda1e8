//! The mathematics of skins, on a thread of its own, so that the editor stays awake.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::{self, JoinHandle};

use crate::refusal::Refusal;
use tendon_skin::{Alpha, Bone, Mesh, Options, Skin, Weights, unless};

/// A skin to compute, without any node.
#[derive(Clone)]
pub(crate) struct SkinWork {
    /// The name of the sprite or polygon, for error messages.
    pub(crate) name: String,
    pub(crate) kind: WorkKind,
    pub(crate) bones: Vec<Bone>,
    pub(crate) making: Options,
}

#[derive(Clone)]
pub(crate) enum WorkKind {
    /// The mesh of a picture and its weights.
    Skin(Alpha),
    /// The weights of a mesh that there is.
    Weigh(Mesh),
}

impl SkinWork {
    /// # Errors
    /// Why it is not possible, with the name.
    pub(crate) fn run(&self) -> Result<Skin, Refusal> {
        let made = match &self.kind {
            WorkKind::Skin(alpha) => {
                Skin::new(alpha, &self.bones, &self.making).map_err(|it| it.to_string())
            }
            WorkKind::Weigh(mesh) => Weights::new(mesh, &self.bones, self.making.reach)
                .map(|weights| Skin {
                    mesh: mesh.clone(),
                    weights,
                })
                .map_err(|fault| fault.to_string()),
        };
        made.map_err(|reason| format!("\"{}\": {reason}", self.name).into())
    }
}

/// Work that is being done. Dropping it cancels it, and waits for its end: when the editor quits, it takes the code away
/// that would still run.
pub(super) struct Job {
    shared: Arc<JobShared>,
    count: usize,
    result: Receiver<Result<Vec<Skin>, Refusal>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct JobShared {
    is_cancelled: Arc<AtomicBool>,
    /// The number of pictures that are done.
    done: AtomicUsize,
}

impl Job {
    /// Begins to work when `before` has ended: large pictures take so much memory that one at a time is enough. Where
    /// there are no threads, it is done when this returns.
    pub(super) fn begin(works: Vec<SkinWork>, before: Option<Self>) -> Self {
        let (sender, result) = channel();
        let shared = Arc::new(JobShared::default());
        let count = works.len();
        let run = {
            let shared = shared.clone();
            move || {
                let one = |work: &SkinWork| {
                    let made = work.run();
                    shared.done.fetch_add(1, Ordering::Relaxed);
                    made
                };
                let work = || works.iter().map(one).collect();
                let made = unless(&shared.is_cancelled, work);
                // Nobody may be there to take it.
                _ = sender.send(made.unwrap_or_else(|_| Err("cancelled".into())));
            }
        };
        let run = Arc::new(run);
        let on_thread = run.clone();
        let spawned = thread::Builder::new()
            .name("tendon-skin".into())
            .spawn(move || {
                drop(before);
                on_thread();
            });
        if spawned.is_err() {
            run();
        }
        Self {
            shared,
            count,
            result,
            thread: spawned.ok(),
        }
    }

    /// Returns the part of the work that is done, from 0 to 1.
    pub(super) fn progress(&self) -> f64 {
        self.shared.done.load(Ordering::Relaxed) as f64 / self.count.max(1) as f64
    }

    /// Lets it end soon, also in the middle of a step, without waiting for it.
    pub(super) fn cancel(&self) {
        self.shared.is_cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled.load(Ordering::Relaxed)
    }

    /// Returns the skins, or the reason that there are none, once the work has ended.
    pub(super) fn finished(&self) -> Option<Result<Vec<Skin>, Refusal>> {
        match self.result.try_recv() {
            Ok(made) => Some(made),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("it could not be computed".into())),
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel();
        if let Some(thread) = self.thread.take() {
            // Its panic has been told where it happened.
            _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tendon_skin::glam::DVec2;

    use super::*;

    fn work(side: usize) -> SkinWork {
        let alpha = Alpha::new(side, side, &vec![255; side * side], 0).unwrap();
        let middle = side as f64 / 2.0;
        let bone =
            |from: f64| Bone::new(DVec2::new(from, middle), DVec2::new(from + middle, middle));
        SkinWork {
            name: "Square".into(),
            kind: WorkKind::Skin(alpha),
            bones: vec![bone(0.0), bone(middle)],
            making: Options::default(),
        }
    }

    fn wait(job: &Job) -> Result<Vec<Skin>, Refusal> {
        loop {
            if let Some(made) = job.finished() {
                return made;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn what_is_made_on_a_thread_is_what_is_made_without() {
        let job = Job::begin(vec![work(40), work(20)], None);
        let made = wait(&job).unwrap();
        let direct = work(20).run().unwrap();
        assert_eq!((made.len(), &made[1]), (2, &direct));
        assert_eq!(job.progress(), 1.0);
    }

    #[test]
    fn faults_are_told_with_the_name() {
        let mut bad = work(20);
        bad.bones.clear();
        let reason = wait(&Job::begin(vec![bad], None)).unwrap_err();
        assert!(reason.starts_with("\"Square\": "), "{reason}");
    }

    #[test]
    fn what_is_cancelled_ends_soon() {
        let job = Job::begin(vec![work(400); 50], None);
        job.cancel();
        assert!(wait(&job).unwrap_err().contains("cancelled"));
        assert!(job.shared.done.load(Ordering::Relaxed) < 50);
    }

    /// Each thread holds one of the references.
    #[test]
    fn nothing_runs_once_it_is_dropped() {
        let first = Job::begin(vec![work(400); 50], None);
        first.cancel();
        let shared = first.shared.clone();
        let second = Job::begin(vec![work(400); 50], Some(first));
        let others = second.shared.clone();
        drop(second);
        assert_eq!(
            (Arc::strong_count(&shared), Arc::strong_count(&others)),
            (1, 1)
        );
    }
}
