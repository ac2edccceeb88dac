import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recaudo } from '../cli/run.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf, withoutWorker } from '../scenarios/play.ts';

vi.setConfig({ testTimeout: 60_000 });

let service: TestService;
const connector = createServer((_request, response) => response.writeHead(500).end());
beforeAll(async () => {
  await new Promise<void>((resolve) => connector.listen(0, '127.0.0.1', resolve));
  const { port } = connector.address() as AddressInfo;
  service = await startService({
    ...withoutWorker,
    METRICS_HOST: '127.0.0.2',
    CONNECTORS: JSON.stringify([
      {
        name: 'down',
        url: `http://127.0.0.1:${port}`,
        secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
        channels: ['DEBIN'],
      },
    ]),
  });
});
afterAll(async () => {
  await service.stop();
  connector.close();
});

const scrape = async (): Promise<string> => await (await fetch(service.service.metricsUrl)).text();
const measured = (text: string, name: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  );

test('serves /metrics on METRICS_HOST', () => {
  expect(new URL(service.service.metricsUrl).hostname).toBe('127.0.0.2');
});

test('measures the release, the database, its pool and connectors', async () => {
  const text = await scrape();
  expect(text).toMatch(/^recaudo_build_info\{version="[^"]+"\} 1$/m);
  expect(measured(text, 'recaudo_database_up')).toBe(1);
  expect(measured(text, 'recaudo_database_connections{state="most"}')).toBe(
    service.config.DATABASE_POOL,
  );
  expect(measured(text, 'recaudo_database_connections{state="open"}')).toBeGreaterThan(0);
  // Some calls wait while connections are being opened.
  await expect
    .poll(async () => measured(await scrape(), 'recaudo_database_connections{state="waiting"}'))
    .toBe(0);
  expect(measured(text, 'recaudo_connector_up{connector="down"}')).toBe(0);
});

test('counts e-mails that are waiting, being retried, or failed for good', async () => {
  const mail = (id: number, state: string, attempts: number) => service.sql`
    insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at)
    values ('00000000', ${id}, 'a@b.example', 'hello', 'text', ${state}, ${attempts}, now())`;
  await mail(1, 'waiting', 0);
  await mail(2, 'waiting', 2);
  await mail(3, 'failed', 6);
  const text = await scrape();
  expect(measured(text, 'recaudo_mails{state="waiting"}')).toBe(2);
  expect(measured(text, 'recaudo_mails{state="retried"}')).toBe(1);
  expect(measured(text, 'recaudo_mails{state="failed"}')).toBe(1);
});

test('lets the operator list and resend their own e-mails', async () => {
  const env = { DATABASE_URL: service.databaseUrl };
  const listed = await recaudo(['mails', 'list', '--json'], env);
  expect(JSON.parse(listed.stdout)).toEqual([
    expect.objectContaining({ account: '00000000', id: 3, state: 'failed' }),
  ]);
  const own = await recaudo(['mails', 'list', '--account', '00000000', '--json'], env);
  expect(own.stdout).toBe(listed.stdout);
  expect(await recaudo(['mails', 'resend', '3'], env)).toMatchObject({ code: 0 });
});

test('names an unreachable mail server in doctor', async () => {
  const { code, stdout } = await recaudo(['doctor', '--json'], {
    DATABASE_URL: service.databaseUrl,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Recaudo <pagos@example.com>',
  });
  const mail = JSON.parse(stdout).find(({ what }: { what: string }) => what === 'mail');
  expect([code, mail]).toEqual([
    1,
    expect.objectContaining({
      state: 'broken',
      found: expect.stringContaining('ECONNREFUSED'),
      todo: expect.stringContaining('SMTP_URL'),
    }),
  ]);
});

test('measures deliveries, unsealed events, sweeps and audits', async () => {
  await service.call('POST', '/webhook', {
    body: { webhook: { url: 'http://127.0.0.1:1/hook', event_types: ['payment_request.paid'] } },
  });
  const player = playerOf(service);
  await player.pay(await player.create());
  await service.sql`
    insert into deliveries (account_id, webhook_id, entity, entity_id, version, event_id, position,
      state, next_at, expires_at)
    values (${testAccount}, 1, 'x', '1', 1, 1, 1, 'pending', now(), now() + interval '71 hours')`;
  const before = await scrape();
  expect(measured(before, 'recaudo_outbox_events')).toBeGreaterThan(0);
  expect(measured(before, 'recaudo_webhook_deliveries_waiting')).toBe(1);
  expect(measured(before, 'recaudo_webhook_oldest_seconds')).toBeGreaterThan(3_500);
  expect(measured(before, 'recaudo_webhook_oldest_seconds')).toBeLessThan(3_900);
  expect(before).toMatch(/^recaudo_unsealed_seconds [\d.]+$/m);
  expect(before).not.toContain('recaudo_audit_last_seconds{');
  const audited = await recaudo(['audit'], { DATABASE_URL: service.databaseUrl });
  expect(audited).toMatchObject({ code: 0 });
  await service.sql`
    insert into sweep_runs (name, ran_at, took_ms, moved) values ('requests expired', now(), 1, 1)`;
  const after = await scrape();
  const agoOf = (name: string) => Date.now() / 1000 - measured(after, name);
  expect(agoOf('recaudo_audit_last_seconds{outcome="clean"}')).toBeLessThan(60);
  expect(after).toMatch(/^recaudo_sweep_last_run_seconds\{sweep="requests expired"\} \d/m);
});
