//! `streamlag replay`: reads recorded streams and prints what the core understood.
//!
//! Two kinds of input: files of captured bytes, and a file of cases (JSON, one a line) that bring bytes,
//! clock readings, status and headers. Both drive the same probe as every other shell.

mod case;
mod collect;
mod drive;
mod pieces;
mod report;
mod scenario;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::Value;

use case::Case;
use drive::Replayed;

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
    for path in &args.files {
        let replayed = drive::file(path, args.dialect.as_deref(), args.framing.as_deref());
        let name = path.display().to_string();
        out.print(&name, "file", &name, replayed)?;
    }
    out.to.flush().context("could not write the results")?;
    Ok(ExitCode::from(u8::from(out.failed)))
}

/// Replays every case of a file. A line that is no case is reported and left out.
fn cases(path: &Path, out: &mut Lines<impl Write>) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("could not open {}", path.display()))?;
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let place = format!("{}:{}", path.display(), number + 1);
        let line = line.with_context(|| format!("{place}: could not read the line"))?;
        if line.trim().is_empty() {
            continue;
        }
        match Case::parse(&line) {
            Ok(case) => {
                let replayed = drive::case(&case);
                out.print(&place, "id", &case.id, replayed)?;
            }
            Err(error) => out.complain(&place, &error),
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
    fn print(
        &mut self,
        place: &str,
        key: &str,
        name: &str,
        replayed: anyhow::Result<Replayed>,
    ) -> anyhow::Result<()> {
        let replayed = match replayed {
            Ok(replayed) => replayed,
            Err(error) => {
                self.complain(place, &error);
                return Ok(());
            }
        };
        let mut line = serde_json::Map::new();
        line.insert(key.to_owned(), Value::from(name));
        line.extend(report::fields(&replayed));
        serde_json::to_writer(&mut self.to, &Value::Object(line))
            .context("could not write a result")?;
        writeln!(self.to).context("could not write a result")
    }

    fn complain(&mut self, place: &str, error: &anyhow::Error) {
        self.failed = true;
        eprintln!("streamlag: {place}: {error:#}");
    }
}
