//! Streams as providers send them: the same frame around every piece of text, padded with noise to hide its length.

use std::fmt::Write as _;

/// Bytes of what is repeated; enough events that no predictor learns them by heart.
const LENGTH: usize = 1 << 20;

/// As JSON has them in a string. Mostly plain words; line ends, quotes, other scripts now and then.
const TOKENS: [&str; 32] = [
    " the",
    " of",
    " stream",
    " and",
    " a",
    " token",
    ",",
    ".",
    " is",
    " that",
    " time",
    " latency",
    " between",
    " first",
    " measured",
    " it",
    " one",
    " request",
    " server",
    "ing",
    "s",
    " in",
    " to",
    "\\n\\n",
    " \\\"",
    "\\\"",
    "**",
    " caf\u{e9}",
    "\u{65e5}\u{672c}",
    " \\ud83d\\ude00",
    " -",
    " 42",
];
const NOISE: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BLANKS: &str = "               ";

/// Events of OpenAI's chat that may be repeated without end: a token each.
pub(crate) fn openai() -> Vec<u8> {
    events(|dice, out| {
        let token = TOKENS[dice.below(TOKENS.len())];
        let noise: String = (0..=dice.below(15))
            .map(|_| char::from(NOISE[dice.below(NOISE.len())]))
            .collect();
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "data: {{\"id\":\"chatcmpl-CBmQRG9Lb5nrZc4XgVqkd0vHnP2aT\",\"object\":\"chat.completion.chunk\",\
             \"created\":1764460800,\"model\":\"gpt-4o-2024-08-06\",\"service_tier\":\"default\",\
             \"system_fingerprint\":\"fp_a7c1d4e9b2\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{token}\"}},\
             \"logprobs\":null,\"finish_reason\":null}}],\"usage\":null,\"obfuscation\":\"{noise}\"}}\n\n"
        );
    })
}

/// The same of Anthropic's messages: some tokens each.
pub(crate) fn anthropic() -> Vec<u8> {
    events(|dice, out| {
        let text: String = (0..=dice.below(8))
            .map(|_| TOKENS[dice.below(TOKENS.len())])
            .collect();
        let blanks = &BLANKS[..dice.below(BLANKS.len() + 1)];
        let _ = write!(
            out,
            "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\
             \"delta\":{{\"type\":\"text_delta\",\"text\":\"{text}\"}}{blanks}}}\n\n"
        );
    })
}

fn events(one: impl Fn(&mut Dice, &mut String)) -> Vec<u8> {
    let mut dice = Dice(0x5eed);
    let mut out = String::with_capacity(LENGTH + 1024);
    while out.len() < LENGTH {
        one(&mut dice, &mut out);
    }
    out.into_bytes()
}

/// The same numbers every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}
