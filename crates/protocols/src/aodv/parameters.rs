//! Rules as parameters: a preset, and each clause by itself.

use std::{collections::VecDeque, time::Duration};

use everypath_model::{NodeId, Parameters, Topology};

use super::{
    Blacklist, Hello, NO_HOPS, NeighbourRoutes, Preset, ReplyNumber, ReverseRoute, Rules, Times,
    Watch,
};

/// Where the rules of a scenario's router come from.
pub(super) enum RulesFrom {
    /// They are these, and no parameter changes them.
    Fixed(Rules),
    /// From parameters.
    Parameters {
        /// Whose they are if the parameters do not say.
        preset: Preset,
        /// Whether a request goes all the way at once and is not repeated.
        plain: bool,
    },
}

impl RulesFrom {
    /// The preset that the parameters ask for, if they can.
    pub(super) fn preset(&self, parameters: &mut Parameters) -> Preset {
        match *self {
            Self::Fixed(_) => Preset::Jsim,
            Self::Parameters { preset, .. } => parameters.choice(
                "rules",
                preset,
                &Preset::WORDS,
                "whose AODV it is: that of the standard, the part of J-Sim's that Sobeih's thesis explores, or that of ns-3; rules that are set by themselves are not J-Sim's",
            ),
        }
    }

    /// The rules and times: those of the preset, but for what is given by itself.
    pub(super) fn given(
        self,
        parameters: &mut Parameters,
        preset: Preset,
        topology: &Topology,
    ) -> (Rules, Times) {
        let rules = match self {
            Self::Fixed(rules) => rules,
            Self::Parameters { plain, .. } => rules(parameters, preset.rules(), plain),
        };
        (rules, times(parameters, preset.times(), topology))
    }
}

/// The times that the parameters ask for.
///
/// Nothing waits for a certain time only, unless it is asked for: an exploration has a timer more for
/// each packet then.
fn times(parameters: &mut Parameters, preset: Times, topology: &Topology) -> Times {
    let net_diameter = parameters.number(
        "net-diameter",
        preset.net_diameter.max(diameter(topology)),
        1..=NO_HOPS - 1,
        "how many hops there can be between two nodes (10)",
    );
    let jitter = parameters.duration(
        "jitter",
        preset.jitter,
        "by how much broadcasts and announcements are delayed at most, at random, in a simulation",
    );
    let buffer_time = parameters.duration(
        "buffer-time",
        Duration::ZERO,
        "how long a packet waits for a route at most, or 0s for as long as it is sought (ns-3: 30s)",
    );
    let buffer_time = Some(buffer_time).filter(|time| !time.is_zero());
    Times { net_diameter, jitter, buffer_time, ..preset }
}

/// How many hops lie between the two nodes of a topology that are farthest from each other, of those
/// that can reach each other; as many as fit into a message at most.
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

/// The rules that the parameters ask for: those of a preset, but for what is given by itself.
///
/// No one says hello unless it is asked for: the links of our scenarios report that they are broken
/// themselves. Nor are there limits on what is sent in a second, of which an exploration knows
/// nothing. If the search is to be `plain`, a request goes all the way at once and is not
/// repeated.
fn rules(parameters: &mut Parameters, mut preset: Rules, plain: bool) -> Rules {
    if plain {
        preset = Rules { expanding_ring: false, retries: None, ..preset };
    }
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
            "whether a node keeps quiet for a while after a reboot (6.13)",
        ),
        remember_path: flag(
            "remember-path",
            preset.remember_path,
            "whether invalid routes remember their length and next hop (6.11)",
        ),
        request_makes_entry: flag(
            "request-makes-entry",
            preset.request_makes_entry,
            "whether a node that asks for a route has an invalid one from then on (J-Sim)",
        ),
        late_addressing: flag(
            "late-addressing",
            preset.late_addressing,
            "whether the next hop of a reply is looked up when it is delivered (J-Sim)",
        ),
        link_feedback: flag(
            "link-feedback",
            preset.link_feedback,
            "whether nodes are told what a broken link could not deliver (6.10)",
        ),
        remove_invalid: flag(
            "remove-invalid",
            preset.remove_invalid,
            "whether invalid routes are removed after a while (6.11)",
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
            "whether they tell the destination of it (6.6.3)",
        ),
        drop_request_of_next_hop: flag(
            "drop-request-of-next-hop",
            preset.drop_request_of_next_hop,
            "whether a node drops a request that comes from its own next hop to the destination (ns-3)",
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
            "whether nodes on the way look for another way themselves (6.12)",
        ),
        data_proves_link: flag(
            "data-proves-link",
            preset.data_proves_link,
            "whether sending data to a neighbour passes for having heard of it (ns-3)",
        ),
        hello_after_request: flag(
            "hello-after-request",
            preset.hello_after_request,
            "whether a request puts the next hello off by a full interval (ns-3)",
        ),
        salvage: flag(
            "salvage",
            preset.salvage,
            "whether a node tries its own packet again that could not be delivered (ns-3: no)",
        ),
        drop_returned: flag(
            "drop-returned",
            preset.drop_returned,
            "whether a node drops its own packet that comes back on a circle (ns-3)",
        ),
        send_at_once: flag(
            "send-at-once",
            preset.send_at_once,
            "whether waiting packets are sent as soon as there is a route, also without a reply (ns-3: no)",
        ),
        pass_on_all_replies: flag(
            "pass-on-all-replies",
            preset.pass_on_all_replies,
            "whether replies are passed on that bring no better route (6.7: no; ns-3: yes)",
        ),
        replies_need_route: flag(
            "replies-need-route",
            preset.replies_need_route,
            "whether a reply is sent only to a next hop with a valid route, which is sought if there is none (ns-3)",
        ),
        reply_over_invalid: flag(
            "reply-over-invalid",
            preset.reply_over_invalid,
            "whether replies take invalid routes back, which requests leave as they are (ns-3)",
        ),
        wide_first_ring: flag(
            "wide-first-ring",
            preset.wide_first_ring,
            "whether a first request may go beyond the threshold without going all the way (ns-3)",
        ),
        forget_unfound: flag(
            "forget-unfound",
            preset.forget_unfound,
            "whether all is forgotten of a destination that could not be found (ns-3)",
        ),
        announce_again: flag(
            "announce-again",
            preset.announce_again,
            "whether announcements concern routes that are invalid already (ns-3)",
        ),
        forget_users: flag(
            "forget-users",
            preset.forget_users,
            "whether a route that takes the place of another forgets who used that (ns-3)",
        ),
        refuse_towards_origin: flag(
            "refuse-towards-origin",
            preset.refuse_towards_origin,
            "whether a packet that cannot be sent on is announced towards its origin (ns-3)",
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
            "how a destination chooses its number: as 6.1 says, as 6.6.1 and ns-3 do, or as J-Sim does",
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
            Hello::Off,
            &[
                ("off", Hello::Off),
                ("with-routes", Hello::WithRoutes),
                ("always", Hello::Always),
            ],
            "when nodes say hello (6.9: with-routes; ns-3: always)",
        ),
        watch: parameters.choice(
            "watch",
            preset.watch,
            &[("heard", Watch::Heard), ("requests", Watch::Requests)],
            "what speaks for a neighbour, if nodes say hello: all that is heard of it, or as in ns-3",
        ),
        blacklist: parameters.choice(
            "blacklist",
            preset.blacklist,
            &[
                ("off", Blacklist::Off),
                ("feedback", Blacklist::Feedback),
                ("acknowledged", Blacklist::Acknowledged),
            ],
            "whose requests are ignored for a while: of neighbours to which a reply could not be delivered, or also of those that do not acknowledge it (6.8)",
        ),
        requests_per_second: rate(
            parameters,
            "request-rate",
            "how many requests a node originates in a second at most, or 0 for any number (6.3: 10)",
        ),
        errors_per_second: rate(
            parameters,
            "error-rate",
            "how many announcements a node sends in a second at most, or 0 for any number (6.11: 10)",
        ),
        retries: retries(parameters, preset.retries),
    }
}

/// How often in a second, if that is limited.
fn rate(parameters: &mut Parameters, name: &str, about: &str) -> Option<u8> {
    Some(parameters.number(name, 0, 0..=u8::MAX, about)).filter(|&limit| limit > 0)
}

/// How often a request is repeated that went all the way.
fn retries(parameters: &mut Parameters, default: Option<u8>) -> Option<u8> {
    let words = [("wait", None), ("0", Some(0)), ("1", Some(1)), ("2", Some(2)), ("3", Some(3))];
    parameters.choice(
        "retries",
        default,
        &words,
        "how often a request that went all the way is repeated (6.3), or to wait for ever",
    )
}
