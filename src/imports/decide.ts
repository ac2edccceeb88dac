import { accountRefusal, refuseUnlessActive } from '../accounts/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { comments } from '../requests/index.ts';
import { refusal } from './codes.ts';
import { type Import, type ImportKey, type ImportMove, importMoves } from './import.ts';
import { type NoteTerms, noteImport } from './note.ts';
import {
  confirmedSet,
  dropRows,
  findImport,
  type MoveTerms,
  moveImport,
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
  terms?: (tx: Transaction) => MoveTerms;
  /** Throws if something prevents the move. Runs under the import's lock. */
  check?: (tx: Transaction, one: Import) => Promise<void>;
  data?: Record<string, unknown>;
}

/**
 * Writes a decision and its event. Returns null if the import is in another state, or its version
 * is not the one seen.
 */
export async function writeDecision(
  tx: Transaction,
  base: Base,
  key: ImportKey,
  { move, terms, check, ...note }: Step & Pick<NoteTerms, 'actor' | 'eventId'>,
): Promise<Import | null> {
  const moved = await moveImport(tx, key, move, terms?.(tx));
  if (!moved) return null;
  await check?.(tx, moved);
  // The rows are stored as previewed, so the file is no longer needed.
  await dropFile(tx, key);
  await noteImport(tx, base, moved, { event: importMoves[move].event, ...note });
  return move === 'discard' ? await dropRows(tx, moved) : moved;
}

/** Executes a user's decision about an import, or throws a refusal. */
const decide =
  (base: Base) =>
  async ({ accountId, actor }: Ctx, id: number, step: Step): Promise<Import> => {
    const key = { accountId, id };
    const eventId = await base.recordIds.next();
    return await base.sql.begin(async (tx) => {
      const moved = await writeDecision(tx, base, key, { ...step, actor, eventId });
      if (moved) return moved;
      const { state } = await findImport(tx, key);
      const from: readonly string[] = importMoves[step.move].from;
      throw from.includes(state)
        ? refusal('import.changed', {})
        : refusal('import.wrong_state', { state, allowed: from.join(' or ') });
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
     * Confirms an import, whose rows workers then create. Continues a failed one. Throws 422 if a
     * required field has no column or every row is faulty. Throws 409 if it was confirmed or
     * changed concurrently, its undo has begun, the account is not active, or, without `again`, the
     * same file was already imported.
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
    /** Discards a draft, with its file and rows. */
    discard: (ctx: Ctx, id: number) => step(ctx, id, { move: 'discard' }),
    /**
     * Withdraws everything unpaid. `by` names the author in each request's comment. Stops creating
     * the rest.
     */
    undo: (ctx: Ctx, id: number, by: string) =>
      step(ctx, id, {
        move: 'undo',
        terms: (tx) => ({
          set: undoSet(tx, {
            comment: comments.importUndone(by, id),
            actor: ctx.actor,
            now: wall.now(),
          }),
        }),
        data: { by },
      }),
  };
}
