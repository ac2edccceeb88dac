import { setTimeout as sleep } from 'node:timers/promises';
import type { Staying } from '../database.ts';
import type { Log } from '../platform/log.ts';
import type { Company } from '../platform/processes/company.ts';
import { onSignal } from './signals.ts';

/** Drain timeout after a stop signal. Then the process exits anyway. */
const longestDrainMs = 25_000;
/** Timeout for abandoning a start, which has nothing to drain and stops at its next step. */
const longestAbandonMs = 8_000;
/** npm forwards a terminal's Ctrl-C, so a second signal within this time is the same keystroke. */
const sameKeyMs = 1_000;

/** Something that runs until a signal: the service in one process, or a machine's processes. */
export interface Running {
  retire?(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts something that runs until a signal. Returns it, or null if the start was abandoned.
 * SIGTERM and SIGINT drain it and exit with 0, and a second SIGINT exits with 1 at once. `onLost`
 * ends the process as failed.
 */
export async function runUntilSignal<R extends Running>(
  log: Log,
  begin: (staying: Required<Staying>) => Promise<R>,
  { onLeave, farewell }: Pick<Partial<Company>, 'onLeave' | 'farewell'> = {},
  drainMs = 0,
): Promise<R | null> {
  const stopping = new AbortController();
  let started = false;
  let leave = async (_code: number, _how?: 'retire' | 'stop'): Promise<void> => {};
  const starting = begin({
    stopping: stopping.signal,
    onLost: (error) => {
      log.fatal({ err: error }, 'the database is gone for good: stopping');
      void leave(1);
    },
  });
  leave = async (code, how: 'retire' | 'stop' = 'stop') => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    const left = starting.then(
      async (running) => {
        if (how === 'retire') await running.retire?.();
        await running.stop();
        await farewell?.();
      },
      () => {},
    );
    const late = sleep(started ? drainMs + longestDrainMs : longestAbandonMs).then(() => {
      log.error('the shutdown took too long and was cut short');
    });
    await Promise.race([left, late]);
    process.exit(code);
  };
  onSignal((signal) => {
    if (stopping.signal.aborted) return;
    log.info({ signal }, 'stopping: finishing calls in progress');
    void leave(0);
    setTimeout(() => process.once('SIGINT', () => process.exit(1)), sameKeyMs).unref();
  });
  onLeave?.((how) => void leave(0, how));
  try {
    const running = await starting;
    started = true;
    return stopping.signal.aborted ? null : running;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return null;
  }
}
