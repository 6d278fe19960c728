//! Which AODV: the clauses in which standard and implementations differ.

use super::Times;

/// How a destination chooses its number before it answers a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyNumber {
    /// The newer of its own and the one in the request (RFC 3561, 6.1).
    Newest,
    /// Its own, raised by one if that makes it the one in the request (RFC 3561, 6.6.1; ns-3).
    IfNext,
    /// One more than the newer of both, rounded up to an even number (J-Sim, after draft 11).
    NextEven,
}

/// When a request changes the route back to the node that it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReverseRoute {
    /// If it is fresher, or as fresh and shorter (RFC 3561, 6.2 and 6.5).
    IfFresher,
    /// Always (ns-3).
    Always,
}

/// What a packet says of the neighbour that transmitted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeighbourRoutes {
    /// Nothing.
    Off,
    /// That there is a route of one hop, without a known number, unless there is a valid one: what
    /// RFC 3561 says in 6.5 and 6.7. An invalid route thereby forgets its number.
    IfNone,
    /// The same, but an invalid route keeps the number that is known.
    KeepNumber,
    /// The same, also instead of a longer route (ns-3).
    Always,
}

/// When a node says hello (RFC 3561, 6.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hello {
    /// Never: the link layer tells which links are broken.
    Off,
    /// While it has a valid route.
    WithRoutes,
    /// Always.
    Always,
}

/// How a node that listens for hellos knows which neighbours are there (RFC 3561, 6.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Who has said hello is gone when nothing at all was heard of it for too long.
    Heard,
    /// Only hellos, new requests, the reply to a request of its own and the forwarding of data speak for
    /// a neighbour (ns-3; there every packet for this node alone does, but who is gone is looked for
    /// only once in an interval).
    Requests,
}

/// Whose requests a node ignores: those of neighbours that seem not to hear it (RFC 3561, 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blacklist {
    /// Nobody's.
    Off,
    /// Of those to which the link layer could not deliver a reply.
    Feedback,
    /// Of those that do not acknowledge a reply, as well: every reply asks for it.
    Acknowledged,
}

/// Whose rules they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// The standard's.
    Rfc3561,
    /// What Sobeih's thesis explores of J-Sim's simulation model.
    Jsim,
    /// Those of ns-3.37.
    Ns3,
}

impl Preset {
    /// The presets with their words, as a choice for a parameter.
    pub const WORDS: [(&'static str, Self); 3] =
        [("rfc3561", Self::Rfc3561), ("jsim", Self::Jsim), ("ns3", Self::Ns3)];

    /// How long things take.
    #[must_use]
    pub fn times(self) -> Times {
        match self {
            Self::Rfc3561 | Self::Jsim => Times::default(),
            Self::Ns3 => Times::ns3(),
        }
    }

    /// The rules.
    #[must_use]
    pub fn rules(self) -> Rules {
        match self {
            Self::Rfc3561 => Rules::rfc3561(),
            Self::Jsim => Rules::jsim(),
            Self::Ns3 => Rules::ns3(),
        }
    }
}

/// Behaviour, clause by clause. Section numbers are those of RFC 3561.
///
/// ```
/// use everypath_protocols::aodv::Rules;
///
/// // What the thesis calls counterexample 2.
/// let careless = Rules { increment_on_invalidation: false, ..Rules::jsim() };
/// assert_ne!(careless, Rules::jsim());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// By how much a node raises its own number before it asks for a route (6.1: by 1).
    pub own_number_step: u32,
    /// How a destination chooses its number (6.1, 6.6.1).
    pub reply_number: ReplyNumber,
    /// Whether the number of a route that becomes invalid is raised (6.11). Not to do so is the
    /// thesis's error 2.
    pub increment_on_invalidation: bool,
    /// Whether a route whose lifetime is over is removed instead of made invalid (6.11 forbids it):
    /// the thesis's error 3.
    pub remove_expired: bool,
    /// Whether a node that comes up again first keeps quiet for a while (6.13). Not to do so is the
    /// thesis's error 1.
    pub wait_after_reboot: bool,
    /// Whether an invalid route is removed after a while (6.11).
    pub remove_invalid: bool,
    /// Whether an invalid route remembers its length and next hop (6.11: yes, for 6.4).
    pub remember_path: bool,
    /// When a request changes the route back (6.5).
    pub reverse_route: ReverseRoute,
    /// Whether routes that were learnt from requests have a lifetime (6.5).
    pub reverse_expires: bool,
    /// What a packet says of the neighbour that transmitted it (6.5, 6.7).
    pub neighbour_routes: NeighbourRoutes,
    /// Whether a node that asks for a route has an invalid one from then on.
    pub request_makes_entry: bool,
    /// Whether nodes that know a fresh route answer for the destination (6.6.2).
    pub intermediate_reply: bool,
    /// Whether they tell the destination of it (6.6.3).
    pub gratuitous_reply: bool,
    /// Whether a request is dropped by a node whose route to the destination leads to the node that
    /// transmitted it (ns-3).
    pub drop_request_of_next_hop: bool,
    /// Whether broken routes are announced (6.11).
    pub errors: bool,
    /// Whether the numbers in announcements are believed, if they are news (6.11).
    pub believe_errors: bool,
    /// Whether a request first goes a few hops only, then farther (6.4).
    pub expanding_ring: bool,
    /// How often a request that went all the way is repeated; without end, and without waiting for
    /// it, if there is no number (6.3).
    pub retries: Option<u8>,
    /// Whether the link layer tells what it could not deliver, and the node takes that for a broken
    /// link (6.10).
    pub link_feedback: bool,
    /// Whose requests a node ignores (6.8).
    pub blacklist: Blacklist,
    /// How many requests a node originates in a second at most (6.3).
    pub requests_per_second: Option<u8>,
    /// How many announcements it sends in a second at most (6.11).
    pub errors_per_second: Option<u8>,
    /// Whether a node that cannot forward a packet looks for another way itself (6.12).
    pub local_repair: bool,
    /// When a node says hello (6.9).
    pub hello: Hello,
    /// Whether sending data to a neighbour passes for having heard of it (ns-3).
    pub data_proves_link: bool,
    /// How a node knows which neighbours are there (6.9).
    pub watch: Watch,
    /// Whether a node says hello a full interval after its last request, not after its last hello (ns-3).
    pub hello_after_request: bool,
    /// Whether a node tries its own packet again that the link layer could not deliver. ns-3 loses it.
    pub salvage: bool,
    /// Whether a node drops its own packet that comes back to it on a circle (ns-3).
    pub drop_returned: bool,
    /// Whether packets that wait for a route are sent as soon as there is one. If not, only a reply
    /// sends them, or the end of the time in which one was to come (ns-3).
    pub send_at_once: bool,
    /// Whether replies are passed on that bring no better route (6.7: no; ns-3: yes).
    pub pass_on_all_replies: bool,
    /// Whether a reply is sent only to a next hop to which there is a valid route, which is sought if
    /// there is none (ns-3, where the reply waits for it; here it is lost).
    pub replies_need_route: bool,
    /// Whether a request leaves a route back invalid that was so, and replies take it all the same
    /// (ns-3).
    pub reply_over_invalid: bool,
    /// Whether the first request may go farther than the threshold, if the destination was so far
    /// away, before it goes all the way (6.4; ns-3).
    pub wide_first_ring: bool,
    /// Whether all is forgotten of a destination that could not be found (ns-3).
    pub forget_unfound: bool,
    /// Whether announcements concern routes that are invalid already, and go to their users again
    /// and again (ns-3).
    pub announce_again: bool,
    /// Whether a route that takes the place of another forgets who used that (ns-3).
    pub forget_users: bool,
    /// Whether a packet that cannot be sent on is announced towards where it came from at first, or to
    /// all, instead of to the neighbour that sent it (ns-3).
    pub refuse_towards_origin: bool,
    /// Whether the next hop of a travelling reply is chosen when it is delivered, from the sender's
    /// table of that moment, as J-Sim's network layer does. The scenario must say so, too.
    pub late_addressing: bool,
}

impl Rules {
    /// The standard.
    #[must_use]
    pub fn rfc3561() -> Self {
        Self {
            own_number_step: 1,
            reply_number: ReplyNumber::Newest,
            increment_on_invalidation: true,
            remove_expired: false,
            wait_after_reboot: true,
            remove_invalid: true,
            remember_path: true,
            reverse_route: ReverseRoute::IfFresher,
            reverse_expires: true,
            neighbour_routes: NeighbourRoutes::IfNone,
            request_makes_entry: false,
            intermediate_reply: true,
            gratuitous_reply: true,
            drop_request_of_next_hop: false,
            errors: true,
            believe_errors: true,
            expanding_ring: true,
            retries: Some(2),
            link_feedback: true,
            blacklist: Blacklist::Feedback,
            requests_per_second: Some(10),
            errors_per_second: Some(10),
            local_repair: false,
            hello: Hello::WithRoutes,
            data_proves_link: false,
            watch: Watch::Heard,
            hello_after_request: false,
            salvage: true,
            drop_returned: false,
            send_at_once: true,
            pass_on_all_replies: false,
            replies_need_route: false,
            reply_over_invalid: false,
            wide_first_ring: false,
            forget_unfound: false,
            announce_again: false,
            forget_users: false,
            refuse_towards_origin: false,
            late_addressing: false,
        }
    }

    /// What Sobeih's thesis explores of J-Sim's simulation model: draft 11 as far as routes are sought and found. J-Sim also has hellos,
    /// errors, repairs and feedback of links, which are off here. A rule of these that is switched on is the standard's: J-Sim's hellos make no
    /// routes, for instance, and a neighbour that is not heard of is forgotten there without invalidating routes over it.
    #[must_use]
    pub fn jsim() -> Self {
        Self {
            own_number_step: 2,
            reply_number: ReplyNumber::NextEven,
            wait_after_reboot: false,
            remove_invalid: false,
            remember_path: false,
            reverse_expires: false,
            neighbour_routes: NeighbourRoutes::Off,
            request_makes_entry: true,
            gratuitous_reply: false,
            errors: false,
            expanding_ring: false,
            retries: None,
            link_feedback: false,
            blacklist: Blacklist::Off,
            requests_per_second: None,
            errors_per_second: None,
            hello: Hello::Off,
            late_addressing: true,
            ..Self::rfc3561()
        }
    }

    /// What ns-3.37 does where it departs from the standard.
    #[must_use]
    pub fn ns3() -> Self {
        Self {
            reply_number: ReplyNumber::IfNext,
            increment_on_invalidation: false,
            wait_after_reboot: false,
            reverse_route: ReverseRoute::Always,
            neighbour_routes: NeighbourRoutes::Always,
            drop_request_of_next_hop: true,
            believe_errors: false,
            blacklist: Blacklist::Off,
            hello: Hello::Always,
            data_proves_link: true,
            retries: Some(1),
            watch: Watch::Requests,
            hello_after_request: true,
            salvage: false,
            drop_returned: true,
            send_at_once: false,
            pass_on_all_replies: true,
            replies_need_route: true,
            reply_over_invalid: true,
            wide_first_ring: true,
            forget_unfound: true,
            announce_again: true,
            forget_users: true,
            refuse_towards_origin: true,
            ..Self::rfc3561()
        }
    }
}
