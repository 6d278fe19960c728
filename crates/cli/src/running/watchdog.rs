//! Reports user code that does not return, which neither a limit nor Ctrl-C can end.

use std::{
    process,
    sync::{Mutex, Once, PoisonError},
    thread,
    time::{Duration, Instant},
};

use everypath_model::running::{Glance, glances};

use super::interrupt;
use crate::output::remark;

/// After this time an execution is reported, and again each time that it has taken this many times as long.
const LONG: Duration = Duration::from_secs(10);
const LONGER: u32 = 6;
/// The time between looks.
const EVERY: Duration = Duration::from_millis(250);

/// When the run must be over.
static DEADLINE: Mutex<Option<Instant>> = Mutex::new(None);

/// Watches from now on; the run that begins now may take this long.
pub(crate) fn watch(limit: Option<Duration>) {
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    *DEADLINE.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
    static START: Once = Once::new();
    START.call_once(|| drop(thread::spawn(look_again_and_again)));
}

/// A running execution.
struct Seen {
    glance: Glance,
    since: Instant,
    /// How long it will have been running at the next report.
    next: Duration,
}

fn look_again_and_again() {
    let mut seen: Vec<Seen> = Vec::new();
    loop {
        thread::sleep(EVERY);
        let now = Instant::now();
        let glances = glances();
        seen.retain(|it| glances.contains(&it.glance));
        let is_new = |glance: &Glance| !seen.iter().any(|it| it.glance == *glance);
        let new: Vec<Glance> = glances.into_iter().filter(is_new).collect();
        seen.extend(new.into_iter().map(|glance| Seen { glance, since: now, next: LONG }));
        seen.iter_mut().for_each(|it| it.tell(now));
    }
}

impl Seen {
    /// Reports it, if it is time; ends the process, if the run should be over.
    fn tell(&mut self, now: Instant) {
        let lasted = now.duration_since(self.since);
        if lasted < LONG {
            return;
        }
        let text =
            || format!("{} has been running for {} s", self.glance.describe(), lasted.as_secs());
        if let Some(why) = must_end(now) {
            remark(&format!("{}; {why}: the program ends without an answer", text()));
            process::exit(3);
        }
        if lasted >= self.next {
            remark(&text());
            self.next *= LONGER;
        }
    }
}

/// Why the run should be over by now, if it should.
fn must_end(now: Instant) -> Option<&'static str> {
    let deadline = *DEADLINE.lock().unwrap_or_else(PoisonError::into_inner);
    if interrupt::happened() {
        Some("it was asked to end")
    } else if deadline.is_some_and(|deadline| now >= deadline) {
        Some("--max-time is over")
    } else {
        None
    }
}
