//! How much memory this process may use.

use std::fs;
use std::path::{Path, PathBuf};

/// Mebibytes that this process may use, where it can be known: the machine's, or what its control groups (containers)
/// allow.
pub(super) fn most() -> Option<usize> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let allowed = allowed(Path::new("/sys/fs/cgroup"), &groups);
    of_machine().into_iter().chain(allowed).min()
}

fn of_machine() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes >> 10)
}

/// The least that the control groups below `root` allow, of those that `groups` (`/proc/self/cgroup`) names and all above
/// them: lines `0::/PATH` of version 2, `NUMBER:memory:/PATH` of version 1. In a container the path may be one that
/// is not seen from inside; what is seen is the group itself, at the root.
fn allowed(root: &Path, groups: &str) -> Option<usize> {
    let mut least: Option<usize> = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(kinds), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = match kinds {
            "" => (root.to_owned(), "memory.max"),
            kinds if kinds.split(',').any(|kind| kind == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let mut folder: PathBuf = root.join(path.trim_start_matches('/'));
        while folder.starts_with(&root) {
            let limit = fs::read_to_string(folder.join(file)).ok();
            // `max`: no limit.
            let limit = limit.and_then(|text| text.trim().parse::<u64>().ok());
            let mebibytes = limit.and_then(|bytes| usize::try_from(bytes >> 20).ok());
            least = least.into_iter().chain(mebibytes).min();
            if !folder.pop() {
                break;
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_of_all_groups_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let allowed = |groups: &str| allowed(root.path(), groups);
        assert_eq!(allowed("0::/a/b\n"), None);
        write("a/b/memory.max", "max\n");
        assert_eq!(allowed("0::/a/b\n"), None);
        write("a/memory.max", "1073741824\n");
        write("a/b/memory.max", "2147483648\n");
        assert_eq!((allowed("0::/a/b\n"), allowed("0::/\n")), (Some(1024), None));
        write("memory/x/memory.limit_in_bytes", "536870912\n");
        assert_eq!(allowed("5:cpu,cpuacct:/x\n4:memory:/x\n0::/a\n"), Some(512));
        // A path from outside of the container.
        write("memory.max", "268435456\n");
        assert_eq!(allowed("0::/docker/0123\nnonsense\n"), Some(256));
    }
}
