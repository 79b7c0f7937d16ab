//! No text of a prompt or an answer leaves the place where it was measured: read on the wire and in the store.

use harness::page::Page;
use harness::tap::{Passed, Tap};
use harness::workerd::Edge;
use harness::{Plan, Stack, Trouble};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use streamlag_e2e::{TARGETS, browser, output, place};
use streamlag_wire::fit::MAX_BYTES;

const TARGET: &str = "quick";
const LIMIT: Duration = Duration::from_secs(30);
/// Long enough not to turn up by chance, short enough to find a fragment.
const PIECE: usize = 8;

// The tap must run while a program is waited for.
#[tokio::test(flavor = "multi_thread")]
async fn no_piece_of_a_prompt_or_an_answer_is_in_what_is_posted_or_stored() -> Result<(), Trouble> {
    let mut plan = Plan::new("e2e-wire", TARGETS)?;
    let tap = Tap::start(plan.ports.collector).await?;
    plan.edge = Some(Edge {
        collector_url: Some(tap.url()),
        ..Edge::default()
    });
    let stack = Stack::start(&place()?, plan).await?;
    let browser = browser(&stack).await?;
    let page = Page::open(&browser, &tap.url()).await?;
    page.choose(TARGET).await?;
    page.ask().await?;
    let answer = page.text("answer").await?;
    stack.collector().edge_probe(TARGET).await?;
    output(
        stack
            .streamlag("probe")
            .arg(TARGET)
            .args(["--collector", &tap.url()]),
    )?;
    for (vantage, least) in [("browser", 1), ("edge", 3), ("server", 1)] {
        let query = format!("target={TARGET}&vantage={vantage}");
        stack
            .collector()
            .wait(&query, least, vantage, LIMIT)
            .await?;
    }

    let prompt = &stack.target(TARGET)?.prompt;
    let pieces = [prompt, &answer].map(|text| pieces(text));
    assert!(
        pieces.iter().all(|pieces| pieces.len() > 20),
        "too little text to look for"
    );
    let passed = tap.requests();
    let posts = |start: &str| {
        passed
            .iter()
            .filter(|p| p.line.starts_with(start))
            .collect::<Vec<_>>()
    };
    let asked = posts("POST /relay/");
    assert!(
        asked.iter().any(|p| p.text.contains(prompt)),
        "the prompt is not seen where it must be"
    );
    let records = posts("POST /v1/records");
    assert!(
        records.len() >= 5,
        "{} posts of records were seen",
        records.len()
    );
    for Passed { line, text } in &records {
        let bodies = values(text);
        assert!(!bodies.is_empty(), "no record was read in {line}: {text}");
        for record in bodies {
            let bytes = record.to_string().len();
            assert!(bytes <= MAX_BYTES, "{bytes} bytes in {line}");
            // What was not observed is left out, whoever wrote the JSON.
            assert_eq!(record["timing"].get("ttft_at_least_ms"), None, "{line}");
            assert_eq!(record["outcome"], "ok", "{line}");
        }
    }
    for pieces in &pieces {
        for Passed { line, text } in &records {
            assert_eq!(found(pieces, text.as_bytes()), None, "in {line}");
        }
        for file in std::fs::read_dir(stack.folder())
            .map_err(Trouble::file(stack.folder()))?
            .flatten()
        {
            let path = file.path();
            if is_store_or_log(&path) {
                let bytes = std::fs::read(&path).map_err(Trouble::file(&path))?;
                assert_eq!(found(pieces, &bytes), None, "in {}", path.display());
            }
        }
        for record in stack.collector().records("").await? {
            let text = serde_json::to_string(&record).unwrap_or_default();
            assert_eq!(
                found(pieces, text.as_bytes()),
                None,
                "in record {}",
                record.id
            );
        }
    }
    browser.close().await
}

/// The records of a post: its body is one of them, a list, or one a line.
fn values(request: &str) -> Vec<Value> {
    let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let values = serde_json::Deserializer::from_str(body).into_iter::<Value>();
    let values = values.map_while(Result::ok).map(|value| match value {
        Value::Array(list) => list,
        one => vec![one],
    });
    values.flatten().collect()
}

/// The database with its log, and what each part printed.
fn is_store_or_log(path: &Path) -> bool {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    name.starts_with("streamlag.db") || ["collector.log", "workerd.log"].contains(&name.as_str())
}

/// Every run of so many characters.
fn pieces(text: &str) -> BTreeSet<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .windows(PIECE)
        .map(|window| window.iter().collect())
        .collect()
}

/// The first of them that is in there.
fn found<'a>(pieces: &'a BTreeSet<String>, bytes: &[u8]) -> Option<&'a str> {
    let text = String::from_utf8_lossy(bytes);
    pieces
        .iter()
        .find(|piece| text.contains(piece.as_str()))
        .map(String::as_str)
}
