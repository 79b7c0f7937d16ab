//! `streamlag replay`: reads recorded streams and prints what the core understood.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use streamlag_replay::Hint;

/// Read recorded streams and print what was understood, one JSON object a line.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of recorded response bodies. Framing and dialect are detected.
    files: Vec<PathBuf>,
    /// A file of cases, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// The dialect of the files, where it is known: openai, anthropic, ollama, …
    #[arg(long)]
    dialect: Option<String>,
    /// The framing of the files, where it is known: sse, ndjson, jsonarray, aws_eventstream.
    #[arg(long)]
    framing: Option<String>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.files.is_empty() && args.cases.is_none() {
        anyhow::bail!("nothing to replay: name files, or a file of cases with --cases");
    }
    let mut out = Lines {
        to: BufWriter::new(std::io::stdout().lock()),
        failed: false,
    };
    if let Some(path) = &args.cases {
        cases(path, &mut out)?;
    }
    let hint = Hint {
        dialect: args.dialect.as_deref(),
        framing: args.framing.as_deref(),
    };
    for path in &args.files {
        out.print(&path.display().to_string(), file(path, hint))?;
    }
    out.to.flush().context("could not write the results")?;
    Ok(ExitCode::from(u8::from(out.failed)))
}

fn file(path: &Path, hint: Hint<'_>) -> anyhow::Result<String> {
    let file = File::open(path).context("could not open the file")?;
    let name = path.display().to_string();
    streamlag_replay::body(&name, file, hint).context("could not read the file")
}

/// Replays every case of a file. A line that is no case is reported and left out.
fn cases(path: &Path, out: &mut Lines<impl Write>) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("could not open {}", path.display()))?;
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let place = format!("{}:{}", path.display(), number + 1);
        let line = line.with_context(|| format!("{place}: could not read the line"))?;
        if !line.trim().is_empty() {
            out.print(&place, streamlag_replay::case(&line).map_err(Into::into))?;
        }
    }
    Ok(())
}

/// Results go out one a line; what cannot be replayed is named on the error stream.
struct Lines<W> {
    to: W,
    failed: bool,
}

impl<W: Write> Lines<W> {
    fn print(&mut self, place: &str, result: anyhow::Result<String>) -> anyhow::Result<()> {
        match result {
            Ok(line) => writeln!(self.to, "{line}").context("could not write a result"),
            Err(error) => {
                self.failed = true;
                eprintln!("streamlag: {place}: {error:#}");
                Ok(())
            }
        }
    }
}
