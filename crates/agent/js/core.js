// Loaded at idle: the way to the collector, and who reads the logs: the wasm core, or where it is refused or
// not there in time, its substitute.
import { newDelivery } from './delivery.js';
import { reduced } from './reduced.js';

/** Starts both. `ready`: the core to use; `inTime`: makes the substitute, for a page that leaves before that. */
export const begin = (settings, warn) => {
  const delivery = newDelivery(settings.records, warn);
  const hand = (record) => {
    const json = settings.gate(record);
    if (json) delivery.push(record.id, json);
  };
  const complete = (core) => ({
    ...core,
    flush: delivery.flush,
    leave() {
      core.leave();
      delivery.leave();
    },
    clear() {
      core.clear();
      delivery.clear();
    },
  });
  const refused = (error) => {
    warn("WebAssembly was refused, most often by a Content-Security-Policy without 'wasm-unsafe-eval'; records are reduced", error);
    return reduced(settings, hand);
  };
  return {
    inTime: () => complete(reduced(settings, hand)),
    ready: import('./wasm.js').then((module) => module.load(settings, hand)).catch(refused).then((core) => {
      // Now, so that the records of a page that leaves are made before they are sent.
      delivery.watch();
      return complete(core);
    }),
  };
};
