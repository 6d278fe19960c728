//! The upper component asks for `Stream`, the lower one offers `Datagrams`.

extern crate everypath_model as everypath;

use everypath::{Component, Contract, Link, Never, NodeId, Nothing, Ports};

struct Stream;

impl Contract for Stream {
    type Request = String;
    type Indication = String;
}

struct Datagrams;

impl Contract for Datagrams {
    type Request = String;
    type Indication = String;
}

struct Application;

impl Component for Application {
    type State = ();
    type Timer = Never;
    type Command = Never;
    type Above = Nothing;
    type Below = Stream;

    fn start(&self, _: NodeId, _: &mut impl Ports<Self>) {}
}

struct Transport;

impl Component for Transport {
    type State = ();
    type Timer = Never;
    type Command = Never;
    type Above = Datagrams;
    type Below = Link<String>;

    fn start(&self, _: NodeId, _: &mut impl Ports<Self>) {}
}

fn main() {
    Application.over(Transport);
}
