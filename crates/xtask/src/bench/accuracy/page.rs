//! Chromium: the agent in a page with nothing else, beside a bare loop in the same page. The page is told to begin
//! and then left alone until it posts what it found.

use anyhow::{Context, Result, bail};
use harness::blank::{self, Blank};
use harness::browser::Browser;
use harness::mailbox::Mailbox;
use harness::process::Process;
use harness::{Place, Stack, mock, ports};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;
use streamlag_wire::Record;
use streamlag_wire::request;

use super::cell::{CELLS, Cell};
use super::errors::Seen;
use super::vantage::Vantage;

const SCRIPT: &str = include_str!("page.js");
const LIMIT: Duration = Duration::from_secs(60);
/// Connections that a browser opens to one host over HTTP/1.1. A port of its own counts as a host: with a server for
/// each six streams, none waits for a connection.
const CONNECTIONS: usize = 6;

/// The browser's vantage.
pub(super) struct Page<'a> {
    stack: &'a Stack,
    page: Blank<'a>,
    mailbox: Mailbox,
    /// Scripted servers, the stack's own first.
    servers: Vec<String>,
    _more: Vec<Process>,
}

impl<'a> Page<'a> {
    /// Opens the page at the collector's address, so that records go their usual way.
    ///
    /// # Errors
    /// When the browser refuses or a server does not start.
    pub(super) async fn open(
        place: &Place,
        stack: &'a Stack,
        browser: &'a Browser,
        module: &Path,
    ) -> Result<Self> {
        let (mut servers, mut more) = (vec![stack.mock_url()], Vec::new());
        let most = CELLS.iter().map(|cell| cell.streams).max().unwrap_or(1);
        for number in 1..most.div_ceil(CONNECTIONS) {
            let folder = stack.folder().join(format!("mock-{number}"));
            fs::create_dir_all(&folder)?;
            let port = ports::free()?;
            more.push(mock::start(place, &folder, port).await?);
            servers.push(format!("http://127.0.0.1:{port}"));
        }
        let mailbox = Mailbox::open().await?;
        let address = format!("{}/healthz", stack.url());
        let page = Blank::open_at(browser, &address, SCRIPT, LIMIT).await?;
        let [glue, wasm] =
            ["accuracy_page.js", "accuracy_page_bg.wasm"].map(|name| module.join(name));
        let load = vec![
            blank::file(&glue)?,
            blank::file(&wasm)?,
            json!(stack.url()),
            json!(mailbox.url()),
        ];
        page.call("accuracy.load", load).await?;
        Ok(Self {
            stack,
            page,
            mailbox,
            servers,
            _more: more,
        })
    }

    async fn run(&mut self, who: &str, cell: &Cell) -> Result<Vec<Value>> {
        let target = self.stack.target(cell.target)?;
        let asked = request::build(target, &target.prompt, target.max_tokens, None);
        let path = target.url.strip_prefix(&self.stack.mock_url());
        let path = path.context("the target is not the scripted server")?;
        let urls: Vec<String> = (0..cell.streams)
            .map(|stream| format!("{}{path}", self.servers[stream / CONNECTIONS]))
            .collect();
        let arguments = vec![
            json!(who),
            json!(urls),
            json!(asked.headers),
            json!(asked.body),
        ];
        self.page.start("accuracy.start", arguments).await?;
        let letter: Value = serde_json::from_str(&self.mailbox.next(LIMIT).await?)?;
        match letter["streams"].as_array() {
            Some(streams) if streams.len() == cell.streams => Ok(streams.clone()),
            _ => bail!("the page's {who} streams: {letter}"),
        }
    }
}

impl Vantage for Page<'_> {
    fn name(&self) -> &'static str {
        "Chromium"
    }

    fn about(&self) -> &'static str {
        "the agent in a page that shows nothing, beside a bare fetch loop in the same page; at most six streams a \
         server, so that none waits for a connection"
    }

    fn goal_ms(&self) -> f64 {
        0.5
    }

    fn most_measured(&self) -> usize {
        usize::MAX
    }

    async fn ours(&mut self, cell: &Cell) -> Result<Vec<Seen>> {
        let records = self.run("ours", cell).await?;
        let seen = records.into_iter().map(|record| {
            let record: Record = serde_json::from_value(record)?;
            Seen::of(&record)
        });
        seen.collect()
    }

    async fn floor(&mut self, cell: &Cell) -> Result<Vec<Seen>> {
        let streams = self.run("floor", cell).await?;
        let seen = streams.into_iter().map(|stream| {
            let (id, url, reads) = serde_json::from_value::<(String, String, _)>(stream)?;
            Ok(Seen::bare(id, &url, reads))
        });
        seen.collect()
    }
}
