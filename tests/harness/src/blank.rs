//! An empty page that is given code and data as text: no server in between, nothing cached.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fantoccini::wd::TimeoutConfiguration;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::browser::Browser;
use crate::trouble::Trouble;

/// Gives scripts what JavaScript has no word for: bytes from base64, and a module from its text.
const TOOLS: &str = "window.bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));\
     window.moduleUrl = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));";

/// An empty page, open in a browser.
#[derive(Debug)]
pub struct Blank<'a> {
    browser: &'a Browser,
}

impl<'a> Blank<'a> {
    /// Opens one and runs a script in it. Each call is answered within the limit.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn open(
        browser: &'a Browser,
        script: &str,
        limit: Duration,
    ) -> Result<Self, Trouble> {
        Self::open_at(browser, "about:blank", script, limit).await
    }

    /// The same in the place of what an address shows, with its origin.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn open_at(
        browser: &'a Browser,
        url: &str,
        script: &str,
        limit: Duration,
    ) -> Result<Self, Trouble> {
        let client = browser.client();
        client.goto(url).await?;
        let limit = TimeoutConfiguration::new(Some(limit), None, None);
        client.update_timeouts(limit).await?;
        client.execute(TOOLS, Vec::new()).await?;
        client.execute(script, Vec::new()).await?;
        Ok(Self { browser })
    }

    /// Calls a function of the page and waits for what it gives or promises.
    ///
    /// # Errors
    /// What it throws.
    pub async fn call(&self, function: &str, arguments: Vec<Value>) -> Result<Value, Trouble> {
        self.browser.call(function, arguments).await
    }

    /// Calls a function of the page and waits for nothing: what it starts runs undisturbed.
    ///
    /// # Errors
    /// What it throws at once.
    pub async fn start(&self, function: &str, arguments: Vec<Value>) -> Result<(), Trouble> {
        let script = format!("window.{function}(...arguments)");
        let client = self.browser.client();
        client.execute(&script, arguments).await?;
        Ok(())
    }
}

/// A file as an argument for [`Blank::call`]; the page gets it back with `bytes`.
///
/// # Errors
/// When it cannot be read.
pub fn file(path: &Path) -> Result<Value, Trouble> {
    let bytes = fs::read(path).map_err(Trouble::file(path))?;
    Ok(json!(STANDARD.encode(bytes)))
}
