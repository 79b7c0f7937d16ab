// Lists of a record as columns, as `streamlag_wire::columns` reads them.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 VLQ of whole numbers, the number format of source maps; `.` for what is not known. */
const pack = (numbers) => numbers.map((number) => {
  if (number == null) return '.';
  let rest = Math.abs(number) * 2 + (number < 0 ? 1 : 0);
  let text = '';
  do {
    const group = rest % 32;
    rest = Math.floor(rest / 32);
    text += DIGITS[rest ? group + 32 : group];
  } while (rest);
  return text;
}).join('');

const us = (ms) => Math.round(ms * 1e3);

/** Reads without a look into them: `{ at, bytes }`, `at` in ms from the send or null. */
export const chunks = (reads) => {
  let before = 0;
  const after = reads.map(({ at }) => {
    if (at == null) return null;
    const passed = us(at) - before;
    before = us(at);
    return passed;
  });
  return {
    after_us: pack(after),
    bytes: pack(reads.map(({ bytes }) => bytes)),
    events: pack(reads.map(() => 0)),
    generated: '0'.repeat(reads.length),
  };
};

/** Gaps between reads, the longest first: `{ at, gap, read }`. */
export const longest = (gaps) => ({
  at_us: pack(gaps.map(({ at }) => us(at))),
  gap_us: pack(gaps.map(({ gap }) => us(gap))),
  read: pack(gaps.map(({ read }) => read)),
  event: pack(gaps.map(() => 0)),
  cause: { words: ['upstream'], each: pack(gaps.map(() => 0)) },
});
