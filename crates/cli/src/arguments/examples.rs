//! The examples below `--help`.

/// The examples under `--help`, for a program and one of its scenarios.
pub(super) fn examples(program: &str, scenario: &str) -> String {
    format!(
        "\
Examples:
  {program} list
  {program} show {scenario}
  {program} check {scenario}
  {program} watch {scenario}
  {program} compare {scenario}
  {program} simulate {scenario}
  {program} replay {scenario}.trace.json

Exit codes:
  0  nothing was found, and the bound was fully explored
  1  a violation was found, or a goal cannot be reached
  2  wrong usage or bad input
  3  nothing was found, but not everything was explored: stopped by a limit or by the user,
     a search that skips states (beam, walk, bitstate), or a goal that was not reached
     and may lie beyond --max-depth or behind a pruned state
  4  with --strict: nothing was found, but the check says less than it seems to"
    )
}

pub(super) fn check_examples(program: &str, scenario: &str) -> String {
    format!(
        "\
Examples:
  {program} check {scenario}
  {program} check {scenario} --set KEY=VALUE --max-depth 20 --show-states
  {program} check {scenario} --max-depth none --max-states 1000000 --workers 4
  {program} check {scenario} --max-depth none --why-large
  {program} check {scenario} --trace run.trace.json --chart run.svg --chart run.html
  {program} check {scenario} --max-depth 4 --space space.svg
  {program} check {scenario} --each-assertion --verify-determinism --strict
  {program} check {scenario} --keep-going --stats --json --trust-handlers
  {program} check {scenario} --require deliver@1 --disable deliver@0:TEXT --deadlock
  {program} check {scenario} --strategy best --ranking NAME,novelty --ties shuffled --add current
  {program} check {scenario} --strategy best --ranking learnt --learn-from before.trace.json
  {program} check {scenario} --strategy biased --shuffle 7 --seed 3
  {program} check {scenario} --strategy dfs --max-depth 20 --no-shrink --as-test
  {program} check {scenario} --strategy beam --width 500
  {program} check {scenario} --strategy walk --walks 1000 --max-depth 50
  {program} check {scenario} --store bitstate --bitstate-memory 256M --bitstate-hashes 4
  {program} check {scenario} --relation NAME --verify-relation=10 --verify-ignored
  {program} check {scenario} --engine plain --max-depth 8
  {program} check {scenario} --cross-check --max-depth 8
  {program} check {scenario} --max-late 50ms
  {program} check {scenario} --timers ordered --max-depth 8
  {program} check {scenario} --timed --time-unit 1ms --max-depth 8
  {program} check {scenario} --reduce REDUCTION
  {program} check {scenario} --native cached --native-nodes 1000
  {program} check {scenario} --profile thesis --keep-going
  {program} check {scenario} --from-simulation 2.5s --simulation-seed 7 --replication 3
  {program} check {scenario} --memo run.memo --verify-reuse
  {program} check {scenario} --memo run.memo --renew-memo
  {program} check {scenario} --memo run.memo --modified '*'
  {program} check {scenario} --memo run.memo --unmodified '*' --verify-reuse
  {program} check {scenario} --regressions regressions --neighbourhood 2
  {program} check {scenario} --graph run.graph --graph-use both
  {program} check {scenario} --max-depth 6 --every-event
  {program} check {scenario} --max-time 8h --max-memory 4G --checkpoint run.checkpoint
  {program} check {scenario} --resume run.checkpoint --checkpoint run.checkpoint --checkpoint-every 5m
  {program} check {scenario} --cut depth:3 --parts 4 --share 1/2 --part run.part-1 --jobs 2 --no-union
  {program} check {scenario} --cut depth:3 --parts 4 --share 2/2 --part run.part-2 --no-union
  {program} check --merge run.part-1 run.part-2 --instances
  {program} check {scenario} --cut depth:2 --parts 4 --instance 1 --first
  {program} check {scenario} --starts NAME"
    )
}

pub(super) fn watch_examples(program: &str, scenario: &str) -> String {
    format!(
        "\
Checks now, and again after every build of this program (`cargo build`, in another window), with
all options of `check`. Results of handlers are kept in a memo (default SCENARIO.memo), and
counterexamples in a folder (default SCENARIO.regressions). Ends with Ctrl-C (or SIGTERM, SIGHUP),
and with the exit code of the last check.

Examples:
  {program} watch {scenario}
  {program} watch {scenario} --max-depth 20 --memo run.memo
  {program} watch {scenario} --versions 1 --json"
    )
}

pub(super) fn compare_examples(program: &str, scenario: &str) -> String {
    format!(
        "\
A SEARCH is a strategy of `check` with its options: STRATEGY[:RANKING[+RANKING…]][/OPTION=VALUE…].
  best:NAME+novelty        best-first by the ranking NAME; novelty breaks ties
  best:each                best-first by each ranking of the scenario, and by novelty
  beam:NAME/width=500      with an option of `check`; /shuffle shuffles by each of the --seeds

Limits apply to each run. Only the memory limit applies to the whole program: its runs share it.

Examples:
  {program} compare {scenario}
  {program} compare {scenario} --strategies bfs,dfs,best:each --shuffle --seeds 1-20 --max-depth 10
  {program} compare {scenario} --strategies dfs-r/add=next,best:NAME --profile thesis
  {program} compare {scenario} --strategies best:NAME --add next,current --ties newest
  {program} compare {scenario} --strategies bfs/relation=equal,walk/walks=100,dfs/shuffle --seeds 3,5,7
  {program} compare {scenario} --strategies bfs,best:learnt --learn-from before.trace.json --shuffle
  {program} compare {scenario} --relation equal --repeat 5 --jobs 2 --max-time 10m --max-memory 4G
  {program} compare {scenario} --max-depth none --max-states 1000000 --set KEY=VALUE --keep-going
  {program} compare {scenario} --require deliver@1 --disable deliver@0:TEXT --deadlock
  {program} compare {scenario} --each-assertion --verify-determinism
  {program} compare {scenario} --max-depth 6 --every-event
  {program} compare {scenario} --plot compared.svg --plot-of events,states
  {program} compare {scenario} --strategies bfs,dfs --shuffle --against bfs --confidence 0.99
  {program} compare {scenario} --strategies bfs,dfs-r --shuffle --stats
  {program} compare {scenario} --no-time --json
  {program} compare {scenario} --no-time --csv --trust-handlers

Exit codes:
  0  every run finished, whatever it found
  2  wrong usage or bad input
  3  some runs were stopped, by a limit or by the user"
    )
}

pub(super) fn simulate_examples(program: &str, scenario: &str) -> String {
    format!(
        "\
Examples:
  {program} simulate {scenario}
  {program} simulate {scenario} --set KEY=VALUE --seed 7 --replications 30
  {program} simulate {scenario} --duration 20ms --replications 1 --log
  {program} simulate {scenario} --event-log run.jsonl
  {program} simulate {scenario} --plot pictures --plot-at 1s --report run.html
  {program} simulate {scenario} --warm-up 1s --workers 2 --precision 0.02
  {program} simulate {scenario} --warm-up mser5 --precision 0.05 --of MEASURE
  {program} simulate {scenario} --set KEY=VALUE --versus KEY=OTHER
  {program} simulate {scenario} --assert --replications 1000
  {program} simulate {scenario} --first 17 --replications 1 --assert --log
  {program} simulate {scenario} --probability violated
  {program} simulate {scenario} --probability violated --at-most 0.01
  {program} simulate {scenario} --probability 'MEASURE > 0.5' --at-least 0.9 --indifference 0.02
  {program} simulate {scenario} --probability violated --at-most 0.1 --alpha 0.01 --beta 0.01
  {program} simulate {scenario} --out results --workers 2
  {program} simulate {scenario} --no-time --json
  {program} simulate --replay {scenario}.trace.json --log --report run.html

Exit codes:
  0  all runs finished; the claim of --at-most or --at-least was accepted
  1  a handler panicked; with --assert or --replay, an assertion was violated; the claim was refuted
  2  wrong usage or bad input
  3  stopped by the user; --precision was not reached; the claim is undecided"
    )
}
