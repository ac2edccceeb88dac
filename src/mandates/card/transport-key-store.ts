import { writeEvents, writeOperatorEvent } from '../../events/index.ts';
import { actorText, system } from '../../platform/actor.ts';
import type { Acting } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Encrypted, Vault } from '../../platform/vault.ts';
import { rewrapNote } from './rewrap-note.ts';

/** A key pair of an account. The private half is encrypted. */
export interface TransportKeyRow {
  account_id: string;
  no: number;
  vault_key_id: string;
  ciphertext: Buffer;
  made_at: Temporal.Instant;
}

/**
 * Includes the account in the encryption context, so that a ciphertext moved to another account's
 * row fails to decrypt.
 */
export const transportContext = ({
  account_id,
  no,
}: Pick<TransportKeyRow, 'account_id' | 'no'>): string => `card transport key ${account_id} ${no}`;

export const encryptedOf = ({ vault_key_id, ciphertext }: TransportKeyRow): Encrypted => ({
  keyId: vault_key_id,
  ciphertext,
});

/** Reads the account's keys made after a moment, newest first. */
export const readTransportKeys = (
  sql: Queryable,
  accountId: string,
  madeAfter: Temporal.Instant,
): Promise<TransportKeyRow[]> =>
  sql<TransportKeyRow[]>`
    select account_id, no, vault_key_id, ciphertext, made_at from card_transport_keys
    where account_id = ${accountId} and made_at > ${madeAfter}::timestamptz order by no desc`;

/** Inserts an account's next key, unless another process just did. Deletes expired keys. */
export async function insertTransportKey(
  sql: Queryable,
  row: TransportKeyRow,
  { forgetUntil, eventId }: { forgetUntil: Temporal.Instant; eventId: number },
): Promise<void> {
  await sql`
    with forgotten as (
      delete from card_transport_keys
      where account_id = ${row.account_id} and made_at <= ${forgetUntil}::timestamptz
        and no < ${row.no}
    ),
    made as (
    insert into card_transport_keys (account_id, no, vault_key_id, ciphertext, made_at)
    values (${row.account_id}, ${row.no}, ${row.vault_key_id}, ${row.ciphertext},
      ${row.made_at}::timestamptz)
    on conflict (account_id, no) do nothing
    returning account_id, no, made_at
    ),
    new_events as (
      select account_id, 'card_transport_key' as entity, no::text as entity_id, 1 as version,
        ${eventId}::bigint as id, 'card_transport_key.created' as type, made_at as at,
        ${actorText(system)} as actor, '{}' as data
      from made
    ), ${writeEvents(sql, 'new_events')}
    select 1`;
}

/** Returns the number of the account's last key, even if it has expired. 0 if it never had one. */
export async function lastTransportKeyNo(sql: Queryable, accountId: string): Promise<number> {
  const [row] = await sql<{ no: number }[]>`
    select coalesce(max(no), 0) as no from card_transport_keys where account_id = ${accountId}`;
  return row?.no ?? 0;
}

/** Re-encrypts private keys under the vault's current key, batch by batch. Returns their count. */
export async function rewrapTransportKeys(
  acting: Acting,
  vault: Vault,
  atOnce = 500,
): Promise<number> {
  const { sql } = acting;
  let changed = 0;
  for (;;) {
    const old = await sql<TransportKeyRow[]>`
      select account_id, no, vault_key_id, ciphertext, made_at from card_transport_keys
      where vault_key_id <> ${vault.keyId()} order by account_id, no limit ${atOnce}`;
    if (old.length === 0) return changed;
    const fresh = old.map((row) => {
      const context = transportContext(row);
      return vault.encrypt(vault.decrypt(encryptedOf(row), context), context);
    });
    const rows = fresh.map(({ keyId: card_key_id }, nth) => ({
      account_id: old[nth]?.account_id ?? '',
      card_key_id,
    }));
    const note = await rewrapNote(acting, 'card transport keys', rows);
    await sql`
      with changed as (
      update card_transport_keys k set vault_key_id = fresh.key_id, ciphertext = fresh.ciphertext
      from unnest(
        ${old.map((row) => row.account_id)}::text[], ${old.map((row) => row.no)}::int[],
        ${fresh.map(({ keyId }) => keyId)}::text[],
        ${fresh.map(({ ciphertext }) => ciphertext)}::bytea[]
      ) as fresh (account_id, no, key_id, ciphertext)
      where k.account_id = fresh.account_id and k.no = fresh.no
      returning 1
      ), ${writeOperatorEvent(sql, acting, note, 'changed')}
      select 1`;
    changed += old.length;
  }
}
