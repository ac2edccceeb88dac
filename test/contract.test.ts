import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checks, reportOf, runContract } from '../contract/run.ts';
import { packageRoot } from '../src/package-root.ts';
import { startService, type TestService, testKey } from './harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function runMain(...args: string[]): Promise<{ status: unknown; output: string }> {
  const ran = spawn(process.execPath, [path.join(packageRoot(), 'contract/main.ts'), ...args]);
  let output = '';
  for (const stream of [ran.stdout, ran.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const status = await new Promise((resolve) => ran.on('close', resolve));
  return { status, output };
}

test('passes every check of the contract, including extensions, and reports each as passed', async () => {
  const args = ['--base', `${service.origin}/`, '--key', testKey, '--strict'];
  const { status, output } = await runMain(...args);
  expect(output).not.toMatch(/\| (failed|skipped) \|/);
  expect(status, output).toBe(0);
  const passed = output.match(/\| passed \|/g) ?? [];
  expect(passed.length).toBe(checks.length);
  expect(checks.length).toBeGreaterThan(35);
  expect(output).not.toContain(testKey);
});

test('passes every check when run as a library', async () => {
  const target = { base: service.origin, qrBase: service.origin, key: testKey };
  const results = await runContract(target);
  expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});

test('fails an implementation with wrong answers, without crashing or printing the key', async () => {
  const steps = [
    { status: 201, body: '{}' },
    { status: 200, body: 'null' },
    { status: 200, body: '[7]' },
    { status: 404, body: '<html>|' },
  ];
  for (const { status, body } of steps) {
    const server = createServer((request, response) => {
      response
        .writeHead(status)
        .end(`${body}${status === 404 ? request.headers.authorization : ''}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const results = await runContract({ base, qrBase: base, key: 'rk_SECRET' });
    const passed = results.filter(({ verdict }) => verdict === 'passed').map(({ rule }) => rule);
    // A service that refuses everything satisfies some rules by accident.
    expect(passed.length, passed.join('\n')).toBeLessThan(6);
    expect(reportOf(results, base)).not.toContain('SECRET');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('refuses invalid arguments, and exits 1 for a failing implementation', async () => {
  for (const args of [[], ['--base', 'x', '--key', 'k'], ['--base', service.origin], ['--none']]) {
    expect(await runMain(...args)).toMatchObject({
      status: 2,
      output: expect.stringContaining('--base URL'),
    });
  }
  const wrong = await runMain('--base', service.origin, '--key', 'no-such-key');
  expect(wrong.status).toBe(1);
  expect(wrong.output).toContain('status 401 instead of 201');
});
