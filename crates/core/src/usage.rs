//! Tokens: which report counts, what it leaves unsaid, and where it contradicts itself.

use crate::delta::Usage;
use crate::flags::Flags;
use crate::measurement::{TokenSource, Tokens};

/// Takes in the usage reports of one attempt. Later reports win, field by field.
#[derive(Debug, Clone, Default)]
pub(crate) struct UsageReports {
    usage: Option<Usage>,
    is_final: bool,
    /// The known output is a placeholder, sent before anything was generated.
    provisional: bool,
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
        if !self.provisional && shrank.is_some_and(|(new, old)| new < old) {
            self.flags.insert(Flags::USAGE_INCONSISTENT);
        }
        known.input = report.input.or(known.input);
        known.output = report.output.or(known.output);
        known.reasoning = report.reasoning.or(known.reasoning);
        known.cached = report.cached.or(known.cached);
        known.total = report.total.or(known.total);
        if report.output.is_some() {
            self.provisional = report.provisional;
        }
        known.provisional = self.provisional;
    }

    /// An event that held a report is over, and with it (or before it) the answer.
    pub(crate) fn settle(&mut self) {
        self.is_final = !self.provisional;
    }

    /// The answer starts over, and so does its count.
    pub(crate) fn restart(&mut self) {
        *self = Self::default();
    }

    /// What is known about tokens, beside text of these lengths.
    pub(crate) fn tokens(&self, seen: Seen) -> Tokens {
        let usage = self.usage.unwrap_or_default();
        let reasoning = usage.reasoning;
        let apart = counts_reasoning_apart(&usage);
        let both = usage.output.zip(reasoning);
        Tokens {
            usage: self.usage,
            output: match both {
                Some((answer, reasoning)) if apart => answer.checked_add(reasoning),
                _ => usage.output,
            },
            answer: match both {
                Some((answer, _)) if apart => Some(answer),
                Some((all, reasoning)) => Some(all.saturating_sub(reasoning)),
                None => None,
            },
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
        let too_much_reasoning =
            exceeds(usage.reasoning, usage.output) && !counts_reasoning_apart(&usage);
        // Some count what a cache served apart from the rest of the prompt; their total shows it.
        let within = sum([usage.input, usage.output, Some(0)]);
        let too_much_cached =
            exceeds(usage.cached, usage.input) && usage.total.is_some() && within == usage.total;
        if too_much_reasoning || too_much_cached || nothing_for_text {
            flags.insert(Flags::USAGE_INCONSISTENT);
        }
        flags
    }
}

/// Whether `output` leaves the reasoning out: then only with it the parts make up the provider's total.
fn counts_reasoning_apart(usage: &Usage) -> bool {
    let with = sum([usage.input, usage.output, usage.reasoning]);
    usage.reasoning != Some(0) && usage.total.is_some() && with == usage.total
}

fn sum(parts: [Option<u64>; 3]) -> Option<u64> {
    let mut parts = parts.into_iter();
    parts.try_fold(0u64, |sum, part| sum.checked_add(part?))
}

/// What text was seen.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    pub(crate) generated: bool,
    pub(crate) reasoning: bool,
}
