// Without wasm: arrival times alone. What the core would have read out of the bytes is left out.
import { chunks, longest } from './columns.js';

const STALL_MS = 500;
const CHOPPY_MS = 200;
/** As many reads and gaps as the core keeps one by one. */
const CHUNKS = 32;
const LONGEST = 8;

const AGENT = `streamlag-agent-reduced/${VERSION}`;
const ENDS = [['ok', null], ['error', 'network'], ['aborted', null], ['timeout', 'timeout']];

const hex = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
/** To the microsecond, as the core does. */
const micro = (ms) => Math.round(ms * 1e3) / 1e3;

/** The classes that a status alone tells. */
const classOf = (status) => {
  if (status == 401 || status == 403) return 'auth';
  if (status == 429) return 'rate_limited';
  if (status == 503 || status == 529) return 'overloaded';
  if (status >= 500) return 'server';
  return status >= 400 ? 'bad_request' : null;
};

/** One answer; its methods are the log's words. */
class Answer {
  constructor({ at, wall, intent, hidden, base, target }, { app, release }, done) {
    this.id = hex(16);
    this.done = done;
    this.sent = at;
    this.last = null;
    this.cost = 0;
    this.reads = [];
    this.gaps = [];
    /** Hidden now, and at some time since the last read. */
    this.hidden = this.unseen = false;
    this.record = {
      schema: 1,
      id: this.id,
      vantage: 'browser',
      target: { id: target.id, side: target.side, base_url: base, model: target.model, key_alias: target.keyAlias },
      agent: AGENT,
      app,
      release,
      started_at_ms: Math.round(wall),
      outcome: 'ok',
      // Whether the answer was whole is in the bytes, which nobody read.
      complete: false,
      clock: { name: 'performance.now' },
      http: {},
      timing: { wait_ms: intent == null || at == null ? null : micro(Math.max(0, at - intent)) },
      gaps: { choppy: 0, stalls: 0, stall_ms: 0, hidden_stalls: 0 },
      counts: { reads: 0, body_bytes: 0 },
      flags: ['reduced'],
    };
    if (hidden) this.visibility(0, true);
  }

  since(at) {
    return this.sent == null ? null : micro(at - this.sent);
  }

  headers(at, response) {
    this.record.http.status = response.status;
    this.record.timing.headers_ms = this.since(at);
  }

  bytes(at, chunk, spent) {
    const { counts, timing } = this.record;
    if (!counts.reads) timing.ttfb_ms = this.since(at);
    else this.gap(at);
    if (this.reads.length < CHUNKS) this.reads.push({ at: this.since(at), bytes: chunk.length });
    counts.reads += 1;
    counts.body_bytes += chunk.length;
    this.cost += spent;
    this.last = at;
  }

  gap(at) {
    const { gaps, counts } = this.record;
    const gap = micro(at - this.last);
    const isStall = gap > STALL_MS;
    // What nobody saw is in no other count.
    if (this.unseen) gaps.hidden_stalls += isStall ? 1 : 0;
    else {
      gaps.choppy += gap > CHOPPY_MS ? 1 : 0;
      gaps.stalls += isStall ? 1 : 0;
      gaps.stall_ms += isStall ? gap : 0;
    }
    this.unseen = this.hidden;
    this.gaps.push({ at: this.since(this.last) ?? 0, gap, read: counts.reads });
    this.gaps.sort((a, b) => b.gap - a.gap).splice(LONGEST);
  }

  whole() {
    this.record.flags.push('body_unseen');
  }

  visibility(at, hidden) {
    const { flags } = this.record;
    this.hidden = hidden;
    this.unseen ||= hidden;
    if (hidden && !flags.includes('hidden')) flags.push('hidden');
  }

  end(at, how, spent = 0) {
    const { record } = this;
    const failed = classOf(record.http.status);
    [record.outcome, record.error_class] = failed ? ['error', failed] : ENDS[how];
    if (how == 1 && !failed && record.http.status) {
      record.error_class = 'reset';
      if (record.counts.reads) record.outcome = 'truncated';
    }
    if (how == 3) record.timeout_phase = 'total';
    record.timing.stream_end_ms = how == 0 ? this.since(at) : null;
    if (this.reads.length) record.chunks = chunks(this.reads);
    if (this.gaps.length) record.gaps.longest = longest(this.gaps);
    record.own_cost_ms = micro(this.cost + spent);
    this.drop(record);
  }

  /** Nothing is told any more; without a record, none comes. */
  drop(record) {
    this.end = this.bytes = this.headers = this.whole = () => {};
    this.done(record);
  }

  caught_up() {}

  // Without the core nobody knows which text is in which read.
  committed() {}

  observe() {}
}

export const reduced = (settings, hand) => {
  const open = new Set();
  document.addEventListener('visibilitychange', () => {
    for (const answer of open) answer.visibility(0, document.hidden);
  });
  const leave = () => {
    for (const answer of open) answer.end(performance.now(), 2);
  };
  addEventListener('pagehide', leave);
  return {
    leave,
    open(facts) {
      const answer = new Answer(facts, settings, (record) => {
        open.delete(answer);
        if (record) hand(record);
      });
      open.add(answer);
      return answer;
    },
    observe() {},
    clear() {
      for (const answer of open) answer.drop();
    },
  };
};
