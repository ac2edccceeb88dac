import { type DestinationStream, type Logger, pino } from 'pino';

/** The process's log, and the lines of answered calls. */
export type Log = Logger & {
  /** One line for each answered call. Its members are fixed and hold nothing to hide. */
  answered(line: AnsweredLine): void;
  /** The same of a call whose caller hung up before; `others` were not told since the last line. */
  aborted(line: AnsweredLine & { others: number }): void;
};

interface AnsweredLine {
  requestId: string;
  method: string;
  /** The route's pattern, not the address: links of payers carry their token in it. */
  route: string;
  status: number;
  ms: number;
  /** Whose key called, and which: its prefix and number, never the key. */
  account?: string;
  key?: string;
  address: string;
}

/** Card numbers, keys and CBUs never reach a log: neither headers nor bodies are logged. */
const hidden = ['authorization', 'headers', '*.authorization', '*.card_number', '*.cbu', 'body'];

/** Lines are written together, at the latest after this time, and when the process leaves. */
const flushEveryMs = 500;

function destination(): DestinationStream {
  if (process.stderr.isTTY) {
    return pino.transport({
      target: 'pino-pretty',
      options: { destination: 2, colorize: true },
    }) as DestinationStream;
  }
  const stream = pino.destination({ fd: 2, sync: false, minLength: 4096 });
  setInterval(() => stream.flush(), flushEveryMs).unref();
  process.on('exit', () => stream.flushSync());
  return stream;
}

/** Structured lines on stderr; readable ones when it is a terminal. stdout stays for the operator. */
export function createLog(level: string, stream: DestinationStream = destination()): Log {
  const log = pino({ level, redact: hidden, base: null }, stream);
  // Redaction costs more than the line itself, and these lines have nothing to redact.
  const calls = pino({ level, base: null }, stream);
  return Object.assign(log, {
    answered: (line: AnsweredLine) => calls.info(line, 'answered'),
    aborted: (line: AnsweredLine & { others: number }) => calls.info(line, 'given up'),
  });
}
