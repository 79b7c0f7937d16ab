//! The worker in the real runtime.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use streamlag_wire::target::TargetConfig;

use crate::place::{Place, workerd_package};
use crate::ports::Ports;
use crate::process::Process;
use crate::trouble::Trouble;

const LIMIT: Duration = Duration::from_secs(30);
/// The key id that worker and collector share.
pub const KEY_ID: &str = "demo";

/// What the worker is told.
#[derive(Debug, Clone)]
pub struct Edge {
    /// Location hints.
    pub regions: Vec<String>,
    /// Where records are posted; `None`: to the collector of the same run.
    pub collector_url: Option<String>,
    /// Seconds between scheduled probes; 0: none.
    pub interval_s: u32,
    /// Ids of the scheduled targets.
    pub schedule: Vec<String>,
}

impl Default for Edge {
    fn default() -> Self {
        Self {
            regions: ["weur", "enam", "apac"].map(str::to_owned).to_vec(),
            collector_url: None,
            interval_s: 0,
            schedule: Vec::new(),
        }
    }
}

/// The runtime's binary.
pub fn binary(place: &Place) -> PathBuf {
    let package = workerd_package().unwrap_or("workerd");
    place
        .npm()
        .join("node_modules")
        .join(package)
        .join("bin/workerd")
}

/// Starts the worker.
///
/// # Errors
/// When a file of it is missing or it does not come up.
pub async fn start(
    place: &Place,
    folder: &Path,
    ports: &Ports,
    edge: &Edge,
    targets: &[TargetConfig],
    secrets: &[(String, String)],
) -> Result<Process, Trouble> {
    let config = prepare(place, folder, ports, edge, targets)?;
    let mut command = Command::new(binary(place));
    command
        // Without it, what the worker says is not in its log.
        .args(["serve", "--verbose"])
        .arg(&config)
        .envs(secrets.iter().map(|(name, value)| (name, value)));
    let mut process = Process::spawn(
        "workerd",
        &mut command,
        folder,
        "run `cargo xtask build worker`",
    )?;
    process
        .ready(&format!("http://127.0.0.1:{}/healthz", ports.worker), LIMIT)
        .await?;
    Ok(process)
}

/// Copies the built worker and fills in its template, as the template says.
fn prepare(
    place: &Place,
    folder: &Path,
    ports: &Ports,
    edge: &Edge,
    targets: &[TargetConfig],
) -> Result<PathBuf, Trouble> {
    let (from, to) = (place.worker(), folder.join("worker"));
    let mut files = Vec::new();
    copy(&from, &to, Path::new(""), &mut files)?;
    let objects = folder.join("objects");
    fs::create_dir_all(&objects).map_err(Trouble::file(&objects))?;
    let listed = to.join("targets.json");
    let json = serde_json::to_string(targets).map_err(|e| Trouble::Targets(e.to_string()))?;
    fs::write(&listed, json).map_err(Trouble::file(&listed))?;

    let snippets = files.iter().filter(|file| file.starts_with("snippets/"));
    let snippets =
        snippets.map(|file| format!("(name = \"{file}\", esModule = embed \"{file}\"),"));
    let keys = targets
        .iter()
        .filter_map(|target| target.key_env.as_deref());
    let keys: std::collections::BTreeSet<&str> = keys.collect();
    let keys = keys
        .iter()
        .map(|key| format!("(name = \"KEY_{key}\", fromEnvironment = \"{key}\"),"));
    let config = to.join("config.capnp");
    let template = to.join("workerd.capnp");
    let text = fs::read_to_string(&template).map_err(Trouble::file(&template))?;
    let own = format!("http://127.0.0.1:{}", ports.collector);
    // The comments name the marks too; in them they may stay or go.
    let text = [
        ("@PORT@", ports.worker.to_string()),
        ("@BARE_PORT@", ports.bare.to_string()),
        ("@REGIONS@", edge.regions.join(",")),
        ("@COLLECTOR_URL@", edge.collector_url.clone().unwrap_or(own)),
        ("@KEY_ID@", KEY_ID.to_owned()),
        ("@INTERVAL_S@", edge.interval_s.to_string()),
        ("@SCHEDULE@", edge.schedule.join(",")),
        ("@OBJECTS@", objects.display().to_string()),
        ("@SNIPPETS@", snippets.collect::<Vec<_>>().join(" ")),
        ("@KEYS@", keys.collect::<Vec<_>>().join(" ")),
    ]
    .iter()
    .fold(text, |text, (mark, value)| text.replace(mark, value));
    fs::write(&config, text).map_err(Trouble::file(&config))?;
    Ok(config)
}

/// Copies a folder and lists its files by their path in it.
fn copy(from: &Path, to: &Path, below: &Path, files: &mut Vec<String>) -> Result<(), Trouble> {
    let source = from.join(below);
    let target = to.join(below);
    fs::create_dir_all(&target).map_err(Trouble::file(&target))?;
    for entry in fs::read_dir(&source).map_err(Trouble::file(&source))? {
        let entry = entry.map_err(Trouble::file(&source))?;
        let path = below.join(entry.file_name());
        if entry.path().is_dir() {
            copy(from, to, &path, files)?;
        } else {
            fs::copy(entry.path(), to.join(&path)).map_err(Trouble::file(&entry.path()))?;
            files.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(())
}
