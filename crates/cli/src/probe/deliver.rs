//! Posts records to the collector.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context as _, bail};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Url};
use serde_json::Value;
use streamlag_collector::upstream::{builder, classify};
use streamlag_core::ErrorClass;

const CONNECT: Duration = Duration::from_secs(3);
const ANSWER: Duration = Duration::from_secs(10);
const PAUSE_BEFORE_RETRY: Duration = Duration::from_millis(300);

/// What became of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Delivery {
    /// The collector has it.
    Stored,
    /// It has not, and this is why.
    Not(String),
    /// It has not, for the reason already given.
    StillNot,
}

/// The way to the collector.
pub(super) struct Outbox {
    client: Client,
    url: Url,
    last_reason: Option<String>,
}

/// Why one attempt failed; only some reasons are worth another.
enum Refusal {
    Final(String),
    MayPass(String),
}

impl Outbox {
    pub(super) fn new(collector: &str) -> anyhow::Result<Self> {
        let url: Url = collector
            .parse()
            .with_context(|| format!("--collector {collector:?} is not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            bail!(
                "--collector {collector:?}: give an http or https URL, for example http://127.0.0.1:7070"
            );
        }
        let mut url = url;
        url.set_query(None);
        url.set_path(&format!("{}/v1/records", url.path().trim_end_matches('/')));
        let client = builder(CONNECT).timeout(ANSWER).build();
        Ok(Self {
            client: client.context("could not set up the HTTP client")?,
            url,
            last_reason: None,
        })
    }

    /// Posts one record; tries again once where that may help.
    pub(super) async fn post(&mut self, record: &str) -> Delivery {
        let mut posted = self.try_once(record).await;
        // A collector that was away a moment ago gets no second chance for each further record.
        if matches!(posted, Err(Refusal::MayPass(_))) && self.last_reason.is_none() {
            tokio::time::sleep(PAUSE_BEFORE_RETRY).await;
            posted = self.try_once(record).await;
        }
        match posted {
            Ok(()) => {
                self.last_reason = None;
                Delivery::Stored
            }
            Err(Refusal::Final(reason) | Refusal::MayPass(reason)) => {
                let known = self.last_reason.replace(reason.clone());
                match known {
                    Some(known) if known == reason => Delivery::StillNot,
                    _ => Delivery::Not(reason),
                }
            }
        }
    }

    async fn try_once(&self, record: &str) -> Result<(), Refusal> {
        let post = self.client.post(self.url.clone());
        let post = post.header(CONTENT_TYPE, "application/json");
        let sent = post.body(record.to_owned()).send().await;
        let response = sent.map_err(|error| Refusal::MayPass(self.unreachable(&error)))?;
        let status = response.status();
        let answer: Value = response.json().await.unwrap_or_default();
        if status.is_success() {
            return Ok(());
        }
        let reason = self.refused(status.as_u16(), &answer);
        Err(match status.is_server_error() {
            true => Refusal::MayPass(reason),
            false => Refusal::Final(reason),
        })
    }

    fn unreachable(&self, error: &reqwest::Error) -> String {
        let why = match classify(error) {
            ErrorClass::Dns => "its name cannot be resolved",
            ErrorClass::Tls => "TLS cannot be agreed with it",
            ErrorClass::Timeout => "it does not answer in time",
            ErrorClass::Connect => "nothing listens there",
            _ => "the connection broke",
        };
        format!(
            "the collector at {} did not take the record: {why}; start it with `streamlag serve`, or name \
             another with --collector ({KEPT})",
            self.url.origin().ascii_serialization()
        )
    }

    fn refused(&self, status: u16, answer: &Value) -> String {
        let first = &answer["rejected"][0];
        let reason = match (first["field"].as_str(), first["reason"].as_str()) {
            (Some(field), Some(reason)) => format!("{field}: {reason}"),
            _ => match answer["error"]["message"].as_str() {
                Some(message) => message.to_owned(),
                None => format!("it answered with status {status}"),
            },
        };
        format!(
            "the collector at {} refused the record: {reason} ({KEPT})",
            self.url.origin().ascii_serialization()
        )
    }
}

const KEPT: &str = "with --json the records are printed and can be posted later";

/// Where a collector of this configuration is reached from its own machine.
pub(super) fn default_url(listen: SocketAddr) -> String {
    let ip = match listen.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    format!("http://{}", SocketAddr::new(ip, listen.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_collector_is_where_the_configuration_lets_it_listen() {
        let url = |listen: &str| default_url(listen.parse().unwrap());
        assert_eq!(url("127.0.0.1:7070"), "http://127.0.0.1:7070");
        assert_eq!(url("0.0.0.0:81"), "http://127.0.0.1:81");
        assert_eq!(url("[::]:81"), "http://[::1]:81");
    }

    #[test]
    fn records_go_below_the_collectors_own_path() {
        let path = |url: &str| Outbox::new(url).unwrap().url.to_string();
        assert_eq!(path("http://h:7070"), "http://h:7070/v1/records");
        assert_eq!(path("https://h/lag/?x=1"), "https://h/lag/v1/records");
        assert!(Outbox::new("ftp://h").is_err());
        assert!(Outbox::new("7070").is_err());
    }
}
