import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Proposal, ProposalKind } from './proposal.ts';

const columns = (sql: Queryable) => sql`
  account_id, id, kind, reference, amount, terms::json as terms, state, proposed_by, proposed_at,
  decided_by, decided_at, reason, outcome::json as outcome`;

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

/** What was proposed under a name and not rejected. */
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

/** What waits for a second person, over all accounts, the oldest first. */
export const listWaiting = (
  sql: Queryable,
  kind: ProposalKind,
  limit: number,
): Promise<Proposal[]> => sql<Proposal[]>`
  select ${columns(sql)} from proposals where kind = ${kind} and state = 'waiting'
  order by id limit ${limit}`;

/** What was proposed over all accounts, the newest first, behind one of them. */
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
    insert into proposals (account_id, id, kind, reference, amount, terms, state, proposed_by,
      proposed_at)
    values (${row.account_id}, ${row.id}, ${row.kind}, ${row.reference}, ${row.amount},
      ${JSON.stringify(row.terms)}::text, 'waiting', ${row.proposed_by},
      ${row.proposed_at}::timestamptz)
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
      and (${state} <> 'approved' or proposed_by <> ${by})
    returning ${columns(sql)}`;
  return row ?? null;
}

export const noteOutcome = (
  sql: Queryable,
  { account_id, id }: Proposal,
  outcome: Readonly<Record<string, unknown>>,
) => sql`
  update proposals set outcome = ${JSON.stringify(outcome)}::text
  where account_id = ${account_id} and id = ${id}`;
