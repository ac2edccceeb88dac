import { dayOf } from '../kernel/dates.ts';
import type { Centavos } from '../kernel/money.ts';
import type { ResultRow } from '../money/collections/index.ts';
import {
  type JournalKind,
  type JournalPlace,
  journalsOfRequest,
  type RequestJournal,
} from '../money/ledger/index.ts';
import type { RefundRow } from '../money/refunds/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestRow } from '../requests/index.ts';
import type { Fault } from './life.ts';

/** The kind of journal per type of result. Rejections have none. */
const kindOf = {
  collected: 'collection',
  chargeback: 'chargeback',
  refund: 'refund',
  rejected: null,
} as const satisfies Record<ResultRow['type'], JournalKind | null>;

/**
 * Returns where to search for the journals of these results and refunds: kind, day and lowest id.
 */
function placesOf(results: readonly ResultRow[], refunds: readonly RefundRow[]): JournalPlace[] {
  const places = new Map<string, JournalPlace>();
  const add = (kind: JournalKind, day: Temporal.PlainDate, from: number): void =>
    void places.set(`${kind} ${day} ${from}`, { kind, day, from });
  for (const row of results) {
    const kind = kindOf[row.type];
    // A journal's id follows its result's, but a forged one may have any id.
    if (kind !== null) for (const from of [0, row.id]) add(kind, row.informed_on, from);
    if (row.released_on !== null) add('release', row.released_on, 0);
  }
  for (const { requested_at: requested, ended_at: ended, state } of refunds) {
    add('refund_hold', dayOf(requested), 0);
    if (ended !== null && state === 'failed') add('refund_undone', dayOf(ended), 0);
  }
  return [...places.values()];
}

/**
 * Number of the first clearing account. Lines on clearing accounts are money that came in or left.
 */
const firstClearing = 101;

const sumOf = (amounts: readonly Centavos[]): number =>
  amounts.reduce<number>((sum, amount) => sum + amount, 0);

const moved = ({ accounts, amounts }: RequestJournal): number =>
  Math.abs(sumOf(amounts.filter((_amount, index) => (accounts[index] ?? 0) >= firstClearing)));

function faultsOf(journal: RequestJournal, results: readonly ResultRow[]): Fault[] {
  const { id, kind, result_id: resultId } = journal;
  const own = results.find((row) => row.id === resultId && kindOf[row.type] === kind);
  return [
    ...(journal.isForged ? [{ what: 'forged', journal: id } as const] : []),
    ...(sumOf(journal.amounts) === 0 ? [] : [{ what: 'unbalanced', journal: id } as const]),
    ...(journal.seal === 'missing' ? [{ what: 'unsealed', journal: id } as const] : []),
    ...(own && moved(journal) !== own.amount
      ? [{ what: 'figures', journal: id, result: own.id } as const]
      : []),
  ];
}

/**
 * Returns a fault for each result without exactly one journal of its kind. If the search was cut, a
 * result without a journal is no fault.
 */
function countFaults(
  results: readonly ResultRow[],
  journals: readonly RequestJournal[],
  isCut: boolean,
): Fault[] {
  return results.flatMap((row): Fault[] => {
    const kind = kindOf[row.type];
    if (kind === null) return [];
    const count = journals.filter((one) => one.result_id === row.id && one.kind === kind).length;
    if (count > 1) return [{ what: 'repeated', result: row.id }];
    return count === 0 && !isCut ? [{ what: 'missing', result: row.id }] : [];
  });
}

/** Reads a request's journals, with their faults. */
export async function readBooks(
  sql: Queryable,
  row: RequestRow,
  { results, refunds }: { results: readonly ResultRow[]; refunds: readonly RefundRow[] },
): Promise<{ journals: RequestJournal[]; faults: Fault[]; isCut: boolean }> {
  const of = {
    accountId: row.account_id,
    requestId: row.id,
    resultIds: results.map(({ id }) => id),
  };
  const { journals, isCut } = await journalsOfRequest(sql, of, placesOf(results, refunds));
  const faults = [
    ...journals.flatMap((journal) => faultsOf(journal, results)),
    ...countFaults(results, journals, isCut),
  ];
  return { journals, faults, isCut };
}
