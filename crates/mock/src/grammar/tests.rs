//! Claims about the grammar and its refusals.

use super::*;

fn refusal(spec: &str) -> String {
    spec.parse::<Script>().unwrap_err().to_string()
}

#[test]
fn every_item_of_the_grammar_is_understood() {
    let all = "headers=20,first=300,gap=40.5,n=60,reasoning=20,tool=3,tail=5,stall=10:2000,\
        stall=20:700,burst=5,flush=500,jitter=10,seed=7,keepalive=500,status=429,retry_after=2,\
        error_at=10,no_usage,no_role,crlf,html,text_chars=5,tokens=2";
    let script: Script = all.parse().unwrap();
    assert_eq!(script.headers, Some(Duration::from_millis(20)));
    assert_eq!(script.gap, Duration::from_micros(40_500));
    assert_eq!(script.stalls.len(), 2);
    assert_eq!(script.stop, Some(Stop::Error(10)));
    assert_eq!((script.status, script.retry_after), (429, Some(2)));
    assert_eq!(script.body, Body::Html);
    assert!(script.no_usage && script.no_role && script.crlf);
    for rest in ["buffered", "json", "hang", "cut_at=1", "eof_at=20"] {
        rest.parse::<Script>().unwrap();
    }
}

#[test]
fn an_unknown_item_is_named_with_the_allowed_ones() {
    let said = refusal("first=300,frist=3");
    assert!(said.contains("\"frist=3\""), "{said}");
    assert!(said.contains("retry_after=SECONDS"), "{said}");
}

#[test]
fn a_wrong_value_is_named_with_what_the_item_takes() {
    assert!(refusal("gap=fast").contains("milliseconds"));
    assert!(refusal("gap=-1").contains("milliseconds"));
    assert!(refusal("gap=NaN").contains("milliseconds"));
    assert!(refusal("n=100001").contains("100000"));
    assert!(refusal("burst=0").contains("from 1"));
    assert!(refusal("stall=10").contains("stall=10:2000"));
    assert!(refusal("status=42").contains("HTTP status"));
    assert!(refusal("status=204").contains("HTTP status"));
    assert!(refusal("hang=1").contains("no value"));
    assert!(refusal("gap").contains("milliseconds"));
}

#[test]
fn items_that_exclude_each_other_are_refused() {
    assert!(refusal("cut_at=3,eof_at=4").contains("\"cut_at=3\""));
    assert!(refusal("gap=3,gap=4").contains("\"gap=3\""));
    assert!(refusal("buffered,flush=4").contains("\"buffered\""));
}

#[test]
fn an_item_past_the_end_of_the_stream_is_refused() {
    assert!(refusal("n=5,cut_at=6").contains("only 5"));
    assert!(refusal("n=5,stall=5:10").contains("only 5"));
    "n=5,cut_at=5".parse::<Script>().unwrap();
}

#[test]
fn a_script_longer_than_an_hour_is_refused() {
    assert!(refusal("n=1000,gap=4000").contains("3600"));
}
