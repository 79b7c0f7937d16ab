//! Measurement → record: durations become milliseconds rounded to the microsecond.

use std::time::Duration;

use streamlag_core::measurement::{
    Attempt, Chunk, Counts, Gap, Gaps, Http, Render, Timing, Tokens,
};
use streamlag_core::{Measurement, TimeoutPhase};

use crate::context::Context;
use crate::fit::cut;
use crate::record::{
    AttemptJson, ChunkJson, ClockJson, CountsJson, GapJson, GapsJson, HttpJson, Record, RenderJson,
    SCHEMA, TimingJson, TokensJson,
};
use crate::sketch::{SketchJson, Sketches};
use crate::target::Target;

impl Record {
    /// The record of one measurement.
    pub fn new(m: &Measurement, context: Context) -> Self {
        let started_at = m.started_at.or(context.started_at);
        Self {
            schema: SCHEMA,
            id: context.id,
            vantage: context.vantage,
            region: context.region.map(cut),
            colo: context.colo.map(cut),
            target: target(context.target),
            agent: cut(context.agent),
            app: context.app.map(cut),
            release: context.release.map(cut),
            trace_id: context.trace_id,
            prompt_id: context.prompt_id.map(cut),
            prompt_chars: context.prompt_chars,
            concurrency: context.concurrency,
            warmth: context.warmth.map(str::to_owned),
            connection_reused: context.connection_reused,
            started_at_ms: started_at.map_or(0.0, |stamp| stamp.ms().round()),
            outcome: m.outcome.as_str().to_owned(),
            error_class: m.error.map(|class| class.as_str().to_owned()),
            timeout_phase: m.timeout_phase.map(|phase| timeout_word(phase).to_owned()),
            complete: m.complete,
            finish: m.finish.clone(),
            end: m.end.clone(),
            framing: m.framing.map(str::to_owned),
            dialect: m.dialect.map(str::to_owned),
            clock: ClockJson {
                name: m.clock.name.as_str().to_owned(),
                // Native clocks step by less than a microsecond, and a step of 0 would be none.
                step_ms: m.clock.step.map(|step| step.as_nanos() as f64 / 1e6),
            },
            http: http(&m.http),
            timing: timing(&m.timing),
            gaps: gaps(&m.gaps),
            sketches: sketches(m),
            parse_ms: m.parse_total.map(ms),
            render: m.render.as_ref().map(render),
            tokens: tokens(&m.tokens),
            counts: counts(&m.counts),
            chunks: m.chunks.iter().map(chunk).collect(),
            attempts: m.attempts.iter().map(attempt).collect(),
            attempts_seen: m.attempts_seen,
            flags: m.flags.words().map(str::to_owned).collect(),
            suspended_ms: m.suspended.map(ms),
            server_reported: m
                .server_reported
                .iter()
                .map(|(name, ms)| ((*name).to_owned(), *ms))
                .collect(),
            own_cost_ms: m.own_cost.map(ms),
            #[cfg(feature = "json")]
            unknown: Default::default(),
        }
    }
}

/// Milliseconds, rounded to the microsecond: nothing finer is claimed.
fn ms(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1e3
}

fn target(target: Target) -> Target {
    Target {
        id: cut(target.id),
        side: target.side.map(cut),
        base_url: target.base_url.map(cut),
        model: target.model.map(cut),
        key_alias: target.key_alias.map(cut),
    }
}

/// The word of a time limit in records.
const fn timeout_word(phase: TimeoutPhase) -> &'static str {
    match phase {
        TimeoutPhase::Connect => "connect",
        TimeoutPhase::FirstByte => "first_byte",
        TimeoutPhase::BetweenChunks => "between_chunks",
        TimeoutPhase::Total => "total",
    }
}

fn http(http: &Http) -> HttpJson {
    HttpJson {
        status: http.status,
        retry_after_ms: http.retry_after.map(ms),
        retry_after_known: http.retry_after_known,
        retryable: http.retryable,
        request_id: http.request_id.clone(),
        relay_id: http.relay_id.clone(),
        rate_limits: http.rate_limits.iter().cloned().collect(),
        server_timing: http.server_timing.iter().cloned().collect(),
        left_out: 0,
    }
}

fn timing(t: &Timing) -> TimingJson {
    TimingJson {
        wait_ms: t.wait.map(ms),
        headers_ms: t.headers.map(ms),
        ttfb_ms: t.ttfb.map(ms),
        ttft_ms: t.ttft.map(ms),
        ttft_at_least_ms: t.ttft_at_least.map(ms),
        ttfo_ms: t.ttfo.map(ms),
        first_answer_ms: t.first_answer.map(ms),
        first_visible_ms: t.first_visible.map(ms),
        gen_ms: t.generation.map(ms),
        total_ms: t.total.map(ms),
        stream_end_ms: t.stream_end.map(ms),
        tail_wait_ms: t.tail_wait.map(ms),
        user_total_ms: t.user_total.map(ms),
        user_ttft_ms: t.user_ttft.map(ms),
        tpot_ms: t.tpot.map(ms),
        answer_tpot_ms: t.answer_tpot.map(ms),
        tps: t
            .tpot
            .filter(|tpot| !tpot.is_zero())
            .map(|tpot| (1e3 / tpot.as_secs_f64()).round() / 1e3),
    }
}

fn sketches(m: &Measurement) -> Sketches {
    let render = m.render.as_ref();
    Sketches {
        gaps: Some(SketchJson::from(&m.gaps.sketch)),
        parse: m.parse.as_ref().map(SketchJson::from),
        holdback: render.map(|render| SketchJson::from(&render.holdback)),
        lag_earliest: render.map(|render| SketchJson::from(&render.lag_earliest)),
        lag_latest: render.map(|render| SketchJson::from(&render.lag_latest)),
    }
}

fn gaps(g: &Gaps) -> GapsJson {
    GapsJson {
        longest: g.longest.iter().map(gap).collect(),
        choppy: g.choppy,
        stalls: g.stalls,
        stall_ms: ms(g.stall_total),
        hidden_stalls: g.hidden_stalls,
        provider_stalls: g.provider_stalls,
        trusted: g.trusted,
        unresolved: g.unresolved,
    }
}

fn gap(g: &Gap) -> GapJson {
    GapJson {
        at_ms: ms(g.at),
        gap_ms: ms(g.length),
        read: g.read,
        event: g.event,
        cause: g.cause.as_str().to_owned(),
    }
}

fn render(r: &Render) -> RenderJson {
    RenderJson {
        first_paint_ms: r.first_paint.map(ms),
        frames: r.frames,
        censored: r.censored,
        not_shown: r.not_shown,
    }
}

fn tokens(t: &Tokens) -> TokensJson {
    let usage = t.usage.unwrap_or_default();
    TokensJson {
        input: usage.input,
        output: t.output,
        reasoning: usage.reasoning,
        cached: usage.cached,
        answer: t.answer,
        source: t.source.as_str().to_owned(),
        usage_is_final: t.usage_is_final,
        hidden_reasoning: t.hidden_reasoning,
    }
}

fn counts(c: &Counts) -> CountsJson {
    CountsJson {
        reads: c.reads,
        body_bytes: c.bytes,
        events: c.events,
        comments: c.comments,
        generated: c.generated,
        content: c.content,
        reasoning: c.reasoning,
        tool: c.tool,
        invalid: c.invalid,
        unknown: c.unknown,
        answer_chars: c.answer_chars,
        reasoning_chars: c.reasoning_chars,
        choices: c.choices,
        tool_calls: c.tool_calls,
    }
}

fn chunk(c: &Chunk) -> ChunkJson {
    ChunkJson {
        at_ms: c.at.map(ms),
        bytes: c.bytes,
        events: c.events,
        generated: c.generated,
    }
}

fn attempt(a: &Attempt) -> AttemptJson {
    AttemptJson {
        sent_ms: a.sent.map(ms),
        ttft_ms: a.ttft.map(ms),
        end_ms: a.end.map(ms),
        status: a.status,
        error_class: a.error.map(|class| class.as_str().to_owned()),
    }
}
