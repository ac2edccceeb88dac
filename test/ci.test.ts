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

/** Runs the report with a program of ours in the place of npm. */
async function auditWith(npm: string): Promise<{ status: number | null; lines: string[] }> {
  const file = path.join(folder, 'npm');
  await writeFile(file, `#!/bin/sh\n${npm}\n`);
  await chmod(file, 0o755);
  const PATH = `${folder}:${process.env.PATH ?? ''}`;
  const ran = spawnSync(path.join(packageRoot(), '.ci/audit'), { encoding: 'utf8', env: { PATH } });
  return { status: ran.status, lines: ran.stdout.trim().split('\n') };
}

test('weaknesses of what production installs are told, and fail nothing', async () => {
  const found = await auditWith('echo "$@"; echo \'2 high severity vulnerabilities\'; exit 1');
  expect(found.status).toBe(0);
  expect(found.lines[1]).toContain('audit --omit=dev');
  expect(found.lines.at(-1)).toBe('2 high severity vulnerabilities');
});

test('a registry that knows of none is no fault either: the report is not available', async () => {
  for (const npm of ["echo 'npm error audit endpoint returned an error' >&2; exit 1", 'exit 7']) {
    const told = await auditWith(npm);
    expect(told).toEqual({ status: 0, lines: ['npm audit --omit=dev:', 'not available'] });
  }
});

test('the report comes before the tests, whose count is the last line of a run', async () => {
  const steps = (await readFile(path.join(packageRoot(), '.ci/run'), 'utf8')).trim().split('\n');
  expect(steps.indexOf('.ci/audit')).toBeGreaterThan(0);
  expect(steps.at(-1)).toBe('npm test');
});
