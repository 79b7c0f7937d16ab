//! Somebody's web site: serves files and pages from an origin of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::ports;
use crate::trouble::Trouble;

/// What a site serves, and under which policy.
#[derive(Debug, Clone, Default)]
pub struct Site {
    files: BTreeMap<String, Vec<u8>>,
    policy: Option<String>,
    held: Option<String>,
}

/// A running site. It ends with this value.
#[derive(Debug)]
pub struct Open {
    port: u16,
    task: JoinHandle<()>,
}

impl Site {
    /// Adds a file under its path.
    #[must_use]
    pub fn with(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), content.into());
        self
    }

    /// Adds all files of a folder below a path.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn with_folder(mut self, path: &str, folder: &Path) -> Result<Self, Trouble> {
        for entry in fs::read_dir(folder).map_err(Trouble::file(folder))? {
            let file = entry.map_err(Trouble::file(folder))?.path();
            if file.is_file() {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let content = fs::read(&file).map_err(Trouble::file(&file))?;
                self.files.insert(format!("{path}/{name}"), content);
            }
        }
        Ok(self)
    }

    /// Sends this `Content-Security-Policy` with every page.
    #[must_use]
    pub fn with_policy(mut self, policy: &str) -> Self {
        self.policy = Some(policy.to_owned());
        self
    }

    /// Never answers for this path.
    #[must_use]
    pub fn holding(mut self, path: &str) -> Self {
        self.held = Some(path.to_owned());
        self
    }

    /// Opens it on a free port.
    ///
    /// # Errors
    /// When it cannot listen.
    pub async fn open(self) -> Result<Open, Trouble> {
        let (listener, port) = ports::listen(0).await?;
        let site = Arc::new(self);
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(answer(client, Arc::clone(&site)));
            }
        });
        Ok(Open { port, task })
    }

    fn answer(&self, path: &str) -> Vec<u8> {
        let Some(content) = self.files.get(path) else {
            return b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                .to_vec();
        };
        let mut head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {}\r\ncontent-length: {}\r\nconnection: close\r\n",
            content_type(path),
            content.len()
        );
        if let Some(policy) = &self.policy {
            head += &format!("content-security-policy: {policy}\r\n");
        }
        [head.as_bytes(), b"\r\n", content].concat()
    }
}

impl Open {
    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(mut client: TcpStream, site: Arc<Site>) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|four| four == b"\r\n\r\n") && head.len() < 64 << 10 {
        if client.read_buf(&mut head).await? == 0 {
            return Ok(());
        }
    }
    let head = String::from_utf8_lossy(&head);
    let path = head.split_whitespace().nth(1).unwrap_or_default();
    if site.held.as_deref() == Some(path) {
        return std::future::pending().await;
    }
    client
        .write_all(&site.answer(path.split('?').next().unwrap_or_default()))
        .await?;
    client.shutdown().await
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js" | "mjs") => "text/javascript",
        Some("wasm") => "application/wasm",
        Some("json" | "map") => "application/json",
        _ => "text/html; charset=utf-8",
    }
}
