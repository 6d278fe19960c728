// The opaque node of the examples in the documentation: a gauge that only shows its value.

use std::fmt;

use everypath_model::{Native, NativeNode, NativeStart, Never, NodeId};

pub struct Gauge(u8);

impl Gauge {
    pub fn new() -> Self {
        Self(0)
    }

    pub fn raise(&mut self, amount: u8) {
        self.0 = (self.0 + amount).min(9);
    }
}

impl fmt::Display for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Every node raises the gauges of its neighbours once.
pub struct Gauges;

impl Native for Gauges {
    type Node = Gauge;
    type Seen = String;
    type Message = u8;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut NativeStart<'_, Self>) -> Gauge {
        node.broadcast(1);
        Gauge::new()
    }

    fn seen(&self, _: NodeId, gauge: &Gauge) -> String {
        gauge.to_string()
    }

    fn on_message(&self, node: &mut NativeNode<'_, Self>, _: NodeId, amount: &u8) {
        node.state.raise(*amount);
    }
}
