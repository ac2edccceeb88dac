import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import type { Proposal, ProposalKey, ProposalKind } from './proposal.ts';

const columns = (sql: Queryable) => sql`
  account_id, id, kind, reference, request_id, amount, terms::json as terms, state, proposed_by,
  proposed_at, first_approved_by, first_approved_at, decided_by, decided_at, reason,
  outcome::json as outcome, expires_at`;

/** Returns a proposal of any account by its number, or null if there is none. */
export async function findProposal(
  sql: Queryable,
  kind: ProposalKind,
  id: number,
): Promise<Proposal | null> {
  const [row] = await sql<Proposal[]>`
    select ${columns(sql)} from proposals where kind = ${kind} and id = ${id}`;
  return row ?? null;
}

/** Returns the proposal with a reference, unless it was rejected. Returns null if there is none. */
export async function findProposed(
  sql: Queryable,
  { accountId, kind, reference }: { accountId: string; kind: ProposalKind; reference: string },
): Promise<Proposal | null> {
  const [row] = await sql<Proposal[]>`
    select ${columns(sql)} from proposals
    where account_id = ${accountId} and kind = ${kind} and reference = ${reference}
      and state <> 'rejected'`;
  return row ?? null;
}

/** Lists pending proposals of all accounts, oldest first. */
export const listWaiting = (
  sql: Queryable,
  kind: ProposalKind,
  limit: number,
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals where kind = ${kind} and state = 'waiting'
  order by id limit ${limit}`;

/** Returns when the oldest pending proposal was made, or null if none waits. */
export async function oldestWaiting(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(proposed_at) as at from proposals where state = 'waiting'`;
  return row?.at ?? null;
}

/** Lists proposals of all accounts before the given id, newest first. */
export const latestProposals = (
  sql: Queryable,
  kind: ProposalKind,
  { behind, limit }: { behind: number | null; limit: number },
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where kind = ${kind} and id < ${behind ?? Number.MAX_SAFE_INTEGER}::bigint
  order by id desc limit ${limit}`;

/** Inserts a proposal. Returns false if its reference is taken. */
export async function insertProposal(sql: Queryable, row: Proposal): Promise<boolean> {
  const rows = await sql`
    insert into proposals (account_id, id, kind, reference, request_id, amount, terms, state,
      proposed_by, proposed_at, expires_at)
    values (${row.account_id}, ${row.id}, ${row.kind}, ${row.reference}, ${row.request_id},
      ${row.amount}, ${JSON.stringify(row.terms)}::text, 'waiting', ${row.proposed_by},
      ${row.proposed_at}::timestamptz, ${row.expires_at}::timestamptz)
    on conflict (account_id, kind, reference) where state <> 'rejected' do nothing returning id`;
  return rows.length > 0;
}

export interface Ruling {
  accountId: string;
  id: number;
  kind: ProposalKind;
  state: 'approved' | 'rejected';
  by: number;
  reason: string | null;
  at: Temporal.Instant;
}

/**
 * Decides a pending proposal. Returns null if it was decided, has expired, or is being approved by
 * its proposer or first approver.
 */
export async function ruleOn(sql: Queryable, ruling: Ruling): Promise<Proposal | null> {
  const { accountId, id, kind, state, by, reason, at } = ruling;
  const [row] = await sql<Proposal[]>`
    update proposals set state = ${state}, decided_by = ${by}, decided_at = ${at}::timestamptz,
      reason = ${reason}
    where account_id = ${accountId} and id = ${id} and kind = ${kind} and state = 'waiting'
      and (expires_at is null or expires_at > ${at}::timestamptz)
      and (${state} <> 'approved'
        or (proposed_by <> ${by} and first_approved_by is distinct from ${by}::bigint))
    returning ${columns(sql)}`;
  return row ?? null;
}

/**
 * Stores the first of two approvals. Returns null if the proposal is decided or expired, already
 * has a first approval, or was made by this approver.
 */
export async function noteFirstApproval(
  sql: Queryable,
  { accountId, id, by, at }: Pick<Ruling, 'accountId' | 'id' | 'by' | 'at'>,
): Promise<Proposal | null> {
  const [row] = await sql<Proposal[]>`
    update proposals set first_approved_by = ${by}, first_approved_at = ${at}::timestamptz
    where account_id = ${accountId} and id = ${id} and state = 'waiting'
      and (expires_at is null or expires_at > ${at}::timestamptz)
      and first_approved_by is null and proposed_by <> ${by}
    returning ${columns(sql)}`;
  return row ?? null;
}

/** Selects references of payouts that an account requested and this operator alone approved. */
export const letGoBy = (
  sql: Queryable,
  { accountId, by }: { accountId: string; by: number },
): ReturnType<Queryable> => sql`(
  select reference from proposals
  where account_id = ${accountId} and kind = 'payout' and state = 'approved'
    and expires_at is not null and first_approved_by is null and decided_by = ${by}::bigint)`;

export const noteOutcome = (
  sql: Queryable,
  { account_id, id }: Proposal,
  outcome: Readonly<Record<string, unknown>>,
) => sql`
  update proposals set outcome = ${JSON.stringify(outcome)}::text
  where account_id = ${account_id} and id = ${id}`;

/** Returns the last proposal of a reference, in any state, or null. */
export async function findNamed(
  sql: Queryable,
  { accountId, kind, reference }: { accountId: string; kind: ProposalKind; reference: string },
): Promise<Proposal | null> {
  const [row] = await sql<Proposal[]>`
    select ${columns(sql)} from proposals
    where account_id = ${accountId} and kind = ${kind} and reference = ${reference}
    order by id desc limit 1`;
  return row ?? null;
}

/** Lists pending proposals of a kind by an account's users, oldest first. */
export const waitingOf = (
  sql: Queryable,
  { accountId, kind, at }: { accountId: string; kind: ProposalKind; at: Temporal.Instant },
  limit: number,
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where account_id = ${accountId} and kind = ${kind} and state = 'waiting'
    and expires_at > ${at}::timestamptz
  order by id limit ${limit}`;

/** Lists decided or expired proposals by an account's users before the given id, newest first. */
export const decidedOf = (
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: ProposalKind },
  { behind, limit }: { behind: number | null; limit: number },
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where account_id = ${accountId} and kind = ${kind} and state <> 'waiting'
    and expires_at is not null and id < ${behind ?? Number.MAX_SAFE_INTEGER}::bigint
  order by id desc limit ${limit}`;

/** Lists the last 100 proposals about a request, newest first. */
export const proposalsOfRequest = (
  sql: Queryable,
  { accountId, id }: ProposalKey,
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where account_id = ${accountId} and request_id = ${id} order by id desc limit 100`;

/** Lists the pending proposals about a request. */
export const waitingOnRequest = (
  sql: Queryable,
  { accountId, id }: ProposalKey,
  at: Temporal.Instant,
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where account_id = ${accountId} and request_id = ${id} and state = 'waiting'
    and expires_at > ${at}::timestamptz`;

/** Returns an account's undecided payout request, even if expired, or null if there is none. */
export async function pendingPayoutRequest(
  sql: Queryable,
  accountId: string,
): Promise<Proposal | null> {
  const [row] = await sql<Proposal[]>`
    select ${columns(sql)} from proposals
    where account_id = ${accountId} and kind = 'payout' and state = 'waiting'
      and expires_at is not null`;
  return row ?? null;
}

/** Expires a pending proposal past its deadline. Returns false if it was decided. */
export async function expireRow(
  sql: Queryable,
  { account_id, id }: Proposal,
  at: Temporal.Instant,
): Promise<boolean> {
  const rows = await sql`
    update proposals set state = 'expired', decided_at = ${at}::timestamptz
    where account_id = ${account_id} and id = ${id} and state = 'waiting'
      and expires_at <= ${at}::timestamptz
    returning 1`;
  return rows.length > 0;
}

export const lapsedProposals = (sql: Queryable, now: Temporal.Instant): Promise<Proposal[]> =>
  sql<Proposal[]>`
    select ${columns(sql)} from proposals
    where state = 'waiting' and expires_at <= ${now}::timestamptz ${withinReach(sql)}
    order by expires_at limit 100`;

export async function nextLapse(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(expires_at) as due from proposals
    where state = 'waiting' and expires_at is not null ${withinReach(sql)}`;
  return row?.due ?? null;
}
