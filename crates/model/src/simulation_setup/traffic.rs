//! Traffic of a simulation: commands, flows and their rhythms.

use std::time::Duration;

use thiserror::Error;

use crate::{NodeId, Protocol};

/// The times of a repeated action. Random times differ between replications.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::Rhythm;
///
/// let second = Duration::from_secs(1);
/// assert_eq!(Rhythm::from(second), Rhythm::Every(second));
/// assert!(Rhythm::Poisson(second).validate().is_ok());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rhythm {
    /// Once, at the start.
    #[default]
    Once,
    /// At the start, and then at this interval.
    Every(Duration),
    /// A Poisson process: exponential intervals with this mean.
    Poisson(Duration),
    /// Alternately on and off, both exponential. While on, as `Every`. It is in its steady state
    /// from the start.
    OnOff {
        /// The mean time on.
        on: Duration,
        /// The mean time off.
        off: Duration,
        /// The interval while it is on.
        every: Duration,
    },
}

impl From<Option<Duration>> for Rhythm {
    /// At a fixed interval, or once.
    fn from(every: Option<Duration>) -> Self {
        every.map_or(Self::Once, Self::Every)
    }
}

impl From<Duration> for Rhythm {
    fn from(every: Duration) -> Self {
        Self::Every(every)
    }
}

impl Rhythm {
    /// Whether time passes between two actions.
    ///
    /// # Errors
    /// The duration that is 0.
    pub fn validate(self) -> Result<(), RhythmError> {
        let named = match self {
            Self::Once => vec![],
            Self::Every(every) => vec![("its interval", every)],
            Self::Poisson(mean) => vec![("its mean interval", mean)],
            Self::OnOff { on, every, .. } => {
                vec![("the time for which it is on", on), ("its interval", every)]
            }
        };
        match named.into_iter().find(|(_, duration)| duration.is_zero()) {
            Some((what, _)) => Err(RhythmError(what)),
            None => Ok(()),
        }
    }
}

/// A rhythm in which time would stand still.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::Rhythm;
///
/// let error = Rhythm::Every(Duration::ZERO).validate().unwrap_err();
/// assert!(error.to_string().starts_with("its interval is 0 s"));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0} is 0 s, so time would stand still; make it positive")]
pub struct RhythmError(&'static str);

/// A command to a node during a simulation, once or repeatedly.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
/// # struct Bell;
/// # impl Protocol for Bell {
/// #     type State = u32;
/// #     type Message = Never;
/// #     type Timer = Never;
/// #     type Command = ();
/// #     fn start(&self, _: &mut Start<'_, Self>) -> u32 { 0 }
/// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}
/// #     fn on_command(&self, node: &mut Node<'_, Self>, (): &()) { *node.state += 1; }
/// # }
/// use std::time::Duration;
/// use everypath_model::{Rhythm, Scenario, Topology};
///
/// let second = Duration::from_secs(1);
/// let scenario = Scenario::new(Bell, Topology::chain(2))
///     .simulation(|run| run.job(NodeId(0), (), second, Rhythm::Every(second)));
/// let job = scenario.simulation.all_jobs().next().unwrap();
/// assert_eq!((job.begin, job.end), (second, None));
/// ```
#[derive(Debug)]
pub struct Job<P: Protocol> {
    /// The node.
    pub node: NodeId,
    /// The command.
    pub command: P::Command,
    /// When its rhythm begins.
    pub begin: Duration,
    /// Its rhythm.
    pub rhythm: Rhythm,
    /// The end of the rhythm, if there is one.
    pub end: Option<Duration>,
}

impl<P: Protocol> Clone for Job<P> {
    fn clone(&self) -> Self {
        let &Self { node, ref command, begin, rhythm, end } = self;
        Self { node, command: command.clone(), begin, rhythm, end }
    }
}

/// Packets of data from one node to another, for protocols with a
/// [command](crate::SimulationSetup::data_command) to send them.
///
/// ```
/// use everypath_model::{Flow, NodeId, Rhythm};
/// use std::time::Duration;
///
/// let flow = Flow::new(NodeId(0), NodeId(4), Duration::from_secs(5))
///     .rhythm(Rhythm::Poisson(Duration::from_millis(250)))
///     .end(Duration::from_secs(200));
/// assert_eq!(flow.begin, Duration::from_secs(5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flow {
    /// The sender.
    pub from: NodeId,
    /// The destination.
    pub to: NodeId,
    /// When its rhythm begins.
    pub begin: Duration,
    /// Its rhythm.
    pub rhythm: Rhythm,
    /// The end of the rhythm, if there is one.
    pub end: Option<Duration>,
}

impl Flow {
    /// A flow of one packet.
    #[must_use]
    pub fn new(from: NodeId, to: NodeId, begin: Duration) -> Self {
        Self { from, to, begin, rhythm: Rhythm::Once, end: None }
    }
}

crate::setters!(Flow { rhythm: Rhythm, end: impl Into<Option<Duration>> });

/// The command by which a node sends a packet of data to another.
pub type DataCommand<P> = Box<dyn Fn(NodeId) -> <P as Protocol>::Command + Send + Sync>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rhythm_lets_time_pass() {
        let second = Duration::from_secs(1);
        let on_off = |on, off, every| Rhythm::OnOff { on, off, every };
        for fine in [
            Rhythm::Once,
            Rhythm::from(second),
            Rhythm::from(None),
            on_off(second, Duration::ZERO, second),
        ] {
            assert_eq!(fine.validate(), Ok(()));
        }
        for (stands, why) in [
            (Rhythm::Every(Duration::ZERO), "its interval is 0 s"),
            (Rhythm::Poisson(Duration::ZERO), "its mean interval is 0 s"),
            (on_off(second, second, Duration::ZERO), "its interval is 0 s"),
            (on_off(Duration::ZERO, second, second), "the time for which it is on is 0 s"),
        ] {
            let error = stands.validate().unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
