import { createRequire } from 'node:module';
import type { DestinationStream, Logger } from 'pino';
import { holdsCardNumber, maskCardNumbers } from '../kernel/card-text.ts';

/** The process's log, including the lines of completed calls. */
export type Log = Logger & {
  /** Logs a completed call, with fixed members that contain no secret. */
  answered(line: AnsweredLine): void;
  /** Logs an aborted call. `others` counts those omitted since the last line. */
  aborted(line: AnsweredLine): void;
};

interface AnsweredLine {
  /** Milliseconds since the epoch. */
  time: number;
  requestId: string;
  method: string;
  /** The route's pattern. Not the address, because payers' links contain tokens. */
  route: string;
  status: number;
  ms: number;
  /** The caller's account and key: prefix and number, never the key. */
  account?: string;
  key?: string;
  /** The signed-in user's id, on a page. */
  user?: number;
  address: string;
  /** Lines omitted since the last one. */
  others?: number;
}

/** Loads the library with the first log, so that a command that logs nothing starts without it. */
const library = createRequire(import.meta.url);
const pinoLibrary = (): typeof import('pino') => library('pino');

/** The library's number for "info". */
const infoLevel = 30;

/** Keeps card numbers, keys, CBUs, headers and bodies out of the log. */
const hidden = ['authorization', 'headers', '*.authorization', '*.card_number', '*.cbu', 'body'];

/** Interval for flushing lines, which are also flushed at exit. */
const flushEveryMs = 500;
const writtenAtOnce = 32 * 1024;

function destination(): DestinationStream {
  if (process.stderr.isTTY) {
    return pinoLibrary().transport({
      target: 'pino-pretty',
      options: { destination: 2, colorize: true },
    }) as DestinationStream;
  }
  const stream = pinoLibrary().destination({ fd: 2, sync: false, maxWrite: 2 * writtenAtOnce });
  const gathered = gather(stream);
  setInterval(gathered.flush, flushEveryMs).unref();
  process.on('exit', gathered.flushSync);
  return gathered;
}

/** Joins lines before writing, because the stream computes the byte length of each text. */
function gather(stream: { write(text: string): unknown; flushSync(): void }) {
  let lines = '';
  const flush = (): void => {
    if (lines === '') return;
    stream.write(lines);
    lines = '';
  };
  return {
    write(line: string): void {
      lines += line;
      if (lines.length >= writtenAtOnce) flush();
    },
    flush,
    /** Writes all lines synchronously. The logger also calls this after a fatal line. */
    flushSync(): void {
      flush();
      stream.flushSync();
    },
  };
}

/**
 * Formats a line like the logger's "info", at a twentieth of the cost. Methods and ids need no JSON
 * escapes.
 */
function lineOf(line: AnsweredLine, message: string): string {
  const { time, requestId, method, route, status, ms, account, key, user, address, others } = line;
  const caller =
    (account === undefined ? '' : `,"account":"${account}"`) +
    (key === undefined ? '' : `,"key":${JSON.stringify(key)}`) +
    (user === undefined ? '' : `,"user":${user}`);
  const leftOut = others === undefined ? '' : `,"others":${others}`;
  return `{"level":${infoLevel},"time":${time},"requestId":"${requestId}","method":"${method}","route":${JSON.stringify(route)},"status":${status},"ms":${ms}${caller},"address":${JSON.stringify(address)}${leftOut},"msg":"${message}"}\n`;
}

/** Masks card numbers in a line, such as those in PostgreSQL's error details. */
function withoutCards(line: string): string {
  if (!holdsCardNumber(line)) return line;
  const masked = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? maskCardNumbers(value) : value;
  return `${JSON.stringify(JSON.parse(line, masked))}\n`;
}

/** Logs JSON lines to stderr, or readable ones on a terminal. Leaves stdout to commands' output. */
export function createLog(level: string, stream: DestinationStream = destination()): Log {
  const log = pinoLibrary().pino(
    { level, redact: hidden, base: null, hooks: { streamWrite: withoutCards } },
    stream,
  );
  const write = log.isLevelEnabled('info')
    ? (line: AnsweredLine, message: string) => stream.write(lineOf(line, message))
    : () => {};
  return Object.assign(log, {
    answered: (line: AnsweredLine) => write(line, 'answered'),
    aborted: (line: AnsweredLine) => write(line, 'given up'),
  });
}

/** Returns a log that is created on first use, for a process that may log nothing. */
export function lazyLog(create: () => Log): Log {
  let log: Log | null = null;
  return new Proxy({} as Log, {
    get(_, name) {
      log ??= create();
      return Reflect.get(log, name);
    },
  });
}
