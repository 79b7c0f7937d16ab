// Records that wait across reloads, in the page's IndexedDB. Where that is refused, they wait in memory alone.

const NAME = 'streamlag';
const RECORDS = 'records';
/** Older ones say nothing about now. */
const MOST_AGE_MS = 48 * 3_600_000;

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

export const newStore = () => {
  let opened;
  const open = () => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(RECORDS, { keyPath: 'id' });
    return done(request);
  };
  const within = async (mode, run, otherwise) => {
    try {
      opened ??= open();
      return await run((await opened).transaction(RECORDS, mode).objectStore(RECORDS));
    } catch {
      return otherwise;
    }
  };
  return {
    put: ({ id, json }) => within('readwrite', (records) => done(records.put({ id, json, at: Date.now() }))),
    remove: (items) => items.length && within('readwrite', (records) => items.forEach(({ id }) => records.delete(id))),
    /** Oldest first. */
    all: () => within('readwrite', async (records) => {
      const found = await done(records.getAll());
      const least = Date.now() - MOST_AGE_MS;
      for (const { id, at } of found) if (at < least) records.delete(id);
      return found.filter(({ at }) => at >= least).sort((a, b) => a.at - b.at);
    }, []),
    /** Leaves no trace. */
    async clear() {
      const database = await Promise.resolve(opened).catch(() => null);
      opened = null;
      database?.close();
      indexedDB.deleteDatabase(NAME);
    },
  };
};
