//! Scenarios of AODV.

use everypath_model::{Budget, Event, NodeId, Parameters, Profile, Scenario, Shape};

use super::{
    Aodv, Hello, ListOrder, Preset, Rules, Timer,
    parameters::RulesFrom,
    patience::{Patience, is_heard_first, is_late_enough, is_noticed_at_once},
    properties::asked,
    setting::{Property, Setting},
    thesis::{late_receivers, published},
    traffic::simulated,
};
use crate::work::work;

/// AODV after the standard, the thesis or ns-3.
#[must_use]
pub fn aodv(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = RulesFrom::Parameters { preset: Preset::Rfc3561, change: |rules| rules };
    let patience = Patience::Long;
    let setting = Setting { patience, property: Property::Loop, ..Setting::of(rules) };
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
        .version_of("aodv-1")
        .require("timer:Expire")
}

/// AODV with the thesis's third error.
#[must_use]
pub fn aodv_3(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = Rules { remove_expired: true, ..Rules::jsim() };
    scenario(parameters, Setting::of(RulesFrom::Fixed(rules)))
        .about("J-Sim's AODV, removing routes instead of making them invalid: counterexample 3")
        .version_of("aodv-1")
        .require("timer:Expire")
}

/// J-Sim's AODV without its errors.
#[must_use]
pub fn aodv_repaired(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = Rules { wait_after_reboot: true, ..Rules::jsim() };
    let patience = Patience::Long;
    scenario(parameters, Setting { patience, ..Setting::of(RulesFrom::Fixed(rules)) })
        .about("J-Sim's AODV, with the wait after a reboot that it lacks")
        .max_depth(14)
}

/// J-Sim's AODV, whose link layer notices reboots.
#[must_use]
pub fn aodv_feedback(parameters: &mut Parameters) -> Scenario<Aodv> {
    let change = |rules| Rules { link_feedback: true, errors: true, reboot_seen: true, ..rules };
    let rules = RulesFrom::Parameters { preset: Preset::Jsim, change };
    scenario(parameters, Setting::of(rules))
        .about("J-Sim's AODV with link feedback: neighbours notice a reboot, and counterexample 1 is gone")
        .max_depth(12)
}

/// J-Sim's AODV, which deletes a silent neighbour and keeps the routes over it.
#[must_use]
pub fn aodv_silence(parameters: &mut Parameters) -> Scenario<Aodv> {
    let change =
        |rules| Rules { hello: Hello::Always, errors: true, wait_after_reboot: true, ..rules };
    let setting = Setting {
        property: Property::Loop,
        patience: Patience::Hellos,
        loss: Budget::Off,
        reboot: Budget::AtMost(1),
        requests: Budget::AtMost(1),
        sources: Some(2),
        expire: false,
        ..Setting::of(RulesFrom::Parameters { preset: Preset::Jsim, change })
    };
    scenario(parameters, setting)
        .about("J-Sim's AODV with hellos, and a node that is silent after a reboot: the routes over it stay, and become a loop")
        .max_depth(15)
}

/// ns-3's AODV on four nodes.
#[must_use]
pub fn aodv_ns3(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = RulesFrom::Parameters { preset: Preset::Ns3, change: Rules::without_rings };
    let shape = Shape::Links(vec![(0, 1), (0, 2), (1, 2), (1, 3)]);
    scenario(parameters, Setting { shape, nodes: 4, ..Setting::with_links(rules) })
        .about("ns-3's AODV, four nodes and a link that fails: a routing loop")
        .max_depth(14)
}

/// The standard to the letter, on three nodes.
#[must_use]
pub fn aodv_rfc3561(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = RulesFrom::Parameters { preset: Preset::Rfc3561, change: Rules::without_rings };
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
    let first_rule = parameters.declared().len();
    let (rules, times) = setting.rules.given(parameters, preset, &topology);
    let rules_by_name: Vec<String> =
        parameters.declared()[first_rule..].iter().map(|rule| rule.name.clone()).collect();
    let (late, reboot_seen) = (rules.late_addressing, rules.reboot_seen);
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
        .versions_by(rules_by_name)
        .versions_by(["rules"])
        .handler_work(work(parameters))
        .simulation(|run| run.wire(Aodv::datagram).message_bytes(Aodv::message_bytes));
    scenario = traffic.measured_in(scenario);
    if late {
        scenario =
            scenario.receivers(move |state, packet| late_receivers(&topology, state, packet));
    }
    scenario = match setting.patience {
        Patience::Any => scenario,
        Patience::Long => {
            scenario.assume("timers that the standard makes long wait long enough", is_late_enough)
        }
        Patience::Hellos => scenario.assume(
            "long timers wait long enough, and the neighbours of a silent node notice",
            is_heard_first,
        ),
    };
    if reboot_seen {
        scenario = scenario
            .assume("link layers notice a reboot before anything else happens", is_noticed_at_once);
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
