import { accountRefusal, refuseUnlessActive } from '../../accounts/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { type FoundFault, faultsOf, Refusal } from '../../platform/errors.ts';
import { takeParts } from '../../platform/imports/jobs.ts';
import { lockNames } from '../../platform/postgres/advisory-lock.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import { checkRows, type RowCheck, repeatsOf } from '../check.ts';
import { type Import, keyOf } from '../import.ts';
import type { ImportKind, ImportMaker, Made } from '../kinds/kind.ts';
import { importJobs } from '../store.ts';
import { type Counts, type RowOutcome, readPage, storeOutcomes } from '../store-pages.ts';

/** Returns the context of an import, with the actor who confirmed it, or started to undo it. */
export function ctxOf(one: Import): Ctx {
  if (one.actor === null) throw new Error(`import ${one.id} was confirmed by nobody`);
  const actor: Actor = one.actor;
  return { accountId: one.account_id, actor };
}

/** Returns the faults of a refusal. Rethrows any other error. */
const refusedFor = (error: Error): FoundFault[] => {
  if (error instanceof Refusal) return faultsOf(error);
  throw error;
};

interface PageWork {
  kind: ImportKind<unknown>;
  maker: ImportMaker<unknown>;
  no: number;
  until: Temporal.Instant;
}

type Sound = Extract<RowCheck<unknown>, { ok: true }>;

/** Returns a page's valid rows. Omits repeats, unless the import creates those too. */
async function rowsToCreate(
  tx: Transaction,
  one: Import,
  kind: ImportKind<unknown>,
  checks: readonly RowCheck<unknown>[],
): Promise<Sound[]> {
  const sound = checks.filter((check): check is Sound => check.ok);
  if (one.repeats_too) return sound;
  const repeats = await repeatsOf(tx, kind, one.account_id, sound, new Set());
  const repeated = new Set(repeats.map(([row]) => row));
  return sound.filter(({ row }) => !repeated.has(row));
}

const countsOf = (outcomes: readonly RowOutcome[]): Counts => {
  const created = outcomes.filter(([, id]) => id !== null).length;
  const rejected = outcomes.filter(([, id, faults]) => id === null && faults.length > 0).length;
  return { created, rejected, skipped: outcomes.length - created - rejected };
};

/**
 * Creates a page's rows and records it in the same transaction, so that after a crash the next
 * worker redoes the page. Returns false if another worker did it, or the import no longer runs. An
 * account's imports write one page at a time, so that each sees the others' references.
 */
export const createPage =
  ({ sql }: Base) =>
  async (one: Import, { kind, maker, no, until }: PageWork): Promise<boolean> => {
    const page = await readPage(sql, keyOf(one), no);
    if (!page) throw new Error(`import ${one.id} has no page ${no}`);
    const check = await kind.checker(one.account_id);
    const checks = await checkRows(kind, check, one, page.rows);
    const ctx = ctxOf(one);
    const made = await sql.begin(async (tx): Promise<(Made | Error)[] | null> => {
      await lockNames(tx, `imports ${one.account_id}`);
      const taken = { cursor: 'next_page', from: no, until };
      if (!(await takeParts(tx, importJobs.name, one, taken))) return null;
      await refuseUnlessActive(tx, one.account_id, () =>
        accountRefusal('account.creates_nothing', {}),
      );
      const toCreate = await rowsToCreate(tx, one, kind, checks);
      const made = await maker.create(
        tx,
        ctx,
        toCreate.map(({ input }) => input),
      );
      const madeOf = new Map(toCreate.map(({ row }, index) => [row, made[index]]));
      const outcomes = checks.map((row): RowOutcome => {
        if (!row.ok) return [row.row, null, row.faults];
        const outcome = madeOf.get(row.row);
        if (outcome === undefined) return [row.row, null, []];
        return outcome instanceof Error
          ? [row.row, null, refusedFor(outcome)]
          : [row.row, outcome.id, []];
      });
      await storeOutcomes(tx, one, { no, outcomes, counts: countsOf(outcomes) });
      return made;
    });
    for (const outcome of made ?? []) {
      if (!(outcome instanceof Error)) await outcome.follow?.();
    }
    return made !== null;
  };
