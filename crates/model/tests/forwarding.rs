//! A node of components and a node of roles have all that a protocol has: whatever is asked of the whole, or done by a part,
//! reaches the other.

extern crate everypath_model as everypath;

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use everypath::{
    Code, Component, ComponentTrigger, Contract, Effects, Host, Layer, Link, Never, Node, NodeId,
    Nothing, Ports, Protocol, Record, Start, Trigger, data, handlers, roles,
};

const ME: NodeId = NodeId(0);
const OTHER: NodeId = NodeId(1);

/// A source file of this workspace.
fn source(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

/// The methods of a trait or an implementation, each with its text: of the block that begins with these words.
fn methods<'s>(source: &'s str, begins: &str) -> Vec<(&'s str, &'s str)> {
    let start = source.find(begins).unwrap_or_else(|| panic!("there is no `{begins}`"));
    let indent = source[..start].rsplit('\n').next().unwrap_or_default();
    assert!(indent.trim().is_empty(), "`{begins}` is no block of its own");
    let rest = &source[start..];
    let block = &rest[..rest.find(&format!("\n{indent}}}")).expect("the block ends")];
    let function = format!("\n{indent}    fn ");
    let pieces = block.split(&function).skip(1);
    pieces
        .map(|text| (text.split(['(', '<']).next().expect("a function has a name"), text))
        .collect()
}

fn names<'s>(methods: &[(&'s str, &str)]) -> BTreeSet<&'s str> {
    methods.iter().map(|&(name, _)| name).collect()
}

/// Those that are not made of others of the same trait.
fn not_derived<'s>(methods: &[(&'s str, &str)]) -> BTreeSet<&'s str> {
    let derived = |text: &str| text.contains("self.record(") || text.contains("self.request(");
    methods.iter().filter(|(_, text)| !derived(text)).map(|&(name, _)| name).collect()
}

#[test]
fn whatever_a_protocol_has_is_forwarded_by_nodes_and_roles() {
    let (protocol, component) = (source("model/src/protocol.rs"), source("model/src/component.rs"));
    let protocol = names(&methods(&protocol, "pub trait Protocol"));
    assert!(protocol.contains("on_undeliverable") && protocol.len() > 10, "{protocol:?}");
    let node = methods(&component, "impl<C, M> Protocol for Host<C>");
    let without =
        |name| -> BTreeSet<_> { protocol.iter().copied().filter(|it| *it != name).collect() };
    // All nodes of a component have the same code, and those of roles have not.
    assert_eq!(names(&node), without("code_at"), "of Node");
    let macros = source("macros/src/lib.rs");
    let roles = methods(&macros, "impl ::everypath::Protocol for #name");
    assert_eq!(names(&roles), without("code"), "of #[roles]");

    let mut of_component = names(&methods(&component, "pub trait Component"));
    let stack =
        methods(&component, "impl<U: Component, L: Component<Above = U::Below>> Component for");
    assert!(of_component.remove("over"));
    assert_eq!(names(&stack), of_component, "of Stack");
    assert!(of_component.remove("on_request"));
    let mut wanted = without("code_at");
    assert!(wanted.remove("on_message") && wanted.insert("on_indication"));
    assert_eq!(of_component, wanted, "of Component");
}

#[test]
fn whatever_a_handler_can_do_is_forwarded_to_roles_and_components() {
    let (effects, component) = (source("model/src/effects.rs"), source("model/src/component.rs"));
    let of_effects = methods(&effects, "pub trait Effects");
    assert!(of_effects.len() > 10, "{of_effects:?}");
    let role = methods(&effects, "impl<F, P, R> Effects<R> for RoleEffects");
    assert_eq!(names(&role), not_derived(&of_effects), "of RoleEffects");

    let of_ports = methods(&component, "pub trait Ports");
    let lacking: Vec<_> = names(&of_effects).difference(&names(&of_ports)).copied().collect();
    assert!(lacking.is_empty(), "Ports lack {lacking:?}");
    for begins in [
        "impl<F, U, L> Ports<U> for UpperPorts",
        "impl<F, U, L> Ports<L> for LowerPorts",
        "impl<F, C, M> Ports<C> for NetworkPorts",
    ] {
        assert_eq!(names(&methods(&component, begins)), not_derived(&of_ports), "{begins}");
    }
}

/// Between the two components below.
struct Words;

impl Contract for Words {
    type Request = String;
    type Indication = String;
}

#[data]
enum Clock {
    Tick,
    Tock,
}

/// Sits on the network, and does all that only there can be done.
struct Jittery {
    within: Duration,
}

#[handlers]
impl Component for Jittery {
    type State = ();
    type Timer = Clock;
    type Command = Never;
    type Above = Words;
    type Below = Link<String>;

    fn start(&self, _: NodeId, ports: &mut impl Ports<Self>) {
        ports.send(OTHER, "one".to_owned());
        ports.broadcast("all".to_owned());
    }

    fn on_request(&self, _: NodeId, (): &mut (), word: String, ports: &mut impl Ports<Self>) {
        ports.send_within(OTHER, word.clone(), self.within);
        let left = ports.time_left(&Clock::Tick).unwrap_or_default();
        ports.broadcast_within(word, self.within + left);
    }

    fn on_timer(&self, _: NodeId, (): &mut (), timer: &Clock, _: &mut impl Ports<Self>) {
        match timer {
            Clock::Tick => {}
            Clock::Tock => unreachable!("nobody sets it"),
        }
    }

    fn configuration(&self) -> Option<String> {
        Some(format!("{:?}", self.within))
    }

    fn role(&self, _: NodeId) -> &str {
        "jittery"
    }
}

/// Asks for a word at once.
struct Asker;

#[handlers]
impl Component for Asker {
    type State = ();
    type Timer = Never;
    type Command = bool;
    type Above = Nothing;
    type Below = Words;

    fn start(&self, _: NodeId, ports: &mut impl Ports<Self>) {
        ports.request("word".to_owned());
    }

    fn on_command(&self, _: NodeId, (): &mut (), _: &bool, _: &mut impl Ports<Self>) {}

    fn configuration(&self) -> Option<String> {
        Some(String::new())
    }
}

/// A component that says nothing of itself.
struct Silent;

impl Component for Silent {
    type State = ();
    type Timer = Never;
    type Command = bool;
    type Above = Nothing;
    type Below = Words;

    fn start(&self, _: NodeId, _: &mut impl Ports<Self>) {}
}

/// Writes down what is sent, and within which time.
#[derive(Default)]
struct Sent(Vec<(Option<NodeId>, String, Option<Duration>)>);

const LEFT: Duration = Duration::from_millis(300);

impl<P: Protocol<Message = String>> Effects<P> for Sent {
    fn send(&mut self, to: NodeId, message: String) {
        self.0.push((Some(to), message, None));
    }
    fn broadcast(&mut self, message: String) {
        self.0.push((None, message, None));
    }
    fn send_within(&mut self, to: NodeId, message: String, within: Duration) {
        self.0.push((Some(to), message, Some(within)));
    }
    fn broadcast_within(&mut self, message: String, within: Duration) {
        self.0.push((None, message, Some(within)));
    }
    fn set_timer(&mut self, _: P::Timer, _: Duration) {}
    fn cancel_timer(&mut self, _: &P::Timer) {}
    fn time_left(&self, _: &P::Timer) -> Option<Duration> {
        Some(LEFT)
    }
    fn choose(&mut self, _: u32) -> u32 {
        0
    }
    fn record(&mut self, _: Record) {}
    fn neighbours(&self) -> &[NodeId] {
        &[OTHER]
    }
}

const WITHIN: Duration = Duration::from_millis(20);

#[test]
fn a_stack_can_jitter_and_knows_how_long_a_timer_has_left() {
    let mut sent = Sent::default();
    Host(Asker.over(Jittery { within: WITHIN })).start(&mut Node::new(ME, &mut (), &mut sent));
    let [one, all, word] = ["one", "all", "word"].map(str::to_owned);
    let expected = [
        (Some(OTHER), one, None),
        (None, all, None),
        (Some(OTHER), word.clone(), Some(WITHIN)),
        (None, word, Some(WITHIN + LEFT)),
    ];
    assert_eq!(sent.0, expected);
}

#[test]
fn a_stack_has_code_configuration_and_role_if_its_parts_have() {
    let node = Host(Asker.over(Jittery { within: WITHIN }));
    let empty = String::new();
    let name = |trigger| node.code(trigger).map(|code: Code| code.name);
    assert_eq!(name(Trigger::Start), Some("start"));
    assert_eq!(name(Trigger::Restart), Some("restart"));
    assert_eq!(name(Trigger::Message(&empty)), Some("lower/indication"));
    assert_eq!(name(Trigger::Undeliverable(&empty)), Some("lower/undeliverable"));
    assert_eq!(name(Trigger::Timer(&Layer::Lower(Clock::Tick))), Some("lower/timer:Tick"));
    assert_eq!(name(Trigger::Command(&Layer::Upper(true))), Some("upper/command"));
    // What is never executed, or is there to say so, is not waited for.
    assert_eq!(node.code_names(ME), ["start", "upper/command", "lower/timer:Tick"]);
    assert_eq!(node.role(ME), "jittery");

    let other = Host(Asker.over(Jittery { within: 2 * WITHIN }));
    assert!(node.configuration().is_some());
    assert_ne!(node.configuration(), other.configuration());

    let silent = Host(Silent.over(Jittery { within: WITHIN }));
    assert_eq!(silent.code(Trigger::Timer(&Layer::Lower(Clock::Tick))), None);
    assert_eq!(silent.configuration(), None);
    assert!(silent.code_names(ME).is_empty());
}

#[test]
fn the_code_of_a_stack_has_the_prints_of_all_that_may_follow() {
    /// A component of which one handler has a certain print.
    struct Printed {
        handler: &'static str,
        print: u64,
    }
    impl Component for Printed {
        type State = ();
        type Timer = ();
        type Command = Never;
        type Above = Nothing;
        type Below = Nothing;
        fn start(&self, _: NodeId, _: &mut impl Ports<Self>) {}
        fn code(&self, trigger: ComponentTrigger<'_, Self>) -> Option<Code> {
            let name = match trigger {
                ComponentTrigger::Start => "start",
                ComponentTrigger::Restart => "restart",
                ComponentTrigger::Request => "request",
                ComponentTrigger::Indication => "indication",
                ComponentTrigger::Undeliverable => "undeliverable",
                ComponentTrigger::Timer(..) => "timer",
                ComponentTrigger::Command(..) => "command",
            };
            Some(Code { name, print: if name == self.handler { self.print } else { 0 } })
        }
    }
    let prints = |upper: &'static str, lower: &'static str| {
        [1, 2].map(|print| {
            let upper = Printed { handler: upper, print };
            let stack = upper.over(Printed { handler: lower, print });
            let fires = ComponentTrigger::Timer(&Layer::Upper(()));
            [ComponentTrigger::Start, fires].map(|on| stack.code(on).unwrap().print)
        })
    };
    let differ = |[one, other]: [[u64; 2]; 2]| [one[0] != other[0], one[1] != other[1]];
    assert_eq!(differ(prints("timer", "")), [false, true]);
    assert_eq!(differ(prints("start", "")), [true, false]);
    assert_eq!(differ(prints("", "start")), [true, false]);
    // A timer of the upper may ask the lower, which may tell the upper.
    assert_eq!(differ(prints("indication", "")), [true, true]);
    assert_eq!(differ(prints("", "request")), [true, true]);
    assert_eq!(differ(prints("", "timer")), [false, false]);
}

/// A plain protocol with code of its own.
struct Plain;

#[handlers]
impl Protocol for Plain {
    type State = ();
    type Message = String;
    type Timer = Clock;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &String) {}

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Clock) {
        match timer {
            Clock::Tick => node.count("ticks"),
            _ => node.count("others"),
        }
    }

    fn configuration(&self) -> Option<String> {
        Some("plain".to_owned())
    }
}

#[roles]
struct Both {
    talker: Host<everypath::Stack<Asker, Jittery>>,
    plain_one: Plain,
}

impl Both {
    fn role_of(&self, me: NodeId) -> BothRole {
        if me == ME { BothRole::Talker } else { BothRole::PlainOne }
    }
}

#[test]
fn roles_have_the_code_and_the_configuration_of_their_parts() {
    let both = |within| Both { talker: Host(Asker.over(Jittery { within })), plain_one: Plain };
    let protocol = both(WITHIN);
    let (empty, tick) = (String::new(), BothTimer::PlainOne(Clock::Tick));
    let name = |me, trigger| protocol.code_at(me, trigger).map(|code: Code| code.name);
    assert_eq!(name(ME, Trigger::Start), Some("talker/start"));
    assert_eq!(name(OTHER, Trigger::Start), Some("plain_one/start"));
    assert_eq!(name(OTHER, Trigger::Message(&empty)), Some("plain_one/message"));
    assert_eq!(name(OTHER, Trigger::Timer(&tick)), Some("plain_one/timer:Tick"));
    assert_eq!(name(ME, Trigger::Timer(&tick)), None, "it is a timer of another role");
    assert_eq!(
        protocol.code_names(OTHER),
        ["plain_one/start", "plain_one/message", "plain_one/timer:Tick"]
    );
    assert!(protocol.code_names(ME).contains(&"talker/lower/timer:Tick"));
    assert_eq!(protocol.role(OTHER), "plain one");
    assert!(protocol.configuration().is_some());
    assert_ne!(protocol.configuration(), both(2 * WITHIN).configuration());
}
