import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { testAccount } from '../../harness/service.ts';
import { type Ask, blankAsk, dueOn, hasOpenAttempt } from '../model/ask.ts';
import { addDays, asSent, type Day, daysFrom } from '../model/days.ts';
import type { Wall } from '../model/model.ts';
import { type Play, pesos } from '../play.ts';
import {
  applyAttempt,
  isPending,
  sentSecond,
  someAmount,
  someSecondDue,
  wasInTheDark,
} from './payments.ts';

const full = (part: string): string => `${testAccount}-${part}`;
const attempt = { recorded: 'qr', refused: false } as const;

interface Drafted {
  ask: Omit<Ask, 'id'>;
  item: Record<string, unknown>;
}

function draft(play: Play): Drafted {
  const { model, random } = play;
  const part = play.name('q');
  const total1 = someAmount(play, { least: 1_000 });
  const due1 = addDays(model.today, random.percent(30) ? random.below(2) : random.below(25));
  const second = someSecondDue(play, due1, total1);
  const staysOpen = random.percent(30);
  const texts = { city: 'Rosario', description: 'Cuota', payer_name: 'Ana' };
  return {
    ask: {
      ...structuredClone(blankAsk),
      kind: 'qr',
      code: full(part),
      due1,
      total1,
      ...second,
      staysOpen,
      texts,
    },
    item: {
      id: part,
      ...texts,
      multiple_payment: staysOpen,
      first_total: pesos(total1),
      first_due_date: asSent(due1),
      ...sentSecond(second),
    },
  };
}

const batch = (data: unknown[]) => ({ total_count: data.length, data });

/** Adds created QRs to the model, with the service's ids. */
async function adopt(play: Play, drafts: Drafted[]): Promise<void> {
  const codes = drafts.map(({ ask }) => ask.code ?? '');
  const { done: rows } = await play.desk(
    async (_desk, { sql }) =>
      await sql<{ id: number; code: string }[]>`
      select id, code from requests where kind = 'qr' and code = any(${codes}::text[])`,
  );
  const ids = new Map(rows.map(({ id, code }) => [code, id]));
  for (const { ask } of drafts) {
    const id = ids.get(ask.code ?? '');
    if (id === undefined) throw new Error(`${ask.code} was not made`);
    play.model.asks.set(id, { ...ask, id });
  }
  play.note(`made ${codes}`);
}

/** Saves a batch: all of it, or nothing if one item is invalid. */
export async function save(play: Play): Promise<void> {
  const drafts = Array.from({ length: play.random.between(1, 4) }, () => draft(play));
  const bad = play.random.percent(15) ? [{ ...draft(play).item, first_total: 9.99 }] : [];
  const body = batch([...drafts.map(({ item }) => item), ...bad]);
  const answer = await play.post('/save-qr-data', body);
  expect(answer.status, answer.text).toBe(bad.length > 0 ? 400 : 201);
  if (bad.length === 0) await adopt(play, drafts);
}

/** Uploads a bulk file: each invalid item gets one error, and the valid ones are created. */
export async function upload(play: Play): Promise<void> {
  const drafts = Array.from({ length: play.random.between(3, 30) }, () => draft(play));
  const taken = [...play.model.asks.values()].find(
    ({ kind, staticId }) => kind === 'qr' && !staticId,
  );
  const bad = [
    { ...draft(play).item, city: '' },
    ...(taken ? [{ ...draft(play).item, id: taken.code }] : []),
  ];
  const document = JSON.stringify(batch([...drafts.map(({ item }) => item), ...bad]));
  const id = await put(play, document);
  for (let tries = 0; ; tries += 1) {
    const body = await play.get(`/batch-result/${id}/1`);
    if (body.state === 'completed') {
      expect([body.created, body.rejected]).toEqual([drafts.length, bad.length]);
      break;
    }
    expect(body.state, JSON.stringify(body)).not.toBe('failed');
    if (tries > 600) throw new Error(`the import ${id} does not end`);
    await sleep(100);
  }
  play.model.uploads.push(id);
  await adopt(play, drafts);
}

/** Uploads the document, to a new address if the outcome of the previous upload is unknown. */
async function put(play: Play, document: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { id, url } = await play.get('/bucket-url');
    const status = await fetch(url, { method: 'PUT', body: document }).then(
      (response) => response.status,
      () => 503,
    );
    if (status === 200) return id;
    if (status !== 503) throw new Error(`the upload was answered ${status}`);
    const { state } = await play.get(`/batch-result/${id}/1`);
    if (state !== 'waiting_upload') return id;
    await sleep(100);
  }
  throw new Error('nobody takes the upload');
}

const isDynamic = ({ kind, staticId }: Ask): boolean => kind === 'qr' && staticId === null;

export async function pay(play: Play): Promise<void> {
  const { model, random } = play;
  const ask = play.take(isDynamic);
  if (!ask) return;
  const amount = dueOn(ask, model.today);
  const payable = isPending(play, ask) && (ask.staysOpen || !hasOpenAttempt(ask));
  const path = random.percent(50) ? `/pay-qr/${ask.code}` : `/sandbox/pay/${ask.id}`;
  const sent = { body: {}, key: play.name('key') };
  const { answer, again } = await play.send('POST', path, sent);
  play.note(`wallet paid ${ask.code} ${amount}: ${answer.status}`);
  const { status } = answer;
  if (!(await wasInTheDark(play, ask, 'qr', { again, status }))) {
    expect(status, answer.text).toBe(payable ? 200 : 409);
    if (payable) applyAttempt(play, ask, attempt, amount);
  }
  await play.check(ask);
}

/** Returns an edit of one or several fields. */
function someEdit(play: Play): Record<string, unknown> {
  const { model, random } = play;
  const due = addDays(model.today, random.between(-1, 30));
  const all: Record<string, unknown> = {
    city: play.name('C').slice(0, 15),
    description: play.name('texto'),
    payer_name: play.name('payer'),
    external_reference: play.name('ref'),
    first_total: pesos(someAmount(play, { least: 1_000 })),
    first_due_date: asSent(due),
    second_due_date: asSent(addDays(due, random.between(-2, 20))),
    second_total: pesos(someAmount(play, { least: 1_000 })),
    multiple_payment: random.percent(50),
    qr_name: play.name('n').slice(0, 15),
    qr_type: 'dynamic',
    postal_code: 'S2000',
    payer_email: 'ana@example.com',
  };
  const names = Object.keys(all).filter(() => random.percent(25));
  const chosen = names.length > 0 ? names : ['description'];
  return Object.fromEntries(chosen.map((name) => [name, all[name]]));
}

const dayOf = (sent: unknown): Day | null =>
  typeof sent === 'string' ? sent.split('-').toReversed().join('-') : null;
const amountOf = (sent: unknown): number | null =>
  typeof sent === 'number' ? Math.round(sent * 100) : null;

/** Returns the edited QR, or the status that refuses the edit. */
function edited(play: Play, ask: Ask, edit: Record<string, unknown>): Ask | 400 | 409 {
  const { today } = play.model;
  const due1 = dayOf(edit.first_due_date) ?? ask.due1;
  const due2 = dayOf(edit.second_due_date) ?? ask.due2;
  const total1 = amountOf(edit.first_total) ?? ask.total1;
  const total2 = amountOf(edit.second_total) ?? ask.total2;
  const staysOpen = (edit.multiple_payment as boolean | undefined) ?? ask.staysOpen;
  const apart = due2 === null ? 1 : daysFrom(due1, due2);
  if (edit.first_due_date !== undefined && due1 < today) return 400;
  if ((due2 === null) !== (total2 === null) || apart < 1 || apart > 99) {
    return isPending(play, ask) && !hasOpenAttempt(ask) ? 400 : 409;
  }
  if (!isPending(play, ask) || hasOpenAttempt(ask)) return 409;
  if (total2 !== null && total2 < total1) return 400;
  if (ask.staysOpen && !staysOpen && ask.payments.length > 0) return 400;
  const texts = { ...ask.texts };
  for (const name of textNames) if (edit[name] !== undefined) texts[name] = String(edit[name]);
  return { ...ask, due1, due2, total1, total2, staysOpen, texts };
}

const textNames = [
  ...['city', 'description', 'payer_name', 'external_reference'],
  ...['qr_name', 'qr_type', 'postal_code', 'payer_email'],
];

/** Returns true for an invalid edit, which is refused before the QR's state is checked. */
const formFault = ({ model }: Play, edit: Record<string, unknown>): boolean => {
  const [due1, due2] = [dayOf(edit.first_due_date), dayOf(edit.second_due_date)];
  const [total1, total2] = [amountOf(edit.first_total), amountOf(edit.second_total)];
  if (due1 !== null && due1 < model.today) return true;
  if (due1 !== null && due2 !== null && due2 <= due1) return true;
  return total1 !== null && total2 !== null && total2 < total1;
};

export async function edit(play: Play): Promise<void> {
  const ask = play.take(isDynamic);
  if (!ask) return;
  const change = someEdit(play);
  const single = play.random.percent(50);
  const item = { id: ask.code, ...change };
  const [path, body] = single ? [`/edit-qr/${ask.code}`, item] : ['/batch-edit-qr', batch([item])];
  const answer = await play.post(path, body);
  const expected = edited(play, ask, change);
  play.note(`edit ${ask.code} ${JSON.stringify(change)}: ${answer.status}`);
  if (typeof expected === 'number') {
    const both = formFault(play, change) ? [400, 409] : [expected];
    expect(both, answer.text).toContain(answer.status);
  } else {
    expect(answer.status, answer.text).toBe(200);
    Object.assign(ask, expected);
  }
  await play.check(ask);
}

export async function remove(play: Play): Promise<void> {
  const ask = play.take(isDynamic);
  if (!ask) return;
  const can = isPending(play, ask) && !hasOpenAttempt(ask);
  const single = play.random.percent(50);
  const { answer, again } = single
    ? await play.send('DELETE', `/delete-qr/${ask.code}`)
    : await play.send('DELETE', '/batch-delete-qr', { body: batch([ask.code]) });
  play.note(`delete ${ask.code}: ${answer.status}`);
  // If its response was lost, a repeated call may find the QR deleted.
  if (!(again && can && answer.status === 409)) {
    expect(answer.status, answer.text).toBe(can ? 200 : 409);
  }
  if (can) ask.state = 'deleted';
  await play.check(ask);
}

export async function createWall(play: Play): Promise<void> {
  const { random } = play;
  const wall: Wall = {
    id: full(play.name('w')),
    open: random.percent(40),
    many: random.percent(70),
    text: '',
  };
  const answer = await play.post('/create-qr', {
    id: wall.id,
    qr_type: wall.open ? 'static_open_amount' : 'static_closed_amount',
    qr_name: 'Caja',
    city: 'Rosario',
    multiple_payment: String(wall.many),
    description: 'Entradas',
    payer_name: 'Visitantes',
  });
  expect(answer.status, answer.text).toBe(201);
  play.model.walls.set(wall.id, { ...wall, text: answer.body.qr_string });
}

const transactionsOf = ({ model }: Play, wall: Wall): Ask[] =>
  [...model.asks.values()].filter(({ staticId }) => staticId === wall.id);

/**
 * Starts a transaction of a static QR. Ends earlier ones, unless many payers can choose amounts at
 * once. Returns false if it is refused.
 */
function begin(play: Play, wall: Wall): boolean {
  const all = transactionsOf(play, wall);
  const was = all.some(({ state }) => state === 'paid' || state === 'refunded');
  if (!wall.many && (was || all.some(hasOpenAttempt))) return false;
  if (wall.open && wall.many) return true;
  for (const one of all) {
    if (!isPending(play, one)) continue;
    one.state = 'expired';
  }
  return true;
}

/** Returns transactions of a static QR that the model does not know yet. */
async function adoptOf(play: Play, wall: Wall): Promise<Ask[]> {
  const { done: rows } = await play.desk(
    async (_desk, { sql }) =>
      await sql<
        { id: number; code: string; state: Ask['state']; due: string; total: number; end: number }[]
      >`
      select r.id, r.code, r.state, r.due1::text as due, r.total1 as total,
        (extract(epoch from t.expires_at) * 1000)::bigint as end
      from requests r join static_transactions t using (account_id, id)
      where t.static_id = ${wall.id} order by r.id`,
  );
  const fresh = rows.filter(({ id }) => !play.model.asks.has(id));
  return fresh.map(({ id, code, state, due, total, end }) => {
    const ask: Ask = {
      ...structuredClone(blankAsk),
      id,
      kind: 'qr',
      code,
      // Its response was lost, and a later transaction replaced it.
      state: state === 'expired' ? 'expired' : 'pending',
      due1: due,
      total1: total,
      staticId: wall.id,
      expiresAt: Number(end),
    };
    play.model.asks.set(id, ask);
    return ask;
  });
}

const someWall = (play: Play, fits: (wall: Wall) => boolean): Wall | undefined =>
  play.random.one([...play.model.walls.values()].filter(fits));

/** Requests an amount at a static QR. Runs alone, since a static QR has one open transaction. */
export async function askAtWall(play: Play): Promise<void> {
  const { random } = play;
  const wall = someWall(play, ({ open }) => !open);
  if (!wall) return await createWall(play);
  const amount = someAmount(play);
  const { answer, again } = await play.send(
    'PUT',
    `/new-transaction?data=${encodeURIComponent(wall.text)}`,
    { body: { first_total: pesos(amount), active_period: random.one([600, 900, 1440]) } },
  );
  const may = begin(play, wall);
  play.note(`asked for ${amount} at ${wall.id}: ${answer.status}`);
  expect(answer.status, answer.text).toBe(may ? 200 : 409);
  const fresh = await adoptOf(play, wall);
  expect(fresh.length > 0 && (again || fresh.length === 1)).toBe(may);
}

const chargedText = ({ text }: { text: string }): string => text;

export async function payAtWall(play: Play): Promise<void> {
  const { model, random } = play;
  const wall = someWall(play, () => true);
  if (!wall) return await createWall(play);
  if (wall.open) return await payOpen(play, wall);
  const ask = random.one(transactionsOf(play, wall).slice(-2));
  if (!ask) return await askAtWall(play);
  const payable = isPending(play, ask) && !hasOpenAttempt(ask);
  const sent = { body: {}, key: play.name('key') };
  const { answer, again } = await play.send('POST', `/pay-qr-static/${ask.code}`, sent);
  const { status } = answer;
  play.note(`wallet paid ${ask.code} at ${wall.id} ${ask.total1}: ${status}`);
  if (!(await wasInTheDark(play, ask, 'qr', { again, status }))) {
    expect(status, chargedText(answer)).toBe(payable ? 200 : 409);
    if (payable) applyAttempt(play, ask, attempt, dueOn(ask, model.today));
  }
  await play.check(ask);
}

/** Pays an amount that the payer chooses. */
async function payOpen(play: Play, wall: Wall): Promise<void> {
  const { model } = play;
  // Refused transactions expire after two minutes of real time, for which no test waits.
  const amount = someAmount(play, { plain: true });
  const body = { first_total: pesos(amount) };
  const sent = { body, key: play.name('key') };
  const { answer, again } = await play.send('POST', `/pay-qr-static/${wall.id}`, sent);
  play.note(`wallet paid ${amount} at ${wall.id}: ${answer.status}`);
  if (again) {
    await lookAtWall(play, wall);
    return;
  }
  expect(answer.status, answer.text).toBe(begin(play, wall) ? 200 : 409);
  for (const ask of await adoptOf(play, wall)) {
    applyAttempt(play, ask, attempt, dueOn(ask, model.today));
    await play.check(ask);
  }
}

/** Looks up the started and paid transactions after a cut-off call. */
async function lookAtWall(play: Play, wall: Wall): Promise<void> {
  await play.pass(3);
  for (const ask of await adoptOf(play, wall)) {
    const { done: rows } = await play.desk(
      async (_desk, { sql }) => await sql`select id from results where request_id = ${ask.id}`,
    );
    if (rows.length === 0) continue;
    // It was paid in time, however late that is recorded.
    ask.expiresAt = null;
    applyAttempt(play, ask, attempt, ask.total1);
  }
}
