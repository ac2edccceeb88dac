import { accountRefusal, refuseUnlessActive } from '../../accounts/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { workDone } from '../../platform/progress.ts';
import type { Kinds } from '../kinds/kind.ts';
import { Judge, type Judged, type MoveOptions, type SoundRow } from './judge.ts';
import {
  type Difference,
  differenceOf,
  type FindMandateRow,
  type KindReconciled,
  type ReconciledRow,
  Reconciliation,
} from './reconcile.ts';
import { movedKinds } from './row.ts';
import { rowsOf } from './source.ts';
import { Tallies, type Tally } from './tally.ts';
import { type MoveMakers, writeRows } from './write.ts';

export interface MoveParts {
  kinds: Kinds;
  makers: MoveMakers;
  findMandate: FindMandateRow;
}

type Faulty = Extract<Judged, { outcome: 'faulty' }>;

/** Returns true for a valid row. A debit whose mandate could not be moved has no input. */
const isSound = (one: Judged): one is SoundRow => one.outcome === 'sound' && one.input !== null;

/** Moves requests and mandates that are open with another provider into an account. */
export function createMove(base: Base, { kinds, makers, findMandate }: MoveParts) {
  const write = writeRows(base, makers);
  const parts = { base, kinds };

  const judged = async (
    { ctx, files, options }: { ctx: Ctx; files: readonly string[]; options: MoveOptions },
    see: (rows: Judged[]) => Promise<void>,
  ): Promise<void> => {
    const judge = new Judge(parts, ctx, options);
    // Debits come last, whatever the order of files, because their mandates must exist.
    for (const debits of [false, true]) {
      if (debits && !judge.foundDebits) break;
      for await (const batch of rowsOf(files)) {
        const rows = await judge.judge(batch, debits);
        await see(rows);
        workDone(rows.length);
      }
    }
  };

  return {
    /** Checks every row without writing. Calls `onFault` with each row that cannot be moved. */
    async preview(
      move: { ctx: Ctx; files: readonly string[]; options: MoveOptions },
      onFault: (row: Faulty) => Promise<void>,
    ): Promise<Tally[]> {
      await refuseUnlessActive(base.sql, move.ctx.accountId, () =>
        accountRefusal('account.creates_nothing', {}),
      );
      const tallies = new Tallies();
      await judged(move, async (rows) => {
        for (const one of rows) {
          tallies.add(one);
          if (one.outcome === 'faulty') await onFault(one);
        }
      });
      return tallies.list();
    },

    /** Moves valid rows. Calls `onFault` with each row that a verb refuses. */
    async apply(
      move: { ctx: Ctx; files: readonly string[]; options: MoveOptions },
      onFault: (row: Faulty) => Promise<void>,
    ): Promise<void> {
      await judged(move, async (rows) => {
        for (const kind of movedKinds) {
          const sound = rows.filter(isSound).filter(({ row }) => row.kind === kind);
          if (sound.length === 0) continue;
          const refused = await write(move.ctx, kind, sound);
          for (const one of refused) if (one.outcome === 'faulty') await onFault(one);
        }
      });
    },

    /** Compares the files with the books. Passes each open row with its booking to `onRow`. */
    async reconcile(
      { ctx, files }: { ctx: Ctx; files: readonly string[] },
      onRow: (row: ReconciledRow, difference: Difference | null) => Promise<void>,
    ): Promise<KindReconciled[]> {
      const reconciliation = new Reconciliation({ base, findMandate }, ctx);
      for await (const batch of rowsOf(files)) {
        for (const one of await reconciliation.read(batch)) await onRow(one, differenceOf(one));
        workDone(batch.length);
      }
      return reconciliation.list();
    },
  };
}

export type Move = ReturnType<typeof createMove>;
