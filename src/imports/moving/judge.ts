import { setImmediate as othersTurn } from 'node:timers/promises';
import { partsOf } from '../../kernel/lists.ts';
import type { SignedElsewhere } from '../../mandates/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { FoundFault } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { fault } from '../codes.ts';
import type { CheckRow, Kinds } from '../kinds/kind.ts';
import { readEvidence } from './evidence.ts';
import {
  faultAt,
  isOpen,
  type MovedKind,
  type MovingRow,
  mandateFault,
  movedKinds,
  movingRow,
  type OpenRow,
  oldMandateOf,
  type SourceRow,
} from './row.ts';
import { amongMoved, type Moves, readMoves } from './store.ts';

/** A checked row, before anything is written. */
export type Judged =
  /**
   * `left_out`: not open, or of a kind that does not move. `repeated`: an earlier row has its id.
   */
  | { row: MovingRow; outcome: 'left_out' | 'repeated' }
  | { row: MovingRow; outcome: 'faulty'; faults: FoundFault[] }
  | { row: OpenRow; outcome: 'there'; newId: number }
  | { row: OpenRow; outcome: 'sound'; input: unknown; signed: Signed | null };

type Signed = Omit<SignedElsewhere, 'input'>;
export type SoundRow = Extract<Judged, { outcome: 'sound' }>;

export interface MoveOptions {
  /** True to move rows whose reference the account already has, except QRs. */
  repeats: boolean;
  /** City for QRs whose row has none. If null, such rows are faulty. */
  city: string | null;
}

const checkedAtOnce = 50;
/** Placeholder id in the check of a debit whose mandate is not moved yet. */
const mandateToCome = Number.MAX_SAFE_INTEGER;

/** Judges rows of files batch by batch, remembering their ids. */
export class Judge {
  foundDebits = false;
  readonly #parts: { base: Base; kinds: Kinds };
  readonly #ctx: Ctx;
  readonly #options: MoveOptions;
  readonly #seen = new Set<string>();
  readonly #comingMandates = new Set<string>();
  readonly #checks = new Map<MovedKind, CheckRow<unknown>>();

  constructor(parts: { base: Base; kinds: Kinds }, ctx: Ctx, options: MoveOptions) {
    this.#parts = parts;
    this.#ctx = ctx;
    this.#options = options;
  }

  /**
   * Judges the debits of a batch, or all its other rows, because mandates come before their debits.
   */
  async judge(batch: readonly SourceRow[], debits: boolean): Promise<Judged[]> {
    const { base } = this.#parts;
    const today = base.clocks.business.today();
    const all = batch.map((one) => movingRow(one, today));
    const rows = all.filter(({ kind }) => (kind === 'debit_request') === debits);
    if (!debits && rows.length < all.length) this.foundDebits = true;
    const moved = await movedOf(base.sql, this.#ctx.accountId, rows);
    const judged: Judged[] = [];
    for (const some of partsOf(rows, checkedAtOnce)) {
      await othersTurn();
      judged.push(...(await Promise.all(some.map((row) => this.#judgeRow(row, moved)))));
    }
    return await this.#withoutReferences(judged);
  }

  async #judgeRow(row: MovingRow, moved: MovedIds): Promise<Judged> {
    if (row.faults.length > 0) return { row, outcome: 'faulty', faults: row.faults };
    if (!isOpen(row)) return { row, outcome: 'left_out' };
    const name = `${row.kind} ${row.oldId}`;
    if (this.#seen.has(name)) return { row, outcome: 'repeated' };
    this.#seen.add(name);
    const newId = moved.get(row.kind)?.get(row.oldId)?.newId;
    if (newId !== undefined) return { row, outcome: 'there', newId };
    if (row.kind === 'debit_request') return await this.#judgeDebit(row, moved);
    const judged = await this.#check(row);
    if (row.kind !== 'adhesion') return judged;
    const { faults, signed } = readEvidence(row, this.#parts.base.clocks.business.now());
    const all = [...(judged.outcome === 'faulty' ? judged.faults : []), ...faults];
    if (judged.outcome !== 'sound' || all.length > 0)
      return { row, outcome: 'faulty', faults: all };
    this.#comingMandates.add(row.oldId);
    return { ...judged, signed };
  }

  /** Judges a debit, which names its mandate by the old id. */
  async #judgeDebit(row: OpenRow, moved: MovedIds): Promise<Judged> {
    const old = oldMandateOf(row);
    const mandate = moved.get('adhesion')?.get(old)?.newId;
    const comes = mandate === undefined && this.#comingMandates.has(old);
    const judged = await this.#check({
      ...row,
      body: { ...row.body, adhesion_id: mandate ?? mandateToCome },
    });
    if (mandate !== undefined || judged.outcome !== 'faulty') return judged;
    const others = judged.faults.filter(({ path }) => path[0] !== 'adhesion_id');
    if (!comes) {
      return { row, outcome: 'faulty', faults: [mandateFault(row), ...others] };
    }
    if (others.length > 0) return { row, outcome: 'faulty', faults: others };
    // Checked again once its mandate exists.
    return { row, outcome: 'sound', input: null, signed: null };
  }

  async #check(row: OpenRow): Promise<Exclude<Judged, { outcome: 'there' | 'left_out' }>> {
    const { kinds } = this.#parts;
    const kind = kinds[row.kind];
    let check = this.#checks.get(row.kind);
    if (!check) {
      kind.refuseUnlessOffered?.();
      check = await kind.checker(this.#ctx.accountId);
      this.#checks.set(row.kind, check);
    }
    const { city } = this.#options;
    const filled = row.kind === 'qr' && city !== null ? { city, ...row.body } : row.body;
    const checked = await check(filled);
    return checked.ok
      ? { row, outcome: 'sound', input: checked.input, signed: null }
      : { row, outcome: 'faulty', faults: checked.faults };
  }

  /**
   * Marks valid rows as faulty if another entity of the account has their reference. With
   * `repeats`, only QRs, whose reference is their id.
   */
  async #withoutReferences(judged: Judged[]): Promise<Judged[]> {
    const { base, kinds } = this.#parts;
    const taken = await takenReferences(base.sql, kinds, this.#ctx.accountId, judged);
    return judged.map((one): Judged => {
      const id = taken.get(one);
      if (id === undefined || (this.#options.repeats && one.row.kind !== 'qr')) return one;
      const path = [one.row.kind === 'qr' ? 'id' : 'external_reference'];
      // Its debits cannot move either.
      if (one.row.kind === 'adhesion') this.#comingMandates.delete(one.row.oldId);
      const faults = [faultAt(path, fault('import.reference_taken', { id: String(id) }))];
      return { row: one.row, outcome: 'faulty', faults };
    });
  }
}

type MovedIds = ReadonlyMap<MovedKind, Moves>;

/** Reads the new ids of rows that were moved before, and of their mandates, by kind and old id. */
async function movedOf(
  sql: Queryable,
  accountId: string,
  rows: readonly MovingRow[],
): Promise<MovedIds> {
  const open = rows.filter(isOpen);
  const oldIdsOf = (kind: MovedKind): string[] => [
    ...open.filter((row) => row.kind === kind).map(({ oldId }) => oldId),
    ...(kind === 'adhesion'
      ? open.filter((row) => row.kind === 'debit_request').map(oldMandateOf)
      : []),
  ];
  const found = await Promise.all(
    movedKinds.map(async (kind) => {
      const ids = oldIdsOf(kind);
      const moved = ids.length > 0 ? await readMoves(sql, { accountId, kind }, ids) : new Map();
      return [kind, moved] as const;
    }),
  );
  return new Map(found);
}

/**
 * Returns valid rows whose reference is taken, with the id of the entity that already has it.
 * Requests and mandates moved from the former provider do not count.
 */
async function takenReferences(
  sql: Queryable,
  kinds: Kinds,
  accountId: string,
  judged: readonly Judged[],
): Promise<Map<Judged, number>> {
  const taken = new Map<Judged, number>();
  for (const kind of movedKinds) {
    const named = judged.flatMap((one) => {
      if (one.outcome !== 'sound' || one.row.kind !== kind || one.input === null) return [];
      const reference = kinds[kind].referenceOf(one.input);
      return reference === null ? [] : [{ one, reference }];
    });
    if (named.length === 0) continue;
    const references = [...new Set(named.map(({ reference }) => reference))];
    const existing = await kinds[kind].existing(sql, accountId, references);
    if (existing.size === 0) continue;
    const moved = await amongMoved(sql, { accountId, kind }, [...existing.values()]);
    for (const { one, reference } of named) {
      const id = existing.get(reference);
      if (id !== undefined && (kind === 'qr' || !moved.has(id))) taken.set(one, id);
    }
  }
  return taken;
}
