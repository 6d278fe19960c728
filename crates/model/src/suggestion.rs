//! What to do about a name that nothing has.

use crate::nearest;

/// What to do about a name that nothing has: the one that was probably meant, or all there are.
///
/// ```
/// use everypath_model::did_you_mean;
///
/// assert_eq!(did_you_mean("arc", ["arq", "token-ring"]), "did you mean `arq`?");
/// assert_eq!(did_you_mean("zebra", ["arq", "token-ring"]), "there are: arq, token-ring");
/// ```
pub fn did_you_mean<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> String {
    let known = known.into_iter();
    match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", known.collect::<Vec<_>>().join(", ")),
    }
}
