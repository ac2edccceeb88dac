import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Card numbers, keys and CBUs never reach a log (decisions 1): neither headers nor bodies are logged. */
const hidden = ['authorization', 'headers', '*.authorization', '*.card_number', '*.cbu', 'body'];

/** Structured lines on stderr; readable ones when stderr is a terminal. stdout stays for the operator. */
export function openLog(level: string): Log {
  const options = { level, redact: hidden, base: null };
  if (!process.stderr.isTTY) return pino(options, pino.destination(2));
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { destination: 2, colorize: true } },
  });
}
