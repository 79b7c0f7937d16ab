//! The parts together: scripted server, collector, worker.

use serde::Deserialize;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use streamlag_wire::hex;
use streamlag_wire::target::TargetConfig;

use crate::collector::{self, Collector, SECRET_ENV};
use crate::mock;
use crate::place::Place;
use crate::ports::{self, Ports};
use crate::process::Process;
use crate::trouble::Trouble;
use crate::workerd::{self, Edge, KEY_ID};

/// What to start.
#[derive(Debug)]
pub struct Plan {
    /// Names the run's folder. What an earlier run of the name left there is removed.
    pub name: String,
    /// Who listens where.
    pub ports: Ports,
    /// The targets as TOML; `@MOCK@` stands for the scripted server's host and port, `@DOWN@` for one where
    /// nobody listens.
    pub targets: String,
    /// The worker; `None`: the collector runs without one.
    pub edge: Option<Edge>,
    /// Environment variables with the keys of targets.
    pub keys: Vec<(String, String)>,
}

impl Plan {
    /// All parts, on free ports.
    ///
    /// # Errors
    /// When there are no free ports.
    pub fn new(name: &str, targets: &str) -> Result<Self, Trouble> {
        Ok(Self {
            name: name.to_owned(),
            ports: Ports::free()?,
            targets: targets.to_owned(),
            edge: Some(Edge::default()),
            keys: Vec::new(),
        })
    }
}

/// The running parts. They end with this value.
#[derive(Debug)]
pub struct Stack {
    place: Place,
    folder: PathBuf,
    config: PathBuf,
    ports: Ports,
    secrets: Vec<(String, String)>,
    targets: Vec<TargetConfig>,
    processes: Vec<Process>,
}

#[derive(Deserialize)]
struct Targets {
    target: Vec<TargetConfig>,
}

impl Stack {
    /// Starts everything and waits until it answers.
    ///
    /// # Errors
    /// When a part does not come up.
    pub async fn start(place: &Place, plan: Plan) -> Result<Self, Trouble> {
        let folder = place.run(&plan.name);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(Trouble::file(&folder))?;
        }
        fs::create_dir_all(&folder).map_err(Trouble::file(&folder))?;
        let text = fill(&plan)?;
        let targets = parse(&text)?;
        let config = folder.join("streamlag.toml");
        fs::write(&config, configuration(&plan, &folder, &text)).map_err(Trouble::file(&config))?;
        let mut secrets = plan.keys;
        secrets.push((SECRET_ENV.to_owned(), secret()?));
        let mut stack = Self {
            place: place.clone(),
            folder,
            config,
            ports: plan.ports,
            secrets,
            targets,
            processes: Vec::new(),
        };
        let ports = &stack.ports;
        stack
            .processes
            .push(mock::start(place, &stack.folder, ports.mock).await?);
        let collector = collector::start(
            place,
            &stack.folder,
            &stack.config,
            &stack.secrets,
            ports.collector,
        );
        stack.processes.push(collector.await?);
        if let Some(edge) = &plan.edge {
            let worker = workerd::start(
                place,
                &stack.folder,
                ports,
                edge,
                &stack.targets,
                &stack.secrets,
            );
            stack.processes.push(worker.await?);
        }
        Ok(stack)
    }

    /// The run's files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its `streamlag.toml`.
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// Its targets.
    pub fn targets(&self) -> &[TargetConfig] {
        &self.targets
    }

    /// One of them.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn target(&self, id: &str) -> Result<&TargetConfig, Trouble> {
        let found = self.targets.iter().find(|target| target.id == id);
        found.ok_or_else(|| Trouble::Targets(format!("no target {id:?}")))
    }

    /// The page, which is the collector's.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports.collector)
    }

    /// The scripted server.
    pub fn mock_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports.mock)
    }

    /// The worker.
    pub fn worker_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports.worker)
    }

    /// The bare loop beside the worker.
    pub fn bare_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports.bare)
    }

    /// The collector's interface.
    pub fn collector(&self) -> Collector {
        Collector::new(self.url())
    }

    /// `streamlag` with this run's configuration and secrets at hand.
    pub fn streamlag(&self, command: &str) -> Command {
        let mut streamlag = Command::new(self.place.streamlag());
        streamlag.arg(command).arg("--config").arg(&self.config);
        streamlag.envs(self.secrets.iter().map(|(name, value)| (name, value)));
        streamlag
    }

    /// The first part that has ended by itself.
    pub fn died(&mut self) -> Option<Trouble> {
        self.processes.iter_mut().find_map(Process::died)
    }
}

fn fill(plan: &Plan) -> Result<String, Trouble> {
    let down = ports::free()?;
    let text = plan
        .targets
        .replace("@MOCK@", &format!("127.0.0.1:{}", plan.ports.mock));
    Ok(text.replace("@DOWN@", &format!("127.0.0.1:{down}")))
}

fn parse(text: &str) -> Result<Vec<TargetConfig>, Trouble> {
    let parsed: Targets = toml::from_str(text).map_err(|e| Trouble::Targets(e.to_string()))?;
    Ok(parsed.target)
}

fn configuration(plan: &Plan, folder: &Path, targets: &str) -> String {
    let store = toml::Value::String(folder.join("streamlag.db").display().to_string());
    let listen = plan.ports.collector;
    let mut text = format!("[collector]\nlisten = \"127.0.0.1:{listen}\"\nstore = {store}\n\n");
    if plan.edge.is_some() {
        let worker = plan.ports.worker;
        text += &format!(
            "[edge]\nurl = \"http://127.0.0.1:{worker}\"\nkey_id = \"{KEY_ID}\"\nsecret_env = \"{SECRET_ENV}\"\n\n"
        );
    }
    text + targets
}

/// Drawn anew for each run.
fn secret() -> Result<String, Trouble> {
    let source = Path::new("/dev/urandom");
    let mut bytes = [0_u8; 32];
    let read = fs::File::open(source).and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(Trouble::file(source))?;
    Ok(hex::lower(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_holds_the_targets_and_no_secret() {
        let plan = Plan::new(
            "x",
            "[[target]]\nid = \"a\"\ndialect = \"openai\"\nurl = \"http://@MOCK@/openai\"\n",
        )
        .unwrap();
        let filled = fill(&plan).unwrap();
        let targets = parse(&filled).unwrap();
        assert_eq!(
            targets[0].url,
            format!("http://127.0.0.1:{}/openai", plan.ports.mock)
        );
        let text = configuration(&plan, Path::new("here"), &filled);
        let whole: toml::Table = text.parse().unwrap();
        assert_eq!(whole["edge"]["secret_env"].as_str(), Some(SECRET_ENV));
        assert_eq!(whole["target"].as_array().unwrap().len(), 1);
    }
}
