//! `cargo xtask demo`: everything running, one URL.

use anyhow::{Context, Result, bail};
use harness::browser::Engine;
use harness::ports::Ports;
use harness::workerd::Edge;
use harness::{Place, Plan, Stack};
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};

use crate::{once, parts, setup};

/// The targets, for the demo and for pictures of it.
pub(crate) const TARGETS: &str = include_str!("../demo.toml");
/// The target that is probed first and on schedule.
const FIRST: &str = "steady";
/// Often enough to see the comparison move.
const INTERVAL_S: u32 = 60;
const WATCH: Duration = Duration::from_millis(500);

/// How to run it.
pub(crate) struct Options {
    /// Measure once, print the comparison and end.
    pub(crate) once: bool,
    /// Names the run's folder.
    pub(crate) name: String,
    /// Who listens where. All must be free.
    pub(crate) ports: Ports,
}

/// Sets up, builds, starts, and runs until it is told to stop.
///
/// # Errors
/// One sentence with the remedy: a missing tool, a taken port, a part that ended.
pub(crate) fn run(place: &Place, options: &Options) -> Result<()> {
    let begun = Instant::now();
    if options.once {
        // Before the long work, which would be in vain otherwise.
        setup::browsers::install(place, &[Engine::Chromium])?;
    }
    parts::all(place)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let stop = stop_signal()?;
        tokio::select! {
            done = started(place, options, begun) => done,
            signal = stop => stopped(options, signal),
        }
    })
}

async fn started(place: &Place, options: &Options, begun: Instant) -> Result<()> {
    eprintln!("▸ starting the scripted LLM server, the collector and the worker");
    let mut edge = Edge::default();
    if !options.once {
        edge.interval_s = INTERVAL_S;
        edge.schedule = vec![FIRST.to_owned()];
    }
    let plan = Plan {
        name: options.name.clone(),
        ports: options.ports,
        targets: TARGETS.to_owned(),
        edge: Some(edge),
        keys: Vec::new(),
    };
    let mut stack = Stack::start(place, plan).await?;
    if options.once {
        return once::run(&stack).await;
    }
    let begun = begun.elapsed().as_secs_f64();
    println!("\n  {}/\n", stack.url());
    eprintln!(
        "ready after {begun:.1} s; configuration, store and logs: {}",
        stack.folder().display()
    );
    eprintln!("Ctrl-C stops everything");
    first_probe(&stack).await;
    loop {
        if let Some(trouble) = stack.died() {
            return Err(trouble).context("the demo stops, a part of it is gone");
        }
        tokio::time::sleep(WATCH).await;
    }
}

/// What was started ends with the future that was dropped.
fn stopped(options: &Options, signal: &str) -> Result<()> {
    if options.once {
        bail!("stopped before the comparison was there ({signal})");
    }
    eprintln!("\nstopped ({signal})");
    Ok(())
}

/// So that the page has something to compare with from the start.
async fn first_probe(stack: &Stack) {
    match stack.collector().edge_probe(FIRST).await {
        Ok(_) => eprintln!("probed {FIRST:?} from each edge region; again every {INTERVAL_S} s"),
        Err(trouble) => eprintln!("note: the first edge probe failed: {trouble}"),
    }
}

/// Resolves when somebody wants the end: Ctrl-C, a service manager, a closed terminal.
fn stop_signal() -> Result<impl Future<Output = &'static str>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => "Ctrl-C",
            _ = terminate.recv() => "terminated",
            _ = hangup.recv() => "terminal closed",
        }
    })
}
