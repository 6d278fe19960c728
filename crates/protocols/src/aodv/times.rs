//! Durations and distances: the parameters of RFC 3561, section 10.

use std::time::Duration;

/// Durations and distances. An exploration uses only the distances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// The lifetime of an unused route.
    pub active_route_timeout: Duration,
    /// The lifetime of a route that a destination offers.
    pub my_route_timeout: Duration,
    /// The interval between hellos.
    pub hello_interval: Duration,
    /// The number of missing hellos after which a neighbour is gone.
    pub allowed_hello_loss: u32,
    /// A generous bound on the time of one hop.
    pub node_traversal_time: Duration,
    /// The largest number of hops between two nodes.
    pub net_diameter: u8,
    /// The hops of the first request.
    pub ttl_start: u8,
    /// The additional hops of each next request.
    pub ttl_increment: u8,
    /// The hops beyond which a request floods the whole network.
    pub ttl_threshold: u8,
    /// The additional hops for which a node waits for an answer.
    pub timeout_buffer: u32,
    /// How long an invalid route is kept, and how long a rebooted node is quiet.
    pub delete_period: Duration,
    /// The largest number of packets that wait for a route.
    pub buffer_packets: usize,
    /// How long each of them waits at most; with `None`, as long as the search lasts.
    pub buffer_time: Option<Duration>,
    /// The largest jitter of broadcasts and announcements, which the standard does not require.
    pub jitter: Duration,
    /// The additional hops of a repair.
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
    /// J-Sim's values: it waits 1.5 times as long for hellos.
    #[must_use]
    pub fn jsim() -> Self {
        Self { allowed_hello_loss: 3, ..Self::default() }
    }

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

    /// The time to traverse the network and back.
    #[must_use]
    pub fn net_traversal_time(&self) -> Duration {
        2 * self.node_traversal_time * u32::from(self.net_diameter)
    }

    /// How long a request is remembered.
    #[must_use]
    pub fn path_discovery_time(&self) -> Duration {
        2 * self.net_traversal_time()
    }

    /// How long to wait for the answer to a request of this many hops.
    #[must_use]
    pub fn ring_traversal_time(&self, ttl: u8) -> Duration {
        if ttl >= self.net_diameter {
            self.net_traversal_time()
        } else {
            2 * self.node_traversal_time * (u32::from(ttl) + self.timeout_buffer)
        }
    }

    /// The least lifetime of a reverse route after this many hops.
    #[must_use]
    pub fn reverse_route_life(&self, hops: u8) -> Duration {
        self.path_discovery_time().saturating_sub(2 * self.node_traversal_time * u32::from(hops))
    }

    /// The longest silence of a neighbour.
    #[must_use]
    pub fn neighbour_timeout(&self) -> Duration {
        self.hello_interval * self.allowed_hello_loss
    }

    /// How long to wait for the acknowledgement of a reply.
    #[must_use]
    pub fn next_hop_wait(&self) -> Duration {
        self.node_traversal_time + Duration::from_millis(10)
    }

    /// How long requests of a neighbour are ignored after an undeliverable reply, given the number
    /// of retries.
    #[must_use]
    pub fn blacklist_timeout(&self, retries: u8) -> Duration {
        u32::from(retries) * self.net_traversal_time()
    }

    /// The largest distance of a destination for which a node repairs a route.
    #[must_use]
    pub fn max_repair_ttl(&self) -> u8 {
        // Multiplied by tenths, so that it does not overflow.
        self.net_diameter / 10 * 3 + self.net_diameter % 10 * 3 / 10
    }

    /// The hops of the next request, after one of this many hops had no answer.
    #[must_use]
    pub fn next_ttl(&self, ttl: u8) -> u8 {
        let next = ttl.saturating_add(self.ttl_increment);
        if next > self.ttl_threshold { self.net_diameter } else { next }
    }
}
