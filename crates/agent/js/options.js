// What `init` takes, and the one sentence that says what is wrong with it.

const isText = (value) => typeof value == 'string' && value != '' && value.length <= 256;
const isCall = (value) => typeof value == 'function';

/** Names of things, not texts: as long as a record's fields may be. */
const TEXT = [isText, 'a text of 1 to 256 characters'];

const isTarget = (value) => value && isText(value.id)
  && ['model', 'side', 'dialect', 'keyAlias'].every((name) => value[name] == null || isText(value[name]));

const FIELDS = {
  collector: [(value) => isText(value) && URL.canParse(value, 'http://a.invalid'), 'the URL of the collector'],
  key: TEXT,
  app: TEXT,
  release: TEXT,
  target: [isTarget, 'an object with an id, and model, side, dialect and keyAlias where known'],
  sampleRate: [(value) => value >= 0 && value <= 1 && typeof value == 'number', 'a number from 0 to 1'],
  consent: [(value) => typeof value == 'boolean', 'true or false'],
  beforeSend: [isCall, 'a function'],
  wasm: [(value) => isText(String(value)), 'the URL of the wasm file'],
};

/** Throws one TypeError that names the field. */
export const check = (options) => {
  const wrong = (text) => {
    throw new TypeError(`streamlag.init: ${text}`);
  };
  if (!options || typeof options != 'object') wrong('give an object of options');
  if (options.collector === undefined) wrong('collector is missing; give the URL of the collector');
  for (const [name, value] of Object.entries(options)) {
    const field = FIELDS[name];
    if (!field) wrong(`there is no option ${name}; there are ${Object.keys(FIELDS).join(', ')}`);
    if (value !== undefined && !field[0](value)) wrong(`${name} must be ${field[1]}, not ${shown(value)}`);
  }
};

/** Never the value of an object, which may be large or secret. */
const shown = (value) => (typeof value == 'string' ? JSON.stringify(value.slice(0, 40)) : value === null || typeof value != 'object' ? String(value) : 'an object');

/** Whether this can be a target; what is called after `init` does not throw. */
export const isUsable = isTarget;
