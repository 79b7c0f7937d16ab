//! A real browser through its own driver: Chromium, Firefox or WebKit.

mod chromium;
mod developer;
mod engine;
mod firefox;
mod screen;
mod webkit;

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::ports;
use crate::process::Process;
use crate::trouble::Trouble;

pub use engine::Engine;
use engine::Programs;
pub use fantoccini::wd::WindowHandle;
use screen::Screen;

const LIMIT: Duration = Duration::from_secs(30);

/// What the window is like.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// Whether the user prefers dark pages. Chromium only.
    pub dark: bool,
    /// A phone: a touch screen as narrow as asked for (desktop windows are never narrower than 500). Chromium only.
    pub phone: bool,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 1600,
            dark: false,
            phone: false,
        }
    }
}

/// How one engine's driver is started and asked for a session.
struct Start {
    driver: &'static str,
    command: Command,
    capabilities: Capabilities,
    /// The screen that the browser needs; it must outlive it.
    screen: Option<Screen>,
}

/// A running browser with one session. It ends with this value.
#[derive(Debug)]
pub struct Browser {
    engine: Engine,
    client: Client,
    _driver: Process,
    _screen: Option<Screen>,
}

impl Browser {
    /// Starts Chromium with nothing remembered.
    ///
    /// # Errors
    /// When it is not installed or does not start.
    pub async fn start(folder: &Path, window: Window) -> Result<Self, Trouble> {
        Self::of(Engine::Chromium, folder, window).await
    }

    /// Starts one of this engine with nothing remembered.
    ///
    /// # Errors
    /// When it is not installed or does not start.
    pub async fn of(engine: Engine, folder: &Path, window: Window) -> Result<Self, Trouble> {
        let programs = engine.installed()?;
        let port = ports::free()?;
        let profile = folder.join(format!("profile-{port}"));
        fs::create_dir_all(&profile).map_err(Trouble::file(&profile))?;
        let mut start = match engine {
            Engine::Chromium => chromium::start(&programs, port, &profile, window),
            Engine::Firefox => firefox::start(&programs, port, &profile, window)?,
            Engine::WebKit => webkit::start(&programs, port, &profile, window, folder)?,
        };
        let remedy = "install the driver of this browser";
        let mut driver = Process::spawn(start.driver, &mut start.command, folder, remedy)?;
        let url = format!("http://127.0.0.1:{port}");
        driver.ready(&format!("{url}/status"), LIMIT).await?;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(start.capabilities);
        let client = builder
            .connect(&url)
            .await
            .map_err(|e| Trouble::Session(Box::new(e)))?;
        Ok(Self {
            engine,
            client,
            _driver: driver,
            _screen: start.screen,
        })
    }

    /// Which one it is.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Its session, for all that a browser can do.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Calls a function of the page, by its path below `window`, and waits for what it gives or promises.
    ///
    /// # Errors
    /// What it throws.
    pub async fn call(&self, function: &str, arguments: Vec<Value>) -> Result<Value, Trouble> {
        let script = format!(
            "const done = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);\
             Promise.resolve().then(() => window.{function}(...given)).then(\
             (value) => done({{ value: value ?? null }}),\
             (error) => done({{ error: String(error?.stack ?? error) }}))"
        );
        let answer = self.client.execute_async(&script, arguments).await?;
        match answer["error"].as_str() {
            Some(error) => Err(Trouble::Answer {
                url: format!("`{function}` in a page"),
                reason: error.to_owned(),
            }),
            None => Ok(answer["value"].clone()),
        }
    }

    /// Writes what is shown as a PNG.
    ///
    /// # Errors
    /// When the browser or the file refuses.
    pub async fn screenshot(&self, path: &Path) -> Result<(), Trouble> {
        let png = self.client.screenshot().await?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Trouble::file(folder))?;
        }
        fs::write(path, png).map_err(Trouble::file(path))
    }

    /// Makes the window as high as the page.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn fit(&self) -> Result<(), Trouble> {
        let script = "return [innerWidth, document.documentElement.scrollHeight + outerHeight - innerHeight]";
        let size = self.client.execute(script, Vec::new()).await?;
        let edge = |at: usize| size[at].as_u64().and_then(|edge| u32::try_from(edge).ok());
        if let (Some(width), Some(height)) = (edge(0), edge(1)) {
            self.client.set_window_size(width, height).await?;
        }
        Ok(())
    }

    /// Ends the session in good order.
    ///
    /// # Errors
    /// When the browser does not.
    pub async fn close(self) -> Result<(), Trouble> {
        Ok(self.client.clone().close().await?)
    }
}
