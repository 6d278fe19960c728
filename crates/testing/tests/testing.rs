//! What tests of a user's say when they pass and when they fail.

extern crate everypath_model as everypath;

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process,
    time::Duration,
};

use everypath_model::{
    Budget, LinkModel, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology, data,
};
use everypath_testing::{Net, check, replay, simulate};

/// A server that gives a lock to whoever asks; a careless one does not look whether it is free.
struct Lock {
    careless: bool,
}

#[data]
#[derive(Default)]
struct State {
    held: bool,
    holder: Option<NodeId>,
}

#[data]
enum Message {
    Ask,
    Grant,
    Release,
}

#[data]
struct Retry;

#[data]
enum Command {
    Lock,
    Unlock,
}

const SERVER: NodeId = NodeId(0);

impl Protocol for Lock {
    type State = State;
    type Message = Message;
    type Timer = Retry;
    type Command = Command;

    fn start(&self, _: &mut Start<'_, Self>) -> State {
        State::default()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match message {
            Message::Ask if self.careless || node.state.holder.is_none() => {
                node.state.holder = Some(from);
                node.send(from, Message::Grant);
            }
            Message::Ask => {}
            Message::Grant => {
                node.state.held = true;
                node.count("granted");
                node.cancel_timer(&Retry);
            }
            Message::Release => node.state.holder = None,
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Retry) {
        node.send(SERVER, Message::Ask);
        node.set_timer(Retry, Duration::from_secs(1));
    }

    fn commands(&self, me: NodeId, node: &State) -> Vec<Command> {
        match (me, node.held) {
            (SERVER, _) => Vec::new(),
            (_, false) => vec![Command::Lock],
            (_, true) => vec![Command::Unlock],
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Command) {
        match command {
            Command::Lock => {
                node.send(SERVER, Message::Ask);
                node.set_timer(Retry, Duration::from_secs(1));
            }
            Command::Unlock if !node.state.held => {}
            Command::Unlock => {
                node.state.held = false;
                node.send(SERVER, Message::Release);
            }
        }
    }
}

fn scenario(parameters: &mut Parameters, careless: bool) -> Scenario<Lock> {
    let clients = parameters.number("clients", 2, 1..=5, "how many clients there are");
    Scenario::new(Lock { careless }, Topology::star(clients + 1))
        .loss(Budget::AtMost(1))
        .max_depth(12)
        .assert_always("one holder", |world| {
            world.nodes().filter(|(_, node)| node.held).count() <= 1
        })
        .assert_always("the server never grants", |world| {
            world.packets().all(|packet| *packet.message != Message::Grant)
        })
        .assert_reachable("somebody holds it", |world| world.nodes().any(|(_, node)| node.held))
}

/// Two assertions of which one is false in any case, so that there is something to be found behind it.
fn careless_lock(parameters: &mut Parameters) -> Scenario<Lock> {
    scenario(parameters, true)
}

fn lock(parameters: &mut Parameters) -> Scenario<Lock> {
    let mut scenario = scenario(parameters, false);
    scenario.assertions.truncate(1);
    scenario
}

fn broken_lock(parameters: &mut Parameters) -> Scenario<Lock> {
    let mut scenario = scenario(parameters, true);
    scenario.assertions.truncate(1);
    scenario
}

/// What a failing test says.
fn failure<T>(test: impl FnOnce() -> T) -> String {
    let failed = catch_unwind(AssertUnwindSafe(|| drop(test()))).expect_err("it fails");
    let text = failed.downcast_ref::<String>().cloned();
    text.or_else(|| failed.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap()
}

fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

#[test]
fn a_lock_of_one_client_holds() {
    check(lock).set("clients", 1).max_depth(8).assert_holds();
}

#[test]
fn a_careless_lock_breaks_in_six_steps() {
    let broken = check(broken_lock).assert_violates("one holder");
    // Two ask, both are heard, both are granted.
    broken.in_steps(6);
    assert_eq!(broken.file.scenario, "broken-lock");
    let text = failure(|| broken.in_steps(5));
    assert_says(&text, &["`one holder` is violated in 6 steps, not in 5", "Grant"]);
}

#[test]
fn an_assertion_behind_another_one_is_found() {
    check(careless_lock).assert_violates("the server never grants").in_steps(2);
    let text = failure(|| check(careless_lock).assert_violates("one holders"));
    assert_says(&text, &["no assertion `one holders`", "`one holder`, `the server never grants`"]);
    let text = failure(|| check(lock).max_depth(4).assert_violates("one holder"));
    assert_says(&text, &["`one holder` is not violated", "runs of at most 4 events"]);
    let text = failure(|| check(careless_lock).max_depth(4).assert_violates("one holder"));
    assert_says(
        &text,
        &["`one holder` is not violated", "`the server never grants` is:\n", " 1  "],
    );
}

#[test]
fn goals_are_reached() {
    assert_eq!(check(lock).assert_reaches("somebody holds it"), 3);
    let text = failure(|| check(lock).max_depth(2).assert_reaches("somebody holds it"));
    assert_says(&text, &["`somebody holds it` is not reached"]);
    let text = failure(|| check(lock).max_depth(2).assert_holds());
    assert_says(&text, &["not reached: `somebody holds it`"]);
}

/// The files that a failing test of this name leaves.
fn left_by(test: &str) -> Vec<PathBuf> {
    let exe = std::env::current_exe().unwrap();
    let target = exe.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file()).unwrap();
    let endings = ["trace.json", "html"];
    endings.map(|ending| target.join("everypath").join(format!("{test}.{ending}"))).into()
}

#[test]
fn a_failing_check_tells_its_story_and_can_be_replayed() {
    let files = left_by("a_failing_check_tells_its_story_and_can_be_replayed");
    files.iter().for_each(|file| drop(fs::remove_file(file)));
    let text = failure(|| check(broken_lock).assert_holds());
    assert_says(
        &text,
        &[
            "broken-lock: VIOLATED in 6 steps, the fewest possible",
            "broken: one holder",
            "held: false → true",
            "replay: EVERYPATH_REPLAY=",
            "cargo test a_failing_check_tells_its_story_and_can_be_replayed",
        ],
    );
    assert!(files.iter().all(|file| file.is_file()), "{files:?}");
    // Now it begins with that run, and searches nothing.
    let again = failure(|| check(broken_lock).max_states(1).assert_holds());
    assert_says(&again, &["VIOLATED in 6 steps, the run in ", "can_be_replayed.trace.json"]);
    // It is a run of other parameters: there it is not run.
    let other = failure(|| check(broken_lock).set("clients", 3).max_states(1).assert_holds());
    assert_says(&other, &["INCONCLUSIVE"]);
    // Once nothing is found, it is gone.
    check(lock).max_depth(6).assert_holds();
    assert!(files.iter().all(|file| !file.exists()), "{files:?}");
}

/// Is run by the next one, in a process of its own.
#[test]
#[ignore = "it is to fail, where `a_named_run_is_run_before_anything_is_searched` runs it"]
fn it_breaks() {
    check(broken_lock).max_states(100).assert_holds();
}

#[test]
fn a_named_run_is_run_before_anything_is_searched() {
    let folder = tempfile::tempdir().unwrap();
    let run = |replayed: Option<&Path>| {
        let mut test = process::Command::new(std::env::current_exe().unwrap());
        test.args(["--exact", "it_breaks", "--ignored"]).env_remove("EVERYPATH_REPLAY");
        let output = test.envs(replayed.map(|path| ("EVERYPATH_REPLAY", path))).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    // It takes more states than that to find it.
    assert_says(&run(None), &["INCONCLUSIVE", "`max_states`"]);
    let path = folder.path().join("named.trace.json");
    check(broken_lock).assert_violates("one holder").file.write(&path).unwrap();
    assert_says(&run(Some(&path)), &["VIOLATED in 6 steps, the run in ", "named.trace.json"]);
    left_by("it_breaks").iter().for_each(|file| fs::remove_file(file).unwrap());
    let missing = folder.path().join("missing.trace.json");
    assert_says(&run(Some(&missing)), &["EVERYPATH_REPLAY: cannot read", "missing.trace.json"]);
}

#[test]
fn counterexamples_are_kept_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("regressions");
    let text = failure(|| check(broken_lock).regressions(&folder).assert_holds());
    assert_says(&text, &["kept: ", "one-holder-"]);
    left_by("counterexamples_are_kept_in_a_folder").iter().for_each(|it| drop(fs::remove_file(it)));
    let text = failure(|| check(broken_lock).regressions(&folder).max_states(1).assert_holds());
    assert_says(&text, &["the run in ", "one-holder-"]);
    let kept: Vec<_> = fs::read_dir(&folder).unwrap().collect();
    assert_eq!(kept.len(), 1, "the same run is kept once");
    let damaged = kept[0].as_ref().unwrap().path();
    fs::write(&damaged, "{").unwrap();
    let text = failure(|| check(broken_lock).regressions(&folder).assert_holds());
    assert_says(&text, &["is not a whole JSON file"]);
}

#[test]
fn limits_and_nothing_fail() {
    let text = failure(|| check(lock).set("clients", 4).max_states(100).assert_holds());
    assert_says(&text, &["INCONCLUSIVE", "`max_states`", "allow_incomplete"]);
    check(lock).set("clients", 4).max_states(3000).allow_incomplete().assert_holds();
    let text = failure(|| check(lock).disable("command").assert_holds());
    assert_says(&text, &["not reached: `somebody holds it`"]);
    let quiet = |parameters: &mut Parameters| {
        let mut scenario = lock(parameters);
        scenario.goals.clear();
        scenario
    };
    let text = failure(|| check(quiet).disable("command").assert_holds());
    assert_says(&text, &["nothing ever happens"]);
    let blind = move |parameters: &mut Parameters| lock(parameters).assert_always("true", |_| true);
    let text = failure(|| check(blind).max_depth(4).assert_holds());
    assert_says(&text, &["`true` holds without looking"]);
    let text = failure(|| check(lock).set("cleints", 4).assert_holds());
    assert_says(&text, &["no parameter `cleints`", "did you mean `clients`"]);
    let text = failure(|| check(lock).disable("looose").assert_holds());
    assert_says(&text, &["looose"]);
}

#[test]
fn runs_are_given_in_words() {
    let steps = [
        "command Lock at n1",
        "command Lock at n2",
        "Ask from n2 arrives at n0",
        "Ask from n1 arrives at n0",
        "Grant from n0 arrives at n1",
        "Grant from n0 arrives at n2",
    ];
    replay(broken_lock).steps(steps).assert_violates("one holder");
    // The server looks: the last step but one cannot happen.
    replay(lock).steps(steps).assert_holds();
    // A misspelt first step tests nothing.
    let text = failure(|| replay(lock).steps(["comand Lock at n1"]).assert_holds());
    assert_says(&text, &["step 1, `comand Lock at n1`, cannot happen; possible events: `"]);
    let text = failure(|| replay(lock).steps(steps).assert_violates("one holder"));
    assert_says(
        &text,
        &["step 5, `Grant from n0 arrives at n1`, cannot happen; possible events: `"],
    );
    let text = failure(|| replay(broken_lock).set("clients", 3).steps(steps).assert_holds());
    assert_says(&text, &["broken-lock: VIOLATED in step 6", "broken: one holder"]);
    let text = failure(|| replay(careless_lock).steps(steps).assert_violates("one holder"));
    assert_says(&text, &["`the server never grants` is violated, not `one holder`"]);
    let text = failure(|| replay(lock).steps(steps[..2].to_vec()).assert_violates("one holder"));
    assert_says(&text, &["`one holder` is not violated"]);
}

/// Clients that want the lock at the same time, over links that lose one packet in a hundred.
fn busy_lock(parameters: &mut Parameters) -> Scenario<Lock> {
    let careless = parameters.flag("careless", false, "whether the server looks");
    let mut scenario = scenario(parameters, careless);
    scenario.assertions.truncate(1);
    let link = LinkModel::default().loss(0.01);
    let ms = Duration::from_millis;
    scenario.simulation(|run| {
        run.link(link)
            .duration(Duration::from_secs(10))
            .job(NodeId(1), Command::Lock, ms(0), ms(20))
            .job(NodeId(2), Command::Lock, ms(1), ms(20))
            .job(NodeId(1), Command::Unlock, ms(10), ms(20))
            .job(NodeId(2), Command::Unlock, ms(11), ms(20))
    })
}

#[test]
fn simulations_are_asserted_with_their_intervals() {
    let granted = simulate(busy_lock).runs(20).measure("granted");
    let (low, high) = granted.estimate.interval().ends().expect("runs differ");
    assert!(low < high);
    granted.assert_above(low - 1.0).assert_below(high + 1.0).assert_between(low - 1.0, high + 1.0);
    let text = failure(|| drop(granted.assert_below(low - 1.0).clone()));
    assert_says(&text, &["busy-lock: `granted` is ", "not below ", "95 % of 20 runs"]);
    assert!(!text.contains("more runs"));
    let text = failure(|| drop(granted.assert_above(low + 0.1 * (high - low)).clone()));
    assert_says(&text, &["the mean is, so more runs may decide"]);
    let again = simulate(busy_lock).runs(20).seed(1).measure("granted");
    assert_eq!(again.estimate, granted.estimate);
    assert_ne!(simulate(busy_lock).runs(20).seed(2).measure("granted").estimate, granted.estimate);
    let short = simulate(busy_lock).runs(20).duration(Duration::from_secs(1)).measure("granted");
    assert!(short.estimate.mean < granted.estimate.mean);
    let text = failure(|| simulate(busy_lock).runs(3).measure("grants"));
    assert_says(&text, &["there is no measure `grants`; there are ", "`granted`"]);
}

#[test]
fn a_measure_of_a_mistyped_name_does_not_pass_as_nothing() {
    let mistyped = |parameters: &mut Parameters| {
        busy_lock(parameters)
            .simulation(|run| run.measure("often", "", |run| run.count("grantd") as f64))
    };
    let text = failure(|| simulate(mistyped).runs(3).measure("often").assert_below(9.0).clone());
    assert_says(&text, &["measure `often` reads `grantd`", "did you mean `granted`?"]);
    // The name is right, but it is counted and not observed.
    let mistaken = |parameters: &mut Parameters| {
        busy_lock(parameters).simulation(|run| run.measure("mean", "", |run| run.mean("granted")))
    };
    let text = failure(|| simulate(mistaken).runs(3).measure("granted"));
    assert_says(&text, &["nothing was observed under that name; `granted` is counted"]);
}

#[test]
fn simulations_ask_assertions() {
    simulate(busy_lock).runs(3).assert_holds();
    let text = failure(|| simulate(busy_lock).set("careless", true).runs(3).assert_holds());
    assert_says(&text, &["VIOLATED at 0.0", "of run 0 under seed 1: one holder", "`check`"]);
}

#[test]
fn a_net_is_moved_by_hand() {
    let mut net = Net::of(lock);
    net.expect_silence().command(1, &Command::Lock).command(2, &Command::Lock);
    net.expect(1, 0, &Message::Ask).deliver();
    net.expect(2, 0, &Message::Ask).deliver();
    net.expect(0, 1, &Message::Grant).lose().expect_silence();
    assert!(net.is_set(1, &Retry) && !net.state(1).held);
    net.advance(Duration::from_millis(999)).expect_silence();
    net.advance(Duration::from_millis(1));
    // Both ask again; the server has given it away, and nobody has it.
    net.expect(1, 0, &Message::Ask);
    assert_eq!(net.deliver_all(), ["n1→n0 Ask", "n2→n0 Ask"]);
    let text = failure(|| Net::of(lock).deliver().in_flight());
    assert_says(&text, &["nothing is in flight"]);
    let text = failure(|| net.expect(1, 0, &Message::Ask).in_flight());
    assert_says(&text, &["expected Ask from n1 to n0; in flight: nothing"]);
    let text = failure(|| Net::of(lock).fire(1, &Retry).in_flight());
    assert_says(&text, &["Retry is not set at n1; the timers that are set: []"]);
    net.command(1, &Command::Lock).duplicate().delay();
    assert_eq!(net.in_flight(), 2);
    net.reboot(1);
    assert!(!net.is_set(1, &Retry));
}
