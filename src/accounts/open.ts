import { randomBytes } from 'node:crypto';
import { isCuit } from '../kernel/cuit.ts';
import { isBlank, isSound, lengthOf } from '../kernel/text.ts';
import type { Acting } from '../platform/base.ts';
import { type Account, operatorBooks } from './account.ts';
import { refusal } from './codes.ts';
import { type Alongside, noteAccount } from './note.ts';

export interface NewAccount {
  /** 8 upper-case hexadecimal digits. Null draws a random id. */
  id: string | null;
  name: string;
  cuit: string;
  city: string;
}

const idShape = /^[0-9A-F]{8}$/;

/** Draws a random account id, which is most likely free. */
export function drawAccountId(): string {
  const id = randomBytes(4).toString('hex').toUpperCase();
  return id === operatorBooks ? drawAccountId() : id;
}

/** Throws 400 for an invalid account name. */
export function refuseName(name: string): void {
  if (isBlank(name) || lengthOf(name) > 100) throw refusal('account.name_length', { most: 100 });
  if (!isSound(name)) throw refusal('account.name_characters', {});
}

function check({ id, name, cuit, city }: NewAccount): void {
  if (id !== null && !idShape.test(id)) throw refusal('account.id_invalid', {});
  if (id === operatorBooks) throw refusal('account.id_reserved', {});
  refuseName(name);
  if (!isCuit(cuit)) throw refusal('account.cuit_invalid', {});
  if (isBlank(city) || lengthOf(city) > 60) throw refusal('account.city_length', { most: 60 });
  if (!isSound(city)) throw refusal('account.city_characters', {});
}

/**
 * Opens an account, and runs `alongside` in the same transaction. Throws 400 for an invalid field,
 * 409 if the id is taken.
 */
export async function createAccount(
  acting: Acting,
  input: NewAccount,
  alongside?: Alongside,
): Promise<Account> {
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
    await alongside?.(tx);
  });
  return account;
}
