import { accountRefusal, refuseUnlessActive } from '../../accounts/index.ts';
import type { BankMandateInput, SignedElsewhere } from '../../mandates/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { faultsOf, Refusal } from '../../platform/errors.ts';
import { lockNames } from '../../platform/postgres/advisory-lock.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import type { ImportMaker } from '../kinds/kind.ts';
import type { Judged, SoundRow } from './judge.ts';
import type { MovedKind } from './row.ts';
import { insertMoved, readMoves } from './store.ts';

export interface MoveMakers {
  requests: Readonly<Record<Exclude<MovedKind, 'adhesion'>, Pick<ImportMaker<unknown>, 'create'>>>;
  mandates(tx: Transaction, ctx: Ctx, moved: readonly SignedElsewhere[]): Promise<{ id: number }[]>;
}

const create = async (
  makers: MoveMakers,
  { tx, ctx, kind }: { tx: Transaction; ctx: Ctx; kind: MovedKind },
  rows: readonly SoundRow[],
): Promise<({ id: number } | Error)[]> => {
  if (kind !== 'adhesion') {
    return await makers.requests[kind].create(
      tx,
      ctx,
      rows.map(({ input }) => input),
    );
  }
  return await makers.mandates(
    tx,
    ctx,
    rows.map(({ input, signed }) => {
      if (signed === null) throw new Error('a mandate without evidence was judged sound');
      return { input: input as BankMandateInput, ...signed };
    }),
  );
};

/**
 * Creates one kind's valid rows and records their old ids in one transaction, so that a crash
 * leaves nothing of the batch. Serializes an account's imports, so that the second of two moves
 * finds the first's ids. Returns the rows that a verb refused.
 */
export const writeRows =
  ({ sql, clocks }: Base, makers: MoveMakers) =>
  async (ctx: Ctx, kind: MovedKind, rows: readonly SoundRow[]): Promise<Judged[]> => {
    const { accountId } = ctx;
    return await sql.begin(async (tx) => {
      await lockNames(tx, `imports ${accountId}`);
      await refuseUnlessActive(tx, accountId, () => accountRefusal('account.creates_nothing', {}));
      const there = await readMoves(
        tx,
        { accountId, kind },
        rows.map(({ row }) => row.oldId),
      );
      const fresh = rows.filter(({ row }) => !there.has(row.oldId));
      const made = fresh.length > 0 ? await create(makers, { tx, ctx, kind }, fresh) : [];
      const moved = fresh.flatMap(({ row }, index) => {
        const one = made[index];
        return one && !(one instanceof Error) ? [{ oldId: row.oldId, newId: one.id }] : [];
      });
      if (moved.length > 0) {
        await insertMoved(tx, { accountId, kind, at: clocks.business.now() }, moved);
      }
      return fresh.flatMap(({ row }, index): Judged[] => {
        const error = made[index];
        if (!(error instanceof Error)) return [];
        if (!(error instanceof Refusal)) throw error;
        return [{ row, outcome: 'faulty', faults: faultsOf(error) }];
      });
    });
  };
