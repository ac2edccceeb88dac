import { fileURLToPath } from 'node:url';
import { dayOf } from '../../kernel/dates.ts';
import type { Clock } from '../../platform/clocks.ts';
import { withAdvisoryLock } from '../../platform/postgres/advisory-lock.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { anchorLine } from './line.ts';
import type { Receiver } from './receiver.ts';
import { drawAnchors, noteSent, readUnsent } from './store.ts';

/** Lines per batch. */
const atOnce = 1_000;

async function openReceiver(url: URL, now: () => Temporal.Instant): Promise<Receiver> {
  if (url.protocol === 'file:') {
    return (await import('./file.ts')).fileReceiver(fileURLToPath(url));
  }
  return url.protocol.startsWith('syslog')
    ? (await import('./syslog.ts')).syslogReceiver(url, now)
    : (await import('./http.ts')).httpReceiver(url);
}

/**
 * Returns a receiver that loads its code with the first batch, because commands that only read
 * seals send none.
 */
export function receiverAt(address: string, now: () => Temporal.Instant): Receiver {
  const url = new URL(address);
  let opening: Promise<Receiver> | null = null;
  return {
    async send(lines) {
      opening ??= openReceiver(url, now);
      await (await opening).send(lines);
    },
  };
}

/**
 * Returns a function that sends the anchors of past days and returns the number of lines. Only one
 * process sends at a time; the others return 0. If it dies before it records a batch as sent, the
 * next one sends the batch again: files store each line once, HTTP receivers recognize the batch by
 * its key, and syslog duplicates are harmless.
 */
export function createAnchors(sql: Sql, wall: Clock, receiver: Receiver): () => Promise<number> {
  const lock = { mode: 'exclusive', wait: false } as const;
  /** Last day on which lines were created. Seals made since then get their lines on later days. */
  let drawnOn: Temporal.PlainDate | null = null;
  const draw = async (today: Temporal.PlainDate): Promise<void> => {
    if (drawnOn?.equals(today)) return;
    await drawAnchors(sql, today);
    drawnOn = today;
  };
  const sendAll = async (): Promise<number> => {
    await draw(dayOf(wall.now()));
    let count = 0;
    for (;;) {
      const anchors = await readUnsent(sql, atOnce);
      if (anchors.length === 0) return count;
      await receiver.send(anchors.map(anchorLine));
      await noteSent(sql, anchors, wall.now());
      count += anchors.length;
    }
  };
  return async () => (await withAdvisoryLock(sql, 'recaudo anchors', lock, sendAll)) ?? 0;
}
