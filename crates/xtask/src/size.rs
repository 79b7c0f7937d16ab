//! The bytes of what is shipped.

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use harness::Place;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::output;
use crate::{package, setup, wasm};

/// What can be measured alone.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// The page.
    Web,
    /// The worker.
    Worker,
    /// The npm package.
    Agent,
}

/// A promise about what every page view costs.
struct Budget {
    name: &'static str,
    /// Most brotli bytes; more is a failure.
    most: u64,
    /// Where it is to come down to.
    goal: u64,
}

/// What runs before the page's first request.
const SHIM: Budget = Budget {
    name: "shim",
    most: 1_536,
    goal: 1_536,
};
/// All that a page loads where wasm is allowed: modules, glue and core.
const AGENT: Budget = Budget {
    name: "agent",
    most: 96_000,
    goal: 25_600,
};
const AGENT_LOADS: [&str; 4] = ["index.js", "core.js", "wasm.js", "streamlag_agent_bg.wasm"];

/// Builds each part as shipped and prints the size of each of its files, and of what has a budget.
///
/// # Errors
/// When a build fails or a budget is exceeded.
pub(crate) fn run(place: &Place, only: Option<Part>) -> Result<()> {
    setup::all(place)?;
    let is_wanted = |part| only.is_none_or(|only| only == part);
    let (mut artefacts, mut budgets) = (Vec::new(), Vec::new());
    if is_wanted(Part::Web) {
        list("web", &wasm::page(place, &wasm::RELEASE)?, &mut artefacts)?;
    }
    if is_wanted(Part::Worker) {
        let folder = wasm::worker(place, &wasm::RELEASE)?;
        list("worker", &folder, &mut artefacts)?;
    }
    if is_wanted(Part::Agent) {
        package::build(place)?;
        list("agent", &place.package(), &mut artefacts)?;
        budgets = vec![(SHIM, shim(place)?), (AGENT, agent(place)?)];
    }
    let shown = |(budget, bytes): &(Budget, u64)| json!({ "name": budget.name, "brotli_bytes": bytes, "most_bytes": budget.most, "goal_bytes": budget.goal });
    let shown: Vec<Value> = budgets.iter().map(shown).collect();
    let all = json!({ "artefacts": artefacts, "budgets": shown });
    println!("{}", serde_json::to_string_pretty(&all)?);
    for (budget, bytes) in &budgets {
        if *bytes > budget.most {
            bail!(
                "{} has {bytes} bytes (brotli), {} at most",
                budget.name,
                budget.most
            );
        }
    }
    Ok(())
}

fn list(part: &str, folder: &Path, artefacts: &mut Vec<Value>) -> Result<()> {
    for path in wasm::files(folder, |_| true)? {
        let raw = fs::metadata(&path)?.len();
        let name = path.strip_prefix(folder)?;
        artefacts.push(json!({
            "part": part, "file": name, "raw_bytes": raw, "brotli_bytes": brotli(&path)?,
        }));
    }
    Ok(())
}

/// The synchronous part alone, minified as it is within `index.js`.
fn shim(place: &Place) -> Result<u64> {
    let folder: PathBuf = place.target().join("agent-shim");
    let from = place.root().join("crates/agent/js");
    package::bundle(place, &from, &["shim.js"], &folder)?;
    // Without the line that names the source map.
    let path = folder.join("shim.js");
    let text = fs::read_to_string(&path)?;
    let code = text.split("//# sourceMappingURL").next();
    fs::write(&path, code.unwrap_or_default())?;
    brotli(&path)
}

fn agent(place: &Place) -> Result<u64> {
    let size = |name: &&str| brotli(&place.package().join(name));
    AGENT_LOADS.iter().map(size).sum()
}

/// Node has brotli built in, at the quality that servers use for files compressed once.
pub(crate) fn brotli(path: &Path) -> Result<u64> {
    let script = "const z=require('zlib'),f=require('fs').readFileSync(process.argv[1]);\
                  console.log(z.brotliCompressSync(f,{params:{[z.constants.BROTLI_PARAM_QUALITY]:11}}).length)";
    let printed = output(
        Command::new("node").args(["-e", script]).arg(path),
        "node must be able to compress",
    )?;
    printed
        .trim()
        .parse()
        .with_context(|| format!("node printed {printed:?}, not a size"))
}
