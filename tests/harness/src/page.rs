//! The page as a person uses it: choose, ask, stop, read.

use fantoccini::Locator;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

use crate::browser::Browser;
use crate::trouble::Trouble;

const POLL: Duration = Duration::from_millis(25);
const LIMIT: Duration = Duration::from_secs(60);

/// The page, open in a browser.
#[derive(Debug)]
pub struct Page<'a> {
    browser: &'a Browser,
}

/// What the page says when a question is over.
#[derive(Debug, Clone)]
pub struct Shown {
    /// `ok`, `aborted`, …
    pub outcome: String,
    /// Class of the failure.
    pub class: Option<String>,
    /// The sentences for the person.
    pub sentence: String,
    /// The stored record.
    pub record_id: String,
}

impl<'a> Page<'a> {
    /// Opens it and waits for its targets.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn open(browser: &'a Browser, url: &str) -> Result<Self, Trouble> {
        browser.client().goto(url).await?;
        let page = Self { browser };
        page.wait_for(
            "the page's Ask button",
            "return !!document.querySelector('[data-testid=ask]')",
        )
        .await?;
        Ok(page)
    }

    /// Chooses a target by its id.
    ///
    /// # Errors
    /// When it is not offered.
    pub async fn choose(&self, target: &str) -> Result<(), Trouble> {
        // As a person's choice arrives: the value, then its events.
        let script = "const s=document.querySelector('[data-testid=target]'); s.value=arguments[0];\
                      s.dispatchEvent(new Event('input',{bubbles:true}));\
                      s.dispatchEvent(new Event('change',{bubbles:true})); return s.value";
        let value = self.run(script, vec![json!(target)]).await?;
        if value != json!(target) {
            let reason = format!("the page does not offer target {target:?}");
            return Err(Trouble::Answer {
                url: "the page".to_owned(),
                reason,
            });
        }
        Ok(())
    }

    /// Presses a button by its test id.
    ///
    /// # Errors
    /// When there is none or it cannot be pressed.
    pub async fn press(&self, button: &str) -> Result<(), Trouble> {
        let selector = format!("[data-testid={button}]");
        self.browser
            .client()
            .find(Locator::Css(&selector))
            .await?
            .click()
            .await?;
        Ok(())
    }

    /// Asks, and waits until the record is stored.
    ///
    /// # Errors
    /// When no record gets stored.
    pub async fn ask(&self) -> Result<Shown, Trouble> {
        self.press("ask").await?;
        self.finished().await
    }

    /// Asks, and waits until the first text is shown.
    ///
    /// # Errors
    /// When none comes.
    pub async fn ask_for_first_text(&self) -> Result<(), Trouble> {
        self.press("ask").await?;
        let shown = "return document.querySelector('[data-testid=answer]').innerText.length > 0";
        self.wait_for("the first text", shown).await?;
        Ok(())
    }

    /// Waits until the running question is over and its record is stored.
    ///
    /// # Errors
    /// When that does not happen.
    pub async fn finished(&self) -> Result<Shown, Trouble> {
        let script = "const at=(id)=>document.querySelector(`[data-testid=${id}]`);\
                      const o=at('outcome'), l=at('record-link'), busy=at('ask')?.disabled;\
                      return !busy && o && l ? {outcome:o.dataset.outcome, class:o.dataset.class||null,\
                      sentence:o.innerText, id:l.href.split('/').pop()} : null";
        let shown = self
            .wait_for("the question's end and its stored record", script)
            .await?;
        let text = |key: &str| shown[key].as_str().unwrap_or_default().to_owned();
        Ok(Shown {
            outcome: text("outcome"),
            class: shown["class"].as_str().map(str::to_owned),
            sentence: text("sentence"),
            record_id: text("id"),
        })
    }

    /// The text of an element by its test id; empty where there is none.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn text(&self, id: &str) -> Result<String, Trouble> {
        let script =
            "return document.querySelector(`[data-testid=\"${arguments[0]}\"]`)?.innerText ?? ''";
        let text = self.run(script, vec![json!(id)]).await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Waits until a script returns something else than `false` and `null`.
    ///
    /// # Errors
    /// When it does not within a minute.
    pub async fn wait_for(&self, what: &str, script: &str) -> Result<Value, Trouble> {
        let start = Instant::now();
        loop {
            let value = self.run(script, Vec::new()).await?;
            if !value.is_null() && value != Value::Bool(false) {
                return Ok(value);
            }
            if start.elapsed() > LIMIT {
                let body = self
                    .run("return document.body.innerText", Vec::new())
                    .await?;
                let seen = format!("the page shows: {body}");
                return Err(Trouble::NotSeen {
                    seconds: LIMIT.as_secs(),
                    what: what.to_owned(),
                    seen,
                });
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Runs a script in the page.
    ///
    /// # Errors
    /// When it throws.
    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Result<Value, Trouble> {
        Ok(self.browser.client().execute(script, arguments).await?)
    }

    /// Runs a script that answers by calling its last argument.
    ///
    /// # Errors
    /// When it throws or does not answer.
    pub async fn run_async(&self, script: &str, arguments: Vec<Value>) -> Result<Value, Trouble> {
        Ok(self
            .browser
            .client()
            .execute_async(script, arguments)
            .await?)
    }
}
