//! Doing the same to many things on several threads, with results in their order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// `work` done to all `items`, by `jobs` threads. `tell` hears how many are done.
pub(super) fn map<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    tell: &(dyn Fn(usize) + Sync),
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    if sender.send((index, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (done, (index, result)) in receiver.iter().enumerate() {
            results[index] = Some(result);
            tell(done + 1);
        }
    });
    results.into_iter().flatten().collect()
}
