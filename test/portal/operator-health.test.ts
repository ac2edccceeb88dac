import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSweepRuns } from '../../src/platform/sweep-runs.ts';
import { sweepHealth } from '../../src/portal/operator/health/model.ts';
import { sweepName } from '../../src/portal/operator/health/sweep-names.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { lookAtPage } from './look.ts';

let service: TestService;
let browser: Browser;
let operator: Office;
const path = '/portal/operator/health';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  operator = await signIn(service, 'operator');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Returns the text of the table row with this name. */
async function queue(name: string): Promise<string> {
  const { status, text } = await operator.get(path);
  expect(status).toBe(200);
  const row = text.split('<tr').find((one) => one.includes(name)) ?? '';
  return row.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

test('reports database, sweeps and queues of a healthy service', async () => {
  const { text } = await operator.get(path);
  expect(text).toContain('Es el de esta versión');
  expect(text).toContain('Cobros vencidos');
  expect(text).toContain('No hay conectores configurados');
  expect(text).not.toContain('badge-bad');
});

test('counts waiting and failed e-mails', async () => {
  const now = service.service.parts.clocks.wall.now();
  for (const [id, state] of [
    [1, 'failed'],
    [2, 'failed'],
    [3, 'waiting'],
  ] as const) {
    await service.sql`
      insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at)
      values (${testAccount}, ${id}, 'x@example.com', 's', 'b', ${state}, 9,
        ${now.add({ hours: 5 })}::timestamptz)`;
  }
  expect(await queue('Correos que no se pudieron entregar')).toMatch(/ 2 Para mirar/);
  expect(await queue('Correos por mandar')).toMatch(/ 1 Bien/);
});

test('marks a sweep as late when its work is overdue by more than five minutes', () => {
  const now = Temporal.Instant.from('2026-11-22T12:00:00Z');
  const due = (minutes: number) => ({ name: 'x', due: now.subtract({ minutes }) });
  const dues = [{ name: 'x', due: null }, due(-60), due(4), due(6)];
  expect(sweepHealth(dues, now).map(({ behindSeconds }) => behindSeconds)).toEqual([
    null,
    null,
    null,
    360,
  ]);
});

test('names each sweep in Spanish', () => {
  for (const { name } of service.service.parts.sweeps) {
    expect([name, sweepName('es', name)]).not.toEqual([name, name]);
  }
});

test('shows a sweep’s work, duration and failure, from any process', async () => {
  await playerOf(service).create();
  await playerOf(service).move({ days: 40 });
  expect(await queue('Cobros vencidos')).toMatch(/\d+ ms, 1 fila ninguno/);
  let nowMs = 1_000_000;
  const clock = { nowMs: () => nowMs, now: () => Temporal.Instant.fromEpochMilliseconds(nowMs) };
  const [one, other] = [createSweepRuns(service.sql, clock), createSweepRuns(service.sql, clock)];
  one.ran('QRs expired', { beganMs: nowMs - 2_345, moved: 7 });
  nowMs += 60_000;
  other.failed('QRs expired', new Error('no\nluck'));
  await Promise.all([one.flush(), other.flush()]);
  const row = await queue('QR vencidos');
  expect(row).toContain('2,3 s, 7 filas');
  expect(row).toContain('no luck');
  expect(row).toContain('Para mirar');
  nowMs += 60_000;
  one.ran('QRs expired', { beganMs: nowMs, moved: 0 });
  await one.flush();
  expect(await queue('QR vencidos')).not.toContain('Para mirar');
});

test('shows disk, vault key and connections, and the secrets awaiting a new key', async () => {
  const { text } = await operator.get(path);
  for (const told of ['libres de', 'todo está bajo esa clave', 'Conexiones a la base']) {
    expect(text).toContain(told);
  }
  const ends = await service.sql`
    update service_keys set vault_key_id = 'old' where vault_key_id is not null returning no`;
  const waiting = (await operator.get(path)).text;
  expect(waiting).toContain(`${ends.length}: corré «recaudo vault rewrap»`);
});

test('renders an accessible page', async () => {
  const reader = await signIn(service, 'operator_read_only');
  expect((await reader.get(`${path}?lang=en`)).text).toContain('Queues');
  await lookAtPage(browser, { origin: service.origin, office: reader, path }, 'operator-health');
}, 120_000);
