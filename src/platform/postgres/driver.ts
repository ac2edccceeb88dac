import { registerHooks } from 'node:module';

/** A piece of a file of the driver and what takes its place. */
interface Correction {
  from: string;
  to: string;
}

const closedError = `Errors.connection('CONNECTION_CLOSED', options)`;

/**
 * What postgres.js 3.4.9 does wrong when a connection is lost (porsager/postgres #1066, #1154,
 * #1208; #1168 and #1209 wait to be merged). `docs/decisions.md` says why it is corrected here.
 */
const ofConnection: readonly Correction[] = [
  {
    // Late writes (of a cursor, of a transaction's end) have no socket: they threw from a timer.
    from: 'function write(x, fn) {\n',
    to: 'function write(x, fn) {\n    if (!socket) return true\n',
  },
  {
    // A statement that comes too late fails, and leaves the connection in the pool's list.
    from: '    if (stream)\n      return queryError(q, Errors.generic(',
    to: `    if (!socket)
      return queryError(q, ${closedError}), true

    if (stream)
      return queryError(q, Errors.generic(`,
  },
  {
    // A timer that was cleared but kept made the connection, opened again, never write anything.
    from: 'clearImmediate(nextWriteTimer)\n    socket.removeListener',
    to: 'clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
  },
  {
    // Statements given to the connection between its error and its close waited for ever, or took
    // the answers of others; a statement left as current kept the next start from failing; rows
    // that had come were counted into the first answer of the connection when it was opened again.
    from: `    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n`,
    to: `    ;(query || sent.length) && error(${closedError})
    query = errorResponse = results = null
    rows = 0
    result = new Result()\n`,
  },
  {
    // A COPY into the database that fails after its last row never told its stream.
    from: '    stream && (stream.destroy(err), stream = null)\n',
    to: '    stream && (stream.destroy(err), stream = null)\n    final && (final(err), final = null)\n',
  },
  {
    // A cursor whose connection was lost while its reader worked went on, on another's.
    from: `    try {
      const x = await Promise.resolve(query.cursorFn(result))
      rows = 0\n`,
    to: `    const own = query
    try {
      const x = await Promise.resolve(query.cursorFn(result))
      if (query !== own) return
      rows = 0\n`,
  },
];

const ofCursor: readonly Correction[] = [
  {
    // Its reader was told that it had read everything.
    from: '          if (this.executed && !this.active)\n',
    to: '          if (this.failure)\n            return Promise.reject(this.failure)\n          if (this.executed && !this.active)\n',
  },
  {
    from: '            this.reject = x => (this.active = false, reject(x))\n',
    to: '            this.reject = x => (this.active = false, this.failure = x, reject(x))\n',
  },
];

const corrections = new Map([
  ['connection.js', ofConnection],
  ['query.js', ofCursor],
]);

function correct(file: string, own: readonly Correction[], source: string): string {
  return own.reduce((text, { from, to }) => {
    if (text.split(from).length !== 2) {
      throw new Error(
        `The driver postgres has changed: its ${file} does not have exactly one "${from}". Read ` +
          'what it does now when a connection is lost, and adapt src/platform/postgres/driver.ts.',
      );
    }
    return text.replace(from, () => to);
  }, source);
}

const missing = new Set(corrections.keys());
const hooks = registerHooks({
  load(url, context, nextLoad) {
    const result = nextLoad(url, context);
    const file = /\/postgres\/src\/(\w+\.js)$/.exec(url)?.[1] ?? '';
    const own = corrections.get(file);
    if (own === undefined) return result;
    missing.delete(file);
    return { ...result, source: correct(file, own, String(result.source)) };
  },
});
const driver = await import('postgres');
hooks.deregister();
if (missing.size > 0) {
  throw new Error('The driver postgres was loaded before driver.ts could correct it.');
}

/** The driver, corrected. Nothing else imports the package, except for its types. */
export const postgres = driver.default;
