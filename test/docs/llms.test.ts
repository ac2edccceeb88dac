import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import openApi from '../../docs/reference/openapi.json' with { type: 'json' };
import { packageRoot } from '../../src/package-root.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const page = () => readFile(path.join(packageRoot(), 'llms.txt'), 'utf8');

test('serves the page without a key, cacheable for an hour', async () => {
  const answer = await service.call('GET', '/llms.txt', { key: null });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
  const withoutAddresses = (text: string) => text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'URL');
  expect(withoutAddresses(answer.text)).toBe(withoutAddresses(await page()));
});

test('lists each call once with an example body, and fits a context window', async () => {
  const text = await page();
  const calls = Object.entries(openApi.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, call]) => ({
      name: `${method.toUpperCase()} ${url}`,
      call,
    })),
  );
  expect(calls.length).toBeGreaterThan(60);
  for (const { name, call } of calls) {
    const [, section = '', ...more] = text.split(`### ${name}\n`);
    expect([name, more]).toEqual([name, []]);
    const own = section.split('\n### ')[0] ?? '';
    if ('requestBody' in call) expect([name, own.includes('\nBody: {')]).toEqual([name, true]);
  }
  expect(text.length).toBeLessThan(80_000);
});

test('names only addresses and files that exist', async () => {
  const text = await page();
  for (const [, file = ''] of text.matchAll(/`((?:docs|clients)\/[\w./-]+)`/g)) {
    await readFile(path.join(packageRoot(), file)).catch(({ code }: NodeJS.ErrnoException) => {
      expect([file, code]).toEqual([file, 'EISDIR']);
    });
  }
  for (const url of ['/openapi.json', '/docs']) {
    expect((await service.call('GET', url, { key: null })).status).toBeLessThan(400);
  }
});
