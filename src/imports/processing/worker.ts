import type { Said } from '../../language/said.ts';
import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { Refusal } from '../../platform/errors.ts';
import { jobRound, leaseEnd, lookAgain } from '../../platform/jobs.ts';
import { fault } from '../codes.ts';
import { type Import, importMoves, keyOf } from '../import.ts';
import type { Kinds, Makers } from '../kinds/kind.ts';
import { noteImport } from '../note.ts';
import { endedSet, importJobs, moveImport } from '../store.ts';
import { createPage } from './create.ts';
import { withdrawPage } from './withdraw.ts';

/** Returns true if the account was suspended or closed, which a retry cannot fix. */
const isConflict = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.kind === 'conflict';

/** Runs due import jobs: creates the rows of confirmed imports, and undoes others. */
export function importWorker(base: Base, kinds: Kinds, makers: Makers) {
  const { sql, reads, clocks, recordIds } = base;
  const create = createPage(base);
  const withdraw = withdrawPage(base);

  const end = async (
    one: Import,
    move: 'complete' | 'fail' | 'finishUndo',
    error: string | Said | null = null,
  ): Promise<void> => {
    const eventId = await recordIds.next();
    await sql.begin(async (tx) => {
      const ended = await moveImport(tx, keyOf(one), move, { set: endedSet(tx, error) });
      if (!ended) return;
      const { created, rejected, skipped, withdrawn } = ended;
      const data = {
        created,
        rejected,
        skipped,
        withdrawn,
        ...(error !== null && { error: String(error) }),
      };
      const { event } = importMoves[move];
      await noteImport(tx, base, ended, { event, actor: system, eventId, data });
    });
  };

  /** Runs `work` page by page. Returns false if it lost the import, or the signal stopped it. */
  const throughPages = async (
    from: number,
    to: number,
    signal: AbortSignal,
    work: (no: number) => Promise<boolean>,
  ): Promise<boolean> => {
    for (let no = from; no < to; no += 1) {
      if (signal.aborted || !(await work(no))) return false;
    }
    return true;
  };

  const step = async (one: Import, signal: AbortSignal): Promise<void> => {
    const maker = makers[one.kind];
    const undoes = one.state === 'undoing';
    const done = undoes
      ? await throughPages(one.undone_page, one.next_page, signal, (no) =>
          withdraw(one, { maker, no, until: leaseEnd(base) }),
        )
      : await throughPages(one.next_page, one.page_count, signal, (no) =>
          create(one, { kind: kinds[one.kind], maker, no, until: leaseEnd(base) }),
        );
    if (done) await end(one, undoes ? 'finishUndo' : 'complete');
    else if (signal.aborted) {
      await lookAgain(sql, importJobs.name, one, { at: clocks.wall.now(), done: true });
    }
  };

  return jobRound(base, importJobs, {
    async step(one, signal) {
      try {
        await reads.writing(one.account_id, () => step(one, signal));
      } catch (error) {
        if (!(one.state === 'running' && isConflict(error))) throw error;
        await end(one, 'fail', error.said ?? error.message);
      }
    },
    // An undo is retried without limit: money may still arrive for the rest.
    giveUp: (one) =>
      one.state === 'running' ? () => end(one, 'fail', fault('import.given_up', {})) : null,
  });
}
