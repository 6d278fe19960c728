//! The part of a scenario that only a simulation reads: times, traffic, radios and measures.

mod energy;
mod field;
mod field_error;
mod link_model;
mod loss;
mod measure;
mod mobility;
mod outage;
mod propagation;
mod radio;
mod sensing;
mod traffic;
mod wire;

use std::time::Duration;

pub use energy::Energy;
pub use field::Field;
pub use field_error::FieldError;
pub use link_model::LinkModel;
pub use loss::{Bursts, Loss};
pub use measure::{Measure, Readings, WarmUp};
pub use mobility::{Area, Leg, Mobility, Path, Position};
pub use outage::{Downtime, Outage, OutageError, Part};
pub use propagation::{PathLoss, Power, Propagation, PropagationDelay};
pub use radio::{DcfRadio, IdealRadio, Radio, SharedRadio};
pub use sensing::{Sensing, SensingError, Stimulus, StimulusCommand};
pub use traffic::{DataCommand, Flow, Job, Rhythm, RhythmError};
pub use wire::{Datagram, Wire};

use crate::{NodeId, Protocol};

/// The size of a message on the wire, in bytes.
pub type MessageBytes<P> = Box<dyn Fn(&P, &<P as Protocol>::Message) -> usize + Send + Sync>;

/// The part of a scenario that only a simulation reads; see [`Scenario::simulation`](crate::Scenario::simulation).
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use std::time::Duration;
/// use everypath_model::{Scenario, SimulationSetup, Topology, WarmUp};
///
/// fn long(run: SimulationSetup<Greeting>) -> SimulationSetup<Greeting> {
///     run.duration(Duration::from_secs(600)).warm_up(WarmUp::Until(Duration::from_secs(60)))
/// }
///
/// let scenario = Scenario::new(Greeting, Topology::ring(5)).simulation(long);
/// assert_eq!(scenario.simulation.duration, Duration::from_secs(600));
/// ```
pub struct SimulationSetup<P: Protocol> {
    /// The model of all links that are not in [`links`](Self::links).
    pub link: LinkModel,
    /// Links with their own model, by direction.
    pub links: Vec<((NodeId, NodeId), LinkModel)>,
    /// Places and radios of nodes, if they use radios; then there are no links.
    pub field: Option<Field>,
    /// The size of a message on the wire, in bytes; default 64.
    pub message_bytes: Option<MessageBytes<P>>,
    /// The length of a run.
    pub duration: Duration,
    /// The part of a run that does not count.
    pub warm_up: WarmUp,
    /// The default number of independent runs.
    pub replications: u32,
    /// Commands to nodes.
    pub jobs: Vec<Job<P>>,
    /// Flows of data; they need a [`data_command`](Self::data_command).
    pub flows: Vec<Flow>,
    /// The command by which a node sends a packet of data, if the protocol has one.
    pub data_command: Option<DataCommand<P>>,
    /// Targets that nodes on a field sense, if any; they need a
    /// [`stimulus_command`](Self::stimulus_command).
    pub sensing: Option<Sensing>,
    /// The command for a node that senses a stimulus, if the protocol has one.
    pub stimulus_command: Option<StimulusCommand<P>>,
    /// Downtimes of nodes and links.
    pub outages: Vec<Outage>,
    /// The results to compute.
    pub measures: Vec<Measure>,
    /// The form of messages on a wire, for captures, if they have one.
    pub wire: Option<Wire<P>>,
}

impl<P: Protocol> Default for SimulationSetup<P> {
    fn default() -> Self {
        Self {
            link: LinkModel::default(),
            links: Vec::new(),
            field: None,
            message_bytes: None,
            duration: Duration::from_secs(10),
            warm_up: WarmUp::None,
            replications: 10,
            jobs: Vec::new(),
            flows: Vec::new(),
            data_command: None,
            sensing: None,
            stimulus_command: None,
            outages: Vec::new(),
            measures: Vec::new(),
            wire: None,
        }
    }
}

impl<P: Protocol> SimulationSetup<P> {
    /// Sets the size of a message on the wire, in bytes; default 64.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
    ///     .simulation(|run| run.message_bytes(|_, _| 1500));
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn message_bytes(
        mut self,
        bytes: impl Fn(&P, &P::Message) -> usize + Send + Sync + 'static,
    ) -> Self {
        self.message_bytes = Some(Box::new(bytes));
        self
    }

    /// Sets the model of links.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{LinkModel, Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2))
    ///     .simulation(|run| run.link(LinkModel::default().loss(0.2)));
    /// assert_eq!(scenario.simulation.link.loss.mean(), 0.2);
    /// ```
    #[must_use]
    pub fn link(mut self, link: LinkModel) -> Self {
        self.link = link;
        self
    }

    /// Puts the nodes on a field, where they use radios; the links of the topology then do not
    /// matter.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Area, DcfRadio, Field, Mobility, Radio, Scenario, Topology};
    ///
    /// let square = Mobility::Uniform(Area { width: 500.0, height: 500.0 });
    /// let field = Field::new(square, Radio::Dcf(DcfRadio::default()));
    /// let scenario = Scenario::new(Greeting, Topology::unlinked(20)).simulation(|run| run.field(field));
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn field(mut self, field: Field) -> Self {
        self.field = Some(field);
        self
    }

    /// Sets the length of a run.
    #[must_use]
    pub fn duration(mut self, duration: Duration) -> Self {
        self.duration = duration;
        self
    }

    /// Sets the warm-up: the first part of a run, which does not count.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use std::time::Duration;
    /// use everypath_model::{Scenario, Topology, WarmUp};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3)).simulation(|run| {
    ///     run.duration(Duration::from_secs(60)).warm_up(WarmUp::Until(Duration::from_secs(10)))
    /// });
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn warm_up(mut self, warm_up: WarmUp) -> Self {
        self.warm_up = warm_up;
        self
    }

    /// Sets the default number of independent runs.
    #[must_use]
    pub fn replications(mut self, replications: u32) -> Self {
        self.replications = replications;
        self
    }

    /// Gives a command to a node, once or in a [rhythm](Rhythm). `None` means once; a duration is a
    /// fixed interval.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
    /// # struct Bell;
    /// # impl Protocol for Bell {
    /// #     type State = u32;
    /// #     type Message = Never;
    /// #     type Timer = Never;
    /// #     type Command = String;
    /// #     fn start(&self, _: &mut Start<'_, Self>) -> u32 { 0 }
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}
    /// #     fn on_command(&self, node: &mut Node<'_, Self>, _: &String) { *node.state += 1; }
    /// # }
    /// use std::time::Duration;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let second = Duration::from_secs(1);
    /// let scenario = Scenario::new(Bell, Topology::chain(2)).simulation(|run| {
    ///     run.job(NodeId(0), "ring once".to_owned(), second, None)
    ///         .job(NodeId(1), "ring often".to_owned(), second, 5 * second)
    /// });
    /// assert_eq!(scenario.simulation.jobs.len(), 2);
    /// ```
    #[must_use]
    pub fn job(
        mut self,
        node: NodeId,
        command: P::Command,
        begin: Duration,
        rhythm: impl Into<Rhythm>,
    ) -> Self {
        self.jobs.push(Job { node, command, begin, rhythm: rhythm.into(), end: None });
        self
    }

    /// Sets the command by which a node sends a packet of data. Then [flows](Self::flow) can be
    /// used, also from files.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
    /// # struct Router;
    /// # impl Protocol for Router {
    /// #     type State = ();
    /// #     type Message = NodeId;
    /// #     type Timer = Never;
    /// #     type Command = NodeId;
    /// #     fn start(&self, _: &mut Start<'_, Self>) {}
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &NodeId) {}
    /// #     fn on_command(&self, node: &mut Node<'_, Self>, to: &NodeId) { node.broadcast(*to); }
    /// # }
    /// use std::time::Duration;
    /// use everypath_model::{Flow, Scenario, Topology};
    ///
    /// // The command of this protocol is the destination itself.
    /// let flow = Flow::new(NodeId(0), NodeId(2), Duration::from_secs(1));
    /// let scenario = Scenario::new(Router, Topology::chain(3))
    ///     .simulation(|run| run.data_command(|to| to).flow(flow));
    /// let command = scenario.simulation.all_jobs().next().map(|job| job.command);
    /// assert_eq!(command, Some(NodeId(2)));
    /// ```
    #[must_use]
    pub fn data_command(
        mut self,
        command: impl Fn(NodeId) -> P::Command + Send + Sync + 'static,
    ) -> Self {
        self.data_command = Some(Box::new(command));
        self
    }

    /// Adds a flow of data.
    #[must_use]
    pub fn flow(mut self, flow: Flow) -> Self {
        self.flows.push(flow);
        self
    }

    /// Adds moving targets that emit stimuli.
    #[must_use]
    pub fn sensing(mut self, sensing: Sensing) -> Self {
        self.sensing = Some(sensing);
        self
    }

    /// Sets the command for a node that senses a stimulus.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
    /// # struct Sensor;
    /// # impl Protocol for Sensor {
    /// #     type State = u32;
    /// #     type Message = Never;
    /// #     type Timer = Never;
    /// #     type Command = usize;
    /// #     fn start(&self, _: &mut Start<'_, Self>) -> u32 { 0 }
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}
    /// #     fn on_command(&self, node: &mut Node<'_, Self>, _: &usize) { *node.state += 1; }
    /// # }
    /// use std::time::Duration;
    /// use everypath_model::{Area, Field, IdealRadio, Mobility, Radio, Rhythm, Scenario, Sensing, Topology};
    ///
    /// let area = Mobility::Uniform(Area { width: 100.0, height: 100.0 });
    /// let field = Field::new(area.clone(), Radio::Ideal(IdealRadio::default()));
    /// let animals = Sensing::of(3, area, 20.0, Rhythm::Poisson(Duration::from_secs(10)));
    /// // The command of this protocol is the number of the target.
    /// let scenario = Scenario::new(Sensor, Topology::unlinked(10)).simulation(|run| {
    ///     run.field(field).sensing(animals).stimulus_command(|stimulus| stimulus.target)
    /// });
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn stimulus_command(
        mut self,
        command: impl Fn(Stimulus) -> P::Command + Send + Sync + 'static,
    ) -> Self {
        self.stimulus_command = Some(Box::new(command));
        self
    }

    /// Takes a node or link down during a simulation.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use std::time::Duration;
    /// use everypath_model::{Downtime, NodeId, Outage, Part, Scenario, Topology};
    ///
    /// let down = Duration::from_secs(2);
    /// let downtime = Downtime::Given { down, up: Some(2 * down) };
    /// let cut = Outage { part: Part::Link(NodeId(0), NodeId(1)), downtime };
    /// let scenario = Scenario::new(Greeting, Topology::chain(3)).simulation(|run| run.outage(cut));
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn outage(mut self, outage: Outage) -> Self {
        self.outages.push(outage);
        self
    }

    /// Adds a result, computed from the measurements of a run.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3)).simulation(|run| {
    ///     run.measure("delay", "s", |run| run.mean("delay"))
    ///         .measure("slowest tenth", "s", |run| run.quantile("delay", 0.9))
    /// });
    /// assert_eq!(scenario.simulation.measures.len(), 2);
    /// ```
    #[must_use]
    pub fn measure(
        mut self,
        name: &str,
        unit: &str,
        compute: impl Fn(&dyn Readings) -> f64 + Send + Sync + 'static,
    ) -> Self {
        self.measures.push(Measure {
            name: name.to_owned(),
            unit: unit.to_owned(),
            compute: Box::new(compute),
        });
        self
    }

    /// Adds a [counter](crate::Node::count) to the results.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::ring(5))
    ///     .simulation(|run| run.measure_count("collisions"));
    /// assert_eq!(scenario.simulation.measures[0].name, "collisions");
    /// ```
    #[must_use]
    pub fn measure_count(self, name: &'static str) -> Self {
        self.measure(name, "", move |run| run.count(name) as f64)
    }

    /// Defines how a message to another node, or to all, looks on a wire. `simulate --pcap` and
    /// `--ns2-trace` need it to write packets for other programs.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Datagram, Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3)).simulation(|run| {
    ///     run.wire(|_, from, to, greeting| {
    ///         let payload = format!("{greeting:?}");
    ///         Datagram::new(from, to, 7000, payload).traffic("greeting").kind("HI")
    ///     })
    /// });
    /// assert!(scenario.simulation.wire.is_some());
    /// ```
    #[must_use]
    pub fn wire(
        mut self,
        wire: impl Fn(&P, NodeId, Option<NodeId>, &P::Message) -> Datagram + Send + Sync + 'static,
    ) -> Self {
        self.wire = Some(Box::new(wire));
        self
    }

    /// The model of a link in one direction.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{LinkModel, NodeId, Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2)).simulation(|mut run| {
    ///     run.links.push(((NodeId(0), NodeId(1)), LinkModel::default().queue(1)));
    ///     run
    /// });
    /// let run = &scenario.simulation;
    /// assert_eq!(run.link_between(NodeId(0), NodeId(1)).queue, 1);
    /// assert_eq!(run.link_between(NodeId(1), NodeId(0)).queue, 100);
    /// ```
    #[must_use]
    pub fn link_between(&self, from: NodeId, to: NodeId) -> LinkModel {
        self.links.iter().find(|(ends, _)| *ends == (from, to)).map_or(self.link, |&(_, link)| link)
    }

    /// All commands: the jobs, then those of the flows.
    pub fn all_jobs(&self) -> impl Iterator<Item = Job<P>> {
        let sending = self.flows.iter().flat_map(|flow| {
            self.data_command.as_ref().map(|command| Job {
                node: flow.from,
                command: command(flow.to),
                begin: flow.begin,
                rhythm: flow.rhythm,
                end: flow.end,
            })
        });
        self.jobs.iter().cloned().chain(sending)
    }
}
