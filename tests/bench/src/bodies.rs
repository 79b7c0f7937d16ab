//! What is read: bodies that all contenders can read, event streams of JSON.

use anyhow::{Context as _, Result, bail};
use bytes::Bytes;
use std::fs;
use std::path::Path;

use crate::eventsource;

/// Bytes of one read.
const READ: usize = 4096;

/// Some bodies, each of which is read from its beginning to its end.
pub(crate) struct Bodies {
    bodies: Vec<Bytes>,
    left_out: usize,
    /// The only body is the middle of a stream: read over and over it is one long stream.
    endless: bool,
}

impl Bodies {
    /// One stream of any length, from events that may be repeated.
    pub(crate) fn endless(events: Vec<u8>) -> Self {
        Self {
            bodies: vec![events.into()],
            left_out: 0,
            endless: true,
        }
    }

    /// All captures of a folder's folders that the other libraries can read too.
    pub(crate) fn captured(folder: &Path) -> Result<Self> {
        let mut paths = Vec::new();
        for entry in list(folder)? {
            if entry.is_dir() {
                paths.extend(list(&entry)?);
            }
        }
        paths.sort();
        let mut all = Self {
            bodies: Vec::new(),
            left_out: 0,
            endless: false,
        };
        for path in &paths {
            let body = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            if eventsource::all_json(&body) {
                all.bodies.push(body.into());
            } else {
                all.left_out += 1;
            }
        }
        if all.bodies.is_empty() {
            bail!("{} holds no event stream", folder.display());
        }
        Ok(all)
    }

    /// Streams of about so many bytes altogether, as reads; each body once at least.
    pub(crate) fn streams(&self, bytes: usize) -> Vec<Vec<Bytes>> {
        let once: usize = self.bodies.iter().map(Bytes::len).sum();
        let times = bytes.div_ceil(once.max(1)).max(1);
        let reads = self.bodies.iter().map(|body| {
            let starts = (0..body.len()).step_by(READ);
            let read = |start: usize| body.slice(start..body.len().min(start + READ));
            starts.map(read).collect::<Vec<_>>()
        });
        let reads: Vec<_> = reads.collect();
        if self.endless {
            let once = reads.concat();
            vec![vec![once; times].concat()]
        } else {
            vec![reads; times].concat()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.bodies.len()
    }

    pub(crate) fn left_out(&self) -> usize {
        self.left_out
    }

    /// Writes each into a file of its own.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let said = || format!("cannot write into {}", folder.display());
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).with_context(said)?;
        for (number, body) in self.bodies.iter().enumerate() {
            fs::write(folder.join(format!("{number:03}.sse")), body).with_context(said)?;
        }
        Ok(())
    }
}

fn list(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()
}
