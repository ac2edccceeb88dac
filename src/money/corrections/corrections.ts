import { readAccount } from '../../accounts/index.ts';
import { appendEvents } from '../../events/index.ts';
import { type Centavos, decimalText, toJsonNumber } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import type { ListPage } from '../../platform/list-page.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { entry, ledgerAccounts, posting, postJournal } from '../ledger/index.ts';

export interface Correction {
  accountId: string;
  /** Centavos; positive: given to the holder's available balance; negative: taken from it. */
  amount: Centavos;
  /** The operator's name for it: the same one is posted once. */
  reference: string;
  note: string;
  actor: Actor;
}

export interface CorrectionRow {
  id: number;
  reference: string;
  amount: Centavos;
  note: string;
  posted_at: Temporal.Instant;
}

export async function listCorrections(
  sql: Queryable,
  accountId: string,
  { after, limit }: ListPage,
): Promise<CorrectionRow[]> {
  return await sql<CorrectionRow[]>`
    select id, reference, amount, note, posted_at from corrections
    where account_id = ${accountId} and id > ${after} order by id limit ${limit}`;
}

async function refuseAnother(sql: Queryable, correction: Correction): Promise<void> {
  const { accountId, reference, amount } = correction;
  const [known] = await sql<{ amount: Centavos }[]>`
    select amount from corrections where account_id = ${accountId} and reference = ${reference}`;
  if (known && known.amount !== amount) {
    throw conflict(
      `The reference ${reference} names a correction of ${decimalText(known.amount)}.`,
    );
  }
}

export type Correct = (correction: Correction) => Promise<'posted' | 'known'>;

/**
 * Puts an account's available balance right by hand, with a note that says why; the balance may
 * become negative. 404: no such account; 409: the reference was used for another amount.
 */
export const correct =
  ({ sql, clocks, recordIds }: Base): Correct =>
  async (correction) => {
    const { accountId, amount, reference, note, actor } = correction;
    const id = await recordIds.next();
    const [journal, event] = [await recordIds.next(), await recordIds.next()];
    return await posting(sql, async (tx) => {
      const at = clocks.business.now();
      if ((await readAccount(tx, accountId)) === null) throw notFound('account');
      const inserted = await tx`
        insert into corrections (account_id, id, reference, amount, note, posted_at)
        values (${accountId}, ${id}, ${reference}, ${amount}, ${note}, ${at}::timestamptz)
        on conflict (account_id, reference) do nothing returning id`;
      if (inserted.length === 0) {
        await refuseAnother(tx, correction);
        return 'known';
      }
      await postJournal(tx, {
        accountId,
        id: journal,
        kind: 'correction',
        cause: `correction:${id}`,
        at,
        entry: entry([
          [ledgerAccounts.holderAvailable, -amount],
          [ledgerAccounts.corrections, amount],
        ]),
      });
      const data = { amount: toJsonNumber(amount), reference, note };
      const [entity, entityId, type] = ['correction', String(id), 'correction.posted'];
      await appendEvents(tx, [
        { accountId, entity, entityId, version: 1, id: event, type, at, actor, data },
      ]);
      return 'posted';
    });
  };
