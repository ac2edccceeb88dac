import type { Log } from './log.ts';
import { doing } from './postgres/deadlines.ts';

/** Work that a process repeats until it stops. */
export interface Loop {
  stop(): Promise<void>;
}

/**
 * Repeats a task with pauses. Logs failures and retries. The signal stops a long run at shutdown.
 */
export function repeat(
  name: string,
  pauseMs: number,
  task: (signal: AbortSignal) => Promise<unknown>,
  log: Log,
): Loop {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await doing('sweep', () => task(stopping.signal));
      } catch (error) {
        log.error({ err: error, loop: name }, 'a background task failed and will be repeated');
      }
      await pause(pauseMs, stopping.signal);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', done);
      resolve();
    }, ms);
    signal.addEventListener('abort', done, { once: true });
  });
