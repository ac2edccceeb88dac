import { itemAt } from '../../kernel/lists.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Clock } from '../../platform/clocks.ts';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { type LivesUntil, lockServiceKey, type OnRetire } from '../../secrets/index.ts';
import { refusal } from '../codes.ts';
import { advanceAll, usesKey } from '../store.ts';
import { type Secrets, secretOverlap } from './secret.ts';
import { noteChanges } from './trail.ts';

export interface SecretParts {
  secrets: Pick<Secrets, 'keyNo' | 'secretOf'>;
  /** Loads keys that were added or retired elsewhere. */
  refreshKeys(): Promise<void>;
}

/**
 * Returns the key for new secrets, locked so that it is not retired before they are written. Throws
 * 503 if it was retired elsewhere.
 */
export async function lockSecretKey(
  tx: Queryable,
  { secrets }: Pick<SecretParts, 'secrets'>,
): Promise<number> {
  const no = secrets.keyNo();
  if (await lockServiceKey(tx, { purpose: 'webhooks', no })) return no;
  throw refusal('webhook.secrets_replaced', {});
}

/**
 * Returns until when a key for webhooks is needed, because signing secrets derive from it. Returns
 * null if none does.
 */
export const secretsLiveUntil =
  (sql: Sql, wall: Clock): LivesUntil =>
  async ({ no }, now) => {
    const rotatedAfter = wall.now().subtract(secretOverlap);
    const used = await usesKey(sql, { keyNo: no, rotatedAfter });
    return used ? now.add({ hours: 24 }) : null;
  };

/** Gives every webhook a secret from the new key at once. Former ones become invalid. */
export const replaceSecrets =
  (base: Base, actor: Actor): OnRetire =>
  async (tx, keyNo) => {
    const rows = await advanceAll(tx, { keyNo, wallNow: base.clocks.wall.now() });
    const ids = await base.recordIds.take(rows.length);
    const noted = rows.map((row, index) => ({
      ...{ row, change: 'rotated' as const, eventId: itemAt(ids, index) },
    }));
    await noteChanges(tx, base, { actor }, noted);
  };
