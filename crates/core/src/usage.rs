//! Tokens: which report counts, what it leaves unsaid, and where it contradicts itself.

use crate::delta::Usage;
use crate::flags::Flags;
use crate::measurement::{TokenSource, Tokens};

/// Takes in the usage reports of one attempt. Later reports win, field by field.
#[derive(Debug, Clone, Default)]
pub(crate) struct UsageReports {
    usage: Option<Usage>,
    is_final: bool,
    flags: Flags,
}

impl UsageReports {
    /// One report. It is final when the answer has ended by then: earlier ones are running totals.
    pub(crate) fn report(&mut self, report: Usage) {
        let counts = [report.input, report.output, report.reasoning, report.cached];
        if counts.iter().all(Option::is_none) {
            return;
        }
        if counts.iter().flatten().all(|count| *count == 0) {
            // A request of no tokens does not exist: a placeholder, never a count.
            self.flags.insert(Flags::USAGE_ZERO_IGNORED);
            return;
        }
        let known = self.usage.get_or_insert_default();
        let shrank = report.output.zip(known.output);
        if shrank.is_some_and(|(new, old)| new < old) {
            self.flags.insert(Flags::USAGE_INCONSISTENT);
        }
        known.input = report.input.or(known.input);
        known.output = report.output.or(known.output);
        known.reasoning = report.reasoning.or(known.reasoning);
        known.cached = report.cached.or(known.cached);
    }

    /// An event that held a report is over, and with it (or before it) the answer.
    pub(crate) fn settle(&mut self) {
        self.is_final = true;
    }

    /// The answer starts over, and so does its count.
    pub(crate) fn restart(&mut self) {
        *self = Self::default();
    }

    /// What is known about tokens, beside text of these lengths.
    pub(crate) fn tokens(&self, seen: Seen) -> Tokens {
        let usage = self.usage.unwrap_or_default();
        let reasoning = usage.reasoning;
        Tokens {
            usage: self.usage,
            answer: usage
                .output
                .zip(reasoning)
                .map(|(all, reasoning)| all.saturating_sub(reasoning)),
            usage_is_final: self.is_final,
            source: match usage.output {
                Some(_) => TokenSource::Usage,
                None => TokenSource::Unknown,
            },
            hidden_reasoning: !seen.reasoning && reasoning.is_some_and(|tokens| tokens > 0),
        }
    }

    /// Contradictions, within the reports and with what was seen.
    pub(crate) fn flags(&self, seen: Seen) -> Flags {
        let mut flags = self.flags;
        let usage = self.usage.unwrap_or_default();
        let exceeds = |part: Option<u64>, whole: Option<u64>| {
            part.zip(whole).is_some_and(|(part, whole)| part > whole)
        };
        let nothing_for_text = self.is_final && seen.generated && usage.output == Some(0);
        if exceeds(usage.reasoning, usage.output)
            || exceeds(usage.cached, usage.input)
            || nothing_for_text
        {
            flags.insert(Flags::USAGE_INCONSISTENT);
        }
        flags
    }
}

/// What text was seen.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    pub(crate) generated: bool,
    pub(crate) reasoning: bool,
}
