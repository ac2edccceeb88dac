import { dayOf } from '../../kernel/dates.ts';
import { type Centavos, plus, zero } from '../../kernel/money.ts';
import type { MandateRow } from '../../mandates/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import {
  isOpen,
  type MovedKind,
  movedKinds,
  movingRow,
  type OpenRow,
  type SourceRow,
} from './row.ts';
import { type Booked, readBooked, readMoves } from './store.ts';

/** A kind's open rows in the files, compared with their bookings. */
export interface KindReconciled {
  kind: MovedKind;
  file_rows: number;
  file_amount: Centavos;
  booked_rows: number;
  booked_amount: Centavos;
  /** Booked rows by their current state. */
  states: Record<string, number>;
}

/** A row whose booking is missing or differs. */
export interface Difference {
  what: 'not_booked' | 'amount';
  row: OpenRow;
  booked: Centavos | null;
}

export interface ReconciledRow {
  row: OpenRow;
  booked: Booked | null;
}

export type FindMandateRow = (key: {
  accountId: string;
  kind: 'adhesion';
  id: number;
}) => Promise<MandateRow | null>;

/** Returns a row with the amount due on a day, because the second due date changes what is owed. */
function owedOn(row: OpenRow, day: Temporal.PlainDate): OpenRow {
  const { file, row: no, sent } = row;
  const { amount } = movingRow({ file, row: no, value: sent }, day);
  return { ...row, amount };
}

/** Compares files with bookings, independently of a run's own counts. */
export class Reconciliation {
  readonly #parts: { base: Base; findMandate: FindMandateRow };
  readonly #ctx: Ctx;
  readonly #seen = new Set<string>();
  readonly #kinds = new Map<MovedKind, KindReconciled>();

  constructor(parts: { base: Base; findMandate: FindMandateRow }, ctx: Ctx) {
    this.#parts = parts;
    this.#ctx = ctx;
  }

  /** Reads the bookings of a batch's open rows. `booked` is null for a row without one. */
  async read(batch: readonly SourceRow[]): Promise<ReconciledRow[]> {
    const today = this.#parts.base.clocks.business.today();
    const open = batch.map((one) => movingRow(one, today)).filter(isOpen);
    const fresh = open.filter(({ kind, oldId }) => {
      const name = `${kind} ${oldId}`;
      const isNew = !this.#seen.has(name);
      this.#seen.add(name);
      return isNew;
    });
    const read: ReconciledRow[] = [];
    for (const kind of movedKinds) {
      const rows = fresh.filter((row) => row.kind === kind);
      if (rows.length > 0) read.push(...(await this.#readKind(kind, rows)));
    }
    return read;
  }

  async #readKind(kind: MovedKind, rows: readonly OpenRow[]): Promise<ReconciledRow[]> {
    const { accountId } = this.#ctx;
    const { sql } = this.#parts.base;
    const oldIds = rows.map(({ oldId }) => oldId);
    const moves = await readMoves(sql, { accountId, kind }, oldIds);
    const ids = [...moves.values()].map(({ newId }) => newId);
    const booked = await this.#booked(kind, ids);
    return rows.map((row) => {
      const move = moves.get(row.oldId);
      const one =
        move === undefined
          ? { row, booked: null }
          : { row: owedOn(row, dayOf(move.at)), booked: booked.get(move.newId) ?? null };
      this.#count(one);
      return one;
    });
  }

  async #booked(kind: MovedKind, ids: readonly number[]): Promise<Map<number, Booked>> {
    const { accountId } = this.#ctx;
    const { base, findMandate } = this.#parts;
    if (kind !== 'adhesion') return await readBooked(base.sql, accountId, ids);
    const rows = await Promise.all(
      ids.map((id) => findMandate({ accountId, kind: 'adhesion', id })),
    );
    return new Map(
      rows.flatMap((row) =>
        row ? [[row.id, { newId: String(row.id), state: row.state, amount: null }]] : [],
      ),
    );
  }

  #count({ row, booked }: ReconciledRow): void {
    const counts = this.#kinds.get(row.kind) ?? {
      kind: row.kind,
      ...{ file_rows: 0, file_amount: zero, booked_rows: 0, booked_amount: zero },
      states: {},
    };
    counts.file_rows += 1;
    counts.file_amount = plus(counts.file_amount, row.amount ?? zero);
    if (booked) {
      counts.booked_rows += 1;
      counts.booked_amount = plus(counts.booked_amount, booked.amount ?? zero);
      counts.states[booked.state] = (counts.states[booked.state] ?? 0) + 1;
    }
    this.#kinds.set(row.kind, counts);
  }

  list(): KindReconciled[] {
    return movedKinds.flatMap((kind) => this.#kinds.get(kind) ?? []);
  }
}

export function differenceOf({ row, booked }: ReconciledRow): Difference | null {
  if (booked === null) return { what: 'not_booked', row, booked: null };
  if (row.kind === 'adhesion' || booked.amount === row.amount) return null;
  return { what: 'amount', row, booked: booked.amount };
}
