import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtempDisposable, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { startServing } from '../cli/run.ts';
import { createTestDatabase } from '../harness/database.ts';

const run = promisify(execFile);
const root = packageRoot();

/** Everything that the build or the package reads. */
const sources = ['bin', 'clients', 'connectors', 'bench', 'docs', 'migrations', 'scripts', 'src'];

/** Copies the sources to a separate folder and packs them there. */
async function packIn(folder: string): Promise<string> {
  await mkdir(folder);
  const files = (await readdir(root, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.env'))
    .map(({ name }) => name);
  await Promise.all(
    [...sources, 'tools', ...files].map((name) =>
      cp(path.join(root, name), path.join(folder, name), {
        recursive: true,
        filter: (from) => !/\/(?:node_modules|dist)(?:\/|$)/.test(from.slice(root.length)),
      }),
    ),
  );
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await run('npm', ['pack', '--silent'], { cwd: folder });
  return path.join(folder, `recaudo-${(await manifest()).version}.tgz`);
}

const manifest = async (): Promise<{ version: string }> =>
  JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

const digest = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

async function serveFrom(unpacked: string): Promise<void> {
  const database = await createTestDatabase({ migrated: false });
  try {
    const env = { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl };
    const program = path.join(unpacked, 'bin/recaudo.js');
    const serving = await startServing(env, [process.execPath, program, 'serve']);
    expect((await fetch(`${serving.origin}/readyz`)).status).toBe(200);
    expect(await serving.end('SIGTERM')).toEqual({ code: 0, signal: null });
  } finally {
    await database.drop();
  }
}

test('packs identically in any folder, and the package serves', async () => {
  await using temporary = await mkdtempDisposable(path.join(tmpdir(), 'recaudo-package-'));
  const folder = temporary.path;
  const [first, second] = await Promise.all([
    packIn(path.join(folder, 'a')),
    packIn(path.join(folder, 'another place')),
  ]);
  expect(await digest(first)).toBe(await digest(second));

  await run('tar', ['-xzf', first, '-C', folder]);
  const unpacked = path.join(folder, 'package');
  await symlink(path.join(root, 'node_modules'), path.join(unpacked, 'node_modules'));
  await serveFrom(unpacked);

  expect((await readdir(unpacked)).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin',
    'dist',
    'docs',
    'llms.txt',
    'migrations',
    'node_modules',
    'package.json',
  ]);
  expect(await readdir(path.join(unpacked, 'migrations'))).toEqual(
    await readdir(path.join(root, 'migrations')),
  );
}, 240_000);

test('dates the release in the changelog, with the same version in the clients', async () => {
  const { version } = await manifest();
  const read = (file: string) => readFile(path.join(root, file), 'utf8');
  expect(await read('CHANGELOG.md')).toMatch(
    new RegExp(`^## ${RegExp.escape(version)} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm'),
  );
  expect(JSON.parse(await read('clients/typescript/package.json'))).toMatchObject({ version });
  expect(await read('clients/python/recaudo.py')).toContain(`__version__ = "${version}"`);
});
