import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

/** On a fresh machine, the first pages of several test files request the browser at once. */

const folder = mkdtempSync(path.join(tmpdir(), 'recaudo-browser-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tool = path.join(import.meta.dirname, '../../tools/browser.ts');
const askAndRun = `
  import { execFileSync } from 'node:child_process';
  const { unpackedBrowser } = await import(process.argv[1]);
  console.log(execFileSync(await unpackedBrowser(process.argv[2]), ['--version'], { encoding: 'utf8' }));`;

/** Starts another process that requests the browser, and runs it as soon as it is ready. */
const ask = async (to: string): Promise<string> => {
  const args = ['--input-type=module', '--eval', askAndRun, tool, to];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim();
};

test('unpacks the browser once for several processes, each of which runs it', async () => {
  const to = path.join(folder, 'chromium');
  // Simulates the leftover of a process that was killed while unpacking.
  mkdirSync(`${to}.part`);
  writeFileSync(path.join(`${to}.part`, 'chromium'), 'a half');

  const told = await Promise.all([ask(to), ask(to), ask(to)]);
  expect(told).toEqual(Array(3).fill(expect.stringMatching(/Chrom/)));
  expect(existsSync(`${to}.part`)).toBe(false);
  expect(readdirSync(folder).toSorted()).toEqual(['chromium', 'chromium.lock']);
});
