//! Worker threads whose numbered results are handed over in order.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// How often the stop flag is looked at while nothing is ready.
const LOOK: Duration = Duration::from_millis(20);

/// How many things a thread may be ahead of what was taken: enough not to wait for a slow one, and
/// few enough to keep.
const AHEAD: u64 = 4;

/// On how many threads things are made.
///
/// ```
/// use everypath_sim::Workers;
///
/// let deep = Workers { stack_bytes: Some(64 << 20), ..Workers::from(4) };
/// assert_eq!(deep.threads, 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    /// How many threads; with fewer than two, things are made on the thread that asks for them.
    pub threads: u32,
    /// How much room each has for calls, if not the usual.
    pub stack_bytes: Option<usize>,
}

impl From<u32> for Workers {
    fn from(threads: u32) -> Self {
        Self { threads, stack_bytes: None }
    }
}

/// Makes things number 0 to `count` - 1 and has each of them taken, in order, on this thread, until
/// it breaks off. So what is taken, and when it is enough, do not depend on the number of workers. True
/// if the stop flag has ended it before.
///
/// The flag that `make` is given says so to what is being made when it ends.
pub(crate) fn in_order<T: Send>(
    count: u64,
    workers: impl Into<Workers>,
    stop: Option<&AtomicBool>,
    make: impl Fn(u64, Option<&AtomicBool>) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> bool {
    let is_stopped = || stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
    let Workers { threads, stack_bytes } = workers.into();
    let threads = u64::from(threads).min(count);
    if threads < 2 {
        for number in 0..count {
            if is_stopped() {
                return true;
            }
            if take(make(number, stop)).is_break() {
                return false;
            }
        }
        return false;
    }
    let is_over = AtomicBool::new(false);
    let (ask, asked) = mpsc::channel::<u64>();
    let (finish, finished) = mpsc::channel();
    let asked = Mutex::new(asked);
    thread::scope(|scope| {
        for _ in 0..threads {
            let finish = finish.clone();
            let (asked, is_over, make) = (&asked, &is_over, &make);
            let work = move || {
                loop {
                    let next = asked.lock().expect("nothing panics while it is locked").recv();
                    let Ok(number) = next else { return };
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    let made =
                        panic::catch_unwind(AssertUnwindSafe(|| make(number, Some(is_over))));
                    if finish.send((number, made)).is_err() {
                        return;
                    }
                }
            };
            let mut thread = thread::Builder::new();
            if let Some(bytes) = stack_bytes {
                thread = thread.stack_size(bytes);
            }
            thread.spawn_scoped(scope, work).expect("a thread can be started");
        }
        drop(finish);
        // Threads that wait for a number end when none can be asked for any more.
        let ask = ask;
        // However this ends, also by a panic of `take`, the threads are notified.
        let _over = RaisedWhenDropped(&is_over);
        let ask_for = |number: u64| {
            if number < count {
                // If no thread listens, all have ended, which is noticed below.
                let _ = ask.send(number);
            }
        };
        let ahead = threads * AHEAD;
        (0..ahead.min(count)).for_each(ask_for);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        while next < count {
            if is_stopped() {
                is_over.store(true, Ordering::Relaxed);
            }
            match finished.recv_timeout(LOOK) {
                Ok((number, made)) => {
                    waiting.insert(number, made);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return true,
            }
            while let Some(made) = waiting.remove(&next) {
                let taken = take(made.unwrap_or_else(|payload| panic::resume_unwind(payload)));
                if taken.is_break() {
                    return false;
                }
                ask_for(next.saturating_add(ahead));
                next += 1;
            }
        }
        false
    })
}

/// The same with things that may fail: the first failure in the order of numbers ends it. True if the stop flag has ended
/// it before.
///
/// ```
/// use std::ops::ControlFlow;
/// use everypath_sim::try_in_order;
///
/// let root = |number: u64| number.checked_sub(3).ok_or(format!("{number} is too small"));
/// let mut roots = Vec::new();
/// let stopped = try_in_order(5, 2, None, |number, _| root(number + 3), |root| {
///     roots.push(root);
///     ControlFlow::Continue(())
/// });
/// assert_eq!((stopped, roots), (Ok(false), vec![0, 1, 2, 3, 4]));
///
/// let failed = try_in_order(5, 2, None, |number, _| root(number), |_| ControlFlow::Continue(()));
/// assert_eq!(failed, Err("0 is too small".to_owned()));
/// ```
///
/// # Errors
/// The first failure.
///
/// # Panics
/// If making or taking one of them panics, or a thread cannot be started.
pub fn try_in_order<T: Send, E: Send>(
    count: u64,
    workers: impl Into<Workers>,
    stop: Option<&AtomicBool>,
    make: impl Fn(u64, Option<&AtomicBool>) -> Result<T, E> + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> Result<bool, E> {
    let mut failed = None;
    let stopped = in_order(count, workers, stop, make, |made| match made {
        Ok(made) => take(made),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    });
    failed.map_or(Ok(stopped), Err)
}

struct RaisedWhenDropped<'a>(&'a AtomicBool);

impl Drop for RaisedWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers taken out of `count` until one is reached, with this many workers; the smaller a number,
    /// the longer it takes to make.
    fn taken(count: u64, workers: u32, last: u64) -> Vec<u64> {
        let mut taken = Vec::new();
        let make = |number: u64, _: Option<&AtomicBool>| {
            thread::sleep(Duration::from_micros(300 - 20 * (number % 15)));
            number
        };
        let stopped = in_order(count, workers, None, make, |number| {
            taken.push(number);
            if number == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(!stopped);
        taken
    }

    #[test]
    fn the_order_and_the_end_do_not_depend_on_the_workers() {
        for workers in [0, 1, 2, 3, 8, 500] {
            assert_eq!(taken(0, workers, 0), []);
            assert_eq!(taken(1, workers, 9), [0]);
            assert!(taken(100, workers, 1000).into_iter().eq(0..100), "{workers} workers");
            assert!(taken(100, workers, 41).into_iter().eq(0..=41), "{workers} workers");
        }
    }

    #[test]
    fn a_flag_ends_it_and_what_is_under_way() {
        for workers in [1, 2, 5] {
            let stop = AtomicBool::new(false);
            let make = |number: u64, stop: Option<&AtomicBool>| {
                // Number 7 takes for ever.
                while number == 7 && !stop.unwrap().load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                number
            };
            let mut taken = Vec::new();
            let stopped = thread::scope(|scope| {
                scope.spawn(|| {
                    thread::sleep(Duration::from_millis(30));
                    stop.store(true, Ordering::Relaxed);
                });
                in_order(u64::MAX, workers, Some(&stop), make, |number| {
                    taken.push(number);
                    ControlFlow::Continue(())
                })
            });
            assert!(stopped && taken.len() >= 8, "{workers} workers: {taken:?}");
            assert!(taken.iter().copied().eq(0..taken.len() as u64), "{taken:?}");
        }
    }

    #[test]
    fn the_panic_of_the_lowest_number_comes_through() {
        for workers in [1, 2, 4] {
            let make = |number: u64, _: Option<&AtomicBool>| {
                assert!(number % 7 != 6, "number {number}");
            };
            let panic = everypath_model::panics::catch(|| {
                in_order(100, workers, None, make, |()| ControlFlow::Continue(()))
            });
            assert_eq!(panic.unwrap_err().message, "number 6", "{workers} workers");
        }
    }
}
