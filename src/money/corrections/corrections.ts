import { accountRefusal, lockAccount, readAccount } from '../../accounts/index.ts';
import { appendEvents } from '../../events/index.ts';
import { type Centavos, plus, toJsonNumber } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { ListPage } from '../../platform/list-page.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { entry, holderBalances, ledgerAccounts, posting, postJournal } from '../ledger/index.ts';
import {
  approveIn,
  type Decision,
  findProposal,
  findProposed,
  type Proposal,
  propose,
} from '../proposals/index.ts';
import { refusal } from './codes.ts';
import { stampedCorrections } from './evidence.ts';

export interface Correction {
  accountId: string;
  /** Centavos. Positive amounts credit the holder's available balance, negative ones debit it. */
  amount: Centavos;
  /** The operator's idempotency reference. */
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
    throw refusal('correction.reference_taken', { reference, amount: known.amount });
  }
}

interface CorrectionIds {
  id: number;
  journal: number;
  event: number;
}

/**
 * Posts a correction in the transaction of `sql`. Returns `known` for a repeat. Throws 404 for an
 * unknown account, 409 if the reference names another correction.
 */
async function correctIn(
  sql: Queryable,
  correction: Correction,
  { id, journal, event }: CorrectionIds,
  at: Temporal.Instant,
): Promise<'posted' | 'known'> {
  const { accountId, amount, reference, note, actor } = correction;
  if ((await readAccount(sql, accountId)) === null) throw accountRefusal('account.not_found', {});
  const row = { account_id: accountId, id, reference, amount, note, posted_at: at };
  const [stamp = null] = await stampedCorrections.stamps(sql, [row]);
  const inserted = await sql`
    insert into corrections (account_id, id, reference, amount, note, posted_at, stamp)
    values (${accountId}, ${id}, ${reference}, ${amount}, ${note}, ${at}::timestamptz, ${stamp})
    on conflict (account_id, reference) do nothing returning id`;
  if (inserted.length === 0) {
    await refuseAnother(sql, correction);
    return 'known';
  }
  await postJournal(sql, {
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
  await appendEvents(sql, [
    { accountId, entity, entityId, version: 1, id: event, type, at, actor, data },
  ]);
  return 'posted';
}

/** A person's order for a correction. */
export interface CorrectionOrder extends Correction {
  /** The proposing user, if a second person must approve. Null if not named. */
  by: number | null;
}

/** `proposed`: awaits a second person. */
export type OrderedCorrection =
  | { outcome: 'posted' | 'known' }
  | { outcome: 'proposed'; proposal: Proposal };

export type OrderCorrection = (order: CorrectionOrder) => Promise<OrderedCorrection>;

/**
 * Corrects an account's available balance manually, with a note. Applies at once up to the limit,
 * in either direction, even if the balance falls below zero. Above it, proposes the correction. A
 * repeated reference returns the first outcome. Throws 404 for an unknown account, 409 if the
 * reference has another amount, or no proposer is named where two people are needed.
 */
export const orderCorrection =
  ({ sql, clocks, recordIds }: Base, { above }: { above: Centavos }): OrderCorrection =>
  async ({ by, ...correction }) => {
    const [id = 0, journal = 0, event = 0] = await recordIds.take(3);
    return await posting(sql, async (tx): Promise<OrderedCorrection> => {
      const { accountId: account_id, amount, reference, note, actor } = correction;
      const at = clocks.business.now();
      // Serializes orders with the same reference.
      await lockAccount(tx, account_id);
      const [known] = await tx`
        select 1 from corrections where account_id = ${account_id} and reference = ${reference}`;
      const named = { accountId: account_id, kind: 'correction', reference } as const;
      const waits = (await findProposed(tx, named))?.state === 'waiting';
      if (known || (!waits && Math.abs(amount) <= above)) {
        return { outcome: await correctIn(tx, correction, { id, journal, event }, at) };
      }
      if (by === null) throw refusal('correction.takes_two', { above });
      const proposal = await propose(
        tx,
        { account_id, kind: 'correction', reference, amount, terms: { note }, proposed_by: by },
        { id, at, actor, eventId: event },
      );
      return { outcome: 'proposed', proposal };
    });
  };

export type ApproveCorrection = (decision: Decision) => Promise<Proposal>;

/**
 * Approves a correction and posts it. The proposal stores the available balance before and after.
 * Throws 403 if the approver proposed it, 404 for an unknown proposal, 409 if it is already
 * decided, or a correction with its reference was posted before.
 */
export const approveCorrection =
  ({ sql, clocks, recordIds }: Base): ApproveCorrection =>
  async (decision) => {
    const [id = 0, journal = 0, event = 0, eventId = 0] = await recordIds.take(4);
    return await posting(sql, async (tx) => {
      const found = await findProposal(tx, 'correction', decision.id);
      // Lock the account before the proposal, as everywhere.
      if (found) await lockAccount(tx, found.account_id);
      const at = clocks.business.now();
      const { actor } = decision;
      return await approveIn(tx, 'correction', decision, { at, actor, eventId }, async (row) => {
        const { account_id: accountId, amount, reference, terms } = row;
        const before = (await holderBalances(tx, accountId)).available;
        const correction = { accountId, amount, reference, note: String(terms.note), actor };
        const outcome = await correctIn(tx, correction, { id, journal, event }, at);
        if (outcome === 'known') {
          throw refusal('correction.posted_before', { reference });
        }
        return {
          correction_id: id,
          available_before: before,
          available_after: plus(before, amount),
        };
      });
    });
  };
