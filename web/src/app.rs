//! What lives as long as the page: the agent, what was loaded, and the one question under way.

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use streamlag_agent::{Agent, Config, Delivery, Stream};
use streamlag_wire::Record;

use crate::api;
use crate::state::ask::{self, Headline, Phase, Posting};
use crate::state::comparison::Comparison;
use crate::state::edge::{self, EdgeProbe};
use crate::state::recent::{self, Line};
use crate::state::targets::{self, TargetInfo};
use crate::state::timeline::Timeline;

/// Something asked from the collector.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Loaded<T> {
    /// Not answered yet.
    Loading,
    /// The answer.
    Ready(T),
    /// Why there is none, in words.
    Failed(String),
}

/// The page's state as signals; cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct App {
    pub(crate) targets: RwSignal<Loaded<Vec<TargetInfo>>>,
    pub(crate) selected: RwSignal<Option<String>>,
    pub(crate) phase: RwSignal<Phase>,
    pub(crate) headline: RwSignal<Headline>,
    pub(crate) status: RwSignal<String>,
    /// The finished record and the target that it was asked of.
    pub(crate) record: RwSignal<Option<(Arc<Record>, TargetInfo)>>,
    pub(crate) posting: RwSignal<Posting>,
    pub(crate) comparison: RwSignal<Loaded<Comparison>>,
    pub(crate) recent: RwSignal<Loaded<Vec<Line>>>,
    pub(crate) edge: RwSignal<EdgeProbe>,
    /// Whether the collector tells of news.
    pub(crate) is_live: RwSignal<bool>,
    pub(crate) stream: StoredValue<Option<Stream>, LocalStorage>,
    agent: StoredValue<Option<Rc<Agent>>, LocalStorage>,
    /// News came while a stream was being measured: they wait until it is over.
    is_stale: StoredValue<bool>,
}

impl App {
    pub(crate) fn new() -> Self {
        let app = Self {
            targets: RwSignal::new(Loaded::Loading),
            selected: RwSignal::new(None),
            phase: RwSignal::default(),
            headline: RwSignal::default(),
            status: RwSignal::new(ask::status(Phase::Idle, &Timeline::default(), "")),
            record: RwSignal::new(None),
            posting: RwSignal::default(),
            comparison: RwSignal::new(Loaded::Loading),
            recent: RwSignal::new(Loaded::Loading),
            edge: RwSignal::default(),
            is_live: RwSignal::new(false),
            stream: StoredValue::new_local(None),
            agent: StoredValue::new_local(None),
            is_stale: StoredValue::new(false),
        };
        let config = Config {
            app: Some("streamlag-page".to_owned()),
            release: Some(env!("CARGO_PKG_VERSION").to_owned()),
            ..Config::default()
        };
        let on_delivery = move |id: &str, news| app.delivered(id, news);
        app.agent
            .set_value(Agent::new(config, Box::new(on_delivery)).map(Rc::new));
        app
    }

    pub(crate) fn agent(self) -> Option<Rc<Agent>> {
        self.agent.get_value()
    }

    /// The target that is selected.
    pub(crate) fn target(self) -> Option<TargetInfo> {
        let id = self.selected.get()?;
        match self.targets.get() {
            Loaded::Ready(targets) => targets.into_iter().find(|target| target.id == id),
            _ => None,
        }
    }

    /// Loads what the collector knows. Where it does not answer, whoever listens for news calls again.
    pub(crate) fn load_targets(self) {
        spawn_local(async move {
            let loaded = api::get::<Vec<TargetInfo>>("/v1/targets").await;
            if let Ok(list) = &loaded
                && self.selected.get_untracked().is_none()
            {
                let asked = asked_target();
                self.selected.set(targets::initial(list, asked.as_deref()));
            }
            self.targets
                .set(loaded.map_or_else(Loaded::Failed, Loaded::Ready));
        });
    }

    /// Reads comparison and recent records anew, or once the stream under way is over: reading them would
    /// disturb what is being measured.
    pub(crate) fn refresh(self) {
        if self.phase.get_untracked().is_busy() {
            return self.is_stale.set_value(true);
        }
        self.is_stale.set_value(false);
        spawn_local(async move {
            let Some(id) = self.selected.get_untracked() else {
                return;
            };
            let comparison = api::get(&format!("/v1/comparison?target={id}")).await;
            let records = api::get::<Vec<Record>>("/v1/records?limit=12").await;
            // Meanwhile another target may have been chosen: its own refresh brings its own numbers.
            if self.selected.get_untracked().as_deref() == Some(&id) {
                self.comparison
                    .set(comparison.map_or_else(Loaded::Failed, Loaded::Ready));
            }
            let lines = records.map(|records| records.iter().map(recent::line).collect());
            self.recent
                .set(lines.map_or_else(Loaded::Failed, Loaded::Ready));
        });
    }

    /// The stream is over: catches up with the news.
    pub(crate) fn catch_up(self) {
        if self.is_stale.get_value() {
            self.refresh();
        }
    }

    /// Asks every region of the edge to measure the selected target now.
    pub(crate) fn probe_edge(self) {
        let Some(target) = self.selected.get_untracked() else {
            return;
        };
        self.edge.set(EdgeProbe::Asking);
        spawn_local(async move {
            let answer = api::post(&format!("/v1/edge/probe/{target}")).await;
            self.edge.set(match answer {
                Ok((status, body)) => edge::read(status, &body),
                Err(gone) => EdgeProbe::Failed(gone),
            });
            self.refresh();
        });
    }

    fn delivered(self, id: &str, news: Delivery) {
        let current = self
            .stream
            .with_value(|stream| stream.as_ref().map(|s| s.id() == id));
        if current != Some(true) {
            return;
        }
        self.posting.set(match news {
            Delivery::Posted => Posting::Posted,
            Delivery::Waiting { retry_in_ms } => Posting::Waiting(retry_in_ms.div_ceil(1_000)),
            Delivery::Refused { field, reason } => Posting::Refused(match field.is_empty() {
                true => reason,
                false => format!("{field}: {reason}"),
            }),
        });
    }
}

/// `?target=` of the page's address.
fn asked_target() -> Option<String> {
    let search = window().location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&search)
        .ok()?
        .get("target")
}

/// The state, from anywhere in the page.
pub(crate) fn app() -> App {
    expect_context::<App>()
}
