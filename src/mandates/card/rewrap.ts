import { writeOperatorEvent } from '../../events/index.ts';
import { itemAt } from '../../kernel/lists.ts';
import type { Acting } from '../../platform/base.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { workDone } from '../../platform/progress.ts';
import type { Vault } from '../../platform/vault.ts';
import type { CardMandate } from '../mandate.ts';
import { decryptNumber, encryptNumber } from './number.ts';
import { rewrapNote } from './rewrap-note.ts';

type EncryptedCard = Pick<CardMandate, 'account_id' | 'id' | 'card_key_id' | 'card_ciphertext'>;

/** Reads the next cards encrypted under any key but the current one, by account and id. */
const readOld = (sql: Sql, keyId: string, after: EncryptedCard | null, atOnce: number) =>
  sql<EncryptedCard[]>`
    select account_id, id, card_key_id, card_ciphertext from mandates
    where kind = 'card_adhesion' and card_key_id <> ${keyId}
      and (account_id, id) > (${after?.account_id ?? ''}, ${after?.id ?? 0})
    order by account_id, id limit ${atOnce}`;

/** Stores re-encrypted numbers. Skips those that were replaced concurrently. */
async function store(
  acting: Acting,
  old: EncryptedCard[],
  fresh: EncryptedCard[],
): Promise<number> {
  const note = await rewrapNote(acting, 'card numbers', fresh);
  const [done] = await acting.sql<{ count: number }[]>`
    with changed as (
    update mandates m set card_key_id = fresh.card_key_id,
      card_ciphertext = fresh.card_ciphertext
    from ${recordset(
      acting.sql,
      'fresh (account_id text, id bigint, card_key_id text, card_ciphertext bytea, old bytea)',
      fresh.map((card, index) => ({ ...card, old: itemAt(old, index).card_ciphertext })),
    )}
    where m.account_id = fresh.account_id and m.kind = 'card_adhesion' and m.id = fresh.id
      and m.card_ciphertext = fresh.old
    returning 1
    ), ${writeOperatorEvent(acting.sql, acting, note, 'changed')}
    select count(*)::int as count from changed`;
  return done?.count ?? 0;
}

/**
 * Re-encrypts all card numbers under the vault's current key, batch by batch. Returns how many it
 * changed. Safe to rerun after an interruption. Throws if a needed key is not configured.
 */
export async function rewrapCards(acting: Acting, vault: Vault, atOnce = 500): Promise<number> {
  let changed = 0;
  let last: EncryptedCard | null = null;
  for (;;) {
    const old: EncryptedCard[] = await readOld(acting.sql, vault.keyId(), last, atOnce);
    if (old.length === 0) return changed;
    const fresh = old.map((card) => {
      const { last_four: _shown, ...encrypted } = encryptNumber(
        vault,
        card,
        decryptNumber(vault, card),
      );
      return { account_id: card.account_id, id: card.id, ...encrypted };
    });
    changed += await store(acting, old, fresh);
    workDone(old.length);
    last = old.at(-1) ?? null;
  }
}
