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
  /** Of an account that may read alone. */
  suspended: boolean;
}

/** The guard of every endpoint, made by main. */
export interface Gate {
  /** Answers who calls, or refuses with 401; with 429 an address that tried too many keys. */
  authenticate(authorization: string | undefined, address: string): Promise<Caller>;
  /** Null where calls are not limited. */
  limit(key: string): RateVerdict | null;
  /** Counts a call among those of its account that are being answered; what it gives ends it. */
  enter(accountId: string): () => void;
  /** Runs a call that takes long when it is its account's turn. */
  slowly<T>(accountId: string, call: () => Promise<T>): Promise<T>;
  /** Runs a call that writes: the account reads at once what it wrote. */
  writing<T>(accountId: string, call: () => Promise<T>): Promise<T>;
  /** Learns that a call kept what passes for a card number, and in which of its members. */
  cardSeen(accountId: string, member: string): Promise<void>;
  /** Returns the stored answer of an idempotent call, a refusal if its body differed, or null. */
  recall(claim: AccountClaim): Promise<StoredAnswer | Refusal | null>;
  /** Keeps the answer of a call that has changed something; answers what is kept. */
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

/** The header asks for the call to be made on another account, which no key here can. */
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
