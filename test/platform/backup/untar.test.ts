import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untar } from '../../../src/platform/backup/untar.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'untar-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Writes a tar with one file of one block. */
function tarOf(name: string): Readable {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('00000001000\0', 124);
  header.write('0', 156);
  return Readable.from([header, Buffer.alloc(512, 'x'), Buffer.alloc(1024)]);
}

test.each(['../base2/file', '../file', 'a/../../base2/file'])(
  'refuses to unpack %s outside of its folder',
  async (name) => {
    const folder = path.join(root, 'base');
    await mkdir(folder, { recursive: true });
    await expect(untar(tarOf(name), folder)).rejects.toThrow('outside of its folder');
    expect(existsSync(path.join(root, 'base2'))).toBe(false);
  },
);

test('unpacks a file whose name only looks like a path outside of its folder', async () => {
  const folder = path.join(root, 'whole');
  await mkdir(folder);
  const file = path.join(folder, '..a/b');
  expect(await untar(tarOf('./..a/b'), folder)).toEqual([file]);
  expect(await readFile(file, 'utf8')).toBe('x'.repeat(512));
});
