//! Parallel streams against a running server: how exact is its schedule, and how far from the truth is a
//! bare client?
//!
//! ```text
//! streamlag mock --listen 127.0.0.1:7071
//! cargo run --profile demo -p streamlag-mock --example parallel -- http://127.0.0.1:7071 50 10
//! ```
//! asks 50 streams at a time, 10 rounds of them, each `first=100,gap=20,n=20`. Start the server anew for each
//! measurement: its timing error is over everything in its log.

use std::error::Error;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Without the opening event, the first read is the first text.
const MODEL: &str = "script:first=100,gap=20,n=20,no_role";

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(server), Some(streams), Some(rounds)) = (args.next(), args.next(), args.next())
    else {
        return Err("usage: parallel URL STREAMS ROUNDS".into());
    };
    let (streams, rounds): (usize, usize) = (streams.parse()?, rounds.parse()?);
    // Built together with the rest of the workspace the client has TLS, and wants a provider for it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().tcp_nodelay(true).build()?;
    let mut seen = Vec::new();
    for round in 0..rounds {
        let asked: Vec<_> = (0..streams)
            .map(|i| tokio::spawn(ask(client.clone(), server.clone(), format!("{round}-{i}"))))
            .collect();
        for asked in asked {
            seen.push(asked.await??);
        }
    }
    let mut differences = Vec::new();
    for (id, ttft) in seen {
        let truth: Value = client
            .get(format!("{server}/truth/{id}"))
            .send()
            .await?
            .json()
            .await?;
        let written = truth["events"][0]["written_us"]
            .as_f64()
            .ok_or("no event")?;
        differences.push(ttft.as_secs_f64() * 1e3 - written / 1e3);
    }
    differences.sort_by(f64::total_cmp);
    let at = |percent: usize| differences[(differences.len() * percent).div_ceil(100).max(1) - 1];
    let error: Value = client
        .get(format!("{server}/truth/error"))
        .send()
        .await?
        .json()
        .await?;
    println!(
        "{streams} streams at a time, {} requests",
        differences.len()
    );
    println!("server, written − scheduled: {error}");
    println!(
        "bare client, ttft − truth: p50 {:.2} ms, p95 {:.2} ms, max {:.2} ms",
        at(50),
        at(95),
        at(100)
    );
    Ok(())
}

/// Asks once; the id and how long the first text took.
async fn ask(client: reqwest::Client, server: String, id: String) -> Result<(String, Duration)> {
    let request = client
        .post(format!("{server}/openai/v1/chat/completions"))
        .header("x-request-id", &id)
        .json(&json!({ "model": MODEL, "stream": true, "messages": [] }));
    let sent = Instant::now();
    let mut response = request.send().await?;
    let mut ttft = None;
    while response.chunk().await?.is_some() {
        ttft.get_or_insert_with(|| sent.elapsed());
    }
    Ok((id, ttft.ok_or("an empty body")?))
}
