//! What can be done about a space that grows: options to add, and lines of code.

use super::{Growth, Quantity, Trend};

/// The largest mailbox that is suggested.
const MAILBOX_MAX: u64 = 4;
/// The largest number of packets or elements that a suggested pruning allows.
const PRUNED_MAX: u64 = 8;
/// How many remedies are named.
const REMEDIES_MAX: usize = 3;

/// Something that makes a search end, or one of the things that do together.
///
/// ```
/// use everypath_report::Remedy;
///
/// let remedy = Remedy { how: ".max_depth(9)".to_owned(), effect: "ends at depth 9".to_owned() };
/// assert_eq!(remedy.how, ".max_depth(9)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// A command to paste, or a line of code.
    pub how: String,
    /// What it does.
    pub effect: String,
}

/// How a search is told what to do.
///
/// ```
/// use everypath_report::Tool;
///
/// let tool = Tool::Command("everypath check arq".to_owned());
/// assert_eq!(tool.max_depth(9), "everypath check arq --max-depth 9");
/// assert_eq!(Tool::Test.max_depth(9), ".max_depth(9)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// By options of this command.
    Command(String),
    /// By methods of a check in a test.
    Test,
}

impl Tool {
    /// How the depth is bounded.
    #[must_use]
    pub fn max_depth(&self, depth: u32) -> String {
        match self {
            Self::Command(command) => format!("{command} --max-depth {depth}"),
            Self::Test => format!(".max_depth({depth})"),
        }
    }

    fn set(&self, name: &str, value: &str) -> String {
        match self {
            Self::Command(command) => format!("{command} --set {name}={value}"),
            Self::Test => format!(".set(\"{name}\", \"{value}\")"),
        }
    }
}

/// How often a fault may happen.
///
/// ```
/// use everypath_report::FaultBudget;
///
/// let loss = FaultBudget { event: "lose", method: "loss", times: None, parameter: None };
/// assert!(loss.times.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultBudget {
    /// The kind of its events.
    pub event: &'static str,
    /// The method of the scenario that sets it.
    pub method: &'static str,
    /// How often at most; nothing if without limit.
    pub times: Option<u32>,
    /// The parameter of the scenario that sets it, if there is one.
    pub parameter: Option<String>,
}

/// What a scenario says that remedies depend on.
///
/// ```
/// use everypath_report::Surroundings;
///
/// assert!(Surroundings::default().faults.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Whether nodes can have mailboxes instead of the present network.
    pub could_have_mailboxes: bool,
    /// The parameter of the scenario that sets the network, if there is one.
    pub network_parameter: Option<String>,
    /// The faults that can happen.
    pub faults: Vec<FaultBudget>,
}

impl Surroundings {
    /// What a scenario says: its network, as parameters are written; its faults, each with the kind of its events, the
    /// method that sets its budget, and the budget, as parameters are written; and its parameters that are networks or
    /// budgets, with their values.
    ///
    /// ```
    /// use everypath_report::Surroundings;
    ///
    /// let around = Surroundings::new("fifo", [("lose", "loss", "unlimited")], [("losses", "unlimited")]);
    /// assert_eq!(around.faults[0].parameter.as_deref(), Some("losses"));
    /// assert!(around.could_have_mailboxes && around.network_parameter.is_none());
    /// ```
    pub fn new<T: AsRef<str>>(
        network: &str,
        faults: impl IntoIterator<Item = (&'static str, &'static str, T)>,
        parameters: impl IntoIterator<Item = (T, T)> + Clone,
    ) -> Self {
        let setting = |value: &str, is_meant: &dyn Fn(&str) -> bool| {
            let mut parameters = parameters.clone().into_iter();
            let found =
                parameters.find(|(name, now)| now.as_ref() == value && is_meant(name.as_ref()));
            found.map(|(name, _)| name.as_ref().to_owned())
        };
        let faults = faults.into_iter().filter(|(.., budget)| budget.as_ref() != "off");
        let faults = faults.map(|(event, method, budget)| {
            let budget = budget.as_ref();
            // A parameter for losses may be called `loss`, `losses` or `lose`.
            let is_meant = |name: &str| [event, method].iter().any(|it| name.starts_with(&it[..3]));
            FaultBudget {
                event,
                method,
                times: budget.parse().ok(),
                parameter: setting(budget, &is_meant),
            }
        });
        Self {
            could_have_mailboxes: !network.starts_with("inbox"),
            network_parameter: setting(network, &|_| true),
            faults: faults.collect(),
        }
    }
}

impl Growth {
    /// What can be done, the most specific first: one thing for each sort of what grows, then others. `whole` is the depth up to which all runs were explored, if
    /// that is known.
    #[must_use]
    pub fn remedies(&self, around: &Surroundings, tool: &Tool, whole: Option<u32>) -> Vec<Remedy> {
        let bound = whole.filter(|&depth| depth > 0).map(|depth| Remedy {
            how: tool.max_depth(depth),
            effect: format!("ends: the runs of at most {depth} events are all explored by now"),
        });
        let mut of_each: Vec<Vec<Remedy>> = Vec::new();
        for (place, trend) in self.trends.iter().enumerate() {
            let is_first = |other: &Trend| other.quantity.sort() != trend.quantity.sort();
            if self.trends[..place].iter().all(is_first) {
                of_each.push(trend.remedies(around, tool));
            }
        }
        // Each that grows needs a remedy: first one of each, then the second ones.
        let rounds = of_each.iter().map(Vec::len).max().unwrap_or(0);
        let turns =
            (0..rounds).flat_map(|round| of_each.iter().filter_map(move |own| own.get(round)));
        let room = REMEDIES_MAX - usize::from(bound.is_some());
        turns.take(room).cloned().chain(bound).collect()
    }
}

/// Remedies in lines, with a title; nothing if there are none.
///
/// ```
/// use everypath_report::{Remedy, remedies_text};
///
/// let remedy = Remedy { how: ".max_depth(9)".to_owned(), effect: "ends there".to_owned() };
/// assert_eq!(remedies_text(&[remedy]), "what can be done:\n  .max_depth(9)\n    ends there\n");
/// ```
#[must_use]
pub fn remedies_text(remedies: &[Remedy]) -> String {
    let title = if remedies.is_empty() { "" } else { "what can be done:\n" };
    let lines = remedies.iter().map(|Remedy { how, effect }| format!("  {how}\n    {effect}\n"));
    title.to_owned() + &lines.collect::<String>()
}

impl Trend {
    /// What bounds it, the most specific first.
    fn remedies(&self, around: &Surroundings, tool: &Tool) -> Vec<Remedy> {
        let own =
            [self.budget(around, tool), self.mailbox(around, tool), self.prune(), self.ignore()];
        own.into_iter().flatten().collect()
    }

    /// Bounds the faults that make it grow.
    fn budget(&self, around: &Surroundings, tool: &Tool) -> Option<Remedy> {
        const FEW: u32 = 2;
        let kind = self.cause.as_ref()?.split(['@', ':']).next()?;
        let fault = around.faults.iter().find(|fault| fault.event == kind)?;
        if fault.times.is_some_and(|times| times <= FEW) {
            return None;
        }
        let how = match &fault.parameter {
            Some(name) => tool.set(name, &FEW.to_string()),
            None => format!(".{}(Budget::AtMost({FEW}))", fault.method),
        };
        Some(Remedy { how, effect: format!("at most {FEW} events `{kind}` on a run") })
    }

    /// Bounds the packets in flight by mailboxes.
    fn mailbox(&self, around: &Surroundings, tool: &Tool) -> Option<Remedy> {
        let is_packets = matches!(self.quantity, Quantity::Packets { .. });
        if !is_packets || !around.could_have_mailboxes {
            return None;
        }
        let packets = (self.most / 2).clamp(1, MAILBOX_MAX);
        let how = match &around.network_parameter {
            Some(name) => tool.set(name, &format!("inbox:{packets}")),
            None => format!(".network(NetworkKind::inbox({packets}))"),
        };
        let effect = format!(
            "bounds the packets: each node has a mailbox for {packets}, and a full one loses its oldest"
        );
        Some(Remedy { how, effect })
    }

    /// Prunes the worlds that have more of it.
    fn prune(&self) -> Option<Remedy> {
        let half = (self.most / 2).max(1);
        let most = match self.quantity {
            // A number may begin large.
            Quantity::Number { .. } => half,
            _ => half.min(PRUNED_MAX),
        };
        let is_more = match &self.quantity {
            Quantity::Packets { from, to } => {
                let (from, to) = (node_number(from)?, node_number(to)?);
                format!(
                    "world.packets().filter(|it| (it.from, it.to) == (NodeId({from}), NodeId({to}))).count() > {most}"
                )
            }
            Quantity::Elements { path } if self.is_read_by_fields => {
                format!("{}.len() > {most}", in_world(path)?)
            }
            Quantity::Number { path } if self.is_read_by_fields => {
                format!("{} > {most}", in_world(path)?)
            }
            _ => return None,
        };
        Some(Remedy {
            how: format!(".prune(\"more than {most}\", |world| {is_more})"),
            effect: "does not look behind worlds with more: what lies there stays unknown"
                .to_owned(),
        })
    }

    /// Leaves it out of the state.
    fn ignore(&self) -> Option<Remedy> {
        let path = match &self.quantity {
            Quantity::Elements { path }
            | Quantity::Number { path }
            | Quantity::Characters { path } => path,
            _ => return None,
        };
        let field = path.split(['[', ' ']).next()?.rsplit_once('.')?.1;
        if node_number(path.split('.').next()?).is_none() || field.parse::<u32>().is_ok() {
            return None;
        }
        Some(Remedy {
            how: format!("{field}: Ignored<…>"),
            effect: format!(
                "if `{path}` decides nothing, such as statistics: states that differ only there are one"
            ),
        })
    }
}

/// The number of a node: of `n3`, 3.
fn node_number(node: &str) -> Option<u32> {
    node.strip_prefix('n')?.parse().ok()
}

/// The code that reads a field of a node in a world, where the path says it all.
fn in_world(path: &str) -> Option<String> {
    let (node, rest) = match path.split_once('.') {
        Some((node, field)) => (node, format!(".{field}")),
        None => (path, String::new()),
    };
    let dereference = if rest.is_empty() { "*" } else { "" };
    Some(format!("{dereference}world.node(NodeId({})){rest}", node_number(node)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(quantity: Quantity, cause: Option<&str>) -> Growth {
        let cause = cause.map(str::to_owned);
        let (most, is_read_by_fields) = (14, true);
        let (depth, more, every, kind) = (9, 2, 3, None);
        let trend = Trend { quantity, most, depth, more, every, kind, cause, is_read_by_fields };
        Growth { depth: 9, states: 100, is_judged: true, trends: vec![trend] }
    }

    fn packets() -> Quantity {
        Quantity::Packets { from: "n0".to_owned(), to: "n1".to_owned() }
    }

    fn how(growth: &Growth, around: &Surroundings, tool: &Tool) -> Vec<String> {
        growth.remedies(around, tool, Some(9)).into_iter().map(|remedy| remedy.how).collect()
    }

    #[test]
    fn packets_are_bounded_by_mailboxes_prunings_and_depth() {
        let around = Surroundings { could_have_mailboxes: true, ..Surroundings::default() };
        let grown = growth(packets(), Some("timer@0:Resend"));
        let prune = ".prune(\"more than 7\", |world| world.packets().filter(|it| (it.from, it.to) == (NodeId(0), NodeId(1))).count() > 7)";
        assert_eq!(
            how(&grown, &around, &Tool::Test),
            [".network(NetworkKind::inbox(4))", prune, ".max_depth(9)"]
        );
        let parameter = Some("network".to_owned());
        let around = Surroundings { network_parameter: parameter, ..around };
        let tool = Tool::Command("everypath check arq".to_owned());
        assert_eq!(how(&grown, &around, &tool)[0], "everypath check arq --set network=inbox:4");
    }

    #[test]
    fn faults_that_make_it_grow_get_a_budget() {
        let duplication =
            FaultBudget { event: "duplicate", method: "duplication", times: None, parameter: None };
        let around = Surroundings { faults: vec![duplication], ..Surroundings::default() };
        let grown = growth(packets(), Some("duplicate@1:Data"));
        assert_eq!(how(&grown, &around, &Tool::Test)[0], ".duplication(Budget::AtMost(2))");
        let of_timers = growth(packets(), Some("timer@1"));
        assert!(how(&of_timers, &around, &Tool::Test)[0].starts_with(".prune"));
    }

    #[test]
    fn fields_are_read_as_code_where_the_path_allows_it() {
        let number = |path: &str| growth(Quantity::Number { path: path.to_owned() }, None);
        let first = |path| how(&number(path), &Surroundings::default(), &Tool::Test).remove(0);
        assert_eq!(
            first("n2.next_id"),
            ".prune(\"more than 7\", |world| world.node(NodeId(2)).next_id > 7)"
        );
        assert_eq!(first("n2"), ".prune(\"more than 7\", |world| *world.node(NodeId(2)) > 7)");
        assert_eq!(first("reads"), ".max_depth(9)", "an observer is no node");
    }

    #[test]
    fn what_is_within_a_list_can_be_ignored_with_it() {
        let mut grown = growth(Quantity::Number { path: "n2.log[…].term".to_owned() }, None);
        grown.trends[0].is_read_by_fields = false;
        assert_eq!(
            how(&grown, &Surroundings::default(), &Tool::Test),
            ["log: Ignored<…>", ".max_depth(9)"]
        );
    }
}
