import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bodyFor, signedText } from '../../connectors/protocol/signature.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { readAlarms } from '../../src/connectors/index.ts';
import { type EventRow, eventBody } from '../../src/webhooks/delivery/body.ts';
import { withoutReferences } from '../../tools/references.ts';
import { type Keeper, openKeeper } from '../connectors/keeper.ts';
import { approvedAs, type Call, type Played } from '../connectors/played.ts';
import { createCardDebit, handOver } from '../harness/builders/debits.ts';
import { keptCardBody, signingUrl, signKeptCard } from '../harness/builders/mandates.ts';
import { type TestService, testAccount } from '../harness/service.ts';
import { untilWaiting } from '../harness/waiting.ts';
import type { Player } from '../scenarios/play.ts';
import { bodySchema, expectFits } from '../webhooks/bodies.ts';

/** Covers cards on file that are debited, replaced, closed and about to expire. */
let keeper: Keeper;
let acquirer: Played;
let service: TestService;
let player: Player;
beforeAll(async () => {
  keeper = await openKeeper();
  ({ acquirer, service, player } = keeper);
});
afterAll(() => keeper?.stop());
beforeEach(() => keeper.reset());
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const kept = { outcome: 'kept', brand: 'visa', bin: '450799', last_four: '4905' };
const replaced = { ...kept, reference: 'replaced-1', bin: '450979', last_four: '2684' };
const closed = { outcome: 'closed', code: '04', text: 'Card reported stolen' };

/** Adds members to the response that stores a card. */
const keeps = (more: object): void => {
  acquirer.plays.card = (call) => {
    const { json } = Object(keeper.plays.card(call));
    return { json: call.method === 'PUT' ? { ...json, ...more } : json };
  };
};
/** Sets the response to each query about a card. */
const isNow = (json: object): void => {
  acquirer.plays.card = (call) => (call.method === 'GET' ? { json } : keeper.plays.card(call));
};

/**
 * Delays the next response about a card. Resolves when it is requested, to a function that sends
 * it.
 */
function holdsBack(json: object): Promise<() => void> {
  const asked = Promise.withResolvers<() => void>();
  acquirer.plays.card = () => (response) =>
    asked.resolve(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    });
  return asked.promise;
}

async function signed(fields: object = {}): Promise<number> {
  const body = { card_adhesion: { ...keptCardBody().card_adhesion, ...fields } };
  const { body: made, text } = await service.call('POST', '/card-adhesion', { body });
  expect(made.id, text).toBeTypeOf('number');
  await signKeptCard(signingUrl(service, 'card_adhesion', made.id));
  expect((await read(made.id)).state).toBe('signed');
  return made.id;
}
const read = async (id: number) => (await service.call('GET', `/card-adhesion/${id}`)).body;
const cardOf = (id: number): string => `${testAccount}-M${id}-1`;

/** Creates a debit and hands it over. Returns its id, and the noon at which it is charged. */
async function handedOver(mandate: number): Promise<{ id: number; noon: string }> {
  const id = await createdDebit(mandate);
  await handOver(service, id);
  const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
    select run_on from debit_runs where request_id = ${id}`;
  return { id, noon: `${row?.run_on}T12:00:00-03:00` };
}
async function createdDebit(mandate: number): Promise<number> {
  const { status, body, text } = await createCardDebit(service, mandate);
  expect(status, text).toBe(201);
  return body.id;
}
const readDebit = async (id: number): Promise<Record<string, unknown>> =>
  (await service.call('GET', `/card-debit-request/${id}`)).body;

async function debit(mandate: number): Promise<{ body: Record<string, unknown>; id: number }> {
  const { id, noon } = await handedOver(mandate);
  await player.move({ advance_to: noon });
  return { id, body: await readDebit(id) };
}

/** Creates a debit whose card changes after the service has found it due. */
async function debitBeside(change: (mandate: number) => Promise<unknown>) {
  const mandate = await signed();
  const { id, noon } = await handedOver(mandate);
  let moved: Promise<unknown> = Promise.resolve();
  await service.sql.begin(async (tx) => {
    await tx`select from requests where account_id = ${testAccount} and id = ${id} for update`;
    moved = player.move({ advance_to: noon });
    await untilWaiting(service.sql);
    await change(mandate);
  });
  await moved;
  return await readDebit(id);
}
/** Makes updates of a table fail, until the returned function is called. */
async function failing(when: string): Promise<() => Promise<unknown>> {
  await service.sql.unsafe(`
    create or replace function fail_update() returns trigger language plpgsql as $$
      begin raise exception 'the update fails'; end $$;
    create trigger fail_update before update on ${when} execute function fail_update()`);
  return () => service.sql.unsafe('drop function fail_update() cascade');
}

const charges = (): Call[] =>
  acquirer.calls.filter(({ method, path }) => method === 'PUT' && /^\/charges\/[^/]+$/.test(path));
const asked = (): Call[] =>
  acquirer.calls.filter(({ method, path }) => method === 'GET' && path.startsWith('/cards/'));

async function tell(card: string) {
  const path = '/connectors/acquirer/notices';
  const body = bodyFor('POST', path, { type: 'card.changed', card });
  const headers = { ...acquirer.signed(signedText({ method: 'POST', path, body })) };
  return await service.call('POST', path, { body, key: null, headers });
}
const eventsOf = async (id: number): Promise<string[]> => {
  const rows = await service.sql<{ type: string }[]>`
    select type from events where account_id = ${testAccount} and entity = 'card_adhesion'
      and entity_id = ${String(id)} order by version`;
  return rows.map(({ type }) => type.replace('card_adhesion.', ''));
};

describe('a debit on a card on file', () => {
  test('marks a debit as merchant-initiated, and refers to the first payment', async () => {
    keeps({ network_transaction_id: 'NET-1' });
    const mandate = await signed();
    const [keeping] = acquirer.calls.filter(({ method }) => method === 'PUT');
    expect(keeping?.body.on_file).toEqual({ initiator: 'payer', reason: 'recurring' });
    await debit(mandate);
    expect(charges()[0]?.body.on_file).toEqual({
      initiator: 'merchant',
      reason: 'recurring',
      network_transaction_id: 'NET-1',
    });
  });

  test('refers to the first debit if the payer’s first payment had no id', async () => {
    const mandate = await signed({ debit_reason: 'unscheduled' });
    expect(await read(mandate)).toMatchObject({ debit_reason: 'unscheduled' });
    let no = 0;
    acquirer.plays.charge = ({ attempt, body }) => {
      no += 1;
      return approvedAs(`ref-${attempt}`, body.amount, { network_transaction_id: `NET-D${no}` });
    };
    const { body } = await debit(mandate);
    expect(Object(body).request_result[0].payment_metadata.network_transaction_id).toBe('NET-D1');
    await debit(mandate);
    await debit(mandate);
    expect(charges().map((call) => call.body.on_file)).toEqual([
      { initiator: 'merchant', reason: 'unscheduled' },
      { initiator: 'merchant', reason: 'unscheduled', network_transaction_id: 'NET-D1' },
      { initiator: 'merchant', reason: 'unscheduled', network_transaction_id: 'NET-D1' },
    ]);
  });

  test('charges other debits if one fails, and retries that one in an hour', async () => {
    const mandate = await signed();
    const [spoilt, { id: other, noon }] = [await createdDebit(mandate), await handedOver(mandate)];
    const mend = await failing(
      `debit_runs for each row when (new.request_id = ${spoilt} and new.attempt_id is not null)`,
    );
    await player.move({ advance_to: noon.replace('T12:00', 'T00:01') });
    await mend();
    await player.move({ minutes: 50 });
    expect([(await readDebit(spoilt)).state, (await readDebit(other)).state]).toEqual([
      'in_process',
      'paid',
    ]);
    await player.move({ minutes: 10 });
    expect((await readDebit(spoilt)).state).toBe('paid');
    expect(charges()).toHaveLength(2);
  });

  test('refuses an unknown reason for debits, and names the three allowed ones', async () => {
    const body = { card_adhesion: { ...keptCardBody().card_adhesion, debit_reason: 'other' } };
    const { status, text } = await service.call('POST', '/card-adhesion', { body });
    expect([status, text.includes('recurring, instalments, unscheduled')]).toEqual([400, true]);
  });
});

describe('a card with a new number', () => {
  test('charges a renumbered card with its connector’s latest data, and shows it', async () => {
    keeps({ expires: '2044-08' });
    const mandate = await signed();
    expect(await read(mandate)).toMatchObject({ card_expires: '08-2044' });
    isNow({ ...replaced, expires: '2046-01' });
    expect((await tell(cardOf(mandate))).status).toBe(200);
    expect(await read(mandate)).toMatchObject({
      last_four_digits: '2684',
      card_expires: '01-2046',
    });
    const { body } = await debit(mandate);
    expect(body.state).toBe('paid');
    expect(charges()[0]?.body.instrument).toMatchObject({
      reference: 'replaced-1',
      bin: '450979',
      last_four: '2684',
    });
    const [row] = await service.sql`
      select data from events where type = 'card_adhesion.card_updated'
        and entity_id = ${String(mandate)}`;
    expect(row?.data).toMatchObject({ state: 'signed', last_four_digits: '2684' });
  });

  test('records a new number once, however often it is reported', async () => {
    const mandate = await signed();
    isNow(replaced);
    await Promise.all([1, 2, 3].map(() => tell(cardOf(mandate))));
    await tell(cardOf(mandate));
    expect(await eventsOf(mandate)).toEqual(['created', 'signed', 'card_updated']);
  });

  test('keeps the newest data if an older report arrives later', async () => {
    const mandate = await signed();
    const held = holdsBack({ ...replaced, reference: 'older' });
    const slow = tell(cardOf(mandate));
    const release = await held;
    isNow(replaced);
    await tell(cardOf(mandate));
    release();
    expect((await slow).status).toBe(200);
    const [row] = await service.sql`
      select reference from kept_cards where mandate_id = ${mandate}`;
    expect(row).toEqual({ reference: 'replaced-1' });
  });

  test('keeps the newest state if an older report without changes arrives later', async () => {
    const mandate = await signed();
    isNow(closed);
    await tell(cardOf(mandate));
    const held = holdsBack({ ...kept, reference: 'older' });
    const slow = tell(cardOf(mandate));
    const release = await held;
    isNow(closed);
    await tell(cardOf(mandate));
    release();
    expect((await slow).status).toBe(200);
    expect(await eventsOf(mandate)).toEqual(['created', 'signed', 'card_closed']);
    expect((await read(mandate)).card_closed).toBe(closed.text);
  });

  test('keeps the expiry if the connector omits it for the same card, and drops it for another', async () => {
    keeps({ expires: '2044-08' });
    const mandate = await signed();
    const same = { ...kept, reference: `kept-${cardOf(mandate)}` };
    isNow({ ...same, bin: '450798' });
    await tell(cardOf(mandate));
    expect((await read(mandate)).card_expires).toBe('08-2044');
    isNow(replaced);
    await tell(cardOf(mandate));
    const { last_four_digits, card_expires } = await read(mandate);
    expect([last_four_digits, card_expires]).toEqual(['2684', undefined]);
    expect(await eventsOf(mandate)).toEqual(['created', 'signed', 'card_updated', 'card_updated']);
  });

  test('charges with the current data if a card changes while its debit begins', async () => {
    const { state } = await debitBeside(async (mandate) => {
      isNow({ ...replaced, brand: 'mastercard' });
      await tell(cardOf(mandate));
    });
    expect(state).toBe('paid');
    expect(charges().map(({ body }) => body.instrument)).toEqual([
      expect.objectContaining({ reference: 'replaced-1', brand: 'mastercard', last_four: '2684' }),
    ]);
  });
});

describe('a card closed by its issuer', () => {
  test('rejects debits of a closed card with the reason, without a call', async () => {
    const mandate = await signed();
    isNow(closed);
    await tell(cardOf(mandate));
    expect(await read(mandate)).toMatchObject({ state: 'signed', card_closed: closed.text });
    const { body } = await debit(mandate);
    expect(body).toMatchObject({
      state: 'rejected',
      state_comment: 'card_closed: The card on file is closed. Card reported stolen',
    });
    expect(charges()).toEqual([]);
  });

  test('charges nothing if a card closes while its debit begins', async () => {
    const { state } = await debitBeside(async (mandate) => {
      isNow(closed);
      await tell(cardOf(mandate));
    });
    expect([state, charges()]).toEqual(['rejected', []]);
  });

  test('charges a closed card again once its connector reports it as valid', async () => {
    const mandate = await signed();
    isNow(closed);
    await tell(cardOf(mandate));
    isNow({ ...kept, reference: 'good-again' });
    await tell(cardOf(mandate));
    expect((await read(mandate)).card_closed).toBeUndefined();
    expect((await debit(mandate)).body.state).toBe('paid');
    expect(await eventsOf(mandate)).toEqual(['created', 'signed', 'card_closed', 'card_updated']);
  });

  test('deletes a closed card with its mandate', async () => {
    const mandate = await signed();
    isNow(closed);
    await tell(cardOf(mandate));
    await service.call('PUT', `/card-adhesion/${mandate}/cancel`, { body: {} });
    await player.move({ minutes: 5 });
    const forgotten = acquirer.calls.filter(({ path }) => path.endsWith('/forget'));
    expect(forgotten.map(({ body }) => body.reference)).toEqual([`kept-${cardOf(mandate)}`]);
  });
});

describe('a notice', () => {
  test('answers 404 to a notice about an unknown card', async () => {
    const mandate = await signed();
    for (const card of ['x', `${testAccount}-M999999-1`, `${testAccount}-M${mandate}-2`]) {
      expect((await tell(card)).status).toBe(404);
    }
    expect(asked()).toEqual([]);
  });

  test('asks for a retry if the connector cannot report the card’s state', async () => {
    const mandate = await signed();
    acquirer.plays.card = () => (response) => response.destroy();
    expect((await tell(cardOf(mandate))).status).toBe(503);
    isNow({ outcome: 'pending', ask_after_s: 60 });
    expect((await tell(cardOf(mandate))).status).toBe(503);
    expect(await eventsOf(mandate)).toEqual(['created', 'signed']);
  });

  test('changes nothing on an impossible answer, and raises an alarm', async () => {
    const mandate = await signed();
    isNow({ outcome: 'unheard' });
    expect((await tell(cardOf(mandate))).status).toBe(200);
    await expect
      .poll(async () => (await readAlarms(service.sql)).map(({ message }) => message))
      .toContainEqual(expect.stringContaining(cardOf(mandate)));
    expect(await eventsOf(mandate)).toEqual(['created', 'signed']);
  });

  test('raises no alarm for a card deleted during the inquiry', async () => {
    const [mandate, other] = [await signed(), await signed()];
    await service.sql`delete from connector_alarms`;
    const held = holdsBack({ outcome: 'unheard' });
    const slow = tell(cardOf(mandate));
    const release = await held;
    acquirer.plays.card = keeper.plays.card;
    await service.call('PUT', `/card-adhesion/${mandate}/cancel`, { body: {} });
    release();
    expect((await slow).status).toBe(200);
    isNow({ outcome: 'unheard' });
    await tell(cardOf(other));
    await expect
      .poll(() => readAlarms(service.sql))
      .toMatchObject([{ times: 1, message: expect.stringContaining(cardOf(other)) }]);
  });
});

test('warns an account once of an expiring card, thirty days ahead', async () => {
  const today = service.service.parts.clocks.business.today();
  const month = today.toPlainYearMonth().add({ months: 3 });
  keeps({ expires: month.toString() });
  const mandate = await signed();
  const end = month.add({ months: 1 }).toPlainDate({ day: 1 });
  await player.move({ advance_to: `${end.subtract({ days: 31 })}T12:00:00-03:00` });
  expect(await eventsOf(mandate)).toEqual(['created', 'signed']);
  await player.move({ advance_to: `${end.subtract({ days: 30 })}T12:00:00-03:00` });
  await player.move({ days: 40 });
  expect(await eventsOf(mandate)).toEqual(['created', 'signed', 'card_expiring']);
});

test('warns of other cards if the warning of one fails, and retries that one in an hour', async () => {
  const today = service.service.parts.clocks.business.today();
  const month = today.toPlainYearMonth().add({ months: 3 });
  keeps({ expires: month.toString() });
  const [spoilt, other] = [await signed(), await signed()];
  await service.sql`
    update kept_cards set warn_at = warn_at - interval '1 minute' where mandate_id = ${spoilt}`;
  const mend = await failing(`mandates for each row when (new.id = ${spoilt})`);
  const end = month.add({ months: 1 }).toPlainDate({ day: 1 });
  await player.move({ advance_to: `${end.subtract({ days: 30 })}T12:00:00-03:00` });
  expect([await eventsOf(spoilt), await eventsOf(other)]).toEqual([
    ['created', 'signed'],
    ['created', 'signed', 'card_expiring'],
  ]);
  await mend();
  await player.move({ hours: 1 });
  expect(await eventsOf(spoilt)).toEqual(['created', 'signed', 'card_expiring']);
});

test('does not repeat the expiry warning of a card that closed and reopened', async () => {
  const today = service.service.parts.clocks.business.today();
  const month = today.toPlainYearMonth().add({ months: 1 });
  const expires = month.toString();
  keeps({ expires });
  const mandate = await signed();
  await player.move({ advance_to: `${month.toPlainDate({ day: 15 })}T12:00:00-03:00` });
  isNow(closed);
  await tell(cardOf(mandate));
  isNow({ ...kept, reference: `kept-${cardOf(mandate)}`, expires });
  await tell(cardOf(mandate));
  await player.move({ days: 1 });
  const after = ['card_expiring', 'card_closed', 'card_updated'];
  expect(await eventsOf(mandate)).toEqual(['created', 'signed', ...after]);
});

test('reports each change as documented for webhooks', async () => {
  const { body } = await service.call('GET', '/openapi.json', { key: null });
  const document = withoutReferences(body);
  const month = service.service.parts.clocks.business.today().toPlainYearMonth().add({ months: 1 });
  keeps({ expires: month.toString() });
  const mandate = await signed();
  await player.move({ days: 40 });
  isNow(replaced);
  await tell(cardOf(mandate));
  isNow(closed);
  await tell(cardOf(mandate));
  const rows = await service.sql<EventRow[]>`
    select entity, entity_id, type, at, data from events
    where entity_id = ${String(mandate)} and type like 'card_adhesion.card%' order by version`;
  expect(rows.map(({ type }) => type.split('.')[1])).toEqual([
    'card_expiring',
    'card_updated',
    'card_closed',
  ]);
  for (const row of rows) expectFits(bodySchema(document, row.type), eventBody(row));
});
