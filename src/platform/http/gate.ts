import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, actorText } from '../actor.ts';
import type { Ctx } from '../base.ts';
import { refusal, tooMany } from '../codes.ts';
import type { Refusal } from '../errors.ts';
import type { AccountClaim, StoredAnswer } from '../idempotency.ts';
import { addressOf } from './callers.ts';
import type { RateVerdict } from './rate-limit.ts';

export type Permission = 'read' | 'write' | 'sandbox';

/** The caller, once the key is known. */
export interface Caller {
  accountId: string;
  /** Names the key in events, and its bucket of calls. */
  actor: Actor;
  permissions: ReadonlySet<string>;
  /** The account is read-only. */
  suspended: boolean;
}

/** The guard of every endpoint, made by main. */
export interface Gate {
  /**
   * Authenticates the caller. 401 if the key is bad; 429 for an address that tried too many keys.
   */
  authenticate(authorization: string | undefined, address: string): Promise<Caller>;
  /** Null if calls are not limited. */
  limit(key: string): RateVerdict | null;
  /** Counts a call among its account's concurrent ones; returns the end of it. */
  enter(accountId: string): () => void;
  /** Runs a call that takes long when it is its account's turn. */
  slowly<T>(accountId: string, call: () => Promise<T>): Promise<T>;
  /** Runs a writing call: the account's next reads see its writes. */
  writing<T>(accountId: string, call: () => Promise<T>): Promise<T>;
  /** Records that a call stored a likely card number, and in which member. */
  cardSeen(accountId: string, member: string): Promise<void>;
  /** Returns the stored answer of an idempotent call, a refusal if its body differed, or null. */
  recall(claim: AccountClaim): Promise<StoredAnswer | Refusal | null>;
  /** Stores a changing call's answer; returns the stored one. */
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

/** Refuses calls on behalf of another account, which no key here can make. */
function refuseConnectedAccount(headers: FastifyRequest['headers']): void {
  if (headers['x-connect-account'] !== undefined) throw refusal('connect_account_unsupported', {});
}

/** Lets a call in, or refuses it: key (401), limits (429), permission (403), in that order. */
export async function admit(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  permission: Permission,
): Promise<Ctx> {
  const caller = await gate.authenticate(request.headers.authorization, addressOf(request));
  checkRate(gate, caller, reply);
  reply.raw.once('close', gate.enter(caller.accountId));
  refuseConnectedAccount(request.headers);
  if (!caller.permissions.has(permission)) throw refusal('permission_missing', { permission });
  if (caller.suspended && permission !== 'read') throw refusal('account_suspended', {});
  const { accountId, actor, permissions } = caller;
  return { accountId, actor, mayRead: permissions.has('read') };
}
