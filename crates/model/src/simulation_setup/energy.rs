//! Energy: the batteries of nodes, and what their radios take from them.

use super::FieldError;

/// The power of a node's radio and the charge of its battery. A node whose battery is empty is off
/// for good: it neither transmits nor receives, and gets no timers and commands.
///
/// A node receives, and uses energy for it, while any frame is in the air within range; several at
/// once cost as much as one. A node that transmits uses energy for that alone.
///
/// ```
/// use everypath_model::Energy;
///
/// let two_cells = Energy::default().initial_j(2.0 * 9000.0);
/// assert_eq!((two_cells.transmit_w, two_cells.receive_w, two_cells.idle_w), (0.66, 0.395, 0.035));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Energy {
    /// Power while transmitting, in watts.
    pub transmit_w: f64,
    /// Power while receiving.
    pub receive_w: f64,
    /// Power while idle.
    pub idle_w: f64,
    /// Charge at the start, in joules; may be infinite.
    pub initial_j: f64,
}

impl Default for Energy {
    /// The radio of the directed diffusion experiments, 0.66 W, 0.395 W and 0.035 W, and a battery that
    /// never runs empty.
    fn default() -> Self {
        Self { transmit_w: 0.66, receive_w: 0.395, idle_w: 0.035, initial_j: f64::INFINITY }
    }
}

crate::setters!(Energy { transmit_w: f64, receive_w: f64, idle_w: f64, initial_j: f64 });

impl Energy {
    pub(crate) fn validate(self) -> Result<(), FieldError> {
        let powers = [
            ("power to transmit", self.transmit_w),
            ("power to receive", self.receive_w),
            ("power when idle", self.idle_w),
        ];
        for (name, value) in powers {
            if !(value.is_finite() && value >= 0.0) {
                let (value, expected) = (format!("{value} W"), "finite and not negative");
                return Err(FieldError::Energy { name, value, expected });
            }
        }
        if self.initial_j > 0.0 {
            return Ok(());
        }
        let value = format!("{} J", self.initial_j);
        Err(FieldError::Energy { name: "initial charge", value, expected: "positive" })
    }
}
