//! Chromium's developer protocol, through the door that its driver has for it.

use fantoccini::wd::WebDriverCompatibleCommand;
use hyper::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

use super::Browser;
use crate::trouble::Trouble;

#[derive(Debug)]
struct Developer(String);

impl Browser {
    /// Runs a command of Chromium's developer protocol, without parameters.
    ///
    /// # Errors
    /// When the browser is another one, or refuses.
    pub async fn developer(&self, command: &str) -> Result<Value, Trouble> {
        let command = Developer(command.to_owned());
        Ok(self.client().issue_cmd(command).await?)
    }
}

impl WebDriverCompatibleCommand for Developer {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let body = json!({ "cmd": self.0, "params": {} });
        (Method::POST, Some(body.to_string()))
    }
}
