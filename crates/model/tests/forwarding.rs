//! A node of components and a node of roles have all that a protocol has: whatever is asked of the whole, or done by a part,
//! reaches the other.

extern crate everypath_model as everypath;

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use everypath::{
    Code, ComponentTrigger, Effects, Input, Never, Node, NodeId, Outgoing, Protocol, Record, Start,
    Trigger,
    component::{
        Component, Contract, Host, Link, Network, NoPorts, Part, PartStart, Provides, Uses,
    },
    composite, data, handlers, ports, roles,
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

#[test]
fn whatever_a_protocol_has_is_forwarded_by_nodes_roles_and_composites() {
    let protocol = source("model/src/protocol/mod.rs");
    let protocol = names(&methods(&protocol, "pub trait Protocol"));
    assert!(protocol.contains("on_undeliverable") && protocol.len() > 10, "{protocol:?}");
    let without =
        |name| -> BTreeSet<_> { protocol.iter().copied().filter(|it| *it != name).collect() };
    // Only roles have names.
    let host = source("model/src/component/host.rs");
    let host = methods(&host, "impl<C, M> Protocol for Host<C>");
    assert_eq!(names(&host), without("role"), "of Host");
    let macros = source("macros/src/lib.rs");
    let roles = methods(&macros, "impl ::everypath::Protocol for #name");
    assert_eq!(names(&roles), protocol, "of #[roles]");

    let component = source("model/src/component/mod.rs");
    let of_component = names(&methods(&component, "pub trait Component"));
    let macros = source("macros/src/composite.rs");
    let composite = methods(&macros, "impl #kind for #name");
    assert_eq!(names(&composite), of_component, "of #[composite]");
    let mut wanted = without("role");
    // What comes back is a signal of the network.
    assert!(wanted.remove("on_message") && wanted.remove("on_undeliverable"));
    assert!(wanted.insert("on_signal"));
    assert_eq!(of_component, wanted, "of Component");
}

#[test]
fn whatever_a_handler_can_do_is_forwarded_to_parts() {
    let effects = source("model/src/protocol/effects.rs");
    let of_effects = names(&methods(&effects, "pub trait Effects"));
    assert_eq!(of_effects.len(), 8, "{of_effects:?}");
    let of_parts = source("model/src/protocol/part_effects.rs");
    for (text, begins) in [
        (&of_parts, "impl<F, W, A, T, E> Effects<A> for PartEffects"),
        (&effects, "impl<A: Actor, F: Effects<A> + ?Sized>"),
        (&source("model/src/native/answers.rs"), "impl<A: Actor> Effects<A> for Noting"),
    ] {
        assert_eq!(names(&methods(text, begins)), of_effects, "{begins}");
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

/// Sits on the network, and does all that can be done there.
struct Jittery {
    within: Duration,
}

#[ports]
struct JitteryPorts {
    above: Provides<Words>,
    below: Uses<Link<String>>,
}

#[handlers]
impl Component for Jittery {
    type State = ();
    type Timer = Clock;
    type Command = Never;
    type Ports = JitteryPorts;

    fn start(&self, node: &mut PartStart<'_, Self>) {
        node.send(OTHER, "one".to_owned());
        node.broadcast("all".to_owned());
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, signal: JitteryIn) {
        if let JitteryIn::Above(word) = signal {
            node.send_within(OTHER, word.clone(), self.within);
            let left = node.time_left(&Clock::Tick).unwrap_or_default();
            node.broadcast_within(word, self.within + left);
        }
    }

    fn on_timer(&self, _: &mut Part<'_, Self>, timer: &Clock) {
        match timer {
            Clock::Tick => {}
            Clock::Tock => unreachable!("nobody sets it"),
        }
    }
}

#[ports]
struct AskerPorts {
    below: Uses<Words>,
}

/// Asks for a word at once.
struct Asker;

#[handlers]
impl Component for Asker {
    type State = ();
    type Timer = Never;
    type Command = bool;
    type Ports = AskerPorts;

    fn start(&self, node: &mut PartStart<'_, Self>) {
        node.emit(AskerOut::Below("word".to_owned()));
    }

    fn on_command(&self, _: &mut Part<'_, Self>, _: &bool) {}
}

/// A component that says nothing of itself.
struct Silent;

impl Component for Silent {
    type State = ();
    type Timer = Never;
    type Command = bool;
    type Ports = AskerPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) {}
}

#[composite(ports = Network<String>, asker.below => jittery.above, jittery.below => network)]
struct Talker {
    asker: Asker,
    jittery: Jittery,
}

#[composite(ports = Network<String>, silent.below => jittery.above, jittery.below => network)]
struct SilentTalker {
    silent: Silent,
    jittery: Jittery,
}

fn talker() -> Host<Talker> {
    Host(Talker { asker: Asker, jittery: Jittery { within: WITHIN } })
}

/// Writes down what is sent, and within which time.
#[derive(Default)]
struct Sent(Vec<(Option<NodeId>, String, Option<Duration>)>);

const LEFT: Duration = Duration::from_millis(300);

impl<P: Protocol<Message = String>> Effects<P> for Sent {
    fn emit(&mut self, output: Outgoing<String>) {
        self.0.push(match output {
            Outgoing::To(to, message) => (Some(to), message, None),
            Outgoing::ToAll(message) => (None, message, None),
            Outgoing::ToWithin(to, message, within) => (Some(to), message, Some(within)),
            Outgoing::ToAllWithin(message, within) => (None, message, Some(within)),
        });
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
fn a_composite_can_jitter_and_knows_how_long_a_timer_has_left() {
    let mut sent = Sent::default();
    talker().start(&mut Node::new(ME, &mut (), &mut sent));
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
fn a_composite_has_code_if_its_parts_have() {
    let node = talker();
    let message = &String::new();
    let name = |trigger| node.code(ME, trigger).map(|code: Code| code.name);
    assert_eq!(name(Trigger::Start), Some("start"));
    assert_eq!(name(Trigger::Restart), Some("restart"));
    let heard = Input::Message { from: OTHER, message };
    assert_eq!(name(Trigger::On(heard)), Some("jittery/signal"));
    let back = Input::Undeliverable { to: OTHER, message };
    assert_eq!(name(Trigger::On(back)), Some("jittery/signal"));
    let tick = TalkerTimer::Jittery(Clock::Tick);
    assert_eq!(name(Trigger::On(Input::Timer(&tick))), Some("jittery/timer:Tick"));
    let command = TalkerCommand::Asker(true);
    assert_eq!(name(Trigger::On(Input::Command(&command))), Some("asker/command"));
    // What is never executed, or is there to say so, is not waited for.
    let names = ["start", "asker/command", "jittery/signal", "jittery/timer:Tick"];
    assert_eq!(node.code_names(ME), names);

    let silent = Host(SilentTalker { silent: Silent, jittery: Jittery { within: WITHIN } });
    let tick = SilentTalkerTimer::Jittery(Clock::Tick);
    assert_eq!(silent.code(ME, Trigger::On(Input::Timer(&tick))), None);
    assert!(silent.code_names(ME).is_empty());
}

/// A component of which one handler has a certain print.
struct Printed {
    handler: &'static str,
    print: u64,
}

impl Component for Printed {
    type State = ();
    type Timer = ();
    type Command = Never;
    type Ports = NoPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) {}

    fn code(&self, _: NodeId, trigger: ComponentTrigger<'_, Self>) -> Option<Code> {
        let name = match trigger {
            ComponentTrigger::Start => "start",
            ComponentTrigger::Restart => "restart",
            ComponentTrigger::Signal => "signal",
            ComponentTrigger::Timer(..) => "timer",
            ComponentTrigger::Command(..) => "command",
        };
        Some(Code { name, print: if name == self.handler { self.print } else { 0 } })
    }
}

#[composite(ports = NoPorts)]
struct Pair {
    one: Printed,
    other: Printed,
}

#[test]
fn the_code_of_a_composite_has_the_prints_of_all_that_may_follow() {
    let prints = |one: &'static str, other: &'static str| {
        [1, 2].map(|print| {
            let pair = Pair {
                one: Printed { handler: one, print },
                other: Printed { handler: other, print },
            };
            let fires = ComponentTrigger::Timer(&PairTimer::One(()));
            [ComponentTrigger::Start, fires].map(|on| pair.code(ME, on).unwrap().print)
        })
    };
    let differ = |[one, other]: [[u64; 2]; 2]| [one[0] != other[0], one[1] != other[1]];
    assert_eq!(differ(prints("timer", "")), [false, true]);
    assert_eq!(differ(prints("start", "")), [true, false]);
    assert_eq!(differ(prints("", "start")), [true, false]);
    // A timer of the one may ask the other, which may answer.
    assert_eq!(differ(prints("signal", "")), [true, true]);
    assert_eq!(differ(prints("", "signal")), [true, true]);
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
}

#[roles]
struct Both {
    talker: Host<Talker>,
    plain_one: Plain,
}

impl Both {
    fn role_of(&self, me: NodeId) -> BothRole {
        if me == ME { BothRole::Talker } else { BothRole::PlainOne }
    }
}

#[test]
fn roles_have_the_code_of_their_parts() {
    let protocol = Both { talker: talker(), plain_one: Plain };
    let (message, tick) = (&String::new(), BothTimer::PlainOne(Clock::Tick));
    let name = |me, trigger| protocol.code(me, trigger).map(|code: Code| code.name);
    let heard = Trigger::On(Input::Message { from: OTHER, message });
    let fires = Trigger::On(Input::Timer(&tick));
    assert_eq!(name(ME, Trigger::Start), Some("talker/start"));
    assert_eq!(name(OTHER, Trigger::Start), Some("plain_one/start"));
    assert_eq!(name(OTHER, heard), Some("plain_one/message"));
    assert_eq!(name(OTHER, fires), Some("plain_one/timer:Tick"));
    assert_eq!(name(ME, fires), None, "it is a timer of another role");
    assert_eq!(
        protocol.code_names(OTHER),
        ["plain_one/start", "plain_one/message", "plain_one/timer:Tick"]
    );
    assert!(protocol.code_names(ME).contains(&"talker/jittery/timer:Tick"));
    assert_eq!(protocol.role(OTHER), "plain one");
}
