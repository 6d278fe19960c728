//! The limit on the memory of a search.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use crate::{arguments::values::MemoryBound, output::numbers::size};

/// The limit on memory, and its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryLimit {
    /// No limit.
    None,
    /// The user's limit.
    Given(u64),
    /// A share of the installed memory.
    Default(Installed),
}

/// The installed memory, and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Installed {
    bytes: u64,
    owner: &'static str,
}

impl MemoryLimit {
    /// The limit for a value of `--max-memory`, or without one.
    pub(crate) fn of(said: Option<MemoryBound>) -> Self {
        match said {
            Some(MemoryBound::None) => Self::None,
            Some(MemoryBound::AtMost(bytes)) => Self::Given(bytes),
            None => default_limit(),
        }
    }

    pub(crate) fn bytes(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Given(bytes) => Some(bytes),
            // Three quarters: the rest is for other processes.
            Self::Default(installed) => Some(installed.bytes / 4 * 3),
        }
    }

    /// The user's limit, if there is one.
    pub(crate) fn given_bytes(self) -> Option<u64> {
        match self {
            Self::Given(bytes) => Some(bytes),
            Self::None | Self::Default(_) => None,
        }
    }

    /// Its name in reports of a search that reached it.
    pub(crate) fn name(self) -> String {
        match self {
            Self::None | Self::Given(_) => "--max-memory".to_owned(),
            Self::Default(Installed { bytes, owner }) => format!(
                "the default memory limit ({}: three quarters of the {} of {owner}; --max-memory sets another)",
                size(self.bytes().unwrap_or(bytes)),
                size(bytes),
            ),
        }
    }
}

/// The default limit; none if the system does not say how much memory there is.
fn default_limit() -> MemoryLimit {
    static FOUND: OnceLock<MemoryLimit> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let measured = everypath_explore::memory_taken().is_some();
        let there = measured.then(|| System::default().installed()).flatten();
        there.map_or(MemoryLimit::None, MemoryLimit::Default)
    })
}

/// Where Linux reports its memory.
struct System {
    processes: PathBuf,
    groups: PathBuf,
}

impl Default for System {
    fn default() -> Self {
        Self { processes: "/proc".into(), groups: "/sys/fs/cgroup".into() }
    }
}

impl System {
    /// The memory of the machine, or of the control group, if that is less.
    fn installed(&self) -> Option<Installed> {
        let machine = self.machine().map(|bytes| Installed { bytes, owner: "this machine" });
        let group = self.group().map(|bytes| Installed { bytes, owner: "this control group" });
        machine.into_iter().chain(group).min_by_key(|installed| installed.bytes)
    }

    fn machine(&self) -> Option<u64> {
        let told = fs::read_to_string(self.processes.join("meminfo")).ok()?;
        let total = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        let kilobytes: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kilobytes.checked_mul(1024)
    }

    /// The lowest limit of the control groups of this process.
    fn group(&self) -> Option<u64> {
        let groups = fs::read_to_string(self.processes.join("self/cgroup")).ok()?;
        groups.lines().filter_map(|line| self.limit_of(line)).min()
    }

    /// The limit of a group, or of one that contains it. Its name is like `0::/user.slice`, or
    /// `9:memory:/docker/0123` in the first version of control groups.
    fn limit_of(&self, line: &str) -> Option<u64> {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, file) = match controllers {
            "" => (self.groups.clone(), "memory.max"),
            _ if controllers.split(',').any(|it| it == "memory") => {
                (self.groups.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let limit = |group: &Path| -> Option<u64> {
            let folder = root.join(group.strip_prefix("/").unwrap_or(group));
            fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()
        };
        Path::new(path).ancestors().filter_map(limit).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system that says so; files by name.
    fn told(files: &[(&str, &str)]) -> Option<Installed> {
        let root = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let [processes, groups] = ["proc", "groups"].map(|name| root.path().join(name));
        System { processes, groups }.installed()
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n");

    fn of(bytes: u64, owner: &'static str) -> Option<Installed> {
        Some(Installed { bytes, owner })
    }

    #[test]
    fn what_there_is_is_the_least_of_machine_and_groups() {
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[MACHINE]), of(16 << 30, "this machine"));
        let group = ("proc/self/cgroup", "0::/a/b\n");
        let unlimited = ("groups/a/b/memory.max", "max\n");
        assert_eq!(told(&[MACHINE, group, unlimited]), of(16 << 30, "this machine"));
        let around = ("groups/a/memory.max", "1073741824\n");
        assert_eq!(told(&[MACHINE, group, unlimited, around]), of(1 << 30, "this control group"));
        // Seen from within a container, the group's own folder is the root.
        let within = ("groups/memory.max", "2147483648\n");
        assert_eq!(told(&[MACHINE, group, within]), of(2 << 30, "this control group"));
        let first = ("proc/self/cgroup", "12:cpu:/x\n9:memory,hugetlb:/x\n");
        let limit = ("groups/memory/x/memory.limit_in_bytes", "4096\n");
        assert_eq!(told(&[MACHINE, first, limit]), of(4096, "this control group"));
        let huge = ("groups/memory/x/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(told(&[MACHINE, first, huge]), of(16 << 30, "this machine"));
    }

    #[test]
    fn a_limit_by_default_says_so() {
        let limit = MemoryLimit::Default(Installed { bytes: 24 << 30, owner: "this machine" });
        assert_eq!(limit.bytes(), Some(18 << 30));
        assert_eq!(
            limit.name(),
            "the default memory limit (18.0 GiB: three quarters of the 24.0 GiB of this machine; \
             --max-memory sets another)"
        );
        assert_eq!(MemoryLimit::of(Some(MemoryBound::None)).bytes(), None);
        assert_eq!(MemoryLimit::of(Some(MemoryBound::AtMost(7))).name(), "--max-memory");
    }
}
