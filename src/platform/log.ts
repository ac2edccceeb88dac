import { type DestinationStream, type Logger, pino } from 'pino';
import { holdsCardNumber, maskCardNumbers } from '../kernel/card-text.ts';

/** The process's log, and the lines of answered calls. */
export type Log = Logger & {
  /** One line for each answered call, with fixed members that hold no secret. */
  answered(line: AnsweredLine): void;
  /** The same for an aborted call; `others` counts those unlogged since the last line. */
  aborted(line: AnsweredLine): void;
};

interface AnsweredLine {
  /** Milliseconds since the epoch. */
  time: number;
  requestId: string;
  method: string;
  /** The route's pattern, not the address: links of payers carry their token in it. */
  route: string;
  status: number;
  ms: number;
  /** The account and key of the caller: the key's prefix and number, never the key. */
  account?: string;
  key?: string;
  /** The signed-in user's id, on a page. */
  user?: number;
  address: string;
  /** Lines that were not written since the last one. */
  others?: number;
}

/** Card numbers, keys and CBUs never reach a log: neither headers nor bodies are logged. */
const hidden = ['authorization', 'headers', '*.authorization', '*.card_number', '*.cbu', 'body'];

/** Lines are written together, at the latest after this time, and when the process leaves. */
const flushEveryMs = 500;
const writtenAtOnce = 32 * 1024;

function destination(): DestinationStream {
  if (process.stderr.isTTY) {
    return pino.transport({
      target: 'pino-pretty',
      options: { destination: 2, colorize: true },
    }) as DestinationStream;
  }
  const stream = pino.destination({ fd: 2, sync: false, maxWrite: 2 * writtenAtOnce });
  const gathered = gather(stream);
  setInterval(gathered.flush, flushEveryMs).unref();
  process.on('exit', gathered.flushSync);
  return gathered;
}

/** Joins lines before they reach the stream, which measures each text. */
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
    /** The logger calls it too, after a line of level "fatal". */
    flushSync(): void {
      flush();
      stream.flushSync();
    },
  };
}

/**
 * Formats a line like the logger's "info", which would cost every call twenty times as much.
 * Methods and ids need no JSON escapes.
 */
function lineOf(line: AnsweredLine, message: string): string {
  const { time, requestId, method, route, status, ms, account, key, user, address, others } = line;
  const caller =
    (account === undefined ? '' : `,"account":"${account}"`) +
    (key === undefined ? '' : `,"key":${JSON.stringify(key)}`) +
    (user === undefined ? '' : `,"user":${user}`);
  const leftOut = others === undefined ? '' : `,"others":${others}`;
  return `{"level":${pino.levels.values.info},"time":${time},"requestId":"${requestId}","method":"${method}","route":${JSON.stringify(route)},"status":${status},"ms":${ms}${caller},"address":${JSON.stringify(address)}${leftOut},"msg":"${message}"}\n`;
}

/** A line without the card numbers that its texts hold, as the detail of an error of PostgreSQL. */
function withoutCards(line: string): string {
  if (!holdsCardNumber(line)) return line;
  const masked = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? maskCardNumbers(value) : value;
  return `${JSON.stringify(JSON.parse(line, masked))}\n`;
}

/** Structured lines on stderr; readable ones when it is a terminal. stdout stays for the operator. */
export function createLog(level: string, stream: DestinationStream = destination()): Log {
  const log = pino(
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
