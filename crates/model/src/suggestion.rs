//! Suggestions for a name that does not exist.

/// The name nearest to a mistyped one, if one is near.
///
/// ```
/// use everypath_model::nearest;
///
/// assert_eq!(nearest("arc", ["arq", "token-ring"]), Some("arq"));
/// assert_eq!(nearest("zebra", ["arq", "token-ring"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= 1 + candidate.len() / 4)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The remedy for a name that does not exist: the name that was probably meant, or all known names.
///
/// ```
/// use everypath_model::did_you_mean;
///
/// assert_eq!(did_you_mean("arc", ["arq", "token-ring"]), "did you mean `arq`?");
/// assert_eq!(did_you_mean("zebra", ["arq", "token-ring"]), "there are: arq, token-ring");
/// assert_eq!(did_you_mean("zebra", []), "there are none");
/// ```
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    }
}
