//! A space in a checkpoint: how each state was first reached. Its values are made again.

use std::io::{self, Read, Write};

use everypath_explore::{Described, Mismatch, Saved, StateId};
use everypath_model::panics;

use super::{DriverSpace, Path, states::Origin};

/// A call that did not fail; otherwise, which assertion it violates.
const FINE: u32 = u32::MAX;

fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

fn number<const N: usize>(input: &mut dyn Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn short(input: &mut dyn Read) -> io::Result<u32> {
    Ok(u32::from_le_bytes(number(input)?))
}

fn long(input: &mut dyn Read) -> io::Result<u64> {
    Ok(u64::from_le_bytes(number(input)?))
}

impl<T: 'static, M: 'static> DriverSpace<'_, T, M> {
    /// The facts that must be equal: all calls, and what is asserted.
    fn identity(&self) -> Vec<(String, String)> {
        let calls = self.states.events().iter().map(|&event| self.machine.sentence(event));
        let enabled = calls.zip(&self.disabled).filter(|(_, off)| !**off).map(|(call, _)| call);
        vec![
            ("calls".to_owned(), enabled.collect::<Vec<_>>().join("; ")),
            ("assertions".to_owned(), self.assertions.join("; ")),
            ("first state".to_owned(), format!("{:016x}", self.digest(StateId(0)))),
        ]
    }

    /// Makes the call by which a state was first reached.
    fn remake(&mut self, path: &mut Path<T, M>, origin: Origin, failed: u32) -> io::Result<()> {
        let Origin { parent, event, .. } = origin;
        let known = (parent as usize) < self.states.len();
        let call = self.states.events().get(event as usize).copied();
        let (true, Some(call)) = (known && !self.states.is_failed(parent), call) else {
            return Err(invalid("a state was reached by a call that does not exist"));
        };
        if failed != FINE {
            if failed as usize >= self.assertions.len() {
                return Err(invalid("a state violates an assertion that does not exist"));
            }
            self.failed(parent, event, failed as usize, None);
            return Ok(());
        }
        let Self { machine, states, values, models, .. } = self;
        let machine = *machine;
        let made = panics::catch(|| {
            let native = path.reach(machine, states, parent);
            let mut native = machine.another(native, states, parent);
            machine.run(&mut native, call);
            let value = values.number(&native.value);
            let model = models.as_mut().map_or(0, |models| models.number(&native.model));
            (native, value, model)
        });
        let other = || invalid("a call that was saved now does something else");
        let (native, value, model) = made.map_err(|_| other())?;
        match self.states.intern((parent, event), value, model) {
            (state, true) => {
                self.judge_and_keep(state, native);
                Ok(())
            }
            (_, false) => Err(other()),
        }
    }
}

impl<T: 'static, M: 'static> Saved for DriverSpace<'_, T, M> {
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let identity = serde_json::to_vec(&self.identity())?;
        out.write_all(&(identity.len() as u64).to_le_bytes())?;
        out.write_all(&identity)?;
        for counter in [self.executions, self.verified, self.states.len() as u64] {
            out.write_all(&counter.to_le_bytes())?;
        }
        for (state, origin) in (0_u32..).zip(self.states.origins()).skip(1) {
            let failed = match self.states.is_failed(state) {
                true => self.verdicts.get(&state).map_or(FINE, |bits| bits.trailing_zeros()),
                false => FINE,
            };
            for part in [origin.parent, origin.event, failed] {
                out.write_all(&part.to_le_bytes())?;
            }
        }
        Ok(())
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let length = long(input)?;
        let mut saved = Vec::new();
        input.take(length).read_to_end(&mut saved)?;
        let saved: Vec<(String, String)> =
            serde_json::from_slice(&saved).map_err(|error| invalid(error.to_string()))?;
        if let Some(mismatch) = Mismatch::between(&saved, &self.identity()) {
            return Err(io::Error::other(mismatch));
        }
        (self.executions, self.verified) = (long(input)?, long(input)?);
        let states = long(input)?;
        let mut path = Path::default();
        for _ in 1..states {
            let (parent, event, failed) = (short(input)?, short(input)?, short(input)?);
            let origin = Origin { parent, event, value: 0, model: 0 };
            self.remake(&mut path, origin, failed)?;
        }
        Ok(())
    }
}
