//! The core on wasm32, with no host at all.

use anyhow::{Result, bail};
use harness::Place;
use std::path::Path;
use std::process::Command;

use super::count::Counts;
use crate::program::{cargo, output, run as run_program};
use crate::setup::rust::WASM;

const PROFILE: &str = "wasm-demo";

/// Builds a program that measures a stream with the core, and runs it in a host that offers nothing.
///
/// # Errors
/// When it imports anything, or does not measure what it should.
pub(super) fn run(place: &Place, counts: &mut Counts) -> Result<()> {
    run_program(
        cargo(place).args([
            "build",
            "--locked",
            "--package",
            "bare",
            "--target",
            WASM,
            "--profile",
            PROFILE,
        ]),
        "the core must build without a host",
    )?;
    let module = place.target().join(WASM).join(PROFILE).join("bare.wasm");
    let imports = imports(&module)?;
    if !imports.is_empty() {
        bail!(
            "the core imports from its host: {imports}; remove what needs a clock, randomness or JavaScript"
        );
    }
    let script = "const m=new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));\
                  new WebAssembly.Instance(m).exports.main(0,0)";
    output(
        Command::new("node").args(["-e", script]).arg(&module),
        "the core must measure without a host",
    )?;
    counts.add("the core alone on wasm32", 1, 0, 0);
    Ok(())
}

/// What a module needs from its host, as text.
fn imports(module: &Path) -> Result<String> {
    let script = "const m=new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));\
                  console.log(WebAssembly.Module.imports(m).map(i=>i.module+'.'+i.name).join(', '))";
    let printed = output(
        Command::new("node").args(["-e", script]).arg(module),
        "node must read the module",
    )?;
    Ok(printed.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_seen() {
        let module =
            std::env::temp_dir().join(format!("streamlag-import-{}.wasm", std::process::id()));
        let bytes = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x0b\x01\x04host\x02it\0\0";
        std::fs::write(&module, bytes).unwrap();
        let seen = imports(&module);
        std::fs::remove_file(&module).unwrap();
        assert_eq!(seen.unwrap(), "host.it");
    }
}
