//! Files that are written whole or not at all.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

/// Writes a file under a temporary name beside its place and then moves it there: a reader sees
/// the old file or the new one, never a part.
///
/// # Errors
/// If the file cannot be written; what was there before is then still there.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    stream_atomically(path, |out| out.write_all(content)).map(drop)
}

/// Like [`write_atomically`], for content that is made while it is written; how many bytes it has.
pub(crate) fn stream_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<u64> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    let mut out = BufWriter::new(&mut file);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    file.as_file().sync_all()?;
    let bytes = file.as_file().metadata()?.len();
    #[cfg(unix)]
    {
        use std::{fs, os::unix::fs::PermissionsExt};
        // A temporary file is private; a result is as readable as any other file.
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(bytes)
}
