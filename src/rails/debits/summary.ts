import type { Centavos } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type AnySummary, markImported, type Noting } from '../files/store.ts';

/** Result of an import: counts of lines, and sums in centavos. */
export interface DebitSummary extends AnySummary {
  lines: number;
  total: Centavos;
  paid: number;
  paid_total: Centavos;
  amount_differs: number;
  /** Includes rejections with a retry on the second due date. */
  rejected: number;
  retried: number;
  /** Lines by rejection code, whatever their outcome. */
  codes: Record<string, number>;
  in_process: number;
  reversed: number;
  mandates_closed: number;
  instruments_changed: number;
  /** Repeats without effect. */
  told_before: number;
  contradicts: number;
  unclear: number;
  unknown_reference: number;
  unknown_mandate: number;
  not_paid: number;
  unusable_instrument: number;
  notices: number;
  suspense_total: Centavos;
}

async function readCodes(sql: Queryable, fileId: number): Promise<Record<string, number>> {
  const rows = await sql<{ code: string; lines: number }[]>`
    select reject_code as code, count(*)::int as lines from rail_lines
    where file_id = ${fileId} and reject_code is not null
    group by reject_code order by reject_code`;
  return Object.fromEntries(rows.map(({ code, lines }) => [code, lines]));
}

/** Totals the outcomes of the lines and closes the file. */
export async function closeDebitFile(
  sql: Queryable,
  noting: Noting,
  fileId: number,
): Promise<DebitSummary> {
  const [counts] = await sql<Omit<DebitSummary, 'codes'>[]>`
    select count(*) as lines, coalesce(sum(amount), 0)::bigint as total,
      count(*) filter (where outcome = 'paid') as paid,
      coalesce(sum(amount) filter (where outcome = 'paid'), 0)::bigint as paid_total,
      count(*) filter (where 'amount_differs' = any(remarks)) as amount_differs,
      count(*) filter (where outcome in ('rejected', 'retried')) as rejected,
      count(*) filter (where outcome = 'retried') as retried,
      count(*) filter (where outcome = 'in_process') as in_process,
      count(*) filter (where outcome = 'reversed') as reversed,
      count(*) filter (where outcome = 'mandate_closed' or 'closes_mandate' = any(remarks))
        as mandates_closed,
      count(*) filter (where 'new_instrument' = any(remarks)) as instruments_changed,
      count(*) filter (where 'told_before' = any(remarks)) as told_before,
      count(*) filter (where 'contradicts' = any(remarks)) as contradicts,
      count(*) filter (where 'unclear' = any(remarks)) as unclear,
      count(*) filter (where 'unknown_reference' = any(remarks)) as unknown_reference,
      count(*) filter (where 'unknown_mandate' = any(remarks)) as unknown_mandate,
      count(*) filter (where 'not_paid' = any(remarks)) as not_paid,
      count(*) filter (where 'unusable_instrument' = any(remarks)) as unusable_instrument,
      count(*) filter (where outcome = 'notice') as notices,
      count(*) filter (where outcome = 'suspense') as suspense,
      coalesce(sum(amount) filter (where outcome = 'suspense'), 0)::bigint as suspense_total
    from rail_lines where file_id = ${fileId}`;
  if (!counts) throw new Error('an aggregate without a row');
  const summary = { ...counts, codes: await readCodes(sql, fileId) };
  await markImported(sql, noting, { id: fileId, summary });
  return summary;
}
