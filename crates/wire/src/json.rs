//! A record's text where no host writes JSON: compact, and whole numbers without `.0`, as JavaScript does.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

use crate::record::Record;

impl Record {
    /// Makes the record fit ([`Record::fit`]) and writes it.
    pub fn to_json(&mut self) -> Option<String> {
        self.fit(|record| text(record).ok())
    }
}

/// Compact JSON.
fn text(record: &Record) -> Result<String, serde_json::Error> {
    let mut bytes = Vec::with_capacity(crate::fit::MAX_BYTES);
    record.serialize(&mut Serializer::with_formatter(&mut bytes, Numbers))?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

struct Numbers;

impl Formatter for Numbers {
    fn write_f64<W: ?Sized + Write>(&mut self, to: &mut W, value: f64) -> io::Result<()> {
        // Up to 2^53 every whole number is exact.
        if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 {
            return CompactFormatter.write_i64(to, value as i64);
        }
        CompactFormatter.write_f64(to, value)
    }
}
