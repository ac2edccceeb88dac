import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { copyTree } from './copy.ts';
import { batchesOf, type Fault, guards, readFaults, withFaults } from './faults.ts';
import { Endless, type Failure, runTests } from './run.ts';
import { sampleFaults } from './sample.ts';

const root = path.join(import.meta.dirname, '../..');

const usage = `npm run mutants -- [--at REVISION] [--together N] [--json FILE] [FAULT…]
npm run mutants -- --sample COUNT [--seed SEED] [--together N] [--json FILE]

Plants each fault of tools/mutants/faults.json in a copy of the tree, runs the tests that guard its
place, and prints which test caught it. Ends with 1 if one survived.

  --at REVISION   copy the tree as it was then; by default as it stands
  --together N    plant up to N faults at once whose guards are different tests; quicker, and a
                  fault counts as caught if one of its own guards fails
  --sample COUNT  plant COUNT mechanical faults instead (flipped operators, conditions that are
                  always true or false, deleted statements), drawn from kernel, money, requests and
                  permissions; fails if less than 85 % are caught
  --seed SEED     draws another sample; by default 1
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

/** Tries faults alone after a run that did not end. A single one was caught: it loops. */
async function tryEndless(
  copy: string,
  faults: readonly Fault[],
  signal: AbortSignal,
): Promise<Result[]> {
  const [only] = faults;
  if (only && faults.length === 1) {
    const [file = ''] = only.guards;
    return [{ fault: only, caught: [{ file, test: '(did not end)', message: '' }] }];
  }
  const results: Result[] = [];
  for (const fault of faults) results.push(...(await tryFaults(copy, [fault], signal)));
  return results;
}

async function tryFaults(
  copy: string,
  faults: readonly Fault[],
  signal: AbortSignal,
): Promise<Result[]> {
  const tests = [...new Set(faults.flatMap((fault) => fault.guards))];
  const bail = faults.length === 1;
  const failures = await withFaults(copy, faults, () =>
    runTests(copy, { tests, bail, signal }),
  ).catch((error: unknown) => {
    if (error instanceof Endless) return null;
    throw error;
  });
  if (failures === null) return await tryEndless(copy, faults, signal);
  const [only] = faults;
  if (bail && only) {
    const { wider, ...fault } = only;
    if (failures.length > 0 || !wider) return [{ fault, caught: failures }];
    return await tryFaults(copy, [{ ...fault, guards: wider }], signal);
  }
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
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const all = values.sample === undefined ? await readFaults(root) : [];
const unknown = positionals.filter((id) => !all.some((fault) => fault.id === id));
const isCount = (text: string): boolean => /^[1-9]\d{0,5}$/.test(text);
const isMixed = values.sample !== undefined && values.at !== undefined;
const badCount = Object.entries({
  together: values.together,
  sample: values.sample ?? '1',
  seed: values.seed,
}).find(([, text]) => !isCount(text));
if (unknown.length > 0 || badCount || isMixed) {
  const fault = isMixed
    ? '--sample draws from the tree as it stands: leave out --at.'
    : badCount
      ? `--${badCount[0]} takes a number from 1 to 999999.`
      : `No such fault: ${unknown.join(', ')}.`;
  process.stderr.write(`${fault}\n\n${usage}`);
  process.exit(2);
}
const most = Number(values.together);
const chosen =
  values.sample === undefined
    ? all.filter(({ id }) => positionals.length === 0 || positionals.includes(id))
    : await sampleFaults(root, Number(values.sample), Number(values.seed));

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
// Some mechanical faults change nothing that anyone can see.
const mostSurvivors = values.sample === undefined ? 0 : 0.15 * results.length;
process.exit(survivors.length <= mostSurvivors ? 0 : 1);
