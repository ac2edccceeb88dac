import type { FastifyReply } from 'fastify';
import { Refusal } from '../errors.ts';
import {
  type AccountClaim,
  type CreationOutcome,
  createKeysInFlight,
  type StoredAnswer,
} from '../idempotency.ts';
import type { Gate } from './gate.ts';

/**
 * Returns a call's fields. If they are invalid, returns the call's stored response if there is one,
 * because rules that depend on the clock may refuse today a call that succeeded yesterday.
 */
async function readOrRecall<B>(
  gate: Gate,
  readFields: () => Promise<B>,
  claim: AccountClaim,
): Promise<{ body: B } | { stored: StoredAnswer }> {
  try {
    return { body: await readFields() };
  } catch (error) {
    const stored = await gate.recall(claim);
    if (stored === null) throw error;
    if (stored instanceof Refusal) throw stored;
    return { stored };
  }
}

/** Runs calls with idempotency keys. Refuses a call while one with the same key is running. */
export function callsByKey(gate: Gate) {
  const keysInFlight = createKeysInFlight();

  const hold = <T>({ accountId, path, key }: AccountClaim, call: () => Promise<T>): Promise<T> =>
    keysInFlight.hold(`${accountId} ${path} ${key}`, call);

  /** Runs a call under its key, or replays its first response. */
  const once = (
    claim: AccountClaim,
    reply: FastifyReply,
    change: () => Promise<{ status: number; body: unknown; replayed?: boolean }>,
  ): Promise<StoredAnswer> =>
    hold(claim, async () => {
      const stored = await gate.recall(claim);
      if (stored instanceof Refusal) throw stored;
      if (stored) {
        reply.header('idempotency-replayed', 'true');
        return stored;
      }
      const { status, body, replayed } = await change();
      if (replayed) reply.header('idempotency-replayed', 'true');
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await gate.keep(claim, { status, body: text });
      if (answer instanceof Refusal) throw answer;
      return answer;
    });

  /** Runs a creating call, whose verb stores its response along with the created rows. */
  const created = async <B>(
    claim: AccountClaim,
    reply: FastifyReply,
    readFields: () => Promise<B>,
    create: (body: B) => Promise<CreationOutcome>,
  ): Promise<StoredAnswer> => {
    const outcome = await hold(claim, async (): Promise<CreationOutcome> => {
      const read = await readOrRecall(gate, readFields, claim);
      if ('stored' in read) return { kind: 'replayed', answer: read.stored };
      return await create(read.body);
    });
    if (outcome.kind === 'replayed') reply.header('idempotency-replayed', 'true');
    return outcome.answer;
  };

  return { once, created };
}
