import type { Base, Ctx } from '../../platform/base.ts';
import { formVersion, refuseOutdated } from '../../platform/form-version.ts';
import { refusal } from '../codes.ts';
import {
  type Advance,
  advanceSecret,
  type Rotated,
  readWebhook,
  type WebhookRow,
} from '../store.ts';
import { lockSecretKey, type SecretParts } from './key.ts';
import { formerSecret, secretOverlap } from './secret.ts';
import { prepareNote } from './trail.ts';

export interface Rotate {
  id: number;
  /** True after a leak. Former secrets stop signing at once. */
  revokeNow: boolean;
  /** The form's version, to reject rotations of another secret than the form showed. */
  seen?: string;
}

/** Returns the value that a form of a rotation replaces. */
export const secretFormValues = ({ secret_no: no }: Pick<WebhookRow, 'secret_no'>) => ({
  secret_no: String(no),
});

/** A repetition within this time must not revoke the secret that the first response returned. */
const revokedTwiceWithin = { minutes: 1 } as const;

/** Returns true for the form of the last rotation, if it may be sent again. */
function isSentAgain(
  before: WebhookRow,
  { seen, revokeNow }: Pick<Rotate, 'seen' | 'revokeNow'>,
  { wallNow, notAfter }: Pick<Advance, 'wallNow' | 'notAfter'>,
): boolean {
  const { secret_no: no, rotated_at: rotatedAt } = before;
  if (rotatedAt === null || seen !== formVersion(secretFormValues({ secret_no: no - 1 }))) {
    return false;
  }
  // A colleague's rotation may still have a secret to revoke.
  const revokes = revokeNow && formerSecret(before, wallNow) !== null;
  return revokes || Temporal.Instant.compare(rotatedAt, notAfter) > 0;
}

/**
 * Gives a webhook its next secret. Unless revoked, the former one also signs for a while. A call
 * repeated within that time (or within a minute, with `revokeNow`) returns the same secret, so that
 * two calls never disable the receiver's secret. Throws 404 for an unknown webhook, 409 if the
 * secret changed since the form was shown.
 */
export const rotateSecret =
  (base: Base, parts: SecretParts) =>
  async (ctx: Ctx, { id, revokeNow, seen = '' }: Rotate): Promise<Rotated> => {
    const { accountId } = ctx;
    const wallNow = base.clocks.wall.now();
    const note = await prepareNote(base, ctx);
    await parts.refreshKeys();
    const row = await base.sql.begin(async (tx) => {
      const keyNo = await lockSecretKey(tx, parts);
      const before = await readWebhook(tx, accountId, id);
      if (before === null) return null;
      const notAfter = wallNow.subtract(revokeNow ? revokedTwiceWithin : secretOverlap);
      const advance = { wallNow, keyNo, notAfter, revokeNow };
      if (!isSentAgain(before, { seen, revokeNow }, advance)) {
        refuseOutdated(seen, secretFormValues(before));
      }
      const advanced = await advanceSecret(tx, accountId, id, advance);
      if (!advanced) return await readWebhook(tx, accountId, id);
      await note(tx, { row: advanced, change: 'rotated' });
      return advanced;
    });
    if (!row) throw refusal('webhook.not_found', {});
    const { secret_no: no, secret_key_no: keyNo, previous_key_no: previous } = row;
    const secret = parts.secrets.secretOf({ accountId, webhookId: id, no, keyNo });
    if (secret === null) throw new Error(`the key ${keyNo} of webhooks is missing`);
    const previousUntil = previous === null ? null : (row.rotated_at?.add(secretOverlap) ?? null);
    return { row, secret, previousUntil };
  };
