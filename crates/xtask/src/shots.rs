//! `cargo xtask shots`: pictures of the page, for people who have not run it.

use anyhow::Result;
use harness::browser::{Browser, Engine, Window};
use harness::page::Page;
use harness::{Place, Plan, Stack};

use crate::{demo, parts, setup};

/// A window of this size, of someone who likes pages light.
const fn window(width: u32, height: u32) -> Window {
    Window {
        width,
        height,
        dark: false,
        phone: false,
    }
}

const DARK: Window = Window {
    dark: true,
    ..window(1280, 1600)
};
const PHONE: Window = Window {
    phone: true,
    ..window(390, 1700)
};

/// Name, window, target.
const SHOTS: [(&str, Window, &str); 5] = [
    ("wide", window(1280, 1600), "steady"),
    ("wide-stall", window(1280, 1600), "stall"),
    ("wide-cut", window(1280, 1600), "cut"),
    ("dark", DARK, "reasoning"),
    ("phone", PHONE, "steady"),
];
/// Enough for medians.
const PROBES: usize = 20;

/// Takes them into `target/screenshots`.
///
/// # Errors
/// When something does not run.
pub(crate) fn run(place: &Place) -> Result<()> {
    setup::browsers::install(place, &[Engine::Chromium])?;
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
        // The comparison follows the store a moment later.
        let compared = "return !!document.querySelector('[data-testid=places]')";
        page.wait_for("the comparison", compared).await?;
        shot(place, &browser, name).await?;
        if !window.phone {
            browser.fit().await?;
            shot(place, &browser, &format!("{name}-whole")).await?;
        }
        browser.close().await?;
    }
    Ok(())
}

async fn shot(place: &Place, browser: &Browser, name: &str) -> Result<()> {
    let path = place.screenshots().join(format!("{name}.png"));
    browser.screenshot(&path).await?;
    println!("{}", path.display());
    Ok(())
}
