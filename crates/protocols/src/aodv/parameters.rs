//! The rules of AODV as parameters: a preset, and each clause by itself.

use std::{collections::VecDeque, time::Duration};

use everypath_model::{NodeId, Parameters, Topology};

use super::{
    Blacklist, Hello, NO_HOPS, NeighbourRoutes, Preset, ReplyNumber, ReverseRoute, Rules, Times,
    Watch,
};

/// The source of a router's rules.
pub(super) enum RulesFrom {
    /// Fixed rules.
    Fixed(Rules),
    /// Rules from parameters.
    Parameters {
        /// The default preset.
        preset: Preset,
        /// What the scenario changes in the preset.
        change: fn(Rules) -> Rules,
    },
}

impl RulesFrom {
    /// The preset of the parameters, unless the rules are fixed.
    pub(super) fn preset(&self, parameters: &mut Parameters) -> Preset {
        match *self {
            Self::Fixed(_) => Preset::Jsim,
            Self::Parameters { preset, .. } => parameters.choice(
                "rules",
                preset,
                &Preset::WORDS,
                "the AODV of the standard, that of J-Sim as Sobeih's thesis describes it, or that of ns-3",
            ),
        }
    }

    /// The rules and times of the preset, with single parameters applied.
    pub(super) fn given(
        self,
        parameters: &mut Parameters,
        preset: Preset,
        topology: &Topology,
    ) -> (Rules, Times) {
        let rules = match self {
            Self::Fixed(rules) => rules,
            Self::Parameters { change, .. } => {
                let quiet = Rules {
                    hello: Hello::Off,
                    requests_per_second: None,
                    errors_per_second: None,
                    ..preset.rules()
                };
                rules(parameters, change(quiet))
            }
        };
        (rules, times(parameters, preset.times(), topology))
    }
}

/// The times of the parameters.
///
/// By default, waiting packets have no time limit, since each would have a timer in an exploration.
fn times(parameters: &mut Parameters, preset: Times, topology: &Topology) -> Times {
    let net_diameter = parameters.number(
        "net-diameter",
        preset.net_diameter.max(diameter(topology)),
        1..=NO_HOPS - 1,
        "the largest number of hops between two nodes (10)",
    );
    let jitter = parameters.duration(
        "jitter",
        preset.jitter,
        "the largest random delay of broadcasts and announcements, in a simulation",
    );
    let buffer_time = parameters.duration(
        "buffer-time",
        Duration::ZERO,
        "how long a packet waits for a route at most, or 0s for as long as the search lasts (ns-3: 30s)",
    );
    let buffer_time = Some(buffer_time).filter(|time| !time.is_zero());
    Times { net_diameter, jitter, buffer_time, ..preset }
}

/// The diameter of a topology in hops, among nodes that can reach each other; limited to what fits
/// into a message.
fn diameter(topology: &Topology) -> u8 {
    let farthest = topology.nodes().map(|node| farthest_from(topology, node)).max().unwrap_or(0);
    u8::try_from(farthest).unwrap_or(NO_HOPS).min(NO_HOPS - 1)
}

fn farthest_from(topology: &Topology, start: NodeId) -> usize {
    let mut hops = vec![None; topology.len()];
    hops[start.index()] = Some(0);
    let mut reached = VecDeque::from([start]);
    let mut farthest = 0;
    while let Some(node) = reached.pop_front() {
        farthest = hops[node.index()].expect("it was reached");
        for &next in topology.neighbours(node) {
            if hops[next.index()].is_none() {
                hops[next.index()] = Some(farthest + 1);
                reached.push_back(next);
            }
        }
    }
    farthest
}

impl Rules {
    /// A request floods the whole network at once and is not repeated.
    pub(super) fn without_rings(self) -> Self {
        Self { expanding_ring: false, retries: None, ..self }
    }
}

/// The rules of a preset, with single parameters applied.
///
/// By default, there are no hellos, since links report that they are broken; and no rate limits,
/// since an exploration has no clock.
fn rules(parameters: &mut Parameters, preset: Rules) -> Rules {
    let mut flag = |name, default, about| parameters.flag(name, default, about);
    Rules {
        increment_on_invalidation: flag(
            "increment-on-invalidation",
            preset.increment_on_invalidation,
            "whether the number of a route that becomes invalid is raised (RFC 3561, 6.11)",
        ),
        remove_expired: flag(
            "remove-expired",
            preset.remove_expired,
            "whether routes are removed instead of made invalid when their lifetime is over",
        ),
        wait_after_reboot: flag(
            "wait-after-reboot",
            preset.wait_after_reboot,
            "whether a node stays quiet for some time after a reboot (6.13)",
        ),
        remember_path: flag(
            "remember-path",
            preset.remember_path,
            "whether invalid routes remember their length and next hop (6.11)",
        ),
        request_makes_entry: flag(
            "request-makes-entry",
            preset.request_makes_entry,
            "whether a search for a route makes an invalid entry (J-Sim)",
        ),
        late_addressing: flag(
            "late-addressing",
            preset.late_addressing,
            "whether the next hop of a reply is looked up when it is delivered (J-Sim)",
        ),
        link_feedback: flag(
            "link-feedback",
            preset.link_feedback,
            "whether nodes get back packets that a broken link could not deliver (6.10)",
        ),
        remove_invalid: flag(
            "remove-invalid",
            preset.remove_invalid,
            "whether invalid routes are removed after some time (6.11)",
        ),
        reverse_expires: flag(
            "reverse-expires",
            preset.reverse_expires,
            "whether routes learnt from requests have a lifetime (6.5)",
        ),
        intermediate_reply: flag(
            "intermediate-reply",
            preset.intermediate_reply,
            "whether nodes with a fresh route answer for the destination (6.6.2)",
        ),
        gratuitous_reply: flag(
            "gratuitous-reply",
            preset.gratuitous_reply,
            "whether they also notify the destination (6.6.3)",
        ),
        drop_request_of_next_hop: flag(
            "drop-request-of-next-hop",
            preset.drop_request_of_next_hop,
            "whether a node drops a request from its own next hop to the destination (ns-3)",
        ),
        errors: flag("errors", preset.errors, "whether broken routes are announced (6.11)"),
        believe_errors: flag(
            "believe-errors",
            preset.believe_errors,
            "whether the numbers in announcements are believed (6.11)",
        ),
        expanding_ring: flag(
            "expanding-ring",
            preset.expanding_ring,
            "whether requests go a few hops at first, then farther (6.4)",
        ),
        local_repair: flag(
            "local-repair",
            preset.local_repair,
            "whether nodes on the path look for another route themselves (6.12)",
        ),
        repair_second_half: flag(
            "repair-second-half",
            preset.repair_second_half,
            "whether they do so if the destination is nearer than the source (J-Sim), instead of if it is near (6.12)",
        ),
        errors_to_all: flag(
            "errors-to-all",
            preset.errors_to_all,
            "whether a broken link is announced to all neighbours, instead of to the users of the routes over it (J-Sim)",
        ),
        reboot_seen: flag(
            "reboot-seen",
            preset.reboot_seen,
            "whether the link layers of its neighbours notice at once when a node reboots, and report a broken link",
        ),
        hello_makes_route: flag(
            "hello-makes-route",
            preset.hello_makes_route,
            "whether a hello makes a route to its sender (6.9; J-Sim: no)",
        ),
        silence_breaks_link: flag(
            "silence-breaks-link",
            preset.silence_breaks_link,
            "whether routes over a neighbour that was silent for too long become invalid (6.9; J-Sim: no)",
        ),
        data_proves_link: flag(
            "data-proves-link",
            preset.data_proves_link,
            "whether sending data to a neighbour counts as having heard from it (ns-3)",
        ),
        hello_after_request: flag(
            "hello-after-request",
            preset.hello_after_request,
            "whether a request puts the next hello off by a full interval (ns-3)",
        ),
        salvage: flag(
            "salvage",
            preset.salvage,
            "whether a node sends its own undeliverable packet again (ns-3: no)",
        ),
        drop_returned: flag(
            "drop-returned",
            preset.drop_returned,
            "whether a node drops its own packet that comes back on a loop (ns-3)",
        ),
        send_at_once: flag(
            "send-at-once",
            preset.send_at_once,
            "whether waiting packets are sent as soon as there is a route, also without a reply (ns-3: no)",
        ),
        pass_on_all_replies: flag(
            "pass-on-all-replies",
            preset.pass_on_all_replies,
            "whether replies without a better route are forwarded (6.7: no; ns-3: yes)",
        ),
        replies_need_route: flag(
            "replies-need-route",
            preset.replies_need_route,
            "whether a reply needs a valid route to its next hop, and starts a search if there is none (ns-3)",
        ),
        reply_over_invalid: flag(
            "reply-over-invalid",
            preset.reply_over_invalid,
            "whether requests leave invalid reverse routes unchanged, and replies use them (ns-3)",
        ),
        wide_first_ring: flag(
            "wide-first-ring",
            preset.wide_first_ring,
            "whether a first request may go beyond the threshold without flooding the whole network (ns-3)",
        ),
        forget_unfound: flag(
            "forget-unfound",
            preset.forget_unfound,
            "whether a destination that was not found is forgotten (ns-3)",
        ),
        announce_again: flag(
            "announce-again",
            preset.announce_again,
            "whether announcements include routes that are already invalid (ns-3)",
        ),
        forget_users: flag(
            "forget-users",
            preset.forget_users,
            "whether a new route forgets the users of the one it replaces (ns-3)",
        ),
        refuse_towards_origin: flag(
            "refuse-towards-origin",
            preset.refuse_towards_origin,
            "whether a packet that cannot be forwarded is announced towards its origin (ns-3)",
        ),
        own_number_step: parameters.number(
            "own-number-step",
            preset.own_number_step,
            1..=2,
            "by how much a node raises its own number before it asks (6.1: 1; J-Sim: 2)",
        ),
        reply_number: parameters.choice(
            "reply-number",
            preset.reply_number,
            &[
                ("newest", ReplyNumber::Newest),
                ("if-next", ReplyNumber::IfNext),
                ("next-even", ReplyNumber::NextEven),
            ],
            "how a destination chooses its number: after 6.1, after 6.6.1 and ns-3, or after J-Sim",
        ),
        reverse_route: parameters.choice(
            "reverse-route",
            preset.reverse_route,
            &[("if-fresher", ReverseRoute::IfFresher), ("always", ReverseRoute::Always)],
            "when a request changes the route back to its origin (6.5; ns-3: always)",
        ),
        neighbour_routes: parameters.choice(
            "neighbour-routes",
            preset.neighbour_routes,
            &[
                ("off", NeighbourRoutes::Off),
                ("if-none", NeighbourRoutes::IfNone),
                ("keep-number", NeighbourRoutes::KeepNumber),
                ("always", NeighbourRoutes::Always),
            ],
            "when a packet makes a route to the neighbour that transmitted it (6.5: if-none; ns-3: always)",
        ),
        hello: parameters.choice(
            "hello",
            preset.hello,
            &[
                ("off", Hello::Off),
                ("with-routes", Hello::WithRoutes),
                ("always", Hello::Always),
            ],
            "when nodes send hellos (6.9: with-routes; ns-3: always)",
        ),
        watch: parameters.choice(
            "watch",
            preset.watch,
            &[("heard", Watch::Heard), ("requests", Watch::Requests)],
            "what shows that a neighbour is alive, with hellos: all its packets, or as in ns-3",
        ),
        blacklist: parameters.choice(
            "blacklist",
            preset.blacklist,
            &[
                ("off", Blacklist::Off),
                ("feedback", Blacklist::Feedback),
                ("acknowledged", Blacklist::Acknowledged),
            ],
            "neighbours whose requests are ignored for some time: those with an undeliverable reply, or also those that do not acknowledge it (6.8)",
        ),
        requests_per_second: rate(
            parameters,
            "request-rate",
            "the largest number of requests a node originates in a second, or 0 for any number (6.3: 10)",
        ),
        errors_per_second: rate(
            parameters,
            "error-rate",
            "the largest number of announcements a node sends in a second, or 0 for any number (6.11: 10)",
        ),
        retries: retries(parameters, preset.retries),
    }
}

/// A rate limit per second, if there is one.
fn rate(parameters: &mut Parameters, name: &str, about: &str) -> Option<u8> {
    Some(parameters.number(name, 0, 0..=u8::MAX, about)).filter(|&limit| limit > 0)
}

/// How often a request through the whole network is repeated.
fn retries(parameters: &mut Parameters, default: Option<u8>) -> Option<u8> {
    let words = [("wait", None), ("0", Some(0)), ("1", Some(1)), ("2", Some(2)), ("3", Some(3))];
    parameters.choice(
        "retries",
        default,
        &words,
        "how often a request through the whole network is repeated (6.3), or to wait for ever",
    )
}
