//! `cargo xtask shots`: pictures of the page, for people who have not run it.

use anyhow::Result;
use harness::browser::{Browser, Window};
use harness::page::Page;
use harness::{Place, Plan, Stack};

use crate::{demo, parts, setup};

/// Name, window, target.
const SHOTS: [(&str, Window, &str); 5] = [
    (
        "wide",
        Window {
            width: 1280,
            height: 1600,
            dark: false,
        },
        "steady",
    ),
    (
        "wide-stall",
        Window {
            width: 1280,
            height: 1600,
            dark: false,
        },
        "stall",
    ),
    (
        "wide-cut",
        Window {
            width: 1280,
            height: 1600,
            dark: false,
        },
        "cut",
    ),
    (
        "phone",
        Window {
            width: 390,
            height: 2400,
            dark: false,
        },
        "steady",
    ),
    (
        "dark",
        Window {
            width: 1280,
            height: 1600,
            dark: true,
        },
        "reasoning",
    ),
];
/// Enough for medians.
const PROBES: usize = 20;

/// Takes them into `target/screenshots`.
///
/// # Errors
/// When something does not run.
pub(crate) fn run(place: &Place) -> Result<()> {
    setup::chromium::install()?;
    parts::all(place)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(take(place))
}

async fn take(place: &Place) -> Result<()> {
    let stack = Stack::start(place, Plan::new("shots", demo::TARGETS)?).await?;
    for _ in 0..PROBES {
        stack.collector().edge_probe("steady").await?;
    }
    for (name, window, target) in SHOTS {
        let browser = Browser::start(stack.folder(), window).await?;
        let page = Page::open(&browser, &stack.url()).await?;
        page.choose(target).await?;
        page.ask().await?;
        let path = place.screenshots().join(format!("{name}.png"));
        browser.screenshot(&path).await?;
        println!("{}", path.display());
        browser.close().await?;
    }
    Ok(())
}
