import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { channelCodes } from '../../src/money/channels/index.ts';
import { packageRoot } from '../../src/package-root.ts';
import { startServing } from '../cli/run.ts';
import { createTestDatabase } from '../harness/database.ts';

vi.setConfig({ testTimeout: 90_000 });

const docs = (page: string): Promise<string> =>
  readFile(path.join(packageRoot(), 'docs', page), 'utf8');

test('an image with what the recipe copies serves', async () => {
  const recipe = /```dockerfile\n([\s\S]*?)```/.exec(await docs('how-to/upgrade.md'))?.[1] ?? '';
  const copied = [...recipe.matchAll(/--from=build ((?:\/app\/\S+ )+)/g)]
    .flatMap(([, names = '']) => names.trim().split(' '))
    .map((name) => name.replace('/app/', ''));
  const image = await mkdtemp(path.join(tmpdir(), 'recaudo-image-'));
  const database = await createTestDatabase({ migrated: false });
  try {
    for (const name of copied) {
      await cp(path.join(packageRoot(), name), path.join(image, name), { recursive: true });
    }
    await symlink(path.join(packageRoot(), 'node_modules'), path.join(image, 'node_modules'));
    const program = path.join(image, 'bin', 'recaudo.js');
    const env = { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl };
    const serving = await startServing(env, [process.execPath, program, 'serve']);
    expect((await fetch(`${serving.origin}/readyz`)).status).toBe(200);
    expect(await serving.end('SIGTERM')).toEqual({ code: 0, signal: null });
  } finally {
    await database.drop();
    await rm(image, { recursive: true, force: true });
  }
});

test('the page of the sandbox names each channel that a payment can be played on', async () => {
  const text = await docs('reference/sandbox.md');
  expect(channelCodes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});
