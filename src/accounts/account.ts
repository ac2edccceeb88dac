import { randomBytes } from 'node:crypto';
import { isCuit } from '../kernel/cuit.ts';
import { directionControl, hasControl } from '../kernel/text.ts';
import type { Acting } from '../platform/base.ts';
import { Refusal } from '../platform/errors.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import type { Look } from './appearance/look.ts';
import { noteAccount } from './note.ts';
import type { AccountState } from './standing.ts';

export interface Account {
  id: string;
  name: string;
  cuit: string;
  city: string;
  state: AccountState;
  created_at: Temporal.Instant;
  /** How it shows itself to those who pay it. */
  look: Look;
}

export interface NewAccount {
  /** 8 upper-case hexadecimal characters; null: drawn at random. */
  id: string | null;
  name: string;
  cuit: string;
  city: string;
}

const idShape = /^[0-9A-F]{8}$/;

/** The books of the operator himself, for money that is not yet known to be anybody's. */
export const operatorBooks = '00000000';

/** An id for an account to be, which is most likely free. */
export function drawAccountId(): string {
  const id = randomBytes(4).toString('hex').toUpperCase();
  return id === operatorBooks ? drawAccountId() : id;
}

/** 400 for a name that an account cannot have. */
export function refuseName(name: string): void {
  if (name.trim() === '' || name.length > 100) {
    throw new Refusal('invalid', 'The name of an account must have 1 to 100 characters.');
  }
  if (directionControl(name) !== null || hasControl(name, { lineBreaks: false })) {
    throw new Refusal('invalid', 'The name of an account must be one line of plain text.');
  }
}

const check = (input: NewAccount): void => {
  const refuse = (message: string): never => {
    throw new Refusal('invalid', message);
  };
  if (input.id !== null && !idShape.test(input.id)) {
    refuse('An account id must have 8 upper-case hexadecimal characters.');
  }
  if (input.id === operatorBooks) refuse(`The account ${operatorBooks} is the operator's own.`);
  refuseName(input.name);
  if (!isCuit(input.cuit)) refuse('The CUIT must have 11 digits with a right check digit.');
  if (input.city.trim() === '' || input.city.length > 60) {
    refuse('The city of an account must have 1 to 60 characters.');
  }
  if (directionControl(input.name + input.city) !== null) {
    refuse('The texts of an account must not change the direction of writing.');
  }
};

/** Opens an account. 409 if the id is taken. */
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
    if (rows.length === 0) throw new Refusal('conflict', `The account ${account.id} exists.`);
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

export async function listAccounts(sql: Sql): Promise<Account[]> {
  return await sql<Account[]>`
    select id, name, cuit, city, state, created_at, coalesce(look, '{}') as look
    from accounts order by created_at, id`;
}
