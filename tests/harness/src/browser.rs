//! A real Chromium, headless, through its own driver.

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::ports;
use crate::process::Process;
use crate::trouble::Trouble;

const LIMIT: Duration = Duration::from_secs(30);
const CHROMIUM: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];
const DRIVER: [&str; 1] = ["chromedriver"];

/// What the window is like.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// Whether the user prefers dark pages.
    pub dark: bool,
    /// A phone: a touch screen as narrow as asked for (desktop windows are never narrower than 500).
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

/// A running browser with one session. It ends with this value.
#[derive(Debug)]
pub struct Browser {
    client: Client,
    _driver: Process,
}

/// The browser and its driver, where both are installed.
///
/// # Errors
/// Which one is missing, and how to get it.
pub fn installed() -> Result<(PathBuf, PathBuf), Trouble> {
    let chromium = find(&CHROMIUM).ok_or(Trouble::NoBrowser("Chromium"))?;
    let driver = find(&DRIVER).ok_or(Trouble::NoBrowser("chromedriver"))?;
    Ok((chromium, driver))
}

impl Browser {
    /// Starts one with nothing remembered.
    ///
    /// # Errors
    /// When it is not installed or does not start.
    pub async fn start(folder: &Path, window: Window) -> Result<Self, Trouble> {
        let (chromium, driver) = installed()?;
        let port = ports::free()?;
        let mut command = Command::new(driver);
        command.arg(format!("--port={port}"));
        let mut driver =
            Process::spawn("chromedriver", &mut command, folder, "install chromedriver")?;
        let url = format!("http://127.0.0.1:{port}");
        driver.ready(&format!("{url}/status"), LIMIT).await?;
        let profile = folder.join(format!("profile-{port}"));
        fs::create_dir_all(&profile).map_err(Trouble::file(&profile))?;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(&chromium, &profile, window));
        let client = builder
            .connect(&url)
            .await
            .map_err(|e| Trouble::Session(Box::new(e)))?;
        Ok(Self {
            client,
            _driver: driver,
        })
    }

    /// Its session, for all that a browser can do.
    pub fn client(&self) -> &Client {
        &self.client
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

fn capabilities(chromium: &Path, profile: &Path, window: Window) -> Capabilities {
    let mut args = vec![
        "--headless".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--hide-scrollbars".to_owned(),
        // Containers keep /dev/shm small.
        "--disable-dev-shm-usage".to_owned(),
        format!("--window-size={},{}", window.width, window.height),
        format!("--user-data-dir={}", profile.display()),
    ];
    if rustix::process::geteuid().is_root() {
        args.push("--no-sandbox".to_owned());
    }
    if window.dark {
        args.push("--blink-settings=preferredColorScheme=0".to_owned());
    }
    let mut capabilities = Capabilities::new();
    capabilities.insert("browserName".to_owned(), json!("chrome"));
    // Alerts and slow loads must not decide a test's end.
    capabilities.insert("pageLoadStrategy".to_owned(), json!("normal"));
    let mut options = json!({ "binary": chromium, "args": args });
    if window.phone {
        let metrics = json!({ "width": window.width, "height": window.height, "pixelRatio": 2.0 });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
    }
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }));
    capabilities
}

fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let candidates = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    candidates.into_iter().find(|path| path.is_file())
}
