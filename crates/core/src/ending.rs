//! How an attempt ended: outcome, class, completeness.

use crate::answer::Answer;
use crate::failure;
use crate::http::Answered;
use crate::input::{AbortBy, Failure, TimeoutPhase};
use crate::measurement::{ErrorClass, Outcome};

/// What closed the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Ending {
    /// Nothing yet.
    #[default]
    Open,
    /// The body ended cleanly.
    Eof,
    /// Request or body failed.
    Failed(Failure),
    /// Somebody ended it on purpose.
    Aborted(AbortBy),
}

/// What an attempt came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Verdict {
    pub(crate) outcome: Outcome,
    pub(crate) error: Option<ErrorClass>,
    pub(crate) complete: bool,
    pub(crate) timeout_phase: Option<TimeoutPhase>,
    /// It was cut off from outside: had it gone on, text might still have come.
    pub(crate) censored: bool,
}

impl Verdict {
    fn of(outcome: Outcome, error: Option<ErrorClass>) -> Self {
        Self {
            outcome,
            error,
            ..Self::default()
        }
    }

    fn error(class: ErrorClass) -> Self {
        Self::of(Outcome::Error, Some(class))
    }
}

/// Judges an attempt. What the target said about itself comes first, then the terminal signal, then
/// the way the body was closed: a stream cut after its end is whole.
pub(crate) fn judge(answered: &Answered, answer: &Answer, ending: Ending) -> Verdict {
    if answered.is_relay_timeout() {
        return Verdict {
            censored: true,
            ..Verdict::of(Outcome::Timeout, Some(ErrorClass::Timeout))
        };
    }
    if let Some(class) = refused(answered, answer).or(answer.errors.class()) {
        return Verdict::error(class);
    }
    if answer.is_terminal() || answer.is_finished() || answer.is_whole() {
        return Verdict {
            complete: true,
            ..Verdict::of(Outcome::Ok, None)
        };
    }
    by_ending(answer, ending)
}

/// The class of a response with a failure's status, told by its body or else by the status.
fn refused(answered: &Answered, answer: &Answer) -> Option<ErrorClass> {
    let by_status = answered.error()?;
    let words = [answer.errors.class(), answered.named];
    let mut telling = words.into_iter().flatten();
    Some(
        telling
            .find(|class| more_telling(*class, by_status))
            .unwrap_or(by_status),
    )
}

/// Gateways and providers agree on statuses more than on words: a word corrects the status only where
/// it names something that statuses cannot.
fn more_telling(word: ErrorClass, status: ErrorClass) -> bool {
    matches!(
        word,
        ErrorClass::Quota
            | ErrorClass::ContentFilter
            | ErrorClass::GeoBlocked
            | ErrorClass::Overloaded
            | ErrorClass::RateLimited
            | ErrorClass::Timeout
    ) || (word == ErrorClass::Auth && status == ErrorClass::BadRequest)
}

fn by_ending(answer: &Answer, ending: Ending) -> Verdict {
    let counts = &answer.counts;
    match ending {
        Ending::Open => Verdict::default(),
        Ending::Eof if counts.bytes == 0 => Verdict::error(ErrorClass::Empty),
        // Its terminal signal is unknown, so its absence proves nothing.
        Ending::Eof if answer.is_unrecognised() => Verdict::of(Outcome::Truncated, None),
        Ending::Eof => Verdict::of(Outcome::Truncated, Some(ErrorClass::Truncated)),
        Ending::Failed(failure) => {
            let cut = counts.bytes > 0 && matches!(failure, Failure::Reset | Failure::Network);
            Verdict {
                outcome: if cut {
                    Outcome::Truncated
                } else {
                    Outcome::Error
                },
                error: Some(failure::of_failure(failure)),
                censored: matches!(failure, Failure::Reset | Failure::Network),
                ..Verdict::default()
            }
        }
        Ending::Aborted(AbortBy::Timeout(phase)) => Verdict {
            timeout_phase: Some(phase),
            censored: true,
            ..Verdict::of(Outcome::Timeout, Some(ErrorClass::Timeout))
        },
        Ending::Aborted(_) => Verdict {
            censored: true,
            ..Verdict::of(Outcome::Aborted, None)
        },
    }
}
