//! Drawings as PNG.

use std::sync::{Arc, LazyLock};

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb},
};
use thiserror::Error;

/// Pixels for each unit of a drawing: sharp on paper, too.
const SCALE: f32 = 2.0;

/// The error of drawing a PNG.
///
/// ```
/// use everypath_plot::{PngError, to_png};
///
/// // On a machine without fonts, that is reported first.
/// let error = to_png("not a drawing").unwrap_err();
/// assert!(matches!(error, PngError::Drawing(_) | PngError::NoFonts));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PngError {
    /// Text would be missing.
    #[error("no fonts are installed, so a PNG would have no text; install some, or use the SVG")]
    NoFonts,
    /// It cannot be read or is too large.
    #[error("a drawing cannot be turned into pixels: {0}")]
    Drawing(String),
}

/// Those of the machine. To look for them takes longer than to draw.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_system_fonts();
    Arc::new(fonts)
});

/// Whether there can be text in a PNG.
///
/// ```
/// use everypath_plot::{PngError, ensure_fonts};
///
/// if let Err(PngError::NoFonts) = ensure_fonts() {
///     println!("there is only the SVG");
/// }
/// ```
///
/// # Errors
/// If no fonts are installed.
pub fn ensure_fonts() -> Result<(), PngError> {
    if FONTS.is_empty() { Err(PngError::NoFonts) } else { Ok(()) }
}

/// A drawing of this crate as a PNG, in its light colours. It looks as the fonts of the machine do: unlike
/// the SVG it is not the same everywhere.
///
/// ```
/// use everypath_plot::{ensure_fonts, to_png};
///
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><rect width="3" height="2"/></svg>"#;
/// if ensure_fonts().is_ok() {
///     assert!(to_png(svg).unwrap().starts_with(b"\x89PNG"));
/// }
/// ```
///
/// # Errors
/// If there are no fonts, or it is no drawing.
pub fn to_png(svg: &str) -> Result<Vec<u8>, PngError> {
    ensure_fonts()?;
    let options = Options { fontdb: Arc::clone(&FONTS), ..Options::default() };
    let drawing = |error: &dyn ToString| PngError::Drawing(error.to_string());
    let tree = Tree::from_str(svg, &options).map_err(|error| drawing(&error))?;
    let size = tree.size().to_int_size().scale_by(SCALE);
    let size = size.ok_or_else(|| drawing(&"it has no size"))?;
    let pixels = Pixmap::new(size.width(), size.height());
    let mut pixels = pixels.ok_or_else(|| drawing(&"it is too large"))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| drawing(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_becomes_pixels() {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><rect width="3" height="2" fill="#2457c5"/></svg>"##;
        let png = match to_png(svg) {
            // A machine without fonts draws nothing, and says so.
            Err(PngError::NoFonts) => return assert!(FONTS.is_empty()),
            png => png.unwrap(),
        };
        let pixels = Pixmap::decode_png(&png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (6, 4));
        let [pixel, ..] = pixels.pixels() else { panic!("there are pixels") };
        assert_eq!((pixel.red(), pixel.green(), pixel.blue()), (0x24, 0x57, 0xc5));
    }

    #[test]
    fn what_is_no_drawing_is_refused() {
        assert!(to_png("<html/>").is_err());
        assert!(to_png("").is_err());
    }
}
