//! Readers of other tools' files: any bytes are read or refused with a place and a reason.

#![no_main]

use everypath::formats::{
    Limits,
    bonnmotion::{self, Dimensions},
    edge_list, flows,
    graphml::{self, Directed},
    ns2, sumo,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::default().nodes(50).entries(500).line_bytes(2000);
    let outcomes = [
        ns2::read_movements(bytes, &limits).map(drop),
        bonnmotion::read_movements(bytes, Dimensions::Two, &limits).map(drop),
        bonnmotion::read_movements(bytes, Dimensions::Three, &limits).map(drop),
        sumo::read_vehicles(bytes, &limits).map(drop),
        flows::read_flows(bytes, 7, &limits).map(drop),
        edge_list::read_topology(bytes, &limits).map(drop),
        graphml::read_topology(bytes, Directed::Refused, &limits).map(drop),
        graphml::read_topology(bytes, Directed::BothWays, &limits).map(drop),
    ];
    for error in outcomes.into_iter().filter_map(Result::err) {
        assert!(error.to_string().len() < 500, "{error}");
    }
});
