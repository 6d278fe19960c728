//! Tells of code of a user's that does not return, which neither a limit nor Ctrl-C can end.

use std::{
    process,
    sync::{Mutex, Once, PoisonError},
    thread,
    time::{Duration, Instant},
};

use everypath_model::running::{Glance, glances};

use super::interrupt;
use crate::output::remark;

/// How long an execution takes at least before it is told of: the first time, and each time so many times as long.
const LONG: Duration = Duration::from_secs(10);
const LONGER: u32 = 6;
/// How often is looked.
const EVERY: Duration = Duration::from_millis(250);

/// When the run is to be over.
static DEADLINE: Mutex<Option<Instant>> = Mutex::new(None);

/// Watches from now on; the run that begins now may take so long.
pub(crate) fn watch(limit: Option<Duration>) {
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    *DEADLINE.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
    static START: Once = Once::new();
    START.call_once(|| drop(thread::spawn(look_again_and_again)));
}

/// An execution that goes on.
struct Seen {
    glance: Glance,
    since: Instant,
    /// For how long it will have gone on when it is told of next.
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
    /// Tells of it, if it is time; ends the process, if it should have ended.
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

/// Why the run should have ended by now, if it should.
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
