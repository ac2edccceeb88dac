import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Evidence } from '../../seals/index.ts';

export const proposalEvidence: Evidence = {
  kind: 'proposal',
  from: 'proposals',
  key: { id: 'bigint' },
  columns: [
    'kind',
    'reference',
    'amount',
    'terms',
    'state',
    'proposed_by',
    'proposed_at',
    'decided_by',
    'decided_at',
    'reason',
    'outcome',
  ],
  later: ['request_id', 'expires_at', 'first_approved_by', 'first_approved_at'],
  touched: `select account_id, entity_id::bigint from touched where entity = 'proposal'`,
  strict: true,
};

/**
 * Checks that approved proposals had a second person, and were carried out for the approved amount.
 */
export async function checkApproved(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; kind: string }[]>`
    select p.id, p.kind from proposals p
    where p.account_id = ${accountId} and p.state = 'approved' and (
      p.decided_by in (p.proposed_by, p.first_approved_by)
      or (p.kind = 'payout' and not exists (
        select from payouts o where o.account_id = p.account_id and o.reference = p.reference
          and o.amount = p.amount))
      or (p.kind = 'correction' and not exists (
        select from corrections c where c.account_id = p.account_id
          and c.reference = p.reference and c.amount = p.amount))
      or (p.kind = 'refund' and not exists (
        select from refunds r where r.account_id = p.account_id
          and r.reference = p.reference and r.amount = p.amount))
    )
    order by p.id limit 100`;
  return rows.map(
    ({ id, kind }) =>
      `proposal ${id} was approved without a second person, or its ${kind} does not exist`,
  );
}
