import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Office } from '../../harness/portal.ts';
import { testAccount } from '../../harness/service.ts';
import { type Ask, blankAsk } from '../model/ask.ts';
import { addDays, asSent } from '../model/days.ts';
import { collect } from '../model/money.ts';
import { type Play, pesos } from '../play.ts';
import { create, someAmount } from './payments.ts';

const home = `/portal/${testAccount}/imports`;
const headings = 'Socio;Concepto;Vencimiento;Importe;Referencia';
const patienceMs = 60_000;

/** Waits until the import is in this state. */
async function until(play: Play, id: number, wanted: string): Promise<{ version: number }> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const { done } = await play.desk(
      async (_desk, { sql }) =>
        await sql<{ state: string; version: number }[]>`
          select state, version from imports where account_id = ${testAccount} and id = ${id}`,
    );
    const [row] = done;
    if (row?.state === wanted) return row;
    if (Date.now() > end) throw new Error(`import ${id} is ${row?.state}, not ${wanted}`);
    await sleep(20);
  }
}

/** Learns the requests that a file became, by their references. */
async function learn(play: Play, rows: readonly Row[]): Promise<number[]> {
  const { model } = play;
  const ids: number[] = [];
  for (const { reference, due1, total1 } of rows) {
    const { data } = await play.get(`/payment-request?external_reference=${reference}`);
    expect(data.length, reference).toBe(1);
    const { id, barcode } = data[0];
    const ask: Ask = {
      ...structuredClone(blankAsk),
      ...{ id, kind: 'payment_request', due1, total1, barcode },
    };
    model.asks.set(id, ask);
    ids.push(id);
    await play.check(ask);
  }
  return ids;
}

interface Row {
  reference: string;
  due1: string;
  total1: number;
}

/** Uploads a spreadsheet as a user of the account, and creates its rows. Runs alone. */
export async function importFile(play: Play): Promise<void> {
  const { model, random, deployment } = play;
  const { clerk } = deployment;
  if (!clerk) return await create(play);
  const rows = Array.from({ length: random.between(1, 4) }, () => ({
    reference: play.name('imported'),
    due1: addDays(model.today, 1 + random.below(20)),
    total1: someAmount(play),
  }));
  const lines = rows.map(({ reference, due1, total1 }) =>
    [
      'Ana Pérez',
      'Cuota',
      asSent(due1),
      pesos(total1).toFixed(2).replace('.', ','),
      reference,
    ].join(';'),
  );
  const file = { name: `${play.name('members')}.csv`, content: [headings, ...lines].join('\r\n') };
  const sent = await clerk.send(home, file, { kind: 'payment_request' });
  expect(sent.status, sent.text).toBe(303);
  const id = Number(sent.location?.split('/').at(-1));
  const { version } = await until(play, id, 'draft');
  const confirm = { version: String(version) };
  const times = random.percent(30) ? 2 : 1;
  await Promise.all(
    Array.from({ length: times }, () => clerk.post(`${home}/${id}/confirm`, confirm)),
  );
  await until(play, id, 'completed');
  const made = await learn(play, rows);
  model.imports.push({ id, made, undone: false });
  play.note(`import ${id} became ${made}`);
  if (random.percent(40)) await undo(play, clerk, id);
}

/**
 * Undoes an import, sometimes twice at once or during a payment of one of its requests. Runs alone.
 */
export async function undoImport(play: Play): Promise<void> {
  const { clerk } = play.deployment;
  const found = play.random.one(play.model.imports.filter(({ undone }) => !undone));
  if (!clerk || !found) return await importFile(play);
  await undo(play, clerk, found.id);
}

async function undo(play: Play, clerk: Office, id: number): Promise<void> {
  const { model, random } = play;
  const found = model.imports.find((one) => one.id === id);
  if (!found) throw new Error(`nobody imported ${id}`);
  const asks = found.made.flatMap((made) => model.asks.get(made) ?? []);
  const pending = asks.filter((ask) => model.state(ask) === 'pending');
  const paid = random.percent(50) ? random.one(pending) : undefined;
  const times = random.percent(30) ? 2 : 1;
  const path = `/payment-request/${paid?.id}`;
  // Includes refused attempts.
  const before = paid ? (await play.get(path)).request_result.length : 0;
  // Offline money is recorded in either order.
  const body = { channel: 'non_banking' };
  const [answer] = await Promise.all([
    paid && play.post(`/sandbox/pay/${paid.id}`, body),
    ...Array.from({ length: times }, () => clerk.post(`${home}/${id}/undo`)),
  ]);
  await until(play, id, 'undone');
  found.undone = true;
  for (const ask of pending) if (ask !== paid) ask.state = 'expired';
  if (paid) {
    expect(answer?.status, answer?.text).toBe(200);
    const { state, request_result: results } = await play.get(path);
    const { done: events } = await play.desk(
      async (_desk, { sql }) =>
        await sql`
          select 1 from events where entity_id = ${String(paid.id)}
            and type = 'payment_request.expired'`,
    );
    // Only the service knows whether the payment or the undo came first.
    if (events.length > 0) paid.state = 'expired';
    expect([state, results.length]).toEqual(['paid', before + 1]);
    const amount = paid.total1;
    collect(model.book, paid, { channel: 'non_banking', amount, paidOn: model.today });
  }
  play.note(`import ${id} undone, ${paid?.id ?? 'none'} was paid meanwhile`);
  for (const ask of asks) await play.check(ask);
}
