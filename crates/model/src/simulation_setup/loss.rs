//! Packet loss of a link.

/// Packet loss of a link, in one direction. A number is a [probability](Self::Independent):
///
/// ```
/// use everypath_model::{LinkModel, Loss};
///
/// let link = LinkModel::default().loss(0.1);
/// assert_eq!(link.loss, Loss::Independent(0.1));
/// let link = LinkModel::default().loss(Loss::in_bursts(0.1, 5.0));
/// assert!((link.loss.mean() - 0.1).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// Each packet with this probability, independently of others.
    Independent(f64),
    /// Losses in bursts.
    Bursts(Bursts),
}

/// Losses in bursts, after Gilbert and Elliott: a link is in a good or a bad state, each with its
/// own loss probability. The state can change after each packet. It is in its steady state from the
/// start.
///
/// ```
/// use everypath_model::Bursts;
///
/// // One packet in ten finds the link in its bad state, where half of the packets are lost.
/// let fading = Bursts { good_loss: 0.0, bad_loss: 0.5, to_bad: 0.01, to_good: 0.09 };
/// assert!((fading.bad_share() - 0.1).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bursts {
    /// The probability that a packet is lost in the good state.
    pub good_loss: f64,
    /// The probability that a packet is lost in the bad state.
    pub bad_loss: f64,
    /// The probability that the good state turns bad, after each packet.
    pub to_bad: f64,
    /// The probability that the bad state turns good, after each packet.
    pub to_good: f64,
}

impl Loss {
    /// No loss.
    pub const NONE: Self = Self::Independent(0.0);

    /// Bursts in which every packet is lost, and none between them, after Gilbert: `share` of all
    /// packets in the long run, in bursts of `length` packets on average.
    #[must_use]
    pub fn in_bursts(share: f64, length: f64) -> Self {
        let to_good = 1.0 / length;
        let to_bad = to_good * share / (1.0 - share);
        Self::Bursts(Bursts { good_loss: 0.0, bad_loss: 1.0, to_bad, to_good })
    }

    /// The share of lost packets in the long run.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self {
            Self::Independent(probability) => *probability,
            Self::Bursts(bursts) => {
                let bad = bursts.bad_share();
                (1.0 - bad) * bursts.good_loss + bad * bursts.bad_loss
            }
        }
    }

    /// All its probabilities.
    pub(crate) fn probabilities(&self) -> Vec<f64> {
        match *self {
            Self::Independent(probability) => vec![probability],
            Self::Bursts(Bursts { good_loss, bad_loss, to_bad, to_good }) => {
                vec![good_loss, bad_loss, to_bad, to_good]
            }
        }
    }

    /// Whether its state never changes.
    pub(crate) fn is_stuck(&self) -> bool {
        matches!(self, Self::Bursts(bursts) if bursts.to_bad == 0.0 && bursts.to_good == 0.0)
    }
}

impl Bursts {
    /// The probability of the bad state, in the long run.
    #[must_use]
    pub fn bad_share(&self) -> f64 {
        self.to_bad / (self.to_bad + self.to_good)
    }
}

impl From<f64> for Loss {
    fn from(probability: f64) -> Self {
        Self::Independent(probability)
    }
}
