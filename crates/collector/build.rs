//! Embeds the page: writes `assets.rs`, a list of the files in the folder that `STREAMLAG_WEB_DIST` names
//! (else `target/web` of the workspace). Without such a folder the list is empty.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-env-changed=STREAMLAG_WEB_DIST");
    println!("cargo:rerun-if-changed=build.rs");
    let folder = folder();
    let mut files = Vec::new();
    if folder.is_dir() {
        println!("cargo:rerun-if-changed={}", folder.display());
        list(&folder, &mut files)?;
    }
    files.sort();
    let mut code = String::from("static ASSETS: &[Asset] = &[\n");
    for file in &files {
        let line = entry(&folder, file)?;
        code.push_str(&line);
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("assets.rs"), code)
}

fn folder() -> PathBuf {
    let named = env::var_os("STREAMLAG_WEB_DIST").filter(|named| !named.is_empty());
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    named.map_or_else(|| own.join("../../target/web"), PathBuf::from)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn entry(folder: &Path, file: &Path) -> io::Result<String> {
    let path = file.strip_prefix(folder).map_err(io::Error::other)?;
    let path = path.to_string_lossy().replace('\\', "/");
    let mut hasher = DefaultHasher::new();
    fs::read(file)?.hash(&mut hasher);
    let etag = format!("\"{:016x}\"", hasher.finish());
    let absolute = fs::canonicalize(file)?;
    let mut line = String::new();
    writeln!(
        line,
        "    Asset {{ path: {path:?}, content_type: {:?}, etag: {etag:?}, bytes: include_bytes!({:?}) }},",
        content_type(file),
        absolute.to_string_lossy(),
    )
    .map_err(io::Error::other)?;
    Ok(line)
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        // Browsers compile while it loads only under this type.
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt" | "ts") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
