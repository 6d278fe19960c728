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
const AHEAD: u32 = 4;

/// Makes things number 0 to `count` - 1 and has each of them taken, in order, on this thread, until
/// it breaks off. So what is taken, and when it is enough, do not depend on the number of workers. True
/// if the stop flag has ended it before.
///
/// The flag that `make` is given says so to what is being made when it ends.
pub(crate) fn in_order<T: Send>(
    count: u32,
    workers: u32,
    stop: Option<&AtomicBool>,
    make: impl Fn(u32, Option<&AtomicBool>) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> bool {
    let is_stopped = || stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
    if workers.min(count) < 2 {
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
    let (ask, asked) = mpsc::channel::<u32>();
    let (finish, finished) = mpsc::channel();
    let asked = Mutex::new(asked);
    thread::scope(|scope| {
        for _ in 0..workers.min(count) {
            let finish = finish.clone();
            let (asked, is_over, make) = (&asked, &is_over, &make);
            scope.spawn(move || {
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
            });
        }
        drop(finish);
        // Threads that wait for a number end when none can be asked for any more.
        let ask = ask;
        // However this ends, also by a panic of `take`, the threads are notified.
        let _over = RaisedWhenDropped(&is_over);
        let ask_for = |number: u32| {
            if number < count {
                // If no thread listens, all have ended, which is noticed below.
                let _ = ask.send(number);
            }
        };
        let ahead = workers.saturating_mul(AHEAD);
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
    fn taken(count: u32, workers: u32, last: u32) -> Vec<u32> {
        let mut taken = Vec::new();
        let make = |number: u32, _: Option<&AtomicBool>| {
            thread::sleep(Duration::from_micros(u64::from(300 - 20 * (number % 15))));
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
            let make = |number: u32, stop: Option<&AtomicBool>| {
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
                in_order(u32::MAX, workers, Some(&stop), make, |number| {
                    taken.push(number);
                    ControlFlow::Continue(())
                })
            });
            assert!(stopped && taken.len() >= 8, "{workers} workers: {taken:?}");
            assert!(taken.iter().copied().eq(0..taken.len() as u32), "{taken:?}");
        }
    }

    #[test]
    fn the_panic_of_the_lowest_number_comes_through() {
        for workers in [1, 2, 4] {
            let make = |number: u32, _: Option<&AtomicBool>| {
                assert!(number % 7 != 6, "number {number}");
            };
            let panic = everypath_model::panics::catch(|| {
                in_order(100, workers, None, make, |()| ControlFlow::Continue(()))
            });
            assert_eq!(panic.unwrap_err().message, "number 6", "{workers} workers");
        }
    }
}
