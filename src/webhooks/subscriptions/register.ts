import { lockAccount } from '../../accounts/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { invalid } from '../../platform/http/form.ts';
import {
  type AccountClaim,
  type CreationOutcome,
  claimKey,
  type IdempotencyClaim,
  keyRanOut,
  recall,
  type StoredAnswer,
} from '../../platform/idempotency.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import type { Guard } from '../delivery/address.ts';
import { presentWebhook } from '../present.ts';
import { storedTypes, type WebhookInput } from '../registration.ts';
import { insertWebhook, readWebhook, readWebhooks, type WebhookRow } from '../store.ts';
import { lockSecretKey, type SecretParts } from './key.ts';
import { formerSecret } from './secret.ts';
import { prepareNote } from './trail.ts';

/** Maximum number of webhooks per account. */
const mostWebhooks = 20;

const firstSecret = 1;

export interface RegisterParts extends SecretParts {
  guard: Pick<Guard, 'fault'>;
}

export interface NewWebhook {
  ctx: Ctx;
  input: WebhookInput;
  claim: IdempotencyClaim | null;
}

/**
 * Builds the response stored under an Idempotency-Key, with the secret's derivation instead of the
 * secret.
 */
const storedAnswer = (row: WebhookRow): StoredAnswer => ({
  status: 201,
  body: JSON.stringify({ ...presentWebhook(row), secret_key_no: row.secret_key_no }),
});

/**
 * Inserts a webhook with its key. Returns false if the key was taken concurrently. Throws 409 if
 * the account has too many webhooks.
 */
async function insertUnderClaim(
  tx: Queryable,
  row: WebhookRow,
  claim: AccountClaim | null,
  wallNow: Temporal.Instant,
): Promise<boolean> {
  // Serializes an account's registrations, so that its limit holds.
  await lockAccount(tx, row.account_id);
  if (claim && !(await claimKey(tx, claim, storedAnswer(row), wallNow))) return false;
  if ((await readWebhooks(tx, row.account_id)).length >= mostWebhooks) {
    throw refusal('webhook.limit_reached', { most: mostWebhooks });
  }
  await insertWebhook(tx, row);
  return true;
}

/**
 * Registers an address for event types. The secret is derived and never stored. A call repeated
 * under its Idempotency-Key derives it again, so that a lost response loses no secret. Throws 400
 * for a forbidden `url`, 409 if the account has too many webhooks or a repeated call's secret was
 * revoked.
 */
export function registerWebhook(base: Base, parts: RegisterParts) {
  const { guard, secrets, refreshKeys } = parts;

  const withSecret = ({ status, body }: StoredAnswer, accountId: string): StoredAnswer => {
    const stored = JSON.parse(body) as { id: number; secret_key_no: number };
    const { secret_key_no: keyNo, ...webhook } = stored;
    const secret = secrets.secretOf({ accountId, webhookId: webhook.id, no: firstSecret, keyNo });
    if (secret === null) throw refusal('webhook.secret_revoked', { id: webhook.id });
    return { status, body: JSON.stringify({ ...webhook, secret }) };
  };

  /** Throws 409 if a rotation ended the first secret. A removed webhook needs no secret. */
  const refuseReplaced = async ({ body }: StoredAnswer, accountId: string): Promise<void> => {
    const { id } = JSON.parse(body) as { id: number };
    const row = await readWebhook(base.sql, accountId, id);
    if (row === null || row.secret_no === firstSecret) return;
    if (formerSecret(row, base.clocks.wall.now())?.no === firstSecret) return;
    throw refusal('webhook.secret_revoked', { id });
  };

  const replay = async (claim: AccountClaim): Promise<CreationOutcome | null> => {
    const [stored = null] = await recall(base.sql, [claim]);
    if (stored === null) return null;
    if (stored instanceof Error) throw stored;
    await refuseReplaced(stored, claim.accountId);
    return { kind: 'replayed', answer: withSecret(stored, claim.accountId) };
  };

  const newRow = (
    ctx: Ctx,
    input: WebhookInput,
    id: number,
  ): Omit<WebhookRow, 'secret_key_no'> => ({
    account_id: ctx.accountId,
    id,
    url: input.url,
    event_types: storedTypes(input.event_types),
    secret_no: firstSecret,
    rotated_at: null,
    previous_key_no: null,
    held_at: null,
    holds: 0,
    created_at: base.clocks.wall.now(),
  });

  return async ({ ctx, input, claim: sent }: NewWebhook): Promise<CreationOutcome> => {
    const claim = sent && { ...sent, accountId: ctx.accountId };
    const before = claim && (await replay(claim));
    if (before) return before;
    const fault = await guard.fault(input.url, ctx.accountId);
    if (fault !== null) throw invalid({ url: { errors: [fault] }, event_types: {} });
    const draft = newRow(ctx, input, await base.recordIds.next());
    const note = await prepareNote(base, ctx);
    await refreshKeys();
    const created = await base.sql.begin(async (tx) => {
      const row = { ...draft, secret_key_no: await lockSecretKey(tx, parts) };
      if (!(await insertUnderClaim(tx, row, claim, base.clocks.wall.now()))) return null;
      await note(tx, { row, change: 'created' });
      return row;
    });
    if (created) {
      return { kind: 'created', answer: withSecret(storedAnswer(created), ctx.accountId) };
    }
    const taken = claim && (await replay(claim));
    if (!taken) throw keyRanOut();
    return taken;
  };
}
