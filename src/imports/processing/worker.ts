import type { LocalizedText } from '../../language/localized-text.ts';
import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { finishJob, isConflict, jobRound, leaseEnd } from '../../platform/imports/jobs.ts';
import { fault } from '../codes.ts';
import { type Import, importMoves, keyOf } from '../import.ts';
import type { Kinds, Makers } from '../kinds/kind.ts';
import { noteImport } from '../note.ts';
import { endedSet, importJobs, moveImport } from '../store.ts';
import { createPage } from './create.ts';
import { withdrawPage } from './withdraw.ts';

/** Runs due import jobs: creates the rows of confirmed imports, and undoes others. */
export function importWorker(base: Base, kinds: Kinds, makers: Makers) {
  const { sql, reads, recordIds } = base;
  const create = createPage(base);
  const withdraw = withdrawPage(base);

  const end = async (
    one: Import,
    move: 'complete' | 'fail' | 'finishUndo',
    error: string | LocalizedText | null = null,
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
    await finishJob(
      base,
      importJobs.name,
      { job: one, signal },
      {
        work: () =>
          undoes
            ? throughPages(one.undone_page, one.next_page, signal, (no) =>
                withdraw(one, { maker, no, until: leaseEnd(base) }),
              )
            : throughPages(one.next_page, one.page_count, signal, (no) =>
                create(one, { kind: kinds[one.kind], maker, no, until: leaseEnd(base) }),
              ),
        end: (error) =>
          end(one, error === null ? (undoes ? 'finishUndo' : 'complete') : 'fail', error),
        isFinal: (error) => !undoes && isConflict(error),
      },
    );
  };

  return jobRound(base, importJobs, {
    step: (one, signal) => reads.writing(one.account_id, () => step(one, signal)),
    // An undo is retried without limit: money may still arrive for the rest.
    giveUp: (one) =>
      one.state === 'running' ? () => end(one, 'fail', fault('import.given_up', {})) : null,
  });
}
