// The scenario of the examples in the documentation: two nodes greet each other, in datagrams.

use std::time::Duration;

use everypath_capture::{LogHeader, LoggedSetting};
use everypath_model::{Datagram, Scenario, Topology};

mod greeting {
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs"));
}
pub use greeting::Greeting;

pub fn scenario() -> Scenario<Greeting> {
    Scenario::new(Greeting, Topology::chain(2)).simulation(|run| {
        run.duration(Duration::from_secs(1)).wire(|_, from, to, message| {
            Datagram::new(from, to, 7000, message.as_bytes()).traffic("greeting").kind("HELLO")
        })
    })
}

pub fn header() -> LogHeader {
    LogHeader {
        scenario: "greeting".to_owned(),
        setting: LoggedSetting::default(),
        profile: "standard".to_owned(),
        parameters: [("nodes".to_owned(), "2".to_owned())].into(),
        seed: 1,
        replication: 0,
        duration_ns: 1_000_000_000,
        nodes: 2,
        roles: Vec::new(),
        links: vec![(0, 1)],
        range: None,
    }
}
