//! What is measured elsewhere appears on an open page by itself.

use harness::Trouble;
use harness::page::Page;
use streamlag_e2e::{browser, stack};

#[tokio::test]
async fn an_edge_probe_appears_on_an_open_page() -> Result<(), Trouble> {
    let stack = stack("live").await?;
    let browser = browser(&stack).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    page.choose("quick").await?;
    page.wait_for(
        "an empty comparison",
        "return !!document.querySelector('[data-testid=comparison-empty]')",
    )
    .await?;
    stack.collector().edge_probe("quick").await?;
    let regions = "const rows=[...document.querySelectorAll('[data-testid=comparison] [data-region]')];\
                   return new Set(rows.map(r=>r.dataset.region)).size >= 3";
    page.wait_for("three regions in the comparison", regions)
        .await?;
    browser.close().await
}

#[tokio::test]
async fn the_button_lets_every_region_measure() -> Result<(), Trouble> {
    let stack = stack("button").await?;
    let browser = browser(&stack).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    page.choose("quick").await?;
    page.press("probe-edge").await?;
    page.wait_for(
        "the regions' answers",
        "return document.querySelectorAll('[data-testid=edge-told] li').length >= 3",
    )
    .await?;
    let records = stack
        .collector()
        .records("target=quick&vantage=edge")
        .await?;
    assert_eq!(records.len(), 3);
    browser.close().await
}
