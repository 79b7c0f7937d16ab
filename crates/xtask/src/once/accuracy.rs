//! How far each vantage is from a bare loop in the same place, and both from what the server knows.
//!
//! Rounds are interleaved and change their order, so that a busy moment hits all alike.

use anyhow::{Context, Result, bail};
use harness::bare::{self, Room};
use harness::http;
use harness::mock;
use harness::page::Page;
use harness::table::{Table, median};
use harness::{Stack, Trouble};
use serde_json::json;
use std::time::Duration;
use streamlag_wire::request::{self, HttpRequest};
use streamlag_wire::{Record, Vantage};

const TARGET: &str = "quick";
const ROUNDS: usize = 20;
const REGION: &str = "weur";
const LIMIT: Duration = Duration::from_secs(30);
/// The distance that is good enough.
const CLOSE_MS: f64 = 1.0;

/// One place with its two ways to measure.
struct Pair {
    place: &'static str,
    vantage: Vantage,
    bare: Vec<(f64, String)>,
}

/// Runs the rounds and prints the medians.
///
/// # Errors
/// When a loop or a vantage fails.
pub(crate) async fn run(stack: &Stack, page: &Page<'_>) -> Result<()> {
    eprintln!(
        "▸ {ROUNDS} interleaved rounds of {TARGET:?}: streamlag and a bare loop in the page, the worker, natively"
    );
    page.choose(TARGET).await?;
    let mut pairs = [
        Pair {
            place: "page",
            vantage: Vantage::Browser,
            bare: Vec::new(),
        },
        Pair {
            place: "worker",
            vantage: Vantage::Edge,
            bare: Vec::new(),
        },
        Pair {
            place: "native",
            vantage: Vantage::Server,
            bare: Vec::new(),
        },
    ];
    let target = stack.target(TARGET)?;
    let asked = request::build(target, &target.prompt, target.max_tokens, None);
    for round in 0..ROUNDS {
        for pair in &mut pairs {
            if round % 2 == 0 {
                streamlag(stack, page, pair.vantage, round).await?;
            }
            let bare = one_bare(stack, page, pair.vantage, &asked, round).await?;
            let id = bare.request_id.context("the bare loop saw no request id")?;
            pair.bare.push((bare.ttft_ms, id));
            if round % 2 == 1 {
                streamlag(stack, page, pair.vantage, round).await?;
            }
        }
    }
    let mut table = Table::new(
        1,
        &[
            "place",
            "rounds",
            "streamlag",
            "bare loop",
            "difference",
            "streamlag − truth",
            "bare − truth",
            "within 1 ms",
        ],
    );
    for pair in &pairs {
        table.row(row(stack, pair).await?);
    }
    println!("ttft of {TARGET:?}, medians in ms\n{}\n", table.text());
    println!(
        "the scripted server's own timing error: {}",
        mock::timing_error(&stack.mock_url()).await?
    );
    Ok(())
}

/// One measurement as a user has it.
async fn streamlag(
    stack: &Stack,
    page: &Page<'_>,
    vantage: Vantage,
    earlier_rounds: usize,
) -> Result<()> {
    match vantage {
        Vantage::Browser => {
            page.press("ask").await?;
            // The collector is asked whether it is over, not the page: every script that a test driver runs
            // in a page takes the main thread, on which the page stamps its reads. The bare loop has it alone.
            let query = format!("target={TARGET}&vantage=browser");
            let records = stack.collector();
            let records = records.wait(&query, earlier_rounds + 1, "the page", LIMIT);
            records.await?;
            page.finished().await?;
        }
        Vantage::Edge => {
            let url = format!("{}/v1/edge/probe/{TARGET}", stack.url());
            let answer = http::post(&url, &[], &json!({ "regions": [REGION] }).to_string()).await?;
            if answer.status != 200 {
                bail!("{url}: status {}: {}", answer.status, answer.text());
            }
        }
        Vantage::Server => super::native(stack, TARGET)?,
    }
    Ok(())
}

async fn one_bare(
    stack: &Stack,
    page: &Page<'_>,
    vantage: Vantage,
    asked: &HttpRequest,
    round: usize,
) -> Result<bare::Bare, Trouble> {
    let url = &stack.target(TARGET)?.url;
    match vantage {
        Vantage::Browser => bare::in_page(page, &format!("/relay/{TARGET}"), asked).await,
        Vantage::Edge => {
            let id = format!("bare-{round}");
            let loops =
                bare::in_workerd(&stack.bare_url(), url, asked, &[id], Room::Service).await?;
            let only = loops.into_iter().next();
            only.ok_or_else(|| Trouble::Answer {
                url: url.clone(),
                reason: "no bare loop ran".to_owned(),
            })
        }
        // A new connection each time, as a probe that is run once has.
        Vantage::Server => bare::native(&http::client(), url, asked).await,
    }
}

async fn row(stack: &Stack, pair: &Pair) -> Result<Vec<String>> {
    let query = format!("target={TARGET}&vantage={}", pair.vantage.as_str());
    let records = stack
        .collector()
        .wait(&query, ROUNDS, pair.place, LIMIT)
        .await?;
    let ours: Vec<(f64, String)> = records.iter().filter_map(measured).collect();
    if ours.len() < ROUNDS {
        bail!(
            "{} of {ROUNDS} rounds in the {} gave a ttft",
            ours.len(),
            pair.place
        );
    }
    let ours_ms = middle(ours.iter().map(|(ttft, _)| *ttft))?;
    let bare_ms = middle(pair.bare.iter().map(|(ttft, _)| *ttft))?;
    let difference = ours_ms - bare_ms;
    let ours_error = error(stack, &ours).await?;
    let bare_error = error(stack, &pair.bare).await?;
    let number = |value: f64| format!("{value:.2}");
    Ok(vec![
        pair.place.to_owned(),
        ROUNDS.to_string(),
        number(ours_ms),
        number(bare_ms),
        format!("{difference:+.2}"),
        format!("{ours_error:+.2}"),
        format!("{bare_error:+.2}"),
        if difference.abs() <= CLOSE_MS {
            "yes"
        } else {
            "no"
        }
        .to_owned(),
    ])
}

/// A record's ttft and its request's id in the server's log.
fn measured(record: &Record) -> Option<(f64, String)> {
    Some((record.timing.ttft_ms?, record.http.request_id.clone()?))
}

/// The median distance to what the server wrote when.
async fn error(stack: &Stack, seen: &[(f64, String)]) -> Result<f64> {
    let mut errors = Vec::new();
    for (ttft, id) in seen {
        let truth = mock::truth(&stack.mock_url(), id).await?;
        let truth = truth
            .ttft_ms()
            .with_context(|| format!("the server wrote no text for {id}"))?;
        errors.push(ttft - truth);
    }
    middle(errors.into_iter())
}

fn middle(values: impl Iterator<Item = f64>) -> Result<f64> {
    median(&values.collect::<Vec<_>>()).context("nothing was measured")
}
