import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { erasureSweep } from '../../src/debit-requests/index.ts';
import { endMandatesOfClosed } from '../../src/mandates/closed.ts';
import { unsignedSweep } from '../../src/mandates/expire.ts';
import type { MandateRow } from '../../src/mandates/mandate.ts';
import { insertMandates, type NewMandate } from '../../src/mandates/store.ts';
import { system } from '../../src/platform/actor.ts';
import type { Base } from '../../src/platform/base.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { accountOf, storeAccounts } from '../harness/many-accounts.ts';
import { openExplained } from '../harness/plans.ts';

/** Covers mandates of many accounts that are created together. */

const all = 20;
const now = Temporal.Instant.from('2026-11-26T15:00:00Z');

let database: TestDatabase;
let explained: Awaited<ReturnType<typeof openExplained>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await storeAccounts(database.sql, all + 1);
  explained = await openExplained(database);
});
afterAll(async () => {
  await explained?.close();
  await database?.drop();
});

const rowOf = (accountId: string, id: number): MandateRow => ({
  account_id: accountId,
  kind: 'adhesion',
  id,
  state: 'pending_to_sign',
  version: 1,
  created_at: now,
  sign_before: now.add({ hours: 24 }),
  link_no: 1,
  reference: null,
  holder: 'Ana Gómez',
  email: 'ana@example.com',
  description: 'Cuota',
  payer: 'Ana Gómez',
  cbu: '0170099220000067797370',
  details: { short_description: 'CUOTA', holder_id_number: '27123456' },
  signed_at: null,
  canceled_at: null,
  state_comment: null,
});

let last = 0;
/** Returns one mandate of each account. */
const ofEach = (accountIds: readonly string[]): NewMandate[] =>
  accountIds.map((accountId) => {
    last += 1;
    const letter = { recipient: 'ana@example.com', subject: 's', body: 'b', link: null };
    return {
      accountId,
      id: last,
      row: rowOf(accountId, last),
      mail: { accountId, id: last, counts: true, ...letter },
      eventId: last,
      actor: system,
      claim: null,
      answer: { status: 201, body: '{}' },
    };
  });

const everyone = Array.from({ length: all }, (_none, at) => accountOf(at + 1));

test('counts the unsigned mandates of each account in one query', async () => {
  const clocks = { wall: wallClock, business: wallClock };
  const ran = await explained.statementsOf(async (sql) => {
    const base = { sql, clocks } as unknown as Base;
    const outcomes = await insertMandates(base, ofEach(everyone), async () => 1);
    expect(outcomes).toHaveLength(all);
  });
  expect(ran.filter(({ text }) => text.includes('as waiting'))).toHaveLength(1);
});

test('refuses a mandate at its account’s limit, and accepts one of an account without a limit', async () => {
  const base = { sql: database.sql, clocks: { wall: wallClock } } as unknown as Base;
  const [full = '', free = ''] = everyone;
  const most = async (accountId: string) => (accountId === full ? 1 : 0);
  const both = insertMandates(base, ofEach([full, free]), most);
  await expect(both).rejects.toThrow('at most 1 unsigned mandate.');
  await expect(insertMandates(base, ofEach([free]), most)).resolves.toHaveLength(1);
});

const lone = accountOf(all + 1);
/** Inserts mandates that a sweep moves, with the same due time. */
const fill = (kind: 'adhesion' | 'card_adhesion', state: string, count: number) => {
  const [key, card] = kind === 'adhesion' ? [null, null] : ['k', Buffer.from('sealed')];
  return database.sql`
    insert into mandates (account_id, kind, id, state, version, created_at, sign_before, holder,
      email, description, payer, cbu, card_key_id, card_ciphertext, card_erase_at, details, place)
    select ${lone}, ${kind}, 1000 + n, ${state}, 1, ${now}::timestamptz,
      ${now}::timestamptz, 'Ana', '', 'Cuota', 'Ana', ${card ? null : 'cbu'}, ${key},
      ${card}::bytea, ${card && now}::timestamptz, '{}'::json, 0
    from generate_series(1, ${count}::int) n`;
};

describe('a sweep whose first batch fails', () => {
  const reached: number[] = [];
  const end = ({ key }: { key: { id: number } }): Promise<never> => {
    reached.push(key.id);
    return Promise.reject(new Error('no'));
  };
  beforeEach(() => {
    reached.length = 0;
  });
  const everyOne = (count: number) => Array.from({ length: count }, (_none, at) => 1001 + at);

  test('reaches the other mandates, unsigned or of a closed account', async () => {
    const base = { sql: database.sql } as unknown as Base;
    await fill('adhesion', 'pending_to_sign', 501);
    await expect(unsignedSweep(base, end).run(now)).rejects.toThrow('could not be canceled');
    expect(reached).toEqual(everyOne(501));
    reached.length = 0;
    await database.sql`update accounts set state = 'closed' where id = ${lone}`;
    const order = { accountId: null, actor: system };
    await expect(endMandatesOfClosed(base, end)(order)).rejects.toThrow('could not be canceled');
    expect(reached).toEqual(everyOne(501));
  });

  test('reaches the other card numbers', async () => {
    let tries = 0;
    const next = () => {
      tries += 1;
      return tries > 200 ? Promise.resolve(tries) : Promise.reject(new Error('no'));
    };
    const base = { sql: database.sql, recordIds: { next } } as unknown as Base;
    await fill('card_adhesion', 'canceled', 201);
    await expect(erasureSweep(base, 0).run(now)).rejects.toThrow('could not be erased');
    const erased = await database.sql`select id from mandates where card_erased_at is not null`;
    expect(erased).toEqual([{ id: 1201 }]);
  });
});
