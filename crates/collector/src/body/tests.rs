use std::io::Write;

use proptest::prelude::*;

use super::*;

const LIMIT: usize = 1000;

fn gzip(text: &[u8]) -> Bytes {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap().into()
}

fn check(body: &str) -> Vec<Result<&str, String>> {
    split(body.as_bytes()).unwrap()
}

#[test]
fn one_value_an_array_and_lines_are_told_apart() {
    assert_eq!(check(r#"{"a":1}"#), [Ok(r#"{"a":1}"#)]);
    assert_eq!(check("{\n  \"a\": 1\n}\n"), [Ok("{\n  \"a\": 1\n}")]);
    assert_eq!(check(" [1, {\"a\":2}] "), [Ok("1"), Ok("{\"a\":2}")]);
    assert_eq!(check("[]"), []);
    assert_eq!(
        check("{\"a\":1}\r\n\n{\"a\":2}\n"),
        [Ok("{\"a\":1}"), Ok("{\"a\":2}")]
    );
    assert_eq!(check("\u{feff}1"), [Ok("1")]);
}

#[test]
fn a_broken_line_takes_nothing_else_with_it() {
    let pieces = check("{\"a\":1}\n{\"a\":\n{\"a\":NaN}\n{\"a\":2}");
    assert!(pieces[0].is_ok() && pieces[1].is_err() && pieces[2].is_err() && pieces[3].is_ok());
}

#[test]
fn a_body_that_is_no_json_at_all_gets_one_sentence() {
    let bodies: [&[u8]; 7] = [
        b"",
        b"  \n ",
        b"{",
        b"[1,",
        b"[1] 2",
        b"<html>\n</html>",
        b"\xff\xfe",
    ];
    for body in bodies {
        let error = split(body).unwrap_err();
        assert!(
            matches!(error, BodyError::Empty | BodyError::NotJson(_)),
            "{body:?}: {error}"
        );
    }
}

#[test]
fn more_records_than_the_limit_are_refused_in_both_shapes() {
    let many = vec!["1"; MOST_RECORDS + 1];
    assert_eq!(split(many.join("\n").as_bytes()), Err(BodyError::TooMany));
    assert_eq!(
        split(format!("[{}]", many.join(",")).as_bytes()),
        Err(BodyError::TooMany)
    );
}

#[test]
fn packed_bodies_are_unpacked_and_bombs_refused() {
    assert_eq!(
        unpack(gzip(b"[]"), Some("gzip"), LIMIT).unwrap(),
        &b"[]"[..]
    );
    assert_eq!(
        unpack(b"[]".as_slice().into(), None, LIMIT).unwrap(),
        &b"[]"[..]
    );
    let bomb = gzip(&vec![b' '; 1 << 24]);
    assert_eq!(
        unpack(bomb, Some("gzip"), LIMIT),
        Err(BodyError::TooLarge { limit: LIMIT })
    );
    let not_packed = unpack(b"[]".as_slice().into(), Some("deflate"), LIMIT);
    assert!(matches!(not_packed, Err(BodyError::Unpack(_))));
    let unknown = unpack(b"[]".as_slice().into(), Some("br"), LIMIT);
    assert_eq!(unknown, Err(BodyError::Encoding("br".to_owned())));
}

proptest! {
    #[test]
    fn any_bytes_are_split_or_refused(body in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = split(&body);
        let _ = unpack(body.into(), Some("gzip"), LIMIT);
    }

    #[test]
    fn any_text_of_json_letters_is_split_or_refused(body in "[\\[\\]{}\",:0-9eE.\\-n\\\\ \n]{0,80}") {
        if let Ok(pieces) = split(body.as_bytes()) {
            for piece in pieces.into_iter().flatten() {
                let _ = serde_json::from_str::<serde_json::Value>(piece);
            }
        }
    }
}
