//! The settings in which the scenarios of AODV differ.

use everypath_model::{Audience, Budget, Parameters, Shape, Topology};

use super::{parameters::RulesFrom, patience::Patience};

/// The largest number of nodes: enough for simulations, and for a few steps of an exploration.
pub(super) const NODES_MAX: usize = 500;

/// The property that must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    /// Routes get fresher or shorter from hop to hop.
    Order,
    /// There are no routing loops.
    Loop,
    /// No packet of data comes to a node twice.
    Data,
}

/// The differences between the scenarios.
pub(super) struct Setting {
    pub(super) rules: RulesFrom,
    pub(super) shape: Shape,
    pub(super) nodes: usize,
    /// Which neighbours hear a broadcast.
    pub(super) audience: Audience,
    /// The number of destinations.
    pub(super) sought: usize,
    pub(super) property: Property,
    /// Whether the long timers of the standard fire as late as intended.
    pub(super) patience: Patience,
    pub(super) loss: Budget,
    pub(super) reboot: Budget,
    pub(super) link_failure: Budget,
    pub(super) link_return: Budget,
    /// How often each node looks for a route.
    pub(super) requests: Budget,
    /// How many packets each node sends.
    pub(super) packets: u32,
    /// How many nodes look for routes and send, if not all.
    pub(super) sources: Option<usize>,
    /// Whether lifetimes end.
    pub(super) expire: bool,
}

impl Setting {
    /// The thesis's setting.
    pub(super) fn of(rules: RulesFrom) -> Self {
        Self {
            rules,
            shape: Shape::Chain,
            nodes: 3,
            audience: Audience::All,
            sought: 1,
            property: Property::Order,
            patience: Patience::Any,
            loss: Budget::Unlimited,
            reboot: Budget::Unlimited,
            link_failure: Budget::Off,
            link_return: Budget::Off,
            requests: Budget::Unlimited,
            packets: 0,
            sources: None,
            expire: true,
        }
    }

    /// A link fails, without other faults; two nodes look for a route once.
    pub(super) fn with_links(rules: RulesFrom) -> Self {
        Self {
            property: Property::Loop,
            patience: Patience::Long,
            loss: Budget::Off,
            reboot: Budget::Off,
            link_failure: Budget::AtMost(1),
            requests: Budget::AtMost(1),
            sources: Some(2),
            expire: false,
            ..Self::of(rules)
        }
    }

    /// The setting of the parameters, and its topology.
    pub(super) fn given(mut self, parameters: &mut Parameters) -> (Self, Topology) {
        self.nodes =
            parameters.number("nodes", self.nodes, 2..=NODES_MAX, "how many nodes there are");
        let shape = self.shape.clone();
        let topology = parameters.topology("topology", self.nodes, shape, "the topology");
        self.audience = parameters.audience(
            "audience",
            self.audience,
            "how many neighbours hear a broadcast at most: another set each time",
        );
        self.sought = parameters.number(
            "destinations",
            self.sought,
            1..=NODES_MAX,
            "the number of destinations: the last nodes",
        );
        if self.sought > self.nodes {
            let reason = format!("there are only {} nodes; give fewer, or more nodes", self.nodes);
            parameters.reject("destinations", reason);
        }
        self.property = parameters.choice(
            "property",
            self.property,
            &[("order", Property::Order), ("loop", Property::Loop), ("data", Property::Data)],
            "the property: routes get fresher or shorter from hop to hop, there are no routing loops, or only no packet of data comes to a node twice",
        );
        self.patience = parameters.choice(
            "timers",
            self.patience,
            &Patience::WORDS,
            "when timers fire: at any moment, or the long ones only as late as the standard intends, or the same where silence is noticed by hellos",
        );
        let about = "whether lifetimes of routes end, while exploring";
        self.expire = parameters.flag("expire", self.expire, about);
        self.faults_given(parameters);
        self.requests = parameters.budget(
            "requests",
            self.requests,
            "how often each node looks for a route, while exploring",
        );
        self.sources = Some(parameters.number(
            "sources",
            self.sources.unwrap_or(self.nodes),
            1..=NODES_MAX,
            "how many nodes look for routes and send packets, while exploring: the first ones",
        ));
        self.packets = parameters.number(
            "packets",
            self.packets,
            0..=1000,
            "how many packets of data each node sends, while exploring",
        );
        if self.property == Property::Data && self.packets == 0 {
            parameters.reject("property", "there are no packets of data; give `packets` as well");
        }
        (self, topology)
    }

    fn faults_given(&mut self, parameters: &mut Parameters) {
        self.loss = parameters.budget("loss", self.loss, "how often packets are lost");
        self.reboot = parameters.budget("reboot", self.reboot, "how often nodes reboot");
        let about = "how often links fail";
        self.link_failure = parameters.budget("link-failure", self.link_failure, about);
        let about = "how often failed links come back";
        self.link_return = parameters.budget("link-return", self.link_return, about);
        if self.patience == Patience::Hellos && self.link_failure != Budget::Off {
            let reason = "with `hellos`, only nodes that have rebooted are silent; give `link-failure=off`, or other timers";
            parameters.reject("timers", reason);
        }
    }
}
