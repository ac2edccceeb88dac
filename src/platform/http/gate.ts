import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, actorText } from '../actor.ts';
import type { Ctx } from '../base.ts';
import { refusal, tooMany } from '../codes.ts';
import type { Refusal } from '../errors.ts';
import type { AccountClaim, StoredAnswer } from '../idempotency.ts';
import { addressOf } from './callers.ts';
import type { RateVerdict } from './rate-limit.ts';

/**
 * A permission of keys. `any` is granted to every key. A test compares the permissions of calls
 * with those of keys.
 */
export type Permission = `${string}:read` | `${string}:write` | 'sandbox' | 'any';

/** Returns true if calls with this permission change nothing. */
export const onlyReads = (permission: Permission): boolean =>
  permission === 'any' || permission.endsWith(':read');

export interface Caller {
  accountId: string;
  /** Identifies the key in events and rate limits. */
  actor: Actor;
  /** The key's permissions, each by name even if it has all of them. */
  permissions: ReadonlySet<string>;
  /** True if the account is read-only. */
  suspended: boolean;
}

export interface Gate {
  /**
   * Authenticates the caller. Throws 401 for an invalid key, 403 for a key that is not allowed from
   * this address, 429 for too many unknown keys from it. If it refuses an existing key, calls
   * `known` with its owner at a limited rate, so that the owner's call log lists the call.
   */
  authenticate(
    authorization: string | undefined,
    address: string,
    known: (caller: Caller) => void,
  ): Promise<Caller>;
  /** Takes a token from the key's bucket. Returns null if calls are unlimited. */
  limit(key: string): RateVerdict | null;
  /**
   * Counts a concurrent call of the account. Returns the function that ends it. Throws 429 above
   * the limit.
   */
  enter(accountId: string): () => void;
  /** Runs a slow call when its account's turn comes. Throws 429 if that takes too long. */
  slowly<T>(accountId: string, call: () => Promise<T>): Promise<T>;
  /** Runs a write, so that the account's next reads see it. */
  writing<T>(accountId: string, call: () => Promise<T>): Promise<T>;
  /** Records that a call stored a likely card number, and where. */
  cardSeen(accountId: string, member: string): Promise<void>;
  /** Returns the stored response of an idempotent call, a refusal if its body differed, or null. */
  recall(claim: AccountClaim): Promise<StoredAnswer | Refusal | null>;
  /** Stores a changing call's response. Returns the stored one, or a refusal. */
  keep(claim: AccountClaim, answer: StoredAnswer): Promise<StoredAnswer | Refusal>;
}

function checkRate(gate: Gate, caller: Caller, reply: FastifyReply): void {
  const verdict = gate.limit(actorText(caller.actor));
  if (verdict === null) return;
  reply.header('ratelimit-limit', verdict.limit);
  reply.header('ratelimit-remaining', verdict.remaining);
  reply.header('ratelimit-reset', verdict.resetSeconds);
  if (verdict.allowed) return;
  const seconds = verdict.resetSeconds;
  throw tooMany('too_many_calls', { seconds }, seconds);
}

/** Throws 400 for calls on behalf of another account, which no key permits. */
function refuseConnectedAccount(headers: FastifyRequest['headers']): void {
  if (headers['x-connect-account'] !== undefined) throw refusal('connect_account_unsupported', {});
}

const ctxOf = ({ accountId, actor, permissions }: Caller): Ctx => ({
  accountId,
  actor,
  permissions,
});

/**
 * Admits or refuses a call: key (401), address (403), limits (429), permission (403) and suspension
 * (403), in that order. The account's call log lists refused calls with its keys, up to a limit.
 */
export async function admit(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  permission: Permission,
): Promise<Ctx> {
  const { authorization } = request.headers;
  const caller = await gate.authenticate(authorization, addressOf(request), (known) => {
    request.ctx = ctxOf(known);
  });
  checkRate(gate, caller, reply);
  reply.raw.once('close', gate.enter(caller.accountId));
  refuseConnectedAccount(request.headers);
  if (permission !== 'any' && !caller.permissions.has(permission)) {
    throw refusal('permission_missing', { permission });
  }
  if (caller.suspended && !onlyReads(permission)) throw refusal('account_suspended', {});
  return ctxOf(caller);
}
