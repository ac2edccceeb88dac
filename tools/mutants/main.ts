import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { copyTree } from './copy.ts';
import { batchesOf, type Fault, guards, readFaults, withFaults } from './faults.ts';
import { type Failure, runTests } from './run.ts';

const root = path.join(import.meta.dirname, '../..');

const usage = `npm run mutants -- [--at REVISION] [--together N] [--json FILE] [FAULT…]

Plants each fault of tools/mutants/faults.json in a copy of the tree, runs the tests that guard its
place, and prints which test caught it. Ends with 1 if one survived.

  --at REVISION   copy the tree as it was then; by default as it stands
  --together N    plant up to N faults at once whose guards are different tests; quicker, and a
                  fault counts as caught if one of its own guards fails
  --json FILE     write the results to a file
  FAULT           ids of faults; by default all
`;

interface Result {
  fault: Fault;
  caught: Failure[];
}

function print({ fault, caught: [first, ...others] }: Result): void {
  const lines = first
    ? [`caught    ${fault.id}`, `${first.file} > ${first.test}`, first.message]
    : [`SURVIVED  ${fault.id}`, fault.hurts];
  if (others.length > 0) lines.push(`and ${others.length} more`);
  process.stdout.write(`${lines.join('\n          ')}\n`);
}

async function tryFaults(
  copy: string,
  faults: readonly Fault[],
  signal: AbortSignal,
): Promise<Result[]> {
  const tests = [...new Set(faults.flatMap((fault) => fault.guards))];
  const bail = faults.length === 1;
  const failures = await withFaults(copy, faults, () => runTests(copy, { tests, bail, signal }));
  const [only] = faults;
  if (bail && only) return [{ fault: only, caught: failures }];
  return faults.map((fault) => ({
    fault,
    caught: failures.filter(({ file }) => guards(fault, file)),
  }));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: 'string' },
    together: { type: 'string', default: '1' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const all = await readFaults(root);
const unknown = positionals.filter((id) => !all.some((fault) => fault.id === id));
const most = Number(values.together);
if (unknown.length > 0 || !Number.isInteger(most) || most < 1) {
  const fault =
    unknown.length > 0 ? `No such fault: ${unknown.join(', ')}.` : '--together takes a number.';
  process.stderr.write(`${fault}\n\n${usage}`);
  process.exit(2);
}
const chosen = all.filter(({ id }) => positionals.length === 0 || positionals.includes(id));

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort(name));
const copy = copyTree(root, values.at ?? null);
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));

process.once('uncaughtException', (error) => {
  process.stderr.write(stopping.signal.aborted ? 'Stopped.\n' : `${error.stack}\n`);
  process.exit(stopping.signal.aborted ? 130 : 1);
});

const results: Result[] = [];
for (const batch of batchesOf(chosen, most)) {
  const tried = await tryFaults(copy, batch, stopping.signal);
  results.push(...tried);
  tried.forEach(print);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(results, null, 2));
}
const survivors = results.filter(({ caught }) => caught.length === 0);
process.stdout.write(
  `\n${results.length - survivors.length} of ${results.length} faults were caught.\n`,
);
process.exit(survivors.length === 0 ? 0 : 1);
