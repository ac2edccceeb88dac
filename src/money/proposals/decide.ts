import { appendEvents } from '../../events/index.ts';
import { decimalText, toJsonNumber } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { conflict, notFound, Refusal } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Proposal, ProposalKey, ProposalKind } from './proposal.ts';
import { findProposal, findProposed, insertProposal, noteOutcome, ruleOn } from './store.ts';

/** What belongs to a change of a proposal, taken before rows are held. */
export interface Deciding {
  at: Temporal.Instant;
  actor: Actor;
  eventId: number;
}

const tell = (
  sql: Queryable,
  row: Proposal,
  { at, actor, eventId }: Deciding,
  told: { type: 'made' | 'approved' | 'rejected'; by: number; data?: Record<string, unknown> },
): Promise<void> =>
  appendEvents(sql, [
    {
      accountId: row.account_id,
      entity: 'proposal',
      entityId: String(row.id),
      version: told.type === 'made' ? 1 : 2,
      id: eventId,
      type: `proposal.${told.type}`,
      at,
      actor,
      data: {
        kind: row.kind,
        reference: row.reference,
        amount: toJsonNumber(row.amount),
        // The person, where a command names him and another user of a machine calls it.
        user_id: told.by,
        ...told.data,
      },
    },
  ]);

export type NewProposal = Pick<
  Proposal,
  'account_id' | 'kind' | 'reference' | 'amount' | 'terms' | 'proposed_by'
>;

/**
 * Proposes something in the transaction of `sql`. The same again answers the first; 409: its name
 * is that of another amount.
 */
export async function propose(
  sql: Queryable,
  proposed: NewProposal,
  { id, ...deciding }: Deciding & { id: number },
): Promise<Proposal> {
  const row: Proposal = {
    ...proposed,
    id,
    state: 'waiting',
    proposed_at: deciding.at,
    decided_by: null,
    decided_at: null,
    reason: null,
    outcome: null,
  };
  if (await insertProposal(sql, row)) {
    await tell(sql, row, deciding, { type: 'made', by: row.proposed_by });
    return row;
  }
  const { account_id: accountId, kind, reference } = row;
  const known = await findProposed(sql, { accountId, kind, reference });
  if (known?.amount === row.amount) return known;
  const amount = known ? decimalText(known.amount) : 'another amount';
  throw conflict(`The reference ${reference} names a ${kind} of ${amount}.`);
}

/** Who decides on a proposal. */
export interface Decision extends ProposalKey {
  /** The user whose decision it is. */
  by: number;
  actor: Actor;
}

async function refuse(sql: Queryable, kind: ProposalKind, decision: Decision): Promise<never> {
  const row = await findProposal(sql, kind, decision.id);
  if (row?.account_id !== decision.accountId) throw notFound('proposal');
  if (row.state !== 'waiting') throw conflict(`The proposal ${row.id} is ${row.state}.`);
  throw new Refusal('forbidden', 'Another person has to approve what you proposed yourself.');
}

/**
 * Approves a proposal and carries it out, both or neither, in the transaction of `sql`. 403: by who
 * proposed it; 404: no such; 409: it was decided.
 */
export async function approveIn(
  sql: Queryable,
  kind: ProposalKind,
  { accountId, id, by }: Decision,
  deciding: Deciding,
  carryOut: (row: Proposal) => Promise<Readonly<Record<string, unknown>>>,
): Promise<Proposal> {
  const ruling = { accountId, id, kind, state: 'approved', by, reason: null } as const;
  const row = await ruleOn(sql, { ...ruling, at: deciding.at });
  if (!row) return await refuse(sql, kind, { accountId, id, by, actor: deciding.actor });
  const outcome = await carryOut(row);
  await noteOutcome(sql, row, outcome);
  await tell(sql, row, deciding, { type: 'approved', by, data: outcome });
  return { ...row, outcome };
}

export type Reject = (
  kind: ProposalKind,
  rejection: Decision & { reason: string },
) => Promise<Proposal>;

/** Rejects a proposal, or takes one's own back. 404: no such; 409: it was decided. */
export const rejectProposal =
  ({ sql, clocks, recordIds }: Base): Reject =>
  async (kind, { accountId, id, by, actor, reason }) => {
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      const deciding = { at: clocks.business.now(), actor, eventId };
      const ruling = { accountId, id, kind, state: 'rejected', by, reason } as const;
      const row = await ruleOn(tx, { ...ruling, at: deciding.at });
      if (!row) return await refuse(tx, kind, { accountId, id, by, actor });
      await tell(tx, row, deciding, { type: 'rejected', by, data: { reason } });
      return row;
    });
  };
