import {
  type DebitKind,
  type DebitRow,
  type DebitRun,
  type Decision,
  findNamedRuns,
  mandateKindOf,
  type NamedRun,
  type RunKey,
  readDecisions,
} from '../../debit-requests/index.ts';
import {
  findNamedMandates,
  type MandateKey,
  type MandateState,
  type NamedMandate,
} from '../../mandates/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type DebitItem, mandateOfCode, runOfReference } from './debit.ts';
import { findRunMoney, type RunMoney } from './run-money.ts';

export interface KnownMandate
  extends Pick<
    NamedMandate,
    'brand' | 'cbu' | 'card_key_id' | 'card_ciphertext' | 'instrument_no'
  > {
  key: MandateKey;
  state: MandateState;
}

/** A run and the result that decided it, if any. */
export interface KnownRun {
  account_id: string;
  run: Pick<DebitRun, 'no' | 'state' | 'amount'>;
  request: Pick<DebitRow, 'id' | 'due2' | 'total2'>;
  decision: Decision['type'] | null;
  /** Money that a reversal takes back. Null if there is none, or if no line reverses the run. */
  money: RunMoney | null;
  mandate: KnownMandate;
  /** Number of the mandate's instrument that the run was sent with, or null if unknown. */
  putTo: number | null;
}

/** The runs and mandates of a chunk of lines. */
export interface Subjects {
  /** By reference. */
  runs: ReadonlyMap<string, KnownRun>;
  /** By id. Only mandates that lines name directly, not through a run. */
  mandates: ReadonlyMap<number, KnownMandate>;
}

const mandateFrom = (kind: DebitKind, row: NamedMandate): KnownMandate => ({
  key: { accountId: row.account_id, kind: mandateKindOf[kind], id: row.mandate_id },
  state: row.mandate_state,
  brand: row.brand,
  cbu: row.cbu,
  card_key_id: row.card_key_id,
  card_ciphertext: row.card_ciphertext,
  instrument_no: row.instrument_no,
});

/** Reads something of some runs, and returns it by the place of their references. */
async function byPlace<T>(
  rows: NamedRun[],
  read: (keys: RunKey[]) => Promise<(T | null)[]>,
): Promise<ReadonlyMap<number, T | null>> {
  if (rows.length === 0) return new Map();
  const keys = rows.map(({ account_id: accountId, id: requestId, no: runNo }) => ({
    accountId,
    requestId,
    runNo,
  }));
  const found = await read(keys);
  return new Map(rows.map(({ place }, index) => [place, found[index] ?? null]));
}

/**
 * Reads runs by reference, with their debits, mandates and any results, and the money of those that
 * lines reverse.
 */
async function findRuns(
  sql: Queryable,
  kind: DebitKind,
  items: DebitItem[],
): Promise<Map<string, KnownRun>> {
  const references = new Set(items.map(({ reference }) => reference));
  const reversed = new Set(
    items.flatMap(({ news, reference }) => (news.type === 'reversed' ? [reference] : [])),
  );
  const named = [...references].flatMap((reference) => {
    const run = runOfReference(reference);
    return run ? [{ reference, ...run }] : [];
  });
  const rows = await findNamedRuns(sql, kind, named);
  const referenceAt = (place: number): string => named[place - 1]?.reference ?? '';
  const done = rows.filter(({ run_state }) => run_state === 'done');
  const decisions = await byPlace(done, (keys) => readDecisions(sql, keys));
  const taken = rows.filter(({ place }) => reversed.has(referenceAt(place)));
  const money = await byPlace(taken, (keys) => findRunMoney(sql, keys));
  return new Map(
    rows.map((row) => [
      referenceAt(row.place),
      {
        account_id: row.account_id,
        run: { no: row.no, state: row.run_state, amount: row.amount },
        request: { id: row.id, due2: row.due2, total2: row.total2 },
        decision: decisions.get(row.place)?.type ?? null,
        money: money.get(row.place) ?? null,
        mandate: mandateFrom(kind, row),
        putTo: row.put_to,
      },
    ]),
  );
}

async function findMandates(
  sql: Queryable,
  kind: DebitKind,
  ids: number[],
): Promise<Map<number, KnownMandate>> {
  if (ids.length === 0) return new Map();
  const rows = await findNamedMandates(sql, mandateKindOf[kind], ids);
  return new Map(rows.map((row) => [row.mandate_id, mandateFrom(kind, row)]));
}

/** Returns true if a line is about the mandate itself, not only a run. */
const isOfMandate = ({ news, replacement }: DebitItem): boolean =>
  news.type === 'mandate_ended' || replacement !== null || news.type === 'instrument_changed';

export async function findSubjects(
  sql: Queryable,
  kind: DebitKind,
  items: DebitItem[],
): Promise<Subjects> {
  const ids = items.filter(isOfMandate).map(({ mandate }) => mandateOfCode(mandate));
  const [runs, mandates] = await Promise.all([
    findRuns(sql, kind, items),
    findMandates(sql, kind, [...new Set(ids.filter((id) => id !== null))]),
  ]);
  return { runs, mandates };
}

/** Returns the mandate that a line names, or else its debit's mandate. */
export function mandateOf(item: DebitItem, { runs, mandates }: Subjects): KnownMandate | null {
  const id = isOfMandate(item) ? mandateOfCode(item.mandate) : null;
  if (id !== null) return mandates.get(id) ?? null;
  return runs.get(item.reference)?.mandate ?? null;
}
