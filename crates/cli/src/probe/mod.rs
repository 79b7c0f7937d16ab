//! `streamlag probe`: the native vantage.
//!
//! The same probe as in the browser and at the edge, driven from a plain process: [`clock`] reads time,
//! [`http`] moves bytes, [`load`] asks several times at once, [`deliver`] posts the record, [`print`] and
//! [`summary`] show it.

mod clock;
mod connections;
mod deliver;
mod http;
mod load;
mod print;
mod summary;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use streamlag_collector::config::{self, Config, Secrets};
use streamlag_wire::Record;
use streamlag_wire::target::TargetConfig;

use deliver::{Delivery, Outbox};
use http::Asker;
use load::Load;

/// A request's outcome was not ok.
const TARGET_FAILED: u8 = 1;
/// The collector did not take a record.
const NOT_STORED: u8 = 3;

/// Measure a target from this machine and post the records to the collector.
///
/// Exit code: 0 all requests were ok and their records are stored; 1 a request's outcome was not ok; 2 the
/// command could not run (flags, configuration, key); 3 the requests were ok, but the collector did not take
/// a record (`--json` prints them all the same).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The target's id in the configuration.
    target: String,
    /// Targets and settings.
    #[arg(long, default_value = "streamlag.toml")]
    config: PathBuf,
    /// How many requests; one after the other, unless --concurrency says otherwise.
    #[arg(short = 'n', default_value_t = 1, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// How many of them at once: each ends and makes room for the next. Beyond what this machine can read in
    /// time, it measures itself.
    #[arg(short = 'c', long, default_value_t = 1, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    concurrency: u32,
    /// Where this machine is, in your own words; kept with the records.
    #[arg(long, value_name = "LABEL")]
    region: Option<String>,
    /// The collector's URL [default: where the configuration lets it listen].
    #[arg(long, value_name = "URL")]
    collector: Option<String>,
    /// Print the records, one JSON object a line, instead of tables.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let config = config::load(&args.config)?;
    let target = config
        .target(&args.target)
        .ok_or_else(|| no_such_target(&config, &args))?;
    let collector = args.collector.clone();
    let collector = collector.unwrap_or_else(|| deliver::default_url(config.collector.listen));
    let mut outbox = Outbox::new(&collector)?;
    let asker = Asker::new(target, key(target)?.as_deref())?;
    let region = args.region.clone();
    let mut asked = Load::start(
        asker,
        target.clone(),
        region,
        (args.count, args.concurrency),
    );

    let mut records = Vec::new();
    let mut all_stored = true;
    while let Some(mut record) = asked.next().await {
        let text = record.to_json().context("the record is not JSON")?;
        let delivery = outbox.post(&text).await;
        all_stored &= delivery == Delivery::Stored;
        show(&args, (&record, &text), records.len(), &delivery);
        records.push(record);
    }
    if !args.json && args.count > 1 {
        print!("{}", summary::of(&records));
    }
    let all_ok = records.iter().all(|record| record.outcome == "ok");
    Ok(match (all_ok, all_stored) {
        (false, _) => ExitCode::from(TARGET_FAILED),
        (true, false) => ExitCode::from(NOT_STORED),
        (true, true) => ExitCode::SUCCESS,
    })
}

fn show(args: &Args, (record, text): (&Record, &str), before: usize, delivery: &Delivery) {
    if args.json {
        println!("{text}");
    } else if args.count == 1 {
        print!("{}", print::table(record));
    } else {
        println!("{}", print::line(before + 1, record));
    }
    // Said once: an outbox that stays unreachable answers `StillNot`.
    match delivery {
        Delivery::Stored | Delivery::StillNot => {}
        Delivery::Not(sentence) => eprintln!("streamlag: {sentence}"),
    }
}

fn no_such_target(config: &Config, args: &Args) -> anyhow::Error {
    let ids: Vec<_> = config.targets.iter().map(|t| t.id.as_str()).collect();
    let known = match ids.is_empty() {
        true => "it has no targets; add a [[target]]".to_owned(),
        false => format!("it has {}", ids.join(", ")),
    };
    anyhow!(
        "{} has no target {:?}: {known}",
        args.config.display(),
        args.target
    )
}

/// The target's key, from the environment variable that the configuration names.
fn key(target: &TargetConfig) -> anyhow::Result<Option<String>> {
    let Some(name) = &target.key_env else {
        return Ok(None);
    };
    match Secrets::default().get(name) {
        Some(key) => Ok(Some(key)),
        None => Err(anyhow!(
            "the environment variable {name} is not set: target {:?} takes its key from there",
            target.id
        )),
    }
}
