import { writeOperatorEvent } from '../../events/index.ts';
import type { Acting } from '../../platform/base.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { workDone } from '../../platform/progress.ts';
import type { Vault } from '../../platform/vault.ts';
import { decryptNumber, encryptNumber } from './number.ts';
import { rewrapNote } from './rewrap-note.ts';

interface ReplacedCard {
  account_id: string;
  /** The mandate's id. */
  id: number;
  no: number;
  card_key_id: string;
  card_ciphertext: Buffer;
}

const readOld = (sql: Sql, keyId: string, atOnce: number) =>
  sql<ReplacedCard[]>`
    select account_id, mandate_id as id, no, card_key_id, card_ciphertext from mandate_instruments
    where kind = 'card_adhesion' and card_key_id <> ${keyId}
    order by account_id, mandate_id, no limit ${atOnce}`;

/**
 * Re-encrypts the numbers of replaced cards under the vault's current key, batch by batch. Returns
 * their count. Safe to rerun after an interruption.
 */
export async function rewrapReplacedCards(
  acting: Acting,
  vault: Vault,
  atOnce = 500,
): Promise<number> {
  const { sql } = acting;
  let changed = 0;
  for (;;) {
    const old = await readOld(sql, vault.keyId(), atOnce);
    if (old.length === 0) return changed;
    const encrypted = old.map((card) => encryptNumber(vault, card, decryptNumber(vault, card)));
    const note = await rewrapNote(
      acting,
      'replaced card numbers',
      encrypted.map(({ card_key_id }, nth) => ({
        account_id: old[nth]?.account_id ?? '',
        card_key_id,
      })),
    );
    await sql`
      with changed as (
      update mandate_instruments m set card_key_id = fresh.key_id,
        card_ciphertext = fresh.ciphertext
      from unnest(
        ${old.map((card) => card.account_id)}::text[], ${old.map((card) => card.id)}::bigint[],
        ${old.map((card) => card.no)}::smallint[], ${encrypted.map((one) => one.card_key_id)}::text[],
        ${encrypted.map((one) => one.card_ciphertext)}::bytea[],
        ${old.map((card) => card.card_ciphertext)}::bytea[]
      ) as fresh (account_id, mandate_id, no, key_id, ciphertext, old)
      where m.account_id = fresh.account_id and m.kind = 'card_adhesion'
        and m.mandate_id = fresh.mandate_id and m.no = fresh.no
        and m.card_ciphertext = fresh.old
      returning 1
      ), ${writeOperatorEvent(sql, acting, note, 'changed')}
      select 1`;
    changed += old.length;
    workDone(old.length);
  }
}
