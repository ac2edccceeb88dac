import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import type { Proposal, ProposalKey, ProposalKind } from './proposal.ts';

const columns = (sql: Queryable) => sql`
  account_id, id, kind, reference, request_id, amount, terms::json as terms, state, proposed_by,
  proposed_at, first_approved_by, first_approved_at, decided_by, decided_at, reason,
  outcome::json as outcome, expires_at`;

/** A proposal by its number alone, whichever account it is of; null: there is none. */
export async function findProposal(
  sql: Queryable,
  kind: ProposalKind,
  id: number,
): Promise<Proposal | null> {
  const [row] = await sql<Proposal[]>`
    select ${columns(sql)} from proposals where kind = ${kind} and id = ${id}`;
  return row ?? null;
}

/** Returns the proposal of a name, unless it was rejected. */
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

/** Returns pending proposals of all accounts, the oldest first. */
export const listWaiting = (
  sql: Queryable,
  kind: ProposalKind,
  limit: number,
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals where kind = ${kind} and state = 'waiting'
  order by id limit ${limit}`;

/** Returns when the oldest pending proposal was made; null if none waits. */
export async function oldestWaiting(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(proposed_at) as at from proposals where state = 'waiting'`;
  return row?.at ?? null;
}

/** Returns proposals of all accounts after a cursor, the newest first. */
export const latestProposals = (
  sql: Queryable,
  kind: ProposalKind,
  { behind, limit }: { behind: number | null; limit: number },
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where kind = ${kind} and id < ${behind ?? Number.MAX_SAFE_INTEGER}::bigint
  order by id desc limit ${limit}`;

/** Keeps a proposal unless there is one of its name. */
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

/** Decides what waits, and is not approved by who proposed it; null where that is not so. */
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

/** Keeps the first of two approvals; null: it was decided, has one, or is the approver's own. */
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

/** References of payouts that an account asked for and one operator alone let go. */
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

/** Returns the last proposal of a name, in any state. */
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

/** Returns pending proposals of one kind by an account's own people, the oldest first. */
export const waitingOf = (
  sql: Queryable,
  { accountId, kind, at }: { accountId: string; kind: ProposalKind; at: Temporal.Instant },
  limit: number,
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where account_id = ${accountId} and kind = ${kind} and state = 'waiting'
    and expires_at > ${at}::timestamptz
  order by id limit ${limit}`;

/** Returns their decided or expired proposals after a cursor, the newest first. */
export const decidedOf = (
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: ProposalKind },
  { behind, limit }: { behind: number | null; limit: number },
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where account_id = ${accountId} and kind = ${kind} and state <> 'waiting'
    and expires_at is not null and id < ${behind ?? Number.MAX_SAFE_INTEGER}::bigint
  order by id desc limit ${limit}`;

/** The proposals about a request, the newest first. */
export const proposalsOfRequest = (
  sql: Queryable,
  { accountId, id }: ProposalKey,
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where account_id = ${accountId} and request_id = ${id} order by id desc limit 100`;

/** The pending part. */
export const waitingOnRequest = (
  sql: Queryable,
  { accountId, id }: ProposalKey,
  at: Temporal.Instant,
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals
  where account_id = ${accountId} and request_id = ${id} and state = 'waiting'
    and expires_at > ${at}::timestamptz`;

/** The payout that an account's people ask for and nobody decided on, lapsed or not. */
export async function askedPayout(sql: Queryable, accountId: string): Promise<Proposal | null> {
  const [row] = await sql<Proposal[]>`
    select ${columns(sql)} from proposals
    where account_id = ${accountId} and kind = 'payout' and state = 'waiting'
      and expires_at is not null`;
  return row ?? null;
}

/** Ends what waits and has lapsed; false where it was decided before. */
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
