//! What distinguishes the scenarios.

use everypath_model::{Budget, Parameters, Shape, Topology};

use super::parameters::RulesFrom;

/// How many nodes there can be: a simulation has room for them, and an exploration for a few steps.
pub(super) const NODES_MAX: usize = 500;

/// What must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    /// Routes get fresher or shorter from hop to hop.
    Order,
    /// No route leads in a circle.
    Loop,
    /// No packet of data comes to a node twice.
    Data,
}

/// What distinguishes the scenarios.
pub(super) struct Setting {
    pub(super) rules: RulesFrom,
    pub(super) shape: Shape,
    pub(super) nodes: usize,
    /// To how many nodes routes are sought.
    pub(super) sought: usize,
    pub(super) property: Property,
    /// Whether the long timers of the standard are taken to be long enough.
    pub(super) patient: bool,
    pub(super) loss: Budget,
    pub(super) reboot: Budget,
    pub(super) link_failure: Budget,
    pub(super) link_return: Budget,
    /// How often each node asks for a route.
    pub(super) requests: Budget,
    /// How many packets each node sends.
    pub(super) packets: u32,
    /// How many nodes ask and send, if not all.
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
            sought: 1,
            property: Property::Order,
            patient: false,
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

    /// A link fails, and nothing else goes wrong: two nodes ask once.
    pub(super) fn with_links(rules: RulesFrom) -> Self {
        Self {
            property: Property::Loop,
            patient: true,
            loss: Budget::Off,
            reboot: Budget::Off,
            link_failure: Budget::AtMost(1),
            requests: Budget::AtMost(1),
            sources: Some(2),
            expire: false,
            ..Self::of(rules)
        }
    }

    /// The setting that the parameters ask for, and its topology.
    pub(super) fn given(mut self, parameters: &mut Parameters) -> (Self, Topology) {
        self.nodes =
            parameters.number("nodes", self.nodes, 2..=NODES_MAX, "how many nodes there are");
        let shape = self.shape.clone();
        let topology = parameters.topology("topology", self.nodes, shape, "who is whose neighbour");
        self.sought = parameters.number(
            "destinations",
            self.sought,
            1..=NODES_MAX,
            "to how many nodes routes are sought: the last ones",
        );
        if self.sought > self.nodes {
            let reason = format!("there are only {} nodes; give fewer, or more nodes", self.nodes);
            parameters.reject("destinations", reason);
        }
        self.property = parameters.choice(
            "property",
            self.property,
            &[("order", Property::Order), ("loop", Property::Loop), ("data", Property::Data)],
            "what must hold: that routes get fresher or shorter from hop to hop, that none leads in a circle, or only that no packet of data comes to a node twice",
        );
        self.patient = parameters.choice(
            "timers",
            self.patient,
            &[("any", false), ("patient", true)],
            "when timers fire: at any moment, or those that the standard makes long only when all is over that they wait for",
        );
        let about = "whether lifetimes of routes end, while exploring";
        self.expire = parameters.flag("expire", self.expire, about);
        self.faults_given(parameters);
        self.requests = parameters.budget(
            "requests",
            self.requests,
            "how often each node asks for a route, while exploring",
        );
        self.sources = Some(parameters.number(
            "sources",
            self.sources.unwrap_or(self.nodes),
            1..=NODES_MAX,
            "how many nodes ask for routes and send packets, while exploring: the first ones",
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
        let about = "how often links that have failed come back";
        self.link_return = parameters.budget("link-return", self.link_return, about);
    }
}
