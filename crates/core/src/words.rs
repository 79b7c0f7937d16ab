//! Every word that any dialect asks for: the keys of its objects, and the values that are one of a few.
//!
//! Each is a number while an event is read. So a key is compared with all of them at once and only when an
//! event's structure is new, and the dialects' many `match`es compile to jump tables: comparing texts in
//! each took four times the bytes in the page.

macro_rules! words {
    ($($word:ident = $text:literal,)*) => {
        /// A word, or `Other`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Word {
            Other,
            $($word,)*
        }

        /// Every word, in the order of the numbers.
        const ALL: [Word; COUNT] = [Word::Other, $(Word::$word,)*];
        const COUNT: usize = 1 $(+ { let _ = $text; 1 })*;
        /// All texts, one after the other.
        const TEXT: &str = concat!($($text),*);
        /// Where each text begins in it, and last where the last one ends.
        const STARTS: [u16; COUNT + 1] = starts(&[0, $($text.len(),)*]);
    };
}

impl Word {
    /// The word of that text. In a page out of line: it is asked for in many places.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut word = TABLE.heads[slot(text)];
        while word != Self::Other && word.as_str().as_bytes() != text {
            word = TABLE
                .next
                .get(word as usize)
                .copied()
                .unwrap_or(Self::Other);
        }
        word
    }

    pub(crate) fn as_str(self) -> &'static str {
        let at = self as usize;
        match (STARTS.get(at), STARTS.get(at + 1)) {
            (Some(start), Some(end)) => TEXT.get(usize::from(*start)..usize::from(*end)),
            _ => None,
        }
        .unwrap_or_default()
    }
}

const fn starts(lengths: &[usize; COUNT]) -> [u16; COUNT + 1] {
    let mut starts = [0; COUNT + 1];
    let mut at = 0;
    while at < COUNT {
        starts[at + 1] = starts[at] + lengths[at] as u16;
        at += 1;
    }
    starts
}

/// Chains of words by slot; `Other` ends a chain.
struct Table {
    heads: [Word; 256],
    next: [Word; COUNT],
}

static TABLE: Table = table();

const fn table() -> Table {
    let mut table = Table {
        heads: [Word::Other; 256],
        next: [Word::Other; COUNT],
    };
    let mut at = 1;
    while at < COUNT {
        let (_, text) = TEXT.as_bytes().split_at(STARTS[at] as usize);
        let (text, _) = text.split_at((STARTS[at + 1] - STARTS[at]) as usize);
        let slot = slot(text);
        table.next[at] = table.heads[slot];
        table.heads[slot] = ALL[at];
        at += 1;
    }
    table
}

const fn slot(text: &[u8]) -> usize {
    let [first, .., last] = text else {
        return 0;
    };
    let middle = text[text.len() / 2];
    let mixed = (*first as usize)
        .wrapping_mul(31)
        .wrapping_add(*last as usize)
        .wrapping_mul(31)
        .wrapping_add(middle as usize)
        .wrapping_mul(31)
        .wrapping_add(text.len());
    (mixed ^ mixed >> 8) & 255
}

// Words written with dashes begin with `Dash`, those written in camel case with `Camel`, where they have
// more than one part; dots and slashes are left out.
words! {
    Abort = "abort", AdditionalKwargs = "additional_kwargs", Ai = "ai", AIMessage = "AIMessage",
    CamelAIMessageChunk = "AIMessageChunk", Args = "args", Arguments = "arguments",
    CamelBlockReason = "blockReason", Bytes = "bytes", CacheReadInputTokens = "cache_read_input_tokens",
    CachedTokens = "cached_tokens", CamelCachedContentTokenCount = "cachedContentTokenCount",
    CamelCacheReadInputTokens = "cacheReadInputTokens", Cancelled = "cancelled", Candidates = "candidates",
    CamelCandidatesTokenCount = "candidatesTokenCount", Checkpoints = "checkpoints", Choices = "choices",
    Chunk = "chunk", DashCitationEnd = "citation-end", DashCitationStart = "citation-start", Code = "code",
    CodeInterpreterCallCodeDelta = "code_interpreter_call_code.delta",
    CodeInterpreterCallCodeDone = "code_interpreter_call_code.done", Completed = "completed",
    CompletionTime = "completion_time", CompletionTokens = "completion_tokens",
    CompletionTokensDetails = "completion_tokens_details", Content = "content",
    DashContentDelta = "content-delta", DashContentEnd = "content-end", DashContentStart = "content-start",
    ContentBlock = "content_block", ContentBlockDelta = "content_block_delta",
    ContentBlockStart = "content_block_start", ContentBlockStop = "content_block_stop",
    ContentFilter = "content_filter", ContentIndex = "content_index", CamelContentBlockDelta = "contentBlockDelta",
    CamelContentBlockIndex = "contentBlockIndex", CamelContentBlockStart = "contentBlockStart",
    CamelContentBlockStop = "contentBlockStop", Created = "created", Custom = "custom",
    CustomToolCallInputDelta = "custom_tool_call_input.delta",
    CustomToolCallInputDone = "custom_tool_call_input.done", Data = "data", Debug = "debug",
    Delta = "delta", Details = "details", Done = "done", DoneReason = "done_reason", End = "end",
    Error = "error", ErrorCode = "error_code", ErrorType = "error_type", Errors = "errors", CamelErrorText = "errorText",
    EvalCount = "eval_count", EvalDuration = "eval_duration", Events = "events", Failed = "failed",
    Feedback = "feedback", File = "file", Finish = "finish", DashFinishStep = "finish-step",
    FinishReason = "finish_reason", CamelFinishReason = "finishReason", Function = "function",
    FunctionCall = "function_call", FunctionCallArgumentsDelta = "function_call_arguments.delta",
    FunctionCallArgumentsDone = "function_call_arguments.done", CamelFunctionCall = "functionCall",
    GeneratedText = "generated_text", GeneratedTokenCount = "generated_token_count",
    GeneratedTokens = "generated_tokens", GenerationTimeMs = "generation_time_ms", Heartbeat = "heartbeat",
    HttpStatus = "http_status", HttpStatusCode = "http_status_code", Id = "id", Incomplete = "incomplete",
    IncompleteDetails = "incomplete_details", Index = "index", Input = "input",
    InputJsonDelta = "input_json_delta", InputTokenCount = "input_token_count",
    InputTokens = "input_tokens", InputTokensDetails = "input_tokens_details",
    CamelInputTextDelta = "inputTextDelta", CamelInputTokens = "inputTokens",
    CamelInternalServerException = "internalServerException", IsEnd = "is_end", Item = "item",
    Keepalive = "keepalive", CamelLatencyMs = "latencyMs", LoadDuration = "load_duration", Logs = "logs",
    McpCallArgumentsDelta = "mcp_call_arguments.delta", McpCallArgumentsDone = "mcp_call_arguments.done",
    McpToolUse = "mcp_tool_use",
    MeanItlMs = "mean_itl_ms", Message = "message", DashMessageEnd = "message-end",
    DashMessageMetadata = "message-metadata", DashMessageStart = "message-start",
    MessageDelta = "message_delta", MessageStart = "message_start", MessageStop = "message_stop",
    Messages = "messages", MessagesComplete = "messages/complete", MessagesMetadata = "messages/metadata",
    MessagesPartial = "messages/partial", CamelMessageStart = "messageStart",
    CamelMessageStop = "messageStop", Metadata = "metadata", Metrics = "metrics",
    CamelModelNotReadyException = "modelNotReadyException",
    CamelModelStreamErrorException = "modelStreamErrorException",
    CamelModelTimeoutException = "modelTimeoutException", Name = "name",
    NeedClearHistory = "need_clear_history", NetworkError = "network_error", NotFinished = "not_finished",
    Object = "object", CamelOriginalStatusCode = "originalStatusCode", Output = "output",
    OutputIndex = "output_index", OutputItemAdded = "output_item.added", OutputText = "output_text",
    OutputTextDelta = "output_text.delta", OutputTextDone = "output_text.done",
    OutputTokens = "output_tokens", OutputTokensDetails = "output_tokens_details",
    CamelOutputTokens = "outputTokens", PartialJson = "partial_json", CamelPartialArgs = "partialArgs", Parts = "parts", Ping = "ping",
    PredictedMs = "predicted_ms", PromptCacheHitTokens = "prompt_cache_hit_tokens",
    PromptEvalCount = "prompt_eval_count", PromptEvalDuration = "prompt_eval_duration",
    PromptMs = "prompt_ms", PromptTime = "prompt_time", PromptTokens = "prompt_tokens",
    PromptTokensDetails = "prompt_tokens_details", CamelPromptFeedback = "promptFeedback",
    CamelPromptTokenCount = "promptTokenCount", QueueTime = "queue_time", QueueTimeMs = "queue_time_ms",
    Reason = "reason", Reasoning = "reasoning", DashReasoningDelta = "reasoning-delta",
    DashReasoningEnd = "reasoning-end", DashReasoningFile = "reasoning-file",
    DashReasoningStart = "reasoning-start", ReasoningContent = "reasoning_content",
    ReasoningDetails = "reasoning_details", ReasoningSummaryTextDelta = "reasoning_summary_text.delta",
    ReasoningSummaryTextDone = "reasoning_summary_text.done",
    ReasoningText = "reasoning_text", ReasoningTextDelta = "reasoning_text.delta",
    ReasoningTextDone = "reasoning_text.done",
    ReasoningTokens = "reasoning_tokens", CamelReasoningContent = "reasoningContent", Refusal = "refusal",
    RefusalDelta = "refusal.delta", RefusalDone = "refusal.done", DashResetStep = "reset-step", Response = "response", Result = "result",
    Results = "results", ServerToolUse = "server_tool_use",
    CamelServiceUnavailableException = "serviceUnavailableException", Special = "special", Start = "start",
    DashStartStep = "start-step", Status = "status", StatusCode = "status_code", Stop = "stop",
    StopReason = "stop_reason", StopType = "stop_type", StoppedLimit = "stopped_limit",
    CamelStopReason = "stopReason", CamelStringValue = "stringValue", Summary = "summary", SummaryIndex = "summary_index", Tasks = "tasks", Text = "text",
    DashTextDelta = "text-delta", DashTextEnd = "text-end", DashTextStart = "text-start",
    TextDelta = "text_delta", Thinking = "thinking", ThinkingDelta = "thinking_delta", Thought = "thought",
    CamelThoughtsTokenCount = "thoughtsTokenCount", CamelThrottlingException = "throttlingException",
    TimeToFirstTokenMs = "time_to_first_token_ms", Timings = "timings", Token = "token", Tokens = "tokens",
    TokensEvaluated = "tokens_evaluated", TokensPredicted = "tokens_predicted",
    DashToolCallDelta = "tool-call-delta", DashToolCallEnd = "tool-call-end",
    DashToolCallStart = "tool-call-start", DashToolInputAvailable = "tool-input-available",
    DashToolInputDelta = "tool-input-delta", DashToolInputStart = "tool-input-start",
    DashToolPlanDelta = "tool-plan-delta", ToolCallChunks = "tool_call_chunks", ToolCalls = "tool_calls",
    ToolPlan = "tool_plan", ToolUse = "tool_use", CamelToolCallId = "toolCallId",
    CamelToolName = "toolName", CamelToolUse = "toolUse", TotalDuration = "total_duration",
    TotalTime = "total_time", TotalTokens = "total_tokens", CamelTotalTokenCount = "totalTokenCount",
    CamelTotalTokens = "totalTokens", Type = "type", Updates = "updates", Usage = "usage",
    CamelUsageMetadata = "usageMetadata", CamelValidationException = "validationException", Value = "value",
    Values = "values", XGroq = "x_groq",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_nothing_else() {
        assert_eq!(
            (Word::Abort.as_str(), Word::XGroq.as_str()),
            ("abort", "x_groq")
        );
        for word in &ALL[1..] {
            let text = word.as_str();
            assert_eq!(Word::of(text.as_bytes()), *word);
            assert_eq!(Word::of(&text.as_bytes()[1..]), Word::Other, "{text}");
        }
        for other in ["", "x", "contents", "\u{fffd}"] {
            assert_eq!(Word::of(other.as_bytes()), Word::Other);
        }
    }

    #[test]
    fn chains_are_short() {
        let lengths = (0..256).map(|slot| {
            std::iter::successors(Some(TABLE.heads[slot]), |word| {
                Some(TABLE.next[*word as usize])
            })
            .take_while(|word| *word != Word::Other)
            .count()
        });
        assert!(lengths.max() <= Some(5));
    }
}
