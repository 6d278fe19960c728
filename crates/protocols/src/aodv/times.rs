//! How long things take: the parameters of RFC 3561, section 10.

use std::time::Duration;

/// The durations and distances that a simulation needs. An exploration knows no time, but distances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// How long a route lasts that is not used.
    pub active_route_timeout: Duration,
    /// How long a destination promises that a route to it lasts.
    pub my_route_timeout: Duration,
    /// How often a node says hello.
    pub hello_interval: Duration,
    /// How many hellos may be missing before a neighbour is gone.
    pub allowed_hello_loss: u32,
    /// How long a packet takes for one hop, generously.
    pub node_traversal_time: Duration,
    /// How many hops there can be between two nodes.
    pub net_diameter: u8,
    /// How many hops a request goes at first.
    pub ttl_start: u8,
    /// How many more it goes each next time.
    pub ttl_increment: u8,
    /// Beyond how many hops it goes all the way.
    pub ttl_threshold: u8,
    /// By how many hops longer than it goes is waited for an answer.
    pub timeout_buffer: u32,
    /// How long an invalid route is remembered, and how long a rebooted node keeps quiet.
    pub delete_period: Duration,
    /// How many packets wait for a route at most.
    pub buffer_packets: usize,
    /// How long each of them waits at most; as long as the route is sought if nothing is said.
    pub buffer_time: Option<Duration>,
    /// By how much each broadcast and each announcement is delayed at most, at random. The standard
    /// does not ask for it.
    pub jitter: Duration,
    /// How many hops more than the route had a repair may go.
    pub local_add_ttl: u8,
}

impl Default for Times {
    /// The values of RFC 3561, section 10.
    fn default() -> Self {
        let active_route_timeout = Duration::from_secs(3);
        Self {
            active_route_timeout,
            my_route_timeout: 2 * active_route_timeout,
            hello_interval: Duration::from_secs(1),
            allowed_hello_loss: 2,
            node_traversal_time: Duration::from_millis(40),
            net_diameter: 35,
            ttl_start: 1,
            ttl_increment: 2,
            ttl_threshold: 7,
            timeout_buffer: 2,
            delete_period: 5 * active_route_timeout,
            buffer_packets: 64,
            buffer_time: None,
            jitter: Duration::ZERO,
            local_add_ttl: 2,
        }
    }
}

impl Times {
    /// The values of ns-3.37.
    #[must_use]
    pub fn ns3() -> Self {
        Self {
            my_route_timeout: Duration::from_millis(11_200),
            buffer_time: Some(Duration::from_secs(30)),
            jitter: Duration::from_millis(10),
            ..Self::default()
        }
    }

    /// How long a packet takes to go through the network and back.
    #[must_use]
    pub fn net_traversal_time(&self) -> Duration {
        2 * self.node_traversal_time * u32::from(self.net_diameter)
    }

    /// How long a request is remembered.
    #[must_use]
    pub fn path_discovery_time(&self) -> Duration {
        2 * self.net_traversal_time()
    }

    /// How long to wait for the answer to a request that goes so far.
    #[must_use]
    pub fn ring_traversal_time(&self, ttl: u8) -> Duration {
        if ttl >= self.net_diameter {
            self.net_traversal_time()
        } else {
            2 * self.node_traversal_time * (u32::from(ttl) + self.timeout_buffer)
        }
    }

    /// How long a route back lasts at least that a request made after so many hops.
    #[must_use]
    pub fn reverse_route_life(&self, hops: u8) -> Duration {
        self.path_discovery_time().saturating_sub(2 * self.node_traversal_time * u32::from(hops))
    }

    /// How long nothing may be heard of a neighbour.
    #[must_use]
    pub fn neighbour_timeout(&self) -> Duration {
        self.hello_interval * self.allowed_hello_loss
    }

    /// How long to wait for the acknowledgement of a reply.
    #[must_use]
    pub fn next_hop_wait(&self) -> Duration {
        self.node_traversal_time + Duration::from_millis(10)
    }

    /// How long requests of a neighbour are ignored to which a reply could not be sent, if a request
    /// is repeated so often.
    #[must_use]
    pub fn blacklist_timeout(&self, retries: u8) -> Duration {
        u32::from(retries) * self.net_traversal_time()
    }

    /// How far away a destination may be for a node on the way to repair the route to it.
    #[must_use]
    pub fn max_repair_ttl(&self) -> u8 {
        // A tenth three times, so that it fits.
        self.net_diameter / 10 * 3 + self.net_diameter % 10 * 3 / 10
    }

    /// How far a request goes after one that went so far was not answered.
    #[must_use]
    pub fn next_ttl(&self, ttl: u8) -> u8 {
        let next = ttl.saturating_add(self.ttl_increment);
        if next > self.ttl_threshold { self.net_diameter } else { next }
    }
}
