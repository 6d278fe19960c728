//! All integration tests of this crate, in one binary: one link instead of one per file.

mod aodv_router;
mod diffusion_node;
mod distance_vector_router;
mod explored;
mod explored_aodv;
mod explored_diffusion;
mod explored_distance_vector;
mod golden_aodv;
mod golden_arq;
mod golden_diffusion;
mod golden_icfem;
mod golden_memocode;
mod golden_route_discovery;
mod golden_route_discovery_instances;
mod golden_route_discovery_reduced;
mod handover;
mod incremental;
mod manet;
mod ns3;
mod reference;
mod route_discovery_node;
mod simulated_aodv;
mod simulated_arq;
mod simulated_diffusion;
mod simulated_distance_vector;
mod simulated_route_discovery;
mod simulated_sensing;
#[path = "published/thesis.rs"]
mod thesis;
#[path = "../../cli/src/reproduce/thesis/published.rs"]
#[expect(dead_code, reason = "`reproduce` compares the others")]
mod thesis_numbers;
#[path = "../../cli/src/reproduce/thesis/runs.rs"]
#[expect(dead_code, reason = "`reproduce` compares the others")]
mod thesis_runs;
mod transcripts;
#[path = "../../sim/tests/validation/mod.rs"]
mod validation;
