//! End-to-end tests live in `tests/`. They need what `cargo xtask test e2e` builds first.

use harness::browser::{Browser, Engine, Window};
use harness::{Place, Plan, Stack, Trouble, mock};
use std::time::Duration;

/// The targets of all tests: what works, and each way to fail.
pub const TARGETS: &str = include_str!("../targets.toml");

/// Where the built parts are.
///
/// # Errors
/// When the test runs in no checkout.
pub fn place() -> Result<Place, Trouble> {
    Place::find().map_err(Trouble::file(std::path::Path::new("target")))
}

/// All parts, in a folder named after the test.
///
/// # Errors
/// When a part does not come up.
pub async fn stack(test: &str) -> Result<Stack, Trouble> {
    Stack::start(&place()?, Plan::new(&format!("e2e-{test}"), TARGETS)?).await
}

/// A browser beside it: Chromium, where all three would do the same.
///
/// # Errors
/// When there is none.
pub async fn browser(stack: &Stack) -> Result<Browser, Trouble> {
    browser_of(Engine::Chromium, stack).await
}

/// A browser of this engine beside it.
///
/// # Errors
/// When there is none.
pub async fn browser_of(engine: Engine, stack: &Stack) -> Result<Browser, Trouble> {
    Browser::of(engine, stack.folder(), Window::default()).await
}

/// One test for each engine, of a function that takes the engine.
#[macro_export]
macro_rules! in_each_browser {
    ($claim:ident) => {
        mod $claim {
            use harness::Trouble;
            use harness::browser::Engine;

            #[tokio::test]
            async fn in_chromium() -> Result<(), Trouble> {
                super::$claim(Engine::Chromium).await
            }

            #[tokio::test]
            async fn in_firefox() -> Result<(), Trouble> {
                super::$claim(Engine::Firefox).await
            }

            #[tokio::test]
            async fn in_webkit() -> Result<(), Trouble> {
                super::$claim(Engine::WebKit).await
            }
        }
    };
}

/// How the request of this id ended for the scripted server, which notices a closed connection at one of its next
/// writes.
///
/// # Errors
/// When the server does not answer.
pub async fn ending(stack: &Stack, request_id: &str) -> Result<String, Trouble> {
    for _ in 0..200 {
        let truth = mock::truth(&stack.mock_url(), request_id).await?;
        if let Some(ending) = truth.ending {
            return Ok(ending);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok("still streaming".to_owned())
}

/// Runs a command to its end and returns what it printed.
///
/// # Errors
/// When it fails; with what it said.
pub fn output(command: &mut std::process::Command) -> Result<String, Trouble> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|source| Trouble::NotStarted {
        program: program.clone(),
        source,
        remedy: "run `cargo xtask test e2e`, which sets up what the tests need",
    })?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Trouble::Answer {
            url: program,
            reason: format!("{}\n{printed}{said}", output.status),
        });
    }
    Ok(printed)
}
