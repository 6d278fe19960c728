//! Rules as parameters: a preset, and each clause by itself.

use everypath_model::Parameters;

use super::{Hello, NeighbourRoutes, Preset, ReplyNumber, ReverseRoute, Rules};

/// The rules that the parameters ask for: those of a preset, but for what is given by itself.
///
/// No one says hello unless it is asked for: the links of our scenarios report that they are broken
/// themselves. If the search is to be `plain`, a request goes all the way at once and is not
/// repeated.
pub(super) fn rules(parameters: &mut Parameters, preset: Preset, plain: bool) -> Rules {
    let preset = parameters.choice(
        "rules",
        preset,
        &Preset::WORDS,
        "whose AODV it is: that of the standard, of the thesis or of ns-3; what follows changes single rules",
    );
    let mut preset = preset.rules();
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
        retries: retries(parameters, preset.retries),
        ..preset
    }
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
