//! Scenarios of AODV.

use everypath_model::{Budget, Event, NodeId, Parameters, Profile, Scenario, Shape};

use super::{
    Aodv, ListOrder, Preset, Rules, Timer,
    parameters::RulesFrom,
    patience::is_late_enough,
    properties::asked,
    setting::{Property, Setting},
    thesis::{late_receivers, published},
    traffic::simulated,
};

/// AODV after the standard, the thesis or ns-3.
#[must_use]
pub fn aodv(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = RulesFrom::Parameters { preset: Preset::Rfc3561, plain: false };
    let setting = Setting { patient: true, property: Property::Loop, ..Setting::of(rules) };
    scenario(parameters, setting)
        .about("AODV after RFC 3561, J-Sim or ns-3: are there routing loops?")
        .max_depth(10)
}

/// AODV with the thesis's first error: no wait after a reboot.
#[must_use]
pub fn aodv_1(parameters: &mut Parameters) -> Scenario<Aodv> {
    scenario(parameters, Setting::of(RulesFrom::Fixed(Rules::jsim()))).about(
        "J-Sim's AODV, which does not wait after a reboot: counterexample 1 of Sobeih's thesis",
    )
}

/// AODV with the thesis's second error.
#[must_use]
pub fn aodv_2(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = Rules { increment_on_invalidation: false, ..Rules::jsim() };
    scenario(parameters, Setting::of(RulesFrom::Fixed(rules)))
        .about("J-Sim's AODV, without raising the number of an invalid route: counterexample 2")
        .require("timer:Expire")
}

/// AODV with the thesis's third error.
#[must_use]
pub fn aodv_3(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = Rules { remove_expired: true, ..Rules::jsim() };
    scenario(parameters, Setting::of(RulesFrom::Fixed(rules)))
        .about("J-Sim's AODV, removing routes instead of making them invalid: counterexample 3")
        .require("timer:Expire")
}

/// J-Sim's AODV without its errors.
#[must_use]
pub fn aodv_repaired(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = Rules { wait_after_reboot: true, ..Rules::jsim() };
    scenario(parameters, Setting { patient: true, ..Setting::of(RulesFrom::Fixed(rules)) })
        .about("J-Sim's AODV, with the wait after a reboot that it lacks")
        .max_depth(14)
}

/// ns-3's AODV on four nodes.
#[must_use]
pub fn aodv_ns3(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = RulesFrom::Parameters { preset: Preset::Ns3, plain: true };
    let shape = Shape::Links(vec![(0, 1), (0, 2), (1, 2), (1, 3)]);
    scenario(parameters, Setting { shape, nodes: 4, ..Setting::with_links(rules) })
        .about("ns-3's AODV, four nodes and a link that fails: a routing loop")
        .max_depth(14)
}

/// The standard to the letter, on three nodes.
#[must_use]
pub fn aodv_rfc3561(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = RulesFrom::Parameters { preset: Preset::Rfc3561, plain: true };
    let setting = Setting {
        shape: Shape::Ring,
        sought: 2,
        link_return: Budget::AtMost(1),
        ..Setting::with_links(rules)
    };
    scenario(parameters, setting)
        .about("RFC 3561 to the letter, three nodes and a link that fails and comes back: a routing loop")
        .max_depth(14)
}

fn scenario(parameters: &mut Parameters, setting: Setting) -> Scenario<Aodv> {
    let preset = setting.rules.preset(parameters);
    let (setting, topology) = setting.given(parameters);
    let first = setting.nodes.saturating_sub(setting.sought);
    let destinations: Vec<NodeId> = (first..setting.nodes).map(NodeId::from).collect();
    let thesis = parameters.profile() == Profile::Thesis;
    let traffic = simulated(parameters, setting.nodes);
    let (rules, times) = setting.rules.given(parameters, preset, &topology);
    let late = rules.late_addressing;
    let protocol = Aodv {
        times,
        order: if thesis { ListOrder::Learnt } else { ListOrder::Sorted },
        destinations: destinations.clone(),
        sources: setting.sources.unwrap_or(setting.nodes),
        requests_max: match setting.requests {
            Budget::Off => Some(0),
            Budget::AtMost(most) => Some(most),
            Budget::Unlimited => None,
        },
        packets_max: setting.packets,
        traced: setting.packets > 0,
        ..Aodv::new(rules)
    };
    let mut scenario = Scenario::new(protocol, topology.clone())
        .configuration(Aodv::configuration)
        .audience(setting.audience)
        .loss(setting.loss)
        .reboot(setting.reboot)
        .link_failure(setting.link_failure)
        .link_return(setting.link_return)
        .max_depth(5 * setting.nodes as u32)
        .simulation(|run| run.wire(Aodv::datagram).message_bytes(Aodv::message_bytes));
    scenario = traffic.measured_in(scenario);
    if late {
        scenario =
            scenario.receivers(move |state, packet| late_receivers(&topology, state, packet));
    }
    if setting.patient {
        scenario =
            scenario.assume("timers that the standard makes long wait long enough", is_late_enough);
    }
    if !setting.expire {
        scenario = scenario.assume("no route reaches the end of its lifetime", |_, event| {
            !matches!(event, Event::Timer { timer: Timer::Expire(_), .. })
        });
    }
    if thesis {
        scenario = published(scenario);
    }
    asked(scenario, destinations, setting.property)
}
