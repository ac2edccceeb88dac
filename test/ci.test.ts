import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageRoot } from '../src/package-root.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-ci-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the check with our own program in place of npm. */
async function auditWith(
  npm: string,
  env: Record<string, string> = {},
): Promise<{ status: number | null; lines: string[] }> {
  const file = path.join(folder, 'npm');
  await writeFile(file, `#!/bin/sh\n${npm}\n`);
  await chmod(file, 0o755);
  const node = path.dirname(process.execPath);
  const PATH = `${folder}:${node}:${process.env.PATH ?? ''}`;
  const audit = path.join(packageRoot(), '.ci/audit');
  const ran = spawnSync(audit, { encoding: 'utf8', env: { ...env, PATH } });
  return { status: ran.status, lines: ran.stdout.trim().split('\n') };
}

/** `npm audit` output for a vulnerable package and one that depends on it. */
const reportOf = (fixAvailable: boolean | object): string => {
  const via = [{ title: 'Prototype pollution', url: 'https://example.com/advisory' }];
  const bad = { name: 'bad', severity: 'high', range: '<1.2.3', via, fixAvailable };
  const user = { name: 'user', severity: 'high', range: '*', via: ['bad'], fixAvailable };
  return JSON.stringify({ vulnerabilities: { bad, user } });
};

test('fails the run for a known vulnerability with a fix, and names it once', async () => {
  for (const fix of [true, { name: 'bad', version: '1.2.3' }]) {
    const found = await auditWith(`echo '${reportOf(fix)}'; exit 1`);
    expect(found.status).toBe(1);
    expect(found.lines.slice(1)).toEqual([
      'bad <1.2.3: high, fixed in a release: Prototype pollution https://example.com/advisory',
      '1 known vulnerabilities, 1 of them with a fix',
    ]);
  }
});

test('prints an unfixed vulnerability without failing', async () => {
  const found = await auditWith(`echo '${reportOf(false)}'; exit 1`);
  expect(found).toMatchObject({ status: 0 });
  expect(found.lines[1]).toContain('no release fixes it yet');
});

test('prints NOT CHECKED if npm cannot audit, and fails the run with AUDIT_MUST_REACH', async () => {
  for (const npm of ["echo 'npm error audit endpoint returned an error' >&2; exit 1", 'exit 7']) {
    const ran = await auditWith(npm);
    expect([ran.status, ran.lines[1]]).toEqual([0, expect.stringMatching(/^NOT CHECKED: /)]);
    expect((await auditWith(npm, { AUDIT_MUST_REACH: '1' })).status).toBe(1);
  }
  const none = await auditWith(`echo '{"vulnerabilities":{}}'`, { AUDIT_MUST_REACH: '1' });
  expect(none).toMatchObject({ status: 0 });
});

const readRun = () => readFile(path.join(packageRoot(), '.ci/run'), 'utf8');

test('runs the audit before the tests, so that the test count is the last line', async () => {
  const steps = (await readRun()).trim().split('\n');
  expect(steps.findIndex((step) => step.startsWith('together .ci/audit'))).toBeGreaterThan(0);
  expect(steps.at(-1)).toBe('npm test');
});

test('prints the output of every parallel step, and fails if one of them fails', async () => {
  const [, together = ''] = /^(together\(\) \{.*?^\})$/ms.exec(await readRun()) ?? [];
  const run = (...commands: string[]) => {
    const quoted = commands.map((command) => `'${command}'`).join(' ');
    const script = `set -euo pipefail\n${together}\ntogether ${quoted}\necho went on`;
    return spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  };
  expect(run('echo one', 'echo two')).toMatchObject({ status: 0, stdout: 'one\ntwo\nwent on\n' });
  expect(run('false', 'echo two')).toMatchObject({ status: 1, stdout: 'two\n' });
});

test('installs missing programs that the tests use, or fails the run', async () => {
  const place = async (name: string, script: string): Promise<void> => {
    const file = path.join(folder, name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  };
  const run = () =>
    spawnSync(path.join(packageRoot(), '.ci/programs'), {
      encoding: 'utf8',
      env: { PATH: `${folder}:/usr/bin:/bin` },
    });
  await place('php', 'exit 1');
  await place('python3', 'exit 0');
  await place('promtool', 'exit 0');
  await place('id', 'echo 0');
  await place('apt-get', `echo "$@" >> ${folder}/calls`);
  const failed = run();
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain(
    'apt-get install php-cli php-curl php-mbstring prometheus python3',
  );
  expect(await readFile(path.join(folder, 'calls'), 'utf8')).toMatch(
    /^update .*\ninstall .* php-cli php-curl php-mbstring prometheus python3\n$/,
  );
  await place('apt-get', `printf '#!/bin/sh\nexit 0\n' > ${folder}/php`);
  expect(run().status).toBe(0);
  expect((await readRun()).indexOf('.ci/programs')).toBeGreaterThan(0);
});
