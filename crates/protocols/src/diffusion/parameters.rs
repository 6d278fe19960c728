//! Rules as parameters: a preset, and each rule by itself.

use everypath_model::Parameters;

use super::{Identity, Preference, Preset, Rules, Suppression};

/// The rules that the parameters ask for: those of a preset, but for what is given by itself.
///
/// If they are to be `plain`, what matters only to several sinks, or over time, is left out: sinks
/// relay nothing, and an interest that is known is not passed on again.
pub(super) fn rules(parameters: &mut Parameters, preset: Preset, plain: bool) -> Rules {
    let preset = parameters.choice(
        "rules",
        preset,
        &Preset::WORDS,
        "whose directed diffusion it is: that of the paper, of Sobeih's thesis, or hardened; what follows changes single rules",
    );
    let mut preset = preset.rules();
    if plain {
        preset = Rules { suppression: Suppression::Known, sinks_relay: false, ..preset };
    }
    let rules = Rules {
        suppression: parameters.choice(
            "suppression",
            preset.suppression,
            &[("recent", Suppression::Recent), ("known", Suppression::Known)],
            "when interests are not passed on: for a while after it, or as long as there is a gradient (J-Sim)",
        ),
        identity: parameters.choice(
            "identity",
            preset.identity,
            &[("event", Identity::Event), ("rate", Identity::Rate)],
            "by what data are known again: by the event, or by their rate alone (J-Sim)",
        ),
        preference: parameters.choice(
            "preference",
            preset.preference,
            &[
                ("latest", Preference::Latest),
                ("oldest", Preference::Oldest),
                ("labelled", Preference::Labelled),
            ],
            "whom a node reinforces: from whom the latest event came first, from whom the oldest data came that it remembers (J-Sim), or as labels allow (hardened)",
        ),
        negative_window: window(parameters, preset.negative_window),
        sinks_relay: parameters.flag(
            "sinks-relay",
            preset.sinks_relay,
            "whether sinks pass on what they want themselves",
        ),
        refresh: parameters.flag(
            "refresh",
            preset.refresh,
            "whether sinks repeat their interests",
        ),
        sense_at_once: parameters.flag(
            "sense-at-once",
            preset.sense_at_once,
            "whether a source senses as soon as it hears of an interest",
        ),
        return_to_sender: parameters.flag(
            "return-to-sender",
            preset.return_to_sender,
            "whether data also go to the neighbour that they came from",
        ),
        flooding: preset.flooding,
    };
    if rules.preference == Preference::Labelled && rules.identity == Identity::Rate {
        let reason = "labels go by numbers of events, which data known by their rate lack; use identity=event";
        parameters.reject("preference", reason);
    }
    rules
}

/// After how many events a neighbour is negatively reinforced.
fn window(parameters: &mut Parameters, default: Option<u8>) -> Option<u8> {
    let words = [
        ("off", None),
        ("1", Some(1)),
        ("2", Some(2)),
        ("3", Some(3)),
        ("5", Some(5)),
        ("10", Some(10)),
    ];
    parameters.choice(
        "negative-window",
        default,
        &words,
        "after how many events that came first from others a neighbour is reinforced negatively",
    )
}
