import type { Acting } from '../platform/base.ts';
import { tellAll } from '../platform/postgres/broadcast.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { Vault } from '../platform/vault.ts';
import { refusal } from './codes.ts';
import { drawKey, keysChangedTopic } from './ring.ts';
import {
  insertKey,
  type KeyPurpose,
  noteKey,
  noteReplaced,
  readKeys,
  retireKeys,
} from './store.ts';

/**
 * After this time, every process knows a new key, through the notification or the 5-second poll.
 */
const knownEverywhereAfter = { seconds: 15 };

/** After this time, all work that started with the replaced key has been written. */
const firstLookAfter = { hours: 24 };

export interface Rotation {
  no: number;
  /** When the key starts to be used. */
  usedFrom: Temporal.Instant;
  /** Keys that this rotation erased. */
  retired: number[];
}

interface RotateParts extends Acting {
  vault: Vault;
}

/**
 * Replaces a purpose's key. Older keys still verify. With `retireNow` they are erased, and
 * `onRetire` updates whatever was made with them in the same transaction. Throws 409 if another
 * rotation is running.
 */
export async function rotateKeys(
  { vault, ...acting }: RotateParts,
  purpose: KeyPurpose,
  { retireNow, onRetire }: { retireNow: boolean; onRetire?: OnRetire },
): Promise<Rotation> {
  const { sql, clocks } = acting;
  const [created = 0, erased = 0] = await acting.recordIds.take(2);
  const now = clocks.wall.now();
  const usedFrom = retireNow ? now : now.add(knownEverywhereAfter);
  const rotation = await sql.begin(async (tx) => {
    const [newest] = await readKeys(tx, purpose);
    const no = (newest?.no ?? 0) + 1;
    const made = await insertKey(tx, { purpose, no, ...drawKey(vault, { purpose, no }), usedFrom });
    if (!made) throw refusal('secrets.rotating', { purpose });
    await noteKey(tx, acting, { eventId: created, purpose, no, change: 'created' });
    const replaced = clocks.business.now().add(knownEverywhereAfter);
    const look = { at: replaced, lookAt: replaced.add(firstLookAfter) };
    await noteReplaced(tx, { purpose, no }, look);
    const retired = retireNow ? await retireKeys(tx, { purpose, from: 1, upTo: no - 1 }, now) : [];
    if (retired.length > 0) {
      const last = Math.max(...retired);
      await noteKey(tx, acting, { eventId: erased, purpose, no: last, change: 'retired' });
    }
    if (retireNow) await onRetire?.(tx, no);
    return { no, usedFrom, retired };
  });
  await tellAll(sql, keysChangedTopic);
  return rotation;
}

/** Follow-up changes when all keys except the new one, `no`, are erased. */
export type OnRetire = (tx: Queryable, no: number) => Promise<void>;
