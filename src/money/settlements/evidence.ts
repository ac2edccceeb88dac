import { operatorBooks } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Evidence } from '../../seals/index.ts';

const lines = `(
  select encode(sha256(convert_to(string_agg(row(l.name, l.kind, l.attempt, l.trx, l.account_id,
    l.attempt_id, l.is_part, l.gross, l.fee, l.net)::text, ';' order by l.name collate "C"), 'UTF8')), 'hex')
  from settlement_lines l where l.payout_id = p.id and l.connector = p.connector)`;

/** Acquirers' settlements with their lines, sealed with the operator's books. */
export const settlementEvidence: Evidence = {
  kind: 'settlement',
  from: `(
    select '${operatorBooks}'::text as account_id, p.id, p.connector, p.name, p.paid_on, p.net,
      p.heard_at, ${lines} as content
    from settlement_payouts p)`,
  key: { id: 'bigint' },
  columns: ['connector', 'name', 'paid_on', 'net', 'heard_at', 'content'],
  touched: `select account_id, entity_id::bigint from touched where entity = 'settlement'`,
  strict: true,
};

/** Checks that the compared figures of a settlement equal the sums of its lines. */
export async function checkSettlements(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ id: number }[]>`
    select p.id from settlement_payouts p, lateral (
      select count(*)::int as lines, coalesce(sum(l.gross), 0) as gross,
        coalesce(sum(l.fee), 0) as fee, coalesce(sum(l.net), 0) as net
      from settlement_lines l where l.payout_id = p.id
    ) as sums
    where p.compared_at is not null
      and (p.lines, p.gross, p.fee, p.listed) is distinct from
        (sums.lines, sums.gross, sums.fee, sums.net)
    order by p.id limit 100`;
  return rows.map(({ id }) => `settlement ${id} is not the sum of its lines`);
}
