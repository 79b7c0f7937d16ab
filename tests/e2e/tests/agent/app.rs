//! Somebody's app on a site of its own, with the agent's package in it.

use harness::browser::{Browser, WindowHandle};
use harness::site::{Open, Site};
use harness::{Plan, Stack, Trouble};
use serde_json::{Value, json};
use std::time::Duration;
use streamlag_e2e::{TARGETS, browser, output, place};
use streamlag_wire::Record;

const HTML: &str = include_str!("site/index.html");
const SCRIPT: &str = include_str!("site/app.js");
const LIMIT: Duration = Duration::from_secs(30);

/// The app, open in a browser, and all that it talks to.
pub(crate) struct App {
    pub(crate) stack: Stack,
    browser: Browser,
    site: Open,
}

impl App {
    /// Opens it; nothing is measured yet.
    pub(crate) async fn open(test: &str) -> Result<Self, Trouble> {
        Self::on(test, |site| site).await
    }

    /// The same on a site with something special about it.
    pub(crate) async fn on(test: &str, special: fn(Site) -> Site) -> Result<Self, Trouble> {
        let place = place()?;
        let mut plan = Plan::new(&format!("e2e-agent-{test}"), TARGETS)?;
        plan.edge = None;
        let stack = Stack::start(&place, plan).await?;
        let mut site = Site::default()
            .with("/", HTML)
            .with("/app.js", SCRIPT)
            .with_folder("/streamlag", &place.package())?;
        if test.contains("openai") {
            site = site.with_folder("/openai", &bundled_client(&stack)?)?;
        }
        let (browser, site) = (browser(&stack).await?, special(site).open().await?);
        let app = Self {
            stack,
            browser,
            site,
        };
        app.load().await?;
        Ok(app)
    }

    /// Loads the app anew.
    pub(crate) async fn load(&self) -> Result<(), Trouble> {
        let client = self.browser.client();
        client.goto(&self.site.url("/")).await?;
        for _ in 0..200 {
            let there = client.execute("return !!window.app", Vec::new()).await?;
            if there == Value::Bool(true) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        Err(trouble("the app did not start"))
    }

    /// Opens another tab in front of the page, and gives what brings the page back.
    pub(crate) async fn hide(&self) -> Result<WindowHandle, Trouble> {
        let client = self.browser.client();
        let page = client.window().await?;
        let other = client.new_window(true).await?;
        client.switch_to_window(other.handle).await?;
        Ok(page)
    }

    /// Brings the page back to the front.
    pub(crate) async fn show(&self, page: WindowHandle) -> Result<(), Trouble> {
        let client = self.browser.client();
        client.close_window().await?;
        Ok(client.switch_to_window(page).await?)
    }

    /// Leaves the page.
    pub(crate) async fn leave(&self) -> Result<(), Trouble> {
        Ok(self.browser.client().goto("about:blank").await?)
    }

    /// Starts the agent with these options beside the collector's address.
    pub(crate) async fn start(&self, options: Value) -> Result<(), Trouble> {
        let mut all = json!({ "collector": self.stack.url(), "consent": true });
        if let (Some(all), Some(options)) = (all.as_object_mut(), options.as_object()) {
            all.extend(options.clone());
        }
        let mock = self.stack.mock_url();
        self.call("start", vec![all, json!(mock)]).await.map(drop)
    }

    /// Starts it and waits for its core.
    pub(crate) async fn ready(&self) -> Result<(), Trouble> {
        self.start(json!({})).await?;
        self.call("warm", Vec::new()).await.map(drop)
    }

    /// Calls one of the app's functions and waits for what it promises.
    pub(crate) async fn call(
        &self,
        function: &str,
        arguments: Vec<Value>,
    ) -> Result<Value, Trouble> {
        let function = format!("app.{function}");
        self.browser.call(&function, arguments).await
    }

    /// The same with texts alone.
    pub(crate) async fn ask(&self, function: &str, texts: &[&str]) -> Result<Value, Trouble> {
        let arguments = texts.iter().map(|text| json!(text)).collect();
        self.call(function, arguments).await
    }

    /// Runs a script in the page.
    pub(crate) async fn run(&self, script: &str) -> Result<Value, Trouble> {
        Ok(self.browser.client().execute(script, Vec::new()).await?)
    }

    /// Has everything sent that waits, and gives the target's records, of which there must be so many.
    pub(crate) async fn records(&self, target: &str, count: usize) -> Result<Vec<Record>, Trouble> {
        let flushed = self.call("flush", Vec::new()).await?;
        assert_eq!(
            flushed,
            json!(true),
            "the collector does not have everything"
        );
        let query = format!("target={target}");
        let collector = self.stack.collector();
        let records = collector.wait(&query, count, target, LIMIT).await?;
        assert_eq!(records.len(), count, "{records:#?}");
        Ok(records)
    }

    /// The target's one record.
    pub(crate) async fn record(&self, target: &str) -> Result<Record, Trouble> {
        Ok(self.records(target, 1).await?.remove(0))
    }

    /// The record of the request of this id.
    pub(crate) async fn by_request(&self, id: &str) -> Result<Record, Trouble> {
        self.call("flush", Vec::new()).await?;
        for _ in 0..200 {
            let records = self.stack.collector().records("").await?;
            let named = |record: &Record| record.http.request_id.as_deref() == Some(id);
            if let Some(record) = records.into_iter().find(named) {
                return Ok(record);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err(trouble(&format!("no record of request {id}")))
    }

    /// Bytes of the page's heap and of its buffers, rubbish collected.
    pub(crate) async fn memory(&self) -> Result<u64, Trouble> {
        self.browser
            .developer("HeapProfiler.collectGarbage")
            .await?;
        let usage = self.browser.developer("Runtime.getHeapUsage").await?;
        let bytes = |name: &str| usage[name].as_f64().unwrap_or_default() as u64;
        assert!(usage["backingStorageSize"].is_number(), "{usage}");
        Ok(bytes("usedSize") + bytes("backingStorageSize"))
    }

    /// How the request ended for the server, once it has.
    pub(crate) async fn ending(&self, id: &str) -> Result<String, Trouble> {
        streamlag_e2e::ending(&self.stack, id).await
    }

    /// Ends the browser in good order.
    pub(crate) async fn close(self) -> Result<(), Trouble> {
        self.browser.close().await
    }
}

/// The official client as one module.
fn bundled_client(stack: &Stack) -> Result<std::path::PathBuf, Trouble> {
    let place = place()?;
    let folder = stack.folder().join("openai");
    let mut esbuild = std::process::Command::new(place.esbuild());
    esbuild
        .arg(place.npm().join("node_modules/openai/index.mjs"))
        .args([
            "--bundle",
            "--format=esm",
            "--platform=browser",
            "--log-level=warning",
        ])
        .arg(format!("--outfile={}", folder.join("openai.js").display()));
    output(&mut esbuild)?;
    Ok(folder)
}

fn trouble(reason: &str) -> Trouble {
    Trouble::Answer {
        url: "the app".to_owned(),
        reason: reason.to_owned(),
    }
}
