//! After a panic the worker goes on: the calls that ran fail at once, the next one finds a new instance.

use std::process::Command;
use std::time::Duration;

use harness::process::Process;
use harness::{Place, http, ports, workerd};

use crate::ground::eventually;

const LIMIT: Duration = Duration::from_secs(30);

/// The worker's own entry with a module that can be made to trap. Its process and its address.
async fn start(place: &Place) -> (Process, String) {
    let folder = place.run("edge-trap");
    let objects = folder.join("objects");
    std::fs::create_dir_all(&objects).unwrap();
    let port = ports::free().unwrap();
    let config = include_str!("trap/config.capnp")
        .replace("@OBJECTS@", objects.to_str().unwrap())
        .replace("@PORT@", &port.to_string());
    for (name, text) in [
        ("config.capnp", config.as_str()),
        ("index.js", include_str!("trap/index.js")),
        ("shim.mjs", include_str!("../../../../worker/shim.mjs")),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let mut command = Command::new(workerd::binary(place));
    command.arg("serve").arg(folder.join("config.capnp"));
    let mut process =
        Process::spawn("workerd", &mut command, &folder, "run `cargo xtask build`").unwrap();
    let base = format!("http://127.0.0.1:{port}");
    process
        .ready(&format!("{base}/healthz"), LIMIT)
        .await
        .unwrap();
    (process, base)
}

#[tokio::test]
async fn a_trap_fails_the_running_calls_and_the_next_call_finds_a_new_instance() {
    let (_process, base) = start(&Place::find().unwrap()).await;
    let region = async || http::get_json(&format!("{base}/region")).await.unwrap();
    assert_eq!(region().await["instance"], 1);
    let waiting = format!("{base}/wait");
    let waiting = tokio::spawn(async move { http::get(&waiting).await });
    eventually("a call waits", async || {
        let waiting = http::get_json(&format!("{base}/waiting")).await;
        waiting.unwrap()["waiting"] == 1
    })
    .await;
    let trapped = tokio::time::timeout(LIMIT, http::get(&format!("{base}/trap"))).await;
    assert_eq!(
        trapped
            .expect("the trapped call is never answered")
            .unwrap()
            .status,
        500
    );
    let waited = tokio::time::timeout(LIMIT, waiting).await;
    assert_eq!(
        waited
            .expect("the other call is never answered")
            .unwrap()
            .unwrap()
            .status,
        500
    );
    assert_eq!(
        region().await["instance"],
        2,
        "the object still lives in the trapped instance"
    );
}
