import {
  type DebitKind,
  type DebitRow,
  type DebitRun,
  type Decision,
  findNamedRuns,
  mandateKindOf,
  readDecisions,
  readRunPayments,
} from '../../debit-requests/index.ts';
import {
  findNamedMandates,
  type MandateKey,
  type MandateState,
  type NamedMandate,
} from '../../mandates/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type DebitItem, mandateOfCode, runOfReference } from './debit.ts';

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
  request: Pick<DebitRow, 'id' | 'state' | 'due2' | 'total2'>;
  decision: Decision['type'] | null;
  /** True if the run has a payment that can be reversed. */
  hasPayment: boolean;
  mandate: KnownMandate;
  /** The account or card that the run was sent with, or null if unknown. */
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

/** Reads runs by reference, with their debits, mandates and any results. */
async function findRuns(
  sql: Queryable,
  kind: DebitKind,
  references: string[],
): Promise<Map<string, KnownRun>> {
  const named = references.flatMap((reference) => {
    const run = runOfReference(reference);
    return run ? [{ reference, ...run }] : [];
  });
  const rows = await findNamedRuns(sql, kind, named);
  const done = rows.filter(({ run_state }) => run_state === 'done');
  const keys = done.map(({ account_id, id, no }) => ({
    accountId: account_id,
    requestId: id,
    runNo: no,
  }));
  const decisions = keys.length > 0 ? await readDecisions(sql, keys) : [];
  const payments = keys.length > 0 ? await readRunPayments(sql, keys) : [];
  const decided = new Map(
    done.map(({ place }, index) => [
      place,
      {
        decision: decisions[index]?.type ?? null,
        hasPayment: payments[index]?.isThere ?? false,
      },
    ]),
  );
  return new Map(
    rows.map((row) => [
      named[row.place - 1]?.reference ?? '',
      {
        account_id: row.account_id,
        run: { no: row.no, state: row.run_state, amount: row.amount },
        request: { id: row.id, state: row.state, due2: row.due2, total2: row.total2 },
        ...(decided.get(row.place) ?? { decision: null, hasPayment: false }),
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

/** Returns true if a line concerns the mandate itself, not only a run. */
const isOfMandate = ({ news, replacement }: DebitItem): boolean =>
  news.type === 'mandate_ended' || replacement !== null || news.type === 'instrument_changed';

/** Reads the runs and mandates that items name. */
export async function findSubjects(
  sql: Queryable,
  kind: DebitKind,
  items: DebitItem[],
): Promise<Subjects> {
  const ids = items.filter(isOfMandate).map(({ mandate }) => mandateOfCode(mandate));
  const [runs, mandates] = await Promise.all([
    findRuns(sql, kind, [...new Set(items.map(({ reference }) => reference))]),
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
