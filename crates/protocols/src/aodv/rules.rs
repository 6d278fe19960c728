//! The rules of AODV: clauses in which standard and implementations differ.

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

/// When a request changes the reverse route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReverseRoute {
    /// If it is fresher, or as fresh and shorter (RFC 3561, 6.2 and 6.5).
    IfFresher,
    /// Always (ns-3).
    Always,
}

/// What a packet reveals about the neighbour that transmitted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeighbourRoutes {
    /// Nothing.
    Off,
    /// A route of one hop, without a known number, unless there is a valid one (RFC 3561, 6.5 and
    /// 6.7). An invalid route thereby forgets its number.
    IfNone,
    /// The same, but an invalid route keeps its number.
    KeepNumber,
    /// The same, also instead of a longer route (ns-3).
    Always,
}

/// When a node sends hellos (RFC 3561, 6.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hello {
    /// Never: the link layer reports broken links.
    Off,
    /// While it has a valid route.
    WithRoutes,
    /// Always.
    Always,
}

/// How a node that uses hellos knows its neighbours (RFC 3561, 6.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// A neighbour is gone when nothing was heard from it for too long.
    Heard,
    /// Only hellos, new requests, replies to its own requests and forwarded data show that a
    /// neighbour is alive (ns-3; there every packet to this node alone does, but missing neighbours
    /// are detected only once in an interval).
    Requests,
}

/// Neighbours whose requests a node ignores, since they seem not to hear it (RFC 3561, 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blacklist {
    /// None.
    Off,
    /// Those to which the link layer could not deliver a reply.
    Feedback,
    /// Also those that do not acknowledge a reply; every reply asks for it.
    Acknowledged,
}

/// A preset of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Those of the standard.
    Rfc3561,
    /// Those of J-Sim's simulation model, as Sobeih's thesis describes it.
    Jsim,
    /// Those of ns-3.37.
    Ns3,
}

impl Preset {
    /// The presets with their names, as options of a parameter.
    pub const WORDS: [(&'static str, Self); 3] =
        [("rfc3561", Self::Rfc3561), ("jsim", Self::Jsim), ("ns3", Self::Ns3)];

    /// Its durations.
    #[must_use]
    pub fn times(self) -> Times {
        match self {
            Self::Rfc3561 => Times::default(),
            Self::Jsim => Times::jsim(),
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
/// // Counterexample 2 of the thesis.
/// let careless = Rules { increment_on_invalidation: false, ..Rules::jsim() };
/// assert_ne!(careless, Rules::jsim());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// By how much a node raises its own number before it asks for a route (6.1: by 1).
    pub own_number_step: u32,
    /// How a destination chooses its number (6.1, 6.6.1).
    pub reply_number: ReplyNumber,
    /// Whether the number of a route that becomes invalid is raised (6.11); if not, the thesis's
    /// error 2.
    pub increment_on_invalidation: bool,
    /// Whether a route whose lifetime is over is removed instead of made invalid (6.11 forbids it):
    /// the thesis's error 3.
    pub remove_expired: bool,
    /// Whether a node is quiet for some time after a reboot (6.13); if not, the thesis's error 1.
    pub wait_after_reboot: bool,
    /// Whether an invalid route is removed after some time (6.11).
    pub remove_invalid: bool,
    /// Whether an invalid route remembers its length and next hop (6.11: yes, for 6.4).
    pub remember_path: bool,
    /// When a request changes the reverse route (6.5).
    pub reverse_route: ReverseRoute,
    /// Whether routes that were learnt from requests have a lifetime (6.5).
    pub reverse_expires: bool,
    /// What a packet reveals about the neighbour that transmitted it (6.5, 6.7).
    pub neighbour_routes: NeighbourRoutes,
    /// Whether a search for a route makes an invalid entry.
    pub request_makes_entry: bool,
    /// Whether nodes that know a fresh route answer for the destination (6.6.2).
    pub intermediate_reply: bool,
    /// Whether they also notify the destination (6.6.3).
    pub gratuitous_reply: bool,
    /// Whether a node drops a request from its own next hop to the destination (ns-3).
    pub drop_request_of_next_hop: bool,
    /// Whether broken routes are announced (6.11).
    pub errors: bool,
    /// Whether newer numbers in announcements are believed (6.11).
    pub believe_errors: bool,
    /// Whether a request goes a few hops at first, then farther (6.4).
    pub expanding_ring: bool,
    /// How often a request through the whole network is repeated (6.3); with `None` the node waits
    /// for ever.
    pub retries: Option<u8>,
    /// Whether the link layer reports undeliverable packets, which the node treats as a broken link
    /// (6.10).
    pub link_feedback: bool,
    /// Neighbours whose requests a node ignores (6.8).
    pub blacklist: Blacklist,
    /// The largest number of requests a node originates in a second (6.3).
    pub requests_per_second: Option<u8>,
    /// The largest number of announcements it sends in a second (6.11).
    pub errors_per_second: Option<u8>,
    /// Whether a node that cannot forward a packet looks for another route itself (6.12).
    pub local_repair: bool,
    /// Whether a route is repaired if its destination is nearer than the source of the packet, and
    /// other routes over the broken link stay as they are (J-Sim), instead of if it is near (6.12).
    pub repair_second_half: bool,
    /// Whether a broken link is announced to all neighbours, with all destinations beyond it
    /// (J-Sim), instead of to the users of each route (6.11).
    pub errors_to_all: bool,
    /// Whether the link layers of its neighbours notice when a node reboots, and report a broken
    /// link. That is no rule of AODV; the scenario must say how soon they notice.
    pub reboot_seen: bool,
    /// When a node sends hellos (6.9).
    pub hello: Hello,
    /// Whether a hello makes a route to its sender (6.9; J-Sim: it only renews an entry in the list
    /// of neighbours).
    pub hello_makes_route: bool,
    /// Whether a neighbour that was silent for too long counts as a broken link (6.9; J-Sim: it is
    /// only deleted from the list of neighbours).
    pub silence_breaks_link: bool,
    /// Whether sending data to a neighbour counts as having heard from it (ns-3).
    pub data_proves_link: bool,
    /// How a node knows its neighbours (6.9).
    pub watch: Watch,
    /// Whether the next hello comes a full interval after the last request, not after the last
    /// hello (ns-3).
    pub hello_after_request: bool,
    /// Whether a node sends its own undeliverable packet again. ns-3 loses it.
    pub salvage: bool,
    /// Whether a node drops its own packet that comes back on a loop (ns-3).
    pub drop_returned: bool,
    /// Whether waiting packets are sent as soon as there is a route. If not, only a reply or a
    /// timeout sends them (ns-3).
    pub send_at_once: bool,
    /// Whether replies without a better route are forwarded (6.7: no; ns-3: yes).
    pub pass_on_all_replies: bool,
    /// Whether a reply needs a valid route to its next hop, and starts a search if there is none
    /// (ns-3, where the reply waits for it; here it is lost).
    pub replies_need_route: bool,
    /// Whether requests leave invalid reverse routes unchanged, and replies use them (ns-3).
    pub reply_over_invalid: bool,
    /// Whether a first request to a distant destination may go beyond the threshold without
    /// flooding the whole network (6.4; ns-3).
    pub wide_first_ring: bool,
    /// Whether a destination that was not found is forgotten (ns-3).
    pub forget_unfound: bool,
    /// Whether announcements include routes that are already invalid, and go to their users
    /// repeatedly (ns-3).
    pub announce_again: bool,
    /// Whether a new route forgets the users of the one it replaces (ns-3).
    pub forget_users: bool,
    /// Whether a packet that cannot be forwarded is announced towards its origin, or to all,
    /// instead of to the neighbour that sent it (ns-3).
    pub refuse_towards_origin: bool,
    /// Whether the next hop of a reply is looked up on delivery, in the sender's table of that
    /// moment, as in J-Sim's network layer. The scenario must choose the receivers, too.
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
            repair_second_half: false,
            errors_to_all: false,
            reboot_seen: false,
            hello: Hello::WithRoutes,
            hello_makes_route: true,
            silence_breaks_link: true,
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

    /// J-Sim's simulation model, after draft 11, as Sobeih's thesis describes it. Of it, the thesis
    /// explores route discovery. Hellos, errors, repairs and link feedback are off here. If switched
    /// on, they are J-Sim's: a hello makes no route, a silent neighbour is only deleted from the list
    /// of neighbours, a broken link is announced to all neighbours, and a node repairs a route if
    /// the destination is nearer than the source.
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
            repair_second_half: true,
            errors_to_all: true,
            hello: Hello::Off,
            hello_makes_route: false,
            silence_breaks_link: false,
            late_addressing: true,
            ..Self::rfc3561()
        }
    }

    /// The rules of ns-3.37, which departs from the standard.
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
