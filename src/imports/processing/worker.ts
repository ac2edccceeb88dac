import type { Said } from '../../language/said.ts';
import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { Refusal } from '../../platform/errors.ts';
import { fault } from '../codes.ts';
import { type Import, importMoves, keyOf } from '../import.ts';
import type { Kinds, Makers } from '../kinds/kind.ts';
import { noteImport } from '../note.ts';
import { claimImport, dueImports, endedSet, lookAgain, moveImport } from '../store.ts';
import { createPage } from './create.ts';
import { withdrawPage } from './withdraw.ts';

/** Lease on an import. If its worker fails, another one takes over. */
const lease = Temporal.Duration.from({ seconds: 5 });

/** Gives up after this many consecutive failures, about an hour. */
const mostTries = 20;

/** Backoff in seconds. Doubles each time, up to five minutes. */
const pauseAfter = (tries: number): number => Math.min(5 * 2 ** Math.min(tries - 1, 8), 300);

/** Returns true if the account was suspended or closed, which a retry cannot fix. */
const isConflict = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.kind === 'conflict';

/** Does the imports' due work: creates rows of confirmed ones, undoes others. */
export function importWorker(base: Base, kinds: Kinds, makers: Makers) {
  const { sql, reads, clocks, log, recordIds } = base;
  const create = createPage(base);
  const withdraw = withdrawPage(base);
  const until = () => clocks.wall.now().add(lease);

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

  /** Works page by page. Returns false if another worker does, or the signal stopped it. */
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
          withdraw(one, { maker, no, until: until() }),
        )
      : await throughPages(one.next_page, one.page_count, signal, (no) =>
          create(one, { kind: kinds[one.kind], maker, no, until: until() }),
        );
    if (done) await end(one, undoes ? 'finishUndo' : 'complete');
    else if (signal.aborted) await lookAgain(sql, one, { at: clocks.wall.now(), done: true });
  };

  const tryStep = async (one: Import, signal: AbortSignal): Promise<void> => {
    try {
      await reads.writing(one.account_id, () => step(one, signal));
    } catch (error) {
      if (one.state === 'running' && isConflict(error))
        return await end(one, 'fail', error.said ?? error.message);
      log.error({ err: error, import: one.id }, 'a step of an import will be repeated');
      const at = clocks.wall.now().add({ seconds: pauseAfter(one.tries) });
      await lookAgain(sql, one, { at, done: false });
    }
  };

  /** Runs one round of all due work. Safe alongside other workers. */
  return async (signal: AbortSignal): Promise<void> => {
    for (const key of await dueImports(sql, clocks.wall.now())) {
      if (signal.aborted) return;
      const now = clocks.wall.now();
      const one = await claimImport(sql, key, { now, until: until() });
      if (!one) continue;
      // An undo is retried without limit, because money may still arrive for the rest.
      if (one.state === 'running' && one.tries > mostTries)
        await end(one, 'fail', fault('import.given_up', {}));
      else await tryStep(one, signal);
    }
  };
}
