import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier } from 'pg';
import type { Connection, ConnectionTerms } from './connection.ts';
import { deadlines } from './deadlines.ts';
import { hearingOf } from './listener-progress.ts';
import { pauseMs } from './pool.ts';
import { openConnection } from './servers.ts';

/** Handlers by topic. The sender of a numbered broadcast waits for them. */
export type Topics = Readonly<Record<string, () => unknown>>;

/** A connection that only listens. Reconnects when lost. */
interface Listener {
  /** Settles with the first attempt. */
  first: Promise<void>;
  close(): Promise<void>;
}

/** Connects, listens, and runs every topic's handler, since notifications may have been missed. */
async function listenOnce(terms: ConnectionTerms, topics: Topics): Promise<Connection> {
  const connection = await openConnection(terms, new Map());
  try {
    const hearing = hearingOf(connection);
    let before: Promise<unknown> = Promise.resolve();
    // Failed handlers run again after a reconnection.
    const inTurn = (act: () => Promise<void>): Promise<void> => {
      const done = before.then(act);
      before = done.catch(() => connection.destroy());
      return done;
    };
    connection.onNotification = (topic, payload) => {
      inTurn(async () => {
        await topics[topic]?.();
        await hearing.handled(payload);
      }).catch(() => {});
    };
    for (const topic of Object.keys(topics)) {
      await connection.simple(`listen ${escapeIdentifier(topic)}`, deadlines.connectMs);
    }
    await inTurn(async () => {
      const looked = await hearing.begin();
      await Promise.all(Object.values(topics).map((handle) => handle()));
      await looked();
    });
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/**
 * Resolves when `stopping` aborts or the connection is lost: at once if the server reports the
 * loss, else at the next check.
 */
async function watch(connection: Connection, stopping: AbortSignal): Promise<void> {
  const over = new AbortController();
  connection.onLost = () => over.abort();
  const signal = AbortSignal.any([over.signal, stopping]);
  while (connection.usable && !stopping.aborted) {
    await sleep(deadlines.heartbeatMs, null, { signal }).catch(() => {});
    if (connection.usable && !stopping.aborted) {
      await connection.simple('select 1', deadlines.connectMs).catch(() => {});
    }
  }
}

export function openListener(terms: ConnectionTerms, topics: Topics): Listener {
  const stopping = new AbortController();
  const { signal } = stopping;
  const first = Promise.withResolvers<void>();
  const keep = async (): Promise<void> => {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        const connection = await listenOnce(terms, topics);
        first.resolve();
        failures = 1;
        await watch(connection, signal);
        await connection.close();
      } catch (error) {
        first.reject(error);
      }
      if (!signal.aborted) await sleep(pauseMs(failures), null, { signal }).catch(() => {});
    }
  };
  const running = keep();
  return {
    first: first.promise,
    async close() {
      stopping.abort();
      await running;
    },
  };
}
