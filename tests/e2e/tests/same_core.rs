//! The core in each browser says of every stream what the core says natively, to the last character.

#![allow(missing_docs, reason = "a test")]
#![expect(
    clippy::unwrap_used,
    reason = "a recording that cannot be read is a failure of the test"
)]

use harness::blank::{self, Blank};
use harness::browser::{Browser, Engine, Window};
use harness::{Place, Trouble};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use streamlag_e2e::place;
use streamlag_replay::Hint;

const OWN: [&str; 2] = ["crates/replay/fixtures", "crates/mock/tests/fixtures"];
/// Recorded streams and hard cases beside the checkout, where there are any.
const BESIDE: &str = "../shared/streams";
const SCRIPT: &str = "window.replay = {
  async load(glue, wasm) {
    this.core = await import(moduleUrl(bytes(glue)));
    await this.core.default({ module_or_path: bytes(wasm) });
  },
  cases(lines) { return lines.map((line) => this.core.oneCase(line)); },
  body(name, content) { return this.core.body(name, bytes(content)); },
};";
/// For all cases at once; some are of many megabytes.
const LIMIT: Duration = Duration::from_secs(300);

/// What there is to replay.
struct Inputs {
    cases: Vec<String>,
    bodies: Vec<PathBuf>,
}

#[tokio::test]
async fn wasm_in_chromium_and_native_code_print_the_same_of_every_stream() {
    prints_the_same(Engine::Chromium).await;
}

#[tokio::test]
async fn wasm_in_firefox_and_native_code_print_the_same_of_every_stream() {
    prints_the_same(Engine::Firefox).await;
}

#[tokio::test]
async fn wasm_in_webkit_and_native_code_print_the_same_of_every_stream() {
    prints_the_same(Engine::WebKit).await;
}

async fn prints_the_same(engine: Engine) {
    let place = place().unwrap();
    let inputs = inputs(&place);
    let folder = place.run(&format!("e2e-same-core-{engine}"));
    fs::create_dir_all(&folder).unwrap();
    let browser = Browser::of(engine, &folder, Window::default())
        .await
        .unwrap();
    let page = open(&place, &browser).await.unwrap();
    let mut different = Vec::new();
    let natively: Vec<_> = inputs
        .cases
        .iter()
        .map(|line| streamlag_replay::case(line).unwrap())
        .collect();
    let in_page = page
        .call("replay.cases", vec![json!(inputs.cases)])
        .await
        .unwrap();
    compare(&natively, &in_page, &mut different);
    for path in &inputs.bodies {
        let name = path.display().to_string();
        let content = fs::read(path).unwrap();
        let natively = streamlag_replay::body(&name, content.as_slice(), Hint::default()).unwrap();
        let arguments = vec![json!(name), blank::file(path).unwrap()];
        let in_page = page.call("replay.body", arguments).await.unwrap();
        compare(&[natively], &json!([in_page]), &mut different);
    }
    browser.close().await.unwrap();
    let all = inputs.cases.len() + inputs.bodies.len();
    println!(
        "{all} streams, {} of them read differently",
        different.len()
    );
    assert!(different.is_empty(), "{}", different.join("\n\n"));
}

fn compare(natively: &[String], in_page: &Value, different: &mut Vec<String>) {
    let in_page: Vec<_> = in_page
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    assert_eq!(natively.len(), in_page.len());
    for (native, wasm) in natively.iter().zip(in_page) {
        if native != wasm {
            different.push(format!("natively: {native}\nin the page: {wasm}"));
        }
    }
}

async fn open<'a>(place: &Place, browser: &'a Browser) -> Result<Blank<'a>, Trouble> {
    let page = Blank::open(browser, SCRIPT, LIMIT).await?;
    let folder = place.replay_page();
    let files = ["replay_page.js", "replay_page_bg.wasm"].map(|name| folder.join(name));
    let [glue, wasm] = files;
    page.call(
        "replay.load",
        vec![blank::file(&glue)?, blank::file(&wasm)?],
    )
    .await?;
    Ok(page)
}

fn inputs(place: &Place) -> Inputs {
    let mut inputs = Inputs {
        cases: Vec::new(),
        bodies: Vec::new(),
    };
    for folder in OWN {
        inputs.add(&place.root().join(folder));
    }
    assert!(
        inputs.cases.len() >= 20 && inputs.bodies.len() >= 20,
        "our own recordings are gone"
    );
    let beside = place.root().join(BESIDE);
    if beside.is_dir() {
        inputs.add(&beside);
    } else {
        println!("SKIPPED in part: {BESIDE} is not there; only our own recordings are replayed");
    }
    inputs
}

impl Inputs {
    /// All below a folder, in a fixed order.
    fn add(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let ending = path.extension().and_then(|ending| ending.to_str());
            match ending {
                _ if path.is_dir() => self.add(&path),
                Some("jsonl") => {
                    let lines = fs::read_to_string(&path).unwrap();
                    self.cases.extend(lines.lines().map(str::to_owned));
                }
                Some("tsv" | "py" | "md") => {}
                _ => self.bodies.push(path),
            }
        }
    }
}
