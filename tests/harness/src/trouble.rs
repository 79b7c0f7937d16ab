//! What can go wrong, in sentences for the person who ran the command.

use std::io;

/// Why a part could not be started or asked.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// Somebody else listens there.
    #[error(
        "port {port} (for {what}) is taken: stop what listens there, or choose other ports with --port"
    )]
    PortTaken {
        /// The port.
        port: u16,
        /// Who needs it.
        what: &'static str,
    },
    /// The program is missing or not executable.
    #[error("{program} could not be started ({source}): {remedy}")]
    NotStarted {
        /// Its path.
        program: String,
        /// What the system said.
        source: io::Error,
        /// What to do.
        remedy: &'static str,
    },
    /// A part ended by itself.
    #[error("{name} ended by itself ({status}); its last output, of {log}:\n{tail}")]
    Died {
        /// Which part.
        name: String,
        /// How.
        status: String,
        /// Its whole output.
        log: String,
        /// The end of it.
        tail: String,
    },
    /// A part runs and does not answer.
    #[error(
        "{name} did not answer at {url} within {seconds} s; its last output, of {log}:\n{tail}"
    )]
    NotReady {
        /// Which part.
        name: String,
        /// Where it was asked.
        url: String,
        /// How long.
        seconds: u64,
        /// Its whole output.
        log: String,
        /// The end of it.
        tail: String,
    },
    /// No browser or no driver for it.
    #[error(
        "{what} was not found: install {engine} and its driver (Debian: apt-get install {packages}), or let `cargo xtask test` do it"
    )]
    NoBrowser {
        /// The missing program.
        what: &'static str,
        /// The browser that needs it.
        engine: &'static str,
        /// Debian's packages.
        packages: String,
    },
    /// No answer, or not the expected one.
    #[error("{url}: {reason}")]
    Answer {
        /// Where it was asked.
        url: String,
        /// What came instead.
        reason: String,
    },
    /// What was waited for did not happen.
    #[error("waited {seconds} s for {what}; {seen}")]
    NotSeen {
        /// How long.
        seconds: u64,
        /// For what.
        what: String,
        /// What was there instead.
        seen: String,
    },
    /// A file or folder.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The targets cannot be read.
    #[error("the targets of this run: {0}")]
    Targets(String),
    /// The browser refused a command.
    #[error("the browser: {0}")]
    Browser(#[from] Box<fantoccini::error::CmdError>),
    /// The browser did not start a session.
    #[error("the browser did not start: {0}")]
    Session(#[from] Box<fantoccini::error::NewSessionError>),
}

impl From<fantoccini::error::CmdError> for Trouble {
    fn from(error: fantoccini::error::CmdError) -> Self {
        Self::Browser(Box::new(error))
    }
}

impl Trouble {
    /// Names the file of an I/O error.
    pub fn file(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |source| Self::File { path, source }
    }
}
