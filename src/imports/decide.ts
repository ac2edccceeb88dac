import { accountRefusal, refuseUnlessActive } from '../accounts/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { refusal } from './codes.ts';
import { type Import, type ImportMove, importMoves } from './import.ts';
import { noteImport } from './note.ts';
import {
  confirmedSet,
  type MoveTerms,
  moveImport,
  readImport,
  readSameFile,
  undoSet,
} from './store.ts';
import { dropFile } from './store-files.ts';

/** A confirmation, with the version and options that its author saw. */
export interface Confirmation {
  /** The confirmed version. A new match needs another confirmation. */
  version: number;
  /** True to create rows whose reference already exists. */
  repeatsToo: boolean;
  /** True to run although the same file was imported before. */
  again: boolean;
}

interface Step {
  move: ImportMove;
  terms: (tx: Transaction) => MoveTerms;
  /** Throws if something prevents the move. Runs under the import's lock. */
  check?: (tx: Transaction, one: Import) => Promise<void>;
  data?: Record<string, unknown>;
}

/**
 * Executes a user's decision about an import: writes the move and its event, or throws a refusal.
 */
const decide =
  (base: Base) =>
  async (ctx: Ctx, id: number, { move, terms, check, data }: Step): Promise<Import> => {
    const key = { accountId: ctx.accountId, id };
    const eventId = await base.recordIds.next();
    return await base.sql.begin(async (tx) => {
      const moved = await moveImport(tx, key, move, terms(tx));
      if (!moved) {
        const one = await readImport(tx, key);
        if (!one) throw refusal('import.not_found', {});
        const from: readonly string[] = importMoves[move].from;
        throw from.includes(one.state)
          ? refusal('import.changed', {})
          : refusal('import.wrong_state', { state: one.state, allowed: from.join(' or ') });
      }
      await check?.(tx, moved);
      // The rows are stored as previewed, so the file is no longer needed.
      await dropFile(tx, key);
      const { event } = importMoves[move];
      await noteImport(tx, base, moved, { event, actor: ctx.actor, eventId, data: data ?? {} });
      return moved;
    });
  };

function refuseUnchecked({ faulty_count, row_count }: Import): void {
  if (faulty_count === null) {
    throw refusal('import.columns_missing', {});
  }
  if (faulty_count === row_count) {
    throw refusal('import.nothing_to_create', {});
  }
}

async function refuseAgain(tx: Transaction, one: Import): Promise<void> {
  const { done } = await readSameFile(tx, one);
  if (done) throw refusal('import.repeated', { id: done.id, state: done.state });
}

export function decisions(base: Base) {
  const step = decide(base);
  const { wall } = base.clocks;
  return {
    /**
     * Confirms an import, whose rows workers then create. Continues a failed one. Throws 409 if it
     * was confirmed, changed or undone concurrently, or the same file was already imported.
     */
    confirm: (ctx: Ctx, id: number, { version, repeatsToo, again }: Confirmation) =>
      step(ctx, id, {
        move: 'confirm',
        terms: (tx) => ({
          seen: version,
          set: confirmedSet(tx, { repeatsToo, actor: ctx.actor, now: wall.now() }),
        }),
        data: { repeats_too: repeatsToo },
        async check(tx, one) {
          await refuseUnlessActive(tx, one.account_id, () =>
            accountRefusal('account.creates_nothing', {}),
          );
          refuseUnchecked(one);
          if (one.undone_page > 0) throw refusal('import.undone_in_part', {});
          if (!again) await refuseAgain(tx, one);
        },
      }),
    /** Discards a draft. */
    discard: (ctx: Ctx, id: number) => step(ctx, id, { move: 'discard', terms: () => ({}) }),
    /**
     * Withdraws everything unpaid. `by` names the author in each request's comment. Stops creating
     * the rest.
     */
    undo: (ctx: Ctx, id: number, by: string) =>
      step(ctx, id, {
        move: 'undo',
        terms: (tx) => ({
          set: undoSet(tx, {
            comment: `Withdrawn by ${by}: import ${id} was undone.`,
            actor: ctx.actor,
            now: wall.now(),
          }),
        }),
        data: { by },
      }),
  };
}
