import { appendEvents } from '../../events/index.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { RequestKey } from '../../requests/index.ts';

export interface TransferAccount {
  key: RequestKey;
  connector: string;
  cvu: string;
}

export async function readCvu(
  sql: Queryable,
  { accountId, id }: RequestKey,
  connector: string,
): Promise<string | null> {
  const [row] = await sql<{ cvu: string }[]>`
    select cvu from transfer_accounts
    where account_id = ${accountId} and request_id = ${id} and connector = ${connector}`;
  return row?.cvu ?? null;
}

/** Returns the request that owns a transfer account, or null. */
export async function findByCvu(sql: Queryable, cvu: string): Promise<RequestKey | null> {
  const [row] = await sql<{ account_id: string; request_id: number }[]>`
    select account_id, request_id from transfer_accounts where cvu = ${cvu}`;
  return row ? { accountId: row.account_id, id: row.request_id } : null;
}

/** Returns the connector that opened an account, or null. */
export async function openerOf(sql: Queryable, cvu: string): Promise<string | null> {
  const [row] = await sql<{ connector: string }[]>`
    select connector from transfer_accounts where cvu = ${cvu}`;
  return row?.connector ?? null;
}

/**
 * Stores an opened account, or keeps the existing one. Returns the request's account, or null if
 * another request owns it.
 */
export async function keepCvu(
  { sql, clocks, recordIds }: Base,
  { key, connector, cvu }: TransferAccount,
): Promise<string | null> {
  const at = clocks.business.now();
  const eventId = await recordIds.next();
  await sql.begin(async (tx) => {
    const inserted = await tx`
      insert into transfer_accounts (account_id, request_id, connector, cvu, opened_at)
      values (${key.accountId}, ${key.id}, ${connector}, ${cvu}, ${at}::timestamptz)
      on conflict do nothing returning cvu`;
    if (inserted.length === 0) return;
    await appendEvents(tx, [
      {
        accountId: key.accountId,
        entity: 'transfer_account',
        entityId: cvu,
        version: 1,
        id: eventId,
        type: 'transfer_account.opened',
        at,
        actor: { kind: 'connector', name: connector },
        data: { request_id: key.id },
      },
    ]);
  });
  return await readCvu(sql, key, connector);
}
