import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Budgets } from '../../test/harness/budget.ts';
import { readLastRun } from '../../test/harness/last-run.ts';

const usage = `npm run test:slow [-- --record]

Prints the 30 slowest files and tests of the last run. --record makes the processor time of that run,
which must have been a whole one, the one that later runs are compared with.
`;

const shown = 30;
const { values } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const last = readLastRun();
if (last === null) {
  process.stderr.write('No run has ended here yet: npm test first.\n');
  process.exit(1);
}

const files = last.files.toSorted((a, b) => b.seconds - a.seconds);
const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
const tests = last.files
  .flatMap(({ file, tests: own }) => own.map((test) => ({ ...test, file })))
  .toSorted((a, b) => b.ms - a.ms);
const fileLines = files
  .slice(0, shown)
  .map(
    (one) =>
      `${one.seconds.toFixed(1).padStart(8)} ${one.wallSeconds.toFixed(1).padStart(8)}  ${one.file}`,
  );
const testLines = tests
  .slice(0, shown)
  .map(({ ms, file, name }) => `${(ms / 1000).toFixed(1).padStart(8)}  ${file} > ${name}`);
process.stdout.write(
  [
    `Files: seconds of processor time (${total.toFixed(0)} in all) and by the clock`,
    ...fileLines,
    '',
    'Tests: seconds by the clock',
    ...testLines,
    '',
  ].join('\n'),
);

if (values.record) {
  if (!last.whole) {
    process.stderr.write('The last run was not of the whole suite: nothing is recorded.\n');
    process.exit(1);
  }
  const file = path.join(import.meta.dirname, '../../test/harness/budgets.json');
  const budgets: Budgets = JSON.parse(readFileSync(file, 'utf8'));
  const { calibrationMs } = last;
  const recorded = { ...budgets, totalSeconds: Math.round(total), calibrationMs };
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
}
