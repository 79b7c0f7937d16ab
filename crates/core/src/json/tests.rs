use proptest::prelude::*;
use serde_json::Value as Reference;

use super::text::decode_all;
use super::*;

/// Compares everything that the reader keeps with what serde_json sees.
fn same(ours: Value<'_>, theirs: &Reference) -> Result<(), String> {
    let ok = match theirs {
        Reference::Null => ours.kind() == Kind::Null,
        Reference::Bool(b) => {
            ours.is_true() == *b && matches!(ours.kind(), Kind::True | Kind::False)
        }
        Reference::Number(n) => ours.count() == n.as_u64() && close(ours.number(), n.as_f64()),
        Reference::String(s) => ours.is_string() && text(ours) == *s,
        Reference::Array(items) => {
            let kept = items.iter().filter(|i| !i.is_number());
            ours.is_array() && ours.items().count() == kept.clone().count() && {
                for (ours, theirs) in ours.items().zip(kept) {
                    same(ours, theirs)?;
                }
                true
            }
        }
        Reference::Object(map) => {
            for (key, theirs) in map {
                match Word::of(key.as_bytes()) {
                    Word::Other => {}
                    known => same(ours.get(known), theirs)?,
                }
            }
            ours.is_object() && ours.members().count() >= map.len()
        }
    };
    if ok {
        Ok(())
    } else {
        Err(format!("{ours:?} is not {theirs}"))
    }
}

fn close(ours: Option<f64>, theirs: Option<f64>) -> bool {
    match (ours, theirs) {
        (Some(a), Some(b)) => (a - b).abs() <= b.abs() * 1e-14,
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn text(value: Value<'_>) -> String {
    let mut out = String::new();
    decode_all(value.raw(), &mut out);
    out
}

fn check(bytes: &[u8]) -> Result<(), String> {
    let mut json = Json::default();
    let ours = json.read(bytes);
    match (ours, serde_json::from_slice::<Reference>(bytes)) {
        (Some(doc), Ok(theirs)) => same(doc.root(), &theirs),
        (None, Err(_)) => Ok(()),
        // serde_json refuses what we read on purpose: half pairs, bytes that are not UTF-8, numbers
        // beyond f64.
        (Some(_), Err(_)) if is_lenient(bytes) => Ok(()),
        (ours, theirs) => Err(format!("{:?} but {theirs:?}", ours.map(|_| ()))),
    }
}

fn is_lenient(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let digits = |c: char| c.is_ascii_digit();
    std::str::from_utf8(bytes).is_err()
        || text.to_lowercase().contains("\\ud")
        || text.split(digits).any(|gap| gap.starts_with(['e', 'E']))
        || text.split(|c| !digits(c)).any(|run| run.len() > 300)
}

fn any_key() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec!["text", "type", "usage", "delta", "content", "index"]);
    prop_oneof![
        2 => known.prop_map(String::from),
        1 => "[a-c\\\\\"\u{e9}\n]{0,3}",
    ]
}

fn any_json() -> impl Strategy<Value = Reference> {
    let leaf = prop_oneof![
        Just(Reference::Null),
        any::<bool>().prop_map(Reference::from),
        any::<u64>().prop_map(Reference::from),
        any::<i64>().prop_map(Reference::from),
        any::<f64>().prop_map(Reference::from),
        ".{0,12}".prop_map(Reference::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Reference::from),
            proptest::collection::hash_map(any_key(), inner, 0..8).prop_map(Reference::from_iter),
        ]
    })
}

/// JSON texts of one structure, or nearly so.
fn alike() -> impl Strategy<Value = Vec<String>> {
    let scalar = prop_oneof![
        3 => "\"[a-z\\u{e9}]{0,9}\"",
        1 => "\"([a-c]|\\\\[\\\\\"nt]|\\\\u00[0-9a-f]{2}){0,4}\"",
        1 => "-?[1-9][0-9]{0,3}(\\.[0-9])?",
        1 => "null|true|false|nul|\"|01|\\[\\]|\\{\\}|false\\{\\}|null\\[1,2\\]",
    ];
    // Where blanks mean something, and where they make it no JSON.
    let gap = || prop_oneof![5 => Just(""), 1 => Just(" ")];
    let row = (
        proptest::collection::vec(scalar, 5),
        "[ ]{0,2}",
        "[ ]{0,2}",
        [gap(), gap(), gap()],
    );
    let row = row.prop_map(|(v, s, t, [g, h, i])| {
        format!(
            "{{\"a\":{}{s},\"n\":[{}, 7{g}8,{{\"t\\u0065xt\" : {}}}],{t}\"te{h}xt\":{{\"{{\\\"{i}}}\":{}}} ,\"e\":{}{t}}}{s}",
            v[0], v[1], v[2], v[3], v[4]
        )
    });
    proptest::collection::vec(row, 1..6)
}

proptest! {
    #[test]
    fn reading_after_a_similar_text_gives_what_reading_alone_gives(texts in alike()) {
        let mut json = Json::default();
        for text in &texts {
            let mut alone = Json::default();
            let is_json = alone.read(text.as_bytes()).is_some();
            prop_assert_eq!(json.read(text.as_bytes()).is_some(), is_json, "{}", text);
            if is_json {
                prop_assert_eq!(&json.nodes, &alone.nodes, "{}", text);
            }
        }
    }

    #[test]
    fn reading_after_any_text_gives_what_reading_alone_gives(values in proptest::collection::vec(any_json(), 1..4), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut json = Json::default();
        for value in &values {
            let text = serde_json::to_vec(value).unwrap();
            let mut damaged = text.clone();
            let at = at.index(text.len());
            damaged[at] = byte;
            for text in [&text, &damaged, &text] {
                let mut alone = Json::default();
                let is_json = alone.read(text).is_some();
                prop_assert_eq!(json.read(text).is_some(), is_json);
                if is_json {
                    prop_assert_eq!(&json.nodes, &alone.nodes);
                }
            }
        }
    }

    #[test]
    fn agrees_with_serde_json_on_any_json(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        prop_assert_eq!(check(text.unwrap().as_bytes()), Ok(()));
    }

    #[test]
    fn agrees_with_serde_json_on_damaged_json(value in any_json(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut text = serde_json::to_vec(&value).unwrap();
        let at = at.index(text.len());
        if cut { text.truncate(at) } else { text[at] = byte }
        prop_assert_eq!(check(&text), Ok(()));
    }

    #[test]
    fn agrees_with_serde_json_on_json_like_noise(text in "[\\[\\]{}\",:0-9.eE+\\-truefalsn\\\\ \n\t]{0,24}") {
        prop_assert_eq!(check(text.as_bytes()), Ok(()));
    }

    #[test]
    fn never_panics_on_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut json = Json::default();
        if let Some(doc) = json.read(&bytes) {
            let _ = (text(doc.root()), doc.root().number(), doc.root().count());
        }
    }

    #[test]
    fn compacting_changes_white_space_only_and_ends_with_the_value(value in any_json()) {
        let array = Reference::from(vec![value]);
        let text = serde_json::to_string_pretty(&array).unwrap() + "\n, [\"the next\"]}";
        let mut out = String::new();
        text::compact(text.as_bytes(), &mut out);
        prop_assert_eq!(out, array.to_string());
    }

    #[test]
    fn pairs_cut_anywhere_are_joined(text in "[a\u{1f469}\u{e9}\u{200d}]{0,6}", at in any::<prop::sample::Index>()) {
        let escapes: Vec<String> = text.encode_utf16().map(|u| format!("\\u{u:04x}")).collect();
        let (left, right) = escapes.split_at(at.index(escapes.len() + 1));
        let (mut half, mut out) = (None, String::new());
        decode(left.concat().as_bytes(), &mut half, &mut out);
        decode(right.concat().as_bytes(), &mut half, &mut out);
        prop_assert_eq!(out, text);
        prop_assert_eq!(half, None);
    }
}

/// Both texts after each other, in both orders, give what each gives alone.
fn check_after_each_other(one: &[u8], other: &[u8]) {
    for (before, text) in [(one, other), (other, one)] {
        let (mut json, mut alone) = (Json::default(), Json::default());
        json.read(before);
        let is_json = alone.read(text).is_some();
        let said = || String::from_utf8_lossy(&[before, b" | ", text].concat()).into_owned();
        assert_eq!(json.read(text).is_some(), is_json, "{}", said());
        if is_json {
            assert_eq!(json.nodes, alone.nodes, "{}", said());
        }
    }
}

#[test]
fn an_edit_anywhere_is_read_as_if_nothing_had_come_before() {
    let text = br#"{"te\"xt":"a\nb","n":[12,{"d":{}},"",null],"c":{"x{ }":-1.5e3} ,"e":true  }"#;
    let pieces = [
        " ", "\"", "\"x\"", "\\", "7", "-", "e", "null", "false", "{", "}", "[]", ",", ":", "\n",
    ];
    for at in 0..=text.len() {
        let (head, tail) = text.split_at(at);
        for piece in pieces {
            check_after_each_other(text, &[head, piece.as_bytes(), tail].concat());
        }
        check_after_each_other(text, &[head, tail.get(1..).unwrap_or_default()].concat());
        check_after_each_other(text, &[head, tail.get(2..).unwrap_or_default()].concat());
    }
}

#[test]
fn what_is_no_json_is_refused() {
    for bad in [
        "",
        " ",
        "{",
        "}",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\"}",
        "{a:1}",
        "[1 2]",
        "01",
        "1.",
        ".5",
        "1e",
        "+1",
        "-",
        "nul",
        "truex",
        "\"a",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "1 1",
        "[}",
        "{]",
        "{\"a\":1]",
        ": keepalive",
        "{\"id\":\"c1\",\"object\":\"chat.cdata: {\"choices\":[]}",
    ] {
        assert!(Json::default().read(bad.as_bytes()).is_none(), "{bad}");
    }
}

#[test]
fn a_half_pair_that_is_never_completed_is_replaced() {
    for (raw, text) in [
        ("\\ud83dx", "\u{fffd}x"),
        ("\\ud83d\\ud83d\\udc69", "\u{fffd}\u{1f469}"),
        ("\\udc69", "\u{fffd}"),
        ("\\ud83d", "\u{fffd}"),
        ("\\ud83d\\n", "\u{fffd}\n"),
    ] {
        let mut out = String::new();
        decode_all(raw.as_bytes(), &mut out);
        assert_eq!(out, text, "{raw}");
    }
}

#[test]
fn nesting_is_bounded_without_recursion() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(Json::default().read(nested(127).as_bytes()).is_some());
    assert!(Json::default().read(nested(128).as_bytes()).is_none());
    assert!(
        Json::default()
            .read("[".repeat(1 << 20).as_bytes())
            .is_none()
    );
}

#[test]
fn memory_for_one_event_is_bounded() {
    let many = format!("{{\"list\":[{}0],\"text\":1}}", "{},".repeat(200_000));
    let mut json = Json::default();
    let doc = json.read(many.as_bytes()).unwrap();
    assert!(doc.root().get(Word::Text).kind() == Kind::Missing);
    assert!(json.nodes.capacity() <= parse::MAX_NODES * 2);
    let numbers = format!("{{\"context\":[{}0],\"text\":1}}", "7,".repeat(200_000));
    assert_eq!(
        json.read(numbers.as_bytes())
            .unwrap()
            .root()
            .get(Word::Text)
            .count(),
        Some(1)
    );
}

#[test]
fn the_last_of_duplicated_keys_counts() {
    let mut json = Json::default();
    let doc = json.read(b"{\"text\":1,\"t\\u0065xt\":2}").unwrap();
    assert_eq!(doc.root().get(Word::Text).count(), Some(2));
}

#[test]
fn numbers_too_large_for_a_count_are_none() {
    let mut json = Json::default();
    for (raw, count) in [
        ("18446744073709551615", Some(u64::MAX)),
        ("18446744073709551616", None),
        ("99999999999999999999999999", None),
        ("-1", None),
        ("1e3", None),
        ("0", Some(0)),
    ] {
        assert_eq!(
            json.read(raw.as_bytes()).unwrap().root().count(),
            count,
            "{raw}"
        );
    }
    let doc = json.read(b"1e999").unwrap();
    assert!(doc.root().number().unwrap().is_infinite());
}
