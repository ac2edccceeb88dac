import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiExamples } from '../../src/api-examples.ts';
import { packageRoot } from '../../src/package-root.ts';
import { isEarlier } from '../../src/platform/http/examples.ts';
import { filled } from '../../tools/example-answers.ts';
import { startService, type TestService, testKey } from '../harness/service.ts';

let service: TestService;
let reference: string;
// A single test runs every line.
vi.setConfig({ testTimeout: 600_000 });

beforeAll(async () => {
  // Without workers, the feed is published between the calls.
  service = await startService({ ROLES: 'payments,qr,web' });
  reference = await readFile(path.join(packageRoot(), 'docs/reference/api.md'), 'utf8');
});
afterAll(() => service.stop());

/** Returns a value's members and types; for a list, those of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

const sectionOf = (name: string): string =>
  reference.split('\n### ').find((text) => text.startsWith(`${name}\n`)) ?? '';

const blockIn = (section: string, language: string): string | undefined =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\n\`\`\`$`, 'm').exec(section)?.[1];

test('gives every call of the reference an example, which the OpenAPI document shows too', async () => {
  const { body } = await service.call('GET', '/openapi.json', { key: null });
  const calls = Object.entries<object>(body.paths).flatMap(([at, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${at}`),
  );
  expect(Object.keys(apiExamples).toSorted()).toEqual(calls.toSorted());
  const { requestBody } = body.paths['/payment-request'].post;
  expect(requestBody.content['application/json'].example).toEqual(
    apiExamples['POST /payment-request']?.body,
  );
});

test('runs every curl line of the reference unchanged, with the documented answer', async () => {
  const answers = new Map<string, unknown>();
  for (const [name, { path: inPath, query, body }] of Object.entries(apiExamples)) {
    const section = sectionOf(name);
    const line = blockIn(section, 'sh');
    if (!line) throw new Error(`there is no curl line for ${name}`);
    const earlier = [inPath, query, body].flatMap((part) => Object.values(part ?? {}));
    const variables = earlier
      .filter(isEarlier)
      .map((one) => [one.variable, String(filled(one, answers))]);
    // Without --norc, bash may take a socket on standard input for a remote login, and read
    // ~/.bashrc.
    const { stdout } = await promisify(execFile)(
      'bash',
      ['--norc', '-c', `${line} --fail-with-body`],
      {
        encoding: 'buffer',
        env: {
          PATH: process.env.PATH,
          ORIGIN: service.origin,
          KEY: testKey,
          ...Object.fromEntries(variables),
        },
      },
    );
    const shown = blockIn(section, 'json');
    if (shown !== undefined) {
      const answer = JSON.parse(stdout.toString());
      answers.set(name, answer);
      // The sweeps that run as the clock moves depend on the day.
      if (name !== 'POST /sandbox/clock') {
        expect(shapeOf(answer), name).toEqual(shapeOf(JSON.parse(shown)));
      }
    } else {
      expect(stdout.length, name).toBeGreaterThan(100);
    }
    while (await service.service.parts.webhooks.publish());
  }
});
