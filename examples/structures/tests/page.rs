//! Every command of `docs/structures.md` prints what the page shows, but for times, rates and memory.

#[path = "../../../tests/transcript/mod.rs"]
mod transcript;

use std::path::Path;

use tempfile::TempDir;
use transcript::Page;

#[test]
fn the_page_shows_what_is_printed() {
    let page = Page {
        path: &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/structures.md"),
        name: "structures",
        program: env!("CARGO_BIN_EXE_structures"),
        is_printed: |_| true,
    };
    page.run_in(TempDir::new().unwrap().path(), 4);
}
