import { isoDateTime, isoMidnight } from '../kernel/dates.ts';
import { toJsonNumber } from '../kernel/money.ts';
import { type MandateRow, presentMandate } from '../mandates/index.ts';
import {
  presentResults,
  presentRetention,
  type ResultRow,
  type WithholdingLine,
} from '../money/collections/index.ts';
import type { DebitRow } from './debit.ts';

const head = (row: DebitRow) => ({
  id: row.id,
  type: row.kind,
  state: row.state,
  created_at: isoDateTime(row.created_at),
  ...(row.details.external_reference !== undefined && {
    external_reference: row.details.external_reference,
  }),
});

/** States that the row itself explains. Results explain the others. */
const explainedByRow: readonly DebitRow['state'][] = ['in_process', 'canceled'];

const tail = ({ details, state, state_comment: comment }: DebitRow) => ({
  ...(details.metadata && { metadata: details.metadata }),
  ...(typeof comment === 'string' && explainedByRow.includes(state) && { state_comment: comment }),
});

const bankFields = (row: DebitRow) => ({
  adhesion_id: row.mandate_id,
  description: row.description,
  first_due_date: isoMidnight(row.due1),
  first_total: toJsonNumber(row.total1),
  ...(row.due2 !== null && { second_due_date: isoMidnight(row.due2) }),
  ...(row.total2 !== null && { second_total: toJsonNumber(row.total2) }),
});

const cardFields = (row: DebitRow) => ({
  card_adhesion_id: row.mandate_id,
  month: row.details.month,
  year: row.details.year,
  amount: toJsonNumber(row.total1),
  description: row.description,
});

/** Presents a new debit with its whole mandate. */
export const presentDebit = (row: DebitRow, mandate: MandateRow) => ({
  ...head(row),
  ...(row.kind === 'debit_request' ? bankFields(row) : cardFields(row)),
  ...tail(row),
  [mandate.kind]: presentMandate(mandate),
});

export interface Detailed {
  row: DebitRow;
  mandate: MandateRow;
  results: ResultRow[];
  retentions: WithholdingLine[] | null;
}

/** Returns why a debit ended: its refusal or reversal, whichever came last. */
function commentOf({ row, results }: Pick<Detailed, 'row' | 'results'>): string | undefined {
  const last = results.at(-1);
  return explainedByRow.includes(row.state) || last?.type === 'collected'
    ? undefined
    : last?.details.state_comment;
}

/** Presents a debit as GET and lists return it, with its money, and `retentions` once paid. */
export function presentDetailed({ row, mandate, results, retentions }: Detailed) {
  const paid = results.some((result) => result.type === 'collected');
  const comment = commentOf({ row, results });
  return {
    ...presentDebit(row, mandate),
    ...(comment !== undefined && { state_comment: comment }),
    ...presentResults(results),
    ...(retentions !== null && paid && { retentions: retentions.map(presentRetention) }),
  };
}
