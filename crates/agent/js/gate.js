// What may leave the page: nothing without consent, of the rest a sample, and of that what the app lets through.

/** In the tab's session storage, after consent: one visit is measured whole or not at all. */
const SESSION = 'streamlag.session';

/** The session's place between 0 and 1, the same on every page of the tab. */
const place = () => {
  let id;
  try {
    id = sessionStorage.getItem(SESSION);
  } catch {
    // Storage is refused: the session is then the page.
  }
  if (!/^[0-9a-f]{8}$/.test(id ?? '')) {
    id = crypto.getRandomValues(new Uint32Array(1))[0].toString(16).padStart(8, '0');
    try {
      sessionStorage.setItem(SESSION, id);
    } catch {
      // As above.
    }
  }
  return parseInt(id, 16) / 2 ** 32;
};

export const forget = () => {
  try {
    sessionStorage.removeItem(SESSION);
  } catch {
    // Nothing was stored then.
  }
};

const FAILED = ['error', 'timeout', 'truncated'];

/** Gives each record's JSON, or `undefined` where it stays here. */
export const newGate = ({ sampleRate = 1, beforeSend }, mayLeave, warn) => {
  let here;
  return (record) => {
    if (!mayLeave()) return undefined;
    if (sampleRate < 1) {
      here ??= place();
      const failed = FAILED.includes(record.outcome) ? 'failure' : record.gaps?.stalls ? 'stall' : null;
      const kept = here < sampleRate ? 'sample' : failed;
      if (!kept) return undefined;
      // Who counts needs to know: those kept for another reason than the sample are no sample.
      record.sample_rate = sampleRate;
      record.kept_for = kept;
    }
    try {
      const left = beforeSend ? beforeSend(record) : record;
      return left ? JSON.stringify(left) : undefined;
    } catch (error) {
      warn('beforeSend threw; the record was not sent', error);
      return undefined;
    }
  };
};
