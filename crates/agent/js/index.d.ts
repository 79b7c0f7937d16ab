/**
 * Measures streamed LLM answers where they are read: in the user's browser, from the act that asked for them
 * to the frame that shows them. Durations, counts and ids are recorded, never text.
 *
 * Call {@link init} once; it throws one TypeError where an option is wrong. Nothing else here ever throws
 * into the app, and nothing changes what the app reads.
 */

/** What is measured. A record's numbers are comparable where all of it is the same. */
export interface Target {
  /** Names it everywhere, 1 to 256 characters. Default: the request's host. */
  id: string;
  /** The model asked for. Absent in the record where missing: it is not read out of the request. */
  model?: string;
  /** Your own label, for example `edge` or `cloud`. */
  side?: string;
  /** `openai`, `anthropic`, `ollama`, …; detected from the first events where missing. */
  dialect?: string;
  /** Which key was used, by a name. Never the key. */
  keyAlias?: string;
}

/** One record as it is about to be posted; `docs` of the collector name all fields. */
export interface StreamRecord {
  /** Unique, 32 hex digits: the collector keeps the first record of an id. */
  id: string;
  /** `ok`, `truncated`, `error`, `timeout` or `aborted`. */
  outcome: string;
  /** Durations in ms from the send; absent: not observed. */
  timing: {
    /** From the user's act to the send. Absent without an act: see {@link intent}. */
    wait_ms?: number | null;
    /** To status and headers. */
    headers_ms?: number | null;
    /** To the first byte of the body. Absent where the body was taken as one whole. */
    ttfb_ms?: number | null;
    /** To the first generated text. Absent without wasm, and where no text came. */
    ttft_ms?: number | null;
    /** To the last generated text. */
    total_ms?: number | null;
    [duration: string]: number | null | undefined;
  };
  /** What makes numbers of this record doubtful: `hidden`, `body_unseen`, `reduced`, … */
  flags?: string[];
  /** The {@link Options.sampleRate}, where it is below 1. */
  sample_rate?: number;
  /** `sample`, or why it was kept outside of the sample: `failure` or `stall`. */
  kept_for?: 'sample' | 'failure' | 'stall';
  [field: string]: unknown;
}

export interface Options {
  /** The collector's origin and path prefix; relative to the page, or absolute. The page's own origin is best: content blockers leave it alone. */
  collector: string;
  /** Goes into the address of each post as `?key=`, since a header of its own would cost a preflight. It is public. Collectors do not check it yet. */
  key?: string;
  /** Your application's name. */
  app?: string;
  /** Its release. */
  release?: string;
  /** What is measured where a call does not say. */
  target?: Target;
  /** The share of sessions whose answers are recorded, from 0 to 1; default 1. One tab's visit is kept whole or not at all. Failures and stalls are recorded always, and say so. */
  sampleRate?: number;
  /** Whether the user has agreed; default false. See {@link consent}. */
  consent?: boolean;
  /** Sees each record before it is posted: gives it back, changed or not, or `null` to keep it here. Where it throws, the record is not sent. */
  beforeSend?: (record: StreamRecord) => StreamRecord | null | undefined;
  /** Where the wasm file is, where your bundler or host moves it. Default: beside the package's modules. */
  wasm?: string | URL;
}

/**
 * Sets the agent up. Does nothing where there is no page (on a server).
 * @throws TypeError that names the option at fault.
 */
export function init(options: Options): void;

/**
 * Whether the user has agreed. Without consent (the default) nothing is loaded, measured, stored or sent, and
 * `fetch` here is the browser's own. Taking it back throws away what waits and what is being measured.
 */
export function consent(isGranted: boolean): void;

/**
 * The browser's `fetch`, measured: give it to any client that takes one.
 * The response is the browser's own object; cancel, abort, back-pressure and byte readers reach the network.
 */
export const fetch: typeof globalThis.fetch;

/** The same for one target. */
export function fetchFor(target: Target): typeof globalThis.fetch;

/**
 * Measures an answer that was fetched elsewhere, before its body is read; gives the same response back.
 * When it was sent is not known: its record has gaps and counts, and no durations from the send.
 */
export function wrap(response: Response, options?: { target?: Target }): Response;

/** The start of an address (absolute, or relative to the page), an expression, or a test of the URL. */
export type Pattern = string | RegExp | ((url: URL) => boolean);

export interface Instrumented {
  /** False where it was refused, or restored since. */
  readonly isActive: boolean;
  /** The `fetch` that was there before. */
  readonly original: typeof globalThis.fetch;
  /** Puts it back, or where another script wrapped the patched one meanwhile, passes everything on from now on. */
  restore(): void;
}

/**
 * Replaces `globalThis.fetch` so that listed addresses are measured, where the answer's content type is one
 * of a stream or its status one of a failure. A second patch is refused, also one by another copy of this package.
 */
export function instrumentFetch(options: {
  match: Pattern | Array<Pattern | { url: Pattern; target?: Target }>;
}): Instrumented;

/**
 * Takes every change below the element as: all text delivered so far is in the document. Holds for the answers
 * under way and all that begin until the returned function is called. With several answers at once, say for each
 * of them where it is shown: {@link Stream.observe}.
 * Answers that began before the core was loaded have no render lag.
 */
export function observe(element: Element): () => void;

export interface Stream {
  /** The id of the record to come. `null` until the core is loaded, and for an answer that is not measured. */
  readonly id: string | null;
  /**
   * The text of all reads up to number `seq` (from 0) is in the document; without a number: of all reads so far.
   * More exact than {@link observe} where an app shows text later than it gets it.
   */
  committed(seq?: number): void;
  /** {@link observe} for this answer alone. */
  observe(element: Element): void;
}

/** The measured answer behind a response of {@link fetch} or {@link wrap}. */
export function stream(response: Response): Stream;

/**
 * The user's act that leads to the next request. Needed only where the request is not sent within the
 * event's own handler: there the act is known. Measures `wait_ms`.
 */
export function intent(event: Event): void;

/** Posts what waits, whatever the back-off says. Resolves when that is answered: true where the collector has everything. */
export function flush(): Promise<boolean>;
