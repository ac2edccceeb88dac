import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedProblem } from './binaries.ts';
import { type Cluster, isServer, type Running } from './cluster.ts';

const lookEveryMs = 500;
const triesInARow = 5;
const pauseMs = 1_000;

export interface WatchOptions {
  cluster: Cluster;
  running: Running;
  /** Finds or starts the server, on its previous port if free. */
  startAgain(signal: AbortSignal): Promise<Running>;
  /** Called if the server could not be restarted at its address. */
  onLost(error: Error): void;
}

/** Watches the server for a long-lived process and restarts it when it ends. */
export function watchServer({ cluster, running, startAgain, onLost }: WatchOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});

  const revive = async (): Promise<Running> => {
    cluster.log('PostgreSQL ended and is restarted');
    for (let tries = 1; ; tries += 1) {
      try {
        return await startAgain(signal);
      } catch (error) {
        if (signal.aborted || tries === triesInARow) throw error;
        cluster.log(`PostgreSQL did not start: ${error instanceof Error ? error.message : error}`);
        await pause(pauseMs);
      }
    }
  };

  const watch = async (): Promise<void> => {
    let { pid } = running;
    for (;;) {
      await pause(lookEveryMs);
      if (signal.aborted) return;
      if (await isServer(pid, cluster)) continue;
      const again = await revive();
      if (again.port !== running.port) {
        throw embeddedProblem(
          `PostgreSQL ended, and its port ${running.port} was taken by another program meanwhile. ` +
            `It runs on port ${again.port} now: start the service again.`,
        );
      }
      pid = again.pid;
    }
  };

  const watching = watch().catch((error: Error) => {
    if (!signal.aborted) onLost(error);
  });
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
