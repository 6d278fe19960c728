//! Who can receive a packet now, where the scenario says it: asked once for each distinct slot of
//! the sender and packet.

use everypath_explore::StateId;
use everypath_model::{
    EventKind, Ignored, NodeId, Protocol,
    panics::{self, Panic},
};

use crate::{
    NetworkSpace,
    expand::EventName,
    groups::{Effect, Gate},
    networks::NO_OUTPUT,
    nodes::{Breakage, Slot},
    space::unpack,
};

impl<P: Protocol> NetworkSpace<'_, P> {
    /// One effect for each outcome of a packet's delivery at each node that can receive it.
    pub(crate) fn late_delivery_effects(
        &mut self,
        state: StateId,
        packet: u32,
        deliveries: &mut Vec<Effect>,
    ) {
        let (tuple, _) = unpack(state);
        match self.receivers_of(tuple, packet).map(<[usize]>::to_vec) {
            Ok(receivers) => {
                for node in receivers {
                    self.delivery_effects(state, node, packet, deliveries);
                }
            }
            Err(broken) => {
                // An arrival that is the sender's undoing: so the failure is found on a run.
                let (from, to) = (self.packet(packet).from, self.packet(packet).to);
                let node = to.index();
                let name = EventName { kind: EventKind::Deliver, node, branch: 0, which: packet };
                let gate = self.gate(state, name);
                if gate != Gate::Shut {
                    deliveries.push(Effect {
                        event: name.pack(),
                        tuple: self.tuples.replace(tuple, from.index(), broken),
                        output: self.output_of(state, name, None, NO_OUTPUT),
                        gate,
                    });
                }
            }
        }
    }

    /// Whether a node can receive a packet in states with this tuple.
    pub(crate) fn can_receive(&mut self, tuple: u32, node: usize, packet: u32) -> bool {
        self.receivers_of(tuple, packet).is_ok_and(|receivers| receivers.contains(&node))
    }

    /// Who can receive a packet in states with this tuple, in order; if that cannot be told, the
    /// broken slot of its sender.
    fn receivers_of(&mut self, tuple: u32, packet: u32) -> Result<&[usize], u32> {
        let sender = self.packet(packet).from.index();
        let key = (self.tuples.slot(tuple, sender), packet);
        if !self.nodes[sender].receivers.contains_key(&key) {
            let receivers = self.ask_for_receivers(sender, key);
            self.nodes[sender].receivers.insert(key, receivers);
        }
        self.nodes[sender].receivers[&key].as_deref().map_err(|&broken| broken)
    }

    /// Asks the scenario who can receive a packet while its sender is in this slot.
    pub(crate) fn ask_for_receivers(
        &mut self,
        sender: usize,
        (slot, packet): (u32, u32),
    ) -> Result<Vec<usize>, u32> {
        let answer = self.answer(sender, slot, packet);
        let again = self.options.verify_determinism.then(|| self.answer(sender, slot, packet));
        let breakage = match (answer, again) {
            (Ok(one), Some(Ok(other))) if one != other => {
                let what = self.describe_packet(packet);
                let what =
                    format!("{what} can be received by {one:?}, and when asked again by {other:?}");
                Breakage::Nondeterministic { what: Ignored(what) }
            }
            (Err(panic), _) | (Ok(_), Some(Err(panic))) => {
                let what = self.describe_packet(packet);
                let message = format!("while asking who receives {what}: {}", panic.message);
                Panic { message, ..panic }.into()
            }
            (Ok(receivers), _) => return Ok(receivers),
        };
        Err(self.intern_slot(sender, Slot::Broken(breakage)))
    }

    fn answer(&self, sender: usize, slot: u32, packet: u32) -> Result<Vec<usize>, Panic> {
        let receivers = self.scenario.receivers.as_ref().expect("the scenario says who receives");
        let Slot::Running { state, .. } = self.nodes[sender].slot(slot) else {
            unreachable!("where a node is broken nothing is received");
        };
        let packet = self.packet(packet);
        let mut answer = panics::catch(|| receivers(state, packet))?;
        answer.sort_unstable();
        answer.dedup();
        match answer.iter().find(|node| node.index() >= self.nodes.len()) {
            Some(stranger) => {
                let message = format!("the answer names {stranger}, which does not exist");
                Err(Panic { message, place: None })
            }
            None => Ok(answer.into_iter().map(|node| node.index()).collect()),
        }
    }

    /// A packet in words.
    pub(crate) fn describe_packet(&self, packet: u32) -> String {
        let packet = self.packet(packet);
        let name = |node: NodeId| self.name_of(node.index());
        format!("{:?} from {} to {}", packet.message, name(packet.from), name(packet.to))
    }
}
