import { randomBytes } from 'node:crypto';
import { isCuit } from '../kernel/cuit.ts';
import { directionControl, hasControl } from '../kernel/text.ts';
import type { Acting } from '../platform/base.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import type { Look } from './appearance/look.ts';
import { refusal } from './codes.ts';
import { noteAccount } from './note.ts';
import type { AccountState } from './standing.ts';

export interface Account {
  id: string;
  name: string;
  cuit: string;
  city: string;
  state: AccountState;
  created_at: Temporal.Instant;
  look: Look;
}

export interface NewAccount {
  /** 8 upper-case hexadecimal digits. Null draws a random id. */
  id: string | null;
  name: string;
  cuit: string;
  city: string;
}

const idShape = /^[0-9A-F]{8}$/;

/** The operator's own books, for money whose owner is not known yet. */
export const operatorBooks = '00000000';

/** Draws a random account id, which is most likely free. */
export function drawAccountId(): string {
  const id = randomBytes(4).toString('hex').toUpperCase();
  return id === operatorBooks ? drawAccountId() : id;
}

/** Throws 400 for an invalid account name. */
export function refuseName(name: string): void {
  if (name.trim() === '' || name.length > 100) throw refusal('account.name_length', { most: 100 });
  if (directionControl(name) !== null || hasControl(name, { lineBreaks: false })) {
    throw refusal('account.name_characters', {});
  }
}

function check({ id, name, cuit, city }: NewAccount): void {
  if (id !== null && !idShape.test(id)) throw refusal('account.id_invalid', {});
  if (id === operatorBooks) throw refusal('account.id_reserved', {});
  refuseName(name);
  if (!isCuit(cuit)) throw refusal('account.cuit_invalid', {});
  if (city.trim() === '' || city.length > 60) throw refusal('account.city_length', { most: 60 });
  if (directionControl(city) !== null) throw refusal('account.city_characters', {});
}

/** Opens an account. Throws 409 if the id is taken. */
export async function createAccount(acting: Acting, input: NewAccount): Promise<Account> {
  check(input);
  const account: Account = {
    ...input,
    id: input.id ?? drawAccountId(),
    state: 'active',
    created_at: acting.clocks.business.now(),
    look: {},
  };
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    const rows = await tx`
      insert into accounts (id, name, cuit, city, created_at)
      values (${account.id}, ${account.name}, ${account.cuit}, ${account.city},
        ${account.created_at}::timestamptz)
      on conflict (id) do nothing returning id`;
    if (rows.length === 0) throw refusal('account.id_taken', { id: account.id });
    await noteAccount(tx, acting, {
      accountId: account.id,
      version: 1,
      eventId,
      type: 'account.created',
    });
  });
  return account;
}

export async function readAccount(sql: Queryable, id: string): Promise<Account | null> {
  const [row] = await sql<Account[]>`
    select id, name, cuit, city, state, created_at, coalesce(look, '{}') as look
    from accounts where id = ${id}`;
  return row ?? null;
}

/** Returns an account. Throws 404 for an unknown id. */
export async function getAccount(sql: Queryable, id: string): Promise<Account> {
  const account = await readAccount(sql, id);
  if (account === null) throw refusal('account.not_found', {});
  return account;
}

/** Returns the named account's id, or all ids. */
export const accountIdsOf = async (sql: Sql, account: string | null): Promise<string[]> =>
  account === null ? (await listAccounts(sql)).map(({ id }) => id) : [account];

export async function listAccounts(sql: Sql): Promise<Account[]> {
  return await sql<Account[]>`
    select id, name, cuit, city, state, created_at, coalesce(look, '{}') as look
    from accounts order by created_at, id`;
}
