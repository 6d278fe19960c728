//! The rules of directed diffusion as parameters: a preset, and each rule by itself.

use everypath_model::Parameters;

use super::{Identity, Preference, Preset, Rules, Suppression};

/// The rules of a preset, with single parameters applied.
///
/// `plain` rules omit what matters only to several sinks, or over time: sinks relay nothing, and a
/// known interest is not forwarded again.
pub(super) fn rules(parameters: &mut Parameters, preset: Preset, plain: bool) -> Rules {
    let preset = parameters.choice(
        "rules",
        preset,
        &Preset::WORDS,
        "the directed diffusion of the paper, of Sobeih's thesis, or hardened; the parameters below change single rules",
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
            "when interests are not forwarded again: for some time, or as long as there is a gradient (J-Sim)",
        ),
        identity: parameters.choice(
            "identity",
            preset.identity,
            &[("event", Identity::Event), ("rate", Identity::Rate)],
            "how repeated data are recognised: by the event, or by their rate alone (J-Sim)",
        ),
        preference: parameters.choice(
            "preference",
            preset.preference,
            &[
                ("latest", Preference::Latest),
                ("oldest", Preference::Oldest),
                ("labelled", Preference::Labelled),
            ],
            "the neighbour that a node reinforces: the first to send the latest event, the sender of the oldest remembered data (J-Sim), or as labels allow (hardened)",
        ),
        negative_window: window(parameters, preset.negative_window),
        sinks_relay: parameters.flag(
            "sinks-relay",
            preset.sinks_relay,
            "whether sinks forward interests and data that they want themselves",
        ),
        refresh: parameters.flag(
            "refresh",
            preset.refresh,
            "whether sinks repeat their interests",
        ),
        sense_at_once: parameters.flag(
            "sense-at-once",
            preset.sense_at_once,
            "whether a source senses as soon as it gets an interest",
        ),
        return_to_sender: parameters.flag(
            "return-to-sender",
            preset.return_to_sender,
            "whether data also go to the neighbour that they came from",
        ),
        flooding: preset.flooding,
    };
    if rules.preference == Preference::Labelled && rules.identity == Identity::Rate {
        let reason =
            "labels need numbers of events, which data with identity=rate lack; use identity=event";
        parameters.reject("preference", reason);
    }
    rules
}

/// The number of late events after which a neighbour is negatively reinforced.
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
        "a neighbour is reinforced negatively after this many events that came first from others",
    )
}
