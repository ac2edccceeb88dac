import { parseArgs } from 'node:util';

export interface Settings {
  /** Cases to run, in order. */
  names: string[];
  /** Output file for the figures, or null. */
  json: string | null;
  /** Duration of one round of load. */
  seconds: number;
  rounds: number;
  connections: number;
  /** Rows in a case's database; null for the case's default. */
  rows: number | null;
  /** Time limit of a case; exceeding it voids the case. */
  minutes: number;
}

export const usage = `usage: npm run bench -- [NAME…] [--json FILE] [--seconds N] [--rounds N] [--connections N] [--rows N] [--minutes N]`;

function whole(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new TypeError(`--${name} must be a whole number from 1 to ${max}.`);
  }
  return value;
}

/**
 * Parses the command line. Without names, runs all cases except those in `onlyNamed`. Throws a
 * TypeError that explains the first fault.
 */
export function readArguments(
  args: string[],
  known: readonly string[],
  onlyNamed: readonly string[] = [],
): Settings {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '64' },
      rows: { type: 'string' },
      minutes: { type: 'string', default: '60' },
    },
  });
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new TypeError(`There is no case ${unknown.join(', ')}; the cases: ${known.join(', ')}.`);
  }
  return {
    names: known.filter((name) =>
      positionals.length === 0 ? !onlyNamed.includes(name) : positionals.includes(name),
    ),
    json: values.json ?? null,
    seconds: whole('seconds', values.seconds, 600),
    rounds: whole('rounds', values.rounds, 99),
    connections: whole('connections', values.connections, 1000),
    rows: values.rows === undefined ? null : whole('rows', values.rows, 100_000_000),
    minutes: whole('minutes', values.minutes, 1_440),
  };
}
