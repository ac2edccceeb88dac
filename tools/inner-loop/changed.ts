import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { always, readMap, type Selected, select } from './select.ts';

const root = path.join(import.meta.dirname, '../..');

const usage = `npm run test:changed [-- [BASE] [--list]]

Runs the tests that your changes can affect: those of the changed folders (tools/inner-loop/map.json),
changed test files, tests that import a changed helper, and quick checks of the whole tree. Changes
are counted from BASE, a revision; by default from where your branch left main, with what is not
committed yet. --list only prints what would run.
`;

const git = (...given: string[]): string[] =>
  execFileSync('git', given, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\n')
    .filter((line) => line !== '');

/** Returns the branch point from main, or the last commit if there is no main. */
function defaultBase(): string {
  const found = spawnSync('git', ['merge-base', 'HEAD', 'main'], { cwd: root, encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : 'HEAD';
}

/** Returns files that differ from a revision, including untracked ones. */
const changedSince = (base: string): string[] => [
  ...new Set([
    ...git('diff', '--name-only', '--no-renames', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]),
];

function print({ tests, unknown }: Selected, base: string): void {
  const lines = [...tests].map(([test, [first, ...others]]) => {
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    return `  ${test}  (${first}${more})`;
  });
  process.stdout.write(
    `Changed since ${base}:\n${lines.join('\n') || '  nothing that a test guards'}\n`,
  );
  if (unknown.length > 0) {
    process.stdout.write(`No test is known for ${unknown.join(', ')}: run npm test.\n`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help || positionals.length > 1) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}
const base = positionals[0] ?? defaultBase();
const selected = select(changedSince(base), {
  map: readMap(root),
  testFiles: git('ls-files', '-co', '--exclude-standard', 'test'),
  textOf: (file) => readFileSync(path.join(root, file), 'utf8'),
});
print(selected, base);
if (!values.list && selected.tests.size > 0) {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const tests = [...new Set([...selected.tests.keys(), ...always])];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...tests], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
