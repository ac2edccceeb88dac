import { appendEvents } from '../../events/index.ts';
import { toJsonNumber } from '../../kernel/money.ts';
import { type Actor, system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { refusal } from './codes.ts';
import { type Proposal, type ProposalKey, type ProposalKind, standingOf } from './proposal.ts';
import {
  expireRow,
  findProposal,
  findProposed,
  insertProposal,
  lapsedProposals,
  nextLapse,
  noteFirstApproval,
  noteOutcome,
  ruleOn,
} from './store.ts';

export const noProposal = () => refusal('proposal.not_found', {});

export interface Deciding {
  at: Temporal.Instant;
  actor: Actor;
  eventId: number;
}

type Telling = 'made' | 'first_approved' | 'approved' | 'rejected' | 'expired';

/** Returns an event's version. The first of two approvals adds a version. */
function versionOf({ first_approved_by: first }: Proposal, type: Telling): number {
  if (type === 'made') return 1;
  return first === null || type === 'first_approved' ? 2 : 3;
}

const tell = (
  sql: Queryable,
  row: Proposal,
  { at, actor, eventId }: Deciding,
  event: {
    type: Telling;
    by: number | null;
    data?: Record<string, unknown>;
  },
): Promise<void> =>
  appendEvents(sql, [
    {
      accountId: row.account_id,
      entity: 'proposal',
      entityId: String(row.id),
      version: versionOf(row, event.type),
      id: eventId,
      type: `proposal.${event.type}`,
      at,
      actor,
      data: {
        kind: row.kind,
        reference: row.reference,
        amount: toJsonNumber(row.amount),
        // The user. If a command names one, the event's actor is someone else.
        ...(event.by !== null && { user_id: event.by }),
        ...(row.request_id !== null && { request_id: row.request_id }),
        ...event.data,
      },
    },
  ]);

export type NewProposal = Pick<
  Proposal,
  'account_id' | 'kind' | 'reference' | 'amount' | 'terms' | 'proposed_by'
> &
  Partial<Pick<Proposal, 'request_id' | 'expires_at'>>;

/**
 * Makes a proposal in the transaction of `sql`. A repeated reference returns the first proposal.
 * Throws 409 if it has another amount.
 */
export async function propose(
  sql: Queryable,
  proposed: NewProposal,
  { id, ...deciding }: Deciding & { id: number },
): Promise<Proposal> {
  const row: Proposal = {
    request_id: null,
    expires_at: null,
    first_approved_by: null,
    first_approved_at: null,
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
  throw refusal('proposal.reference_taken', {
    reference,
    kind,
    amount: known?.amount ?? row.amount,
  });
}

export interface Decision extends ProposalKey {
  /** The deciding user. */
  by: number;
  actor: Actor;
}

async function refuse(
  sql: Queryable,
  kind: ProposalKind,
  decision: Decision,
  at: Temporal.Instant,
): Promise<never> {
  const row = await findProposal(sql, kind, decision.id);
  if (row?.account_id !== decision.accountId) throw noProposal();
  const state = standingOf(row, at);
  if (state !== 'waiting') throw refusal('proposal.decided', { id: row.id, state });
  throw refusal('proposal.own', {});
}

/**
 * Stores the first of two approvals in the transaction of `sql`, without carrying anything out.
 * Repeats by the same person count once. Throws 403 if the approver proposed it, 404 for an unknown
 * proposal, 409 if it is already decided.
 */
export async function approveFirst(
  sql: Queryable,
  found: Proposal,
  { id, by }: Decision,
  deciding: Deciding,
): Promise<Proposal> {
  const { account_id: accountId, kind } = found;
  const isWaiting = standingOf(found, deciding.at) === 'waiting';
  if (isWaiting && found.first_approved_by === by) return found;
  const row = await noteFirstApproval(sql, { accountId, id, by, at: deciding.at });
  if (!row) {
    return await refuse(sql, kind, { accountId, id, by, actor: deciding.actor }, deciding.at);
  }
  await tell(sql, row, deciding, { type: 'first_approved', by });
  return row;
}

/**
 * Approves a proposal and carries it out in the transaction of `sql`, both or neither. Throws 403
 * if the approver proposed it, 404 for an unknown proposal, 409 if it is already decided.
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
  if (!row) {
    return await refuse(sql, kind, { accountId, id, by, actor: deciding.actor }, deciding.at);
  }
  const outcome = await carryOut(row);
  await noteOutcome(sql, row, outcome);
  await tell(sql, row, deciding, { type: 'approved', by, data: outcome });
  return { ...row, outcome };
}

export type Reject = (
  kind: ProposalKind,
  rejection: Decision & { reason: string },
) => Promise<Proposal>;

/**
 * Rejects a proposal, or withdraws one's own. Throws 404 for an unknown proposal, 409 if it is
 * already decided.
 */
export const rejectProposal =
  ({ sql, clocks, recordIds }: Base): Reject =>
  async (kind, { accountId, id, by, actor, reason }) => {
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      const deciding = { at: clocks.business.now(), actor, eventId };
      const ruling = { accountId, id, kind, state: 'rejected', by, reason } as const;
      const row = await ruleOn(tx, { ...ruling, at: deciding.at });
      if (!row) return await refuse(tx, kind, { accountId, id, by, actor }, deciding.at);
      await tell(tx, row, deciding, { type: 'rejected', by, data: { reason } });
      return row;
    });
  };

/** Expires a proposal in the transaction of `sql`. Returns false if it was decided before. */
export async function expireIn(
  sql: Queryable,
  row: Proposal,
  { at, eventId }: Pick<Deciding, 'at' | 'eventId'>,
): Promise<boolean> {
  const expired = await expireRow(sql, row, at);
  if (expired) await tell(sql, row, { at, actor: system, eventId }, { type: 'expired', by: null });
  return expired;
}

export const lapseSweep = ({ sql, recordIds }: Base): Sweep => ({
  name: 'proposals lapsed',
  nextDue: () => nextLapse(sql),
  async run(now) {
    let ended = 0;
    for (const row of await lapsedProposals(sql, now)) {
      const eventId = await recordIds.next();
      if (await sql.begin((tx) => expireIn(tx, row, { at: now, eventId }))) ended += 1;
    }
    return ended;
  },
});
