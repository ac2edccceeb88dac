import { Changed, type ChargeCalls, meaningOf } from '../../../connectors/protocol/charges.ts';
import { type ListQuery, Unfit } from '../../../connectors/protocol/connector.ts';
import type { ChargeList, ChargeOrder, Outcome } from '../../../connectors/protocol/messages.ts';
import { Faulty } from '../../../connectors/protocol/routes.ts';
import type { Base } from '../../platform/base.ts';
import { type Decision, decide, type SimulatedOutcome, spentToken } from './outcomes.ts';
import { cardOfToken } from './test-cards.ts';

interface ChargeRow {
  outcome: Decision;
  /** In centavos. */
  amount: number;
  digest: string;
  answers_at: Temporal.Instant;
}

/**
 * Returns a charge's account and attempt. The attempt stays a string, because the conformance kit
 * uses ids above the safe integers.
 */
export function chargeKey(attempt: string): { accountId: string; attemptId: string } {
  const [, accountId, attemptId] = /^([0-9A-F]{8})-([1-9][0-9]{0,17})$/.exec(attempt) ?? [];
  if (accountId && attemptId) return { accountId, attemptId };
  throw new Faulty('attempt must be an account and a number, as the service names its charges.');
}

const secondsFrom = (now: Temporal.Instant, then: Temporal.Instant): number =>
  Math.max(1, Math.ceil((then.epochMilliseconds - now.epochMilliseconds) / 1000));

const textOf = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'millisecond' });

/** Returns a charge's outcome at an instant of the business clock. */
function outcomeAt(attempt: string, row: ChargeRow, now: Temporal.Instant): Outcome {
  const { outcome: decided, amount, answers_at: answersAt } = row;
  if (Temporal.Instant.compare(answersAt, now) > 0) {
    return { outcome: 'pending', ask_after_s: secondsFrom(now, answersAt) };
  }
  if (decided.outcome === 'rejected') {
    const { code, text, retry = 'other_instrument' } = decided;
    return { outcome: 'rejected', code, text, retry };
  }
  const { authorization_code, brand, kind, bin, last_four } = decided;
  return {
    outcome: 'approved',
    reference: `simulated ${attempt}`,
    amount,
    ...(authorization_code !== undefined && { authorization_code }),
    ...(brand !== undefined && { brand }),
    ...(kind !== undefined && { kind }),
    ...(bin !== undefined && { bin }),
    ...(last_four !== undefined && { last_four }),
    decided_at: textOf(answersAt),
  };
}

/**
 * Returns an order's token, or null if it is charged without one. Throws `Unfit` for a token of
 * another issuer or an unsupported instrument.
 */
function tokenOf({ instrument }: ChargeOrder): string | null {
  if (instrument.type === 'token') {
    if (cardOfToken(instrument.token)) return instrument.token;
    throw new Unfit('The simulator did not issue this token. Cards are typed in its frame.');
  }
  if (instrument.type === 'kept_card') throw new Unfit('The simulator does not store cards.');
  if (instrument.type === 'redirect') throw new Unfit('The simulator has a frame for cards.');
  return null;
}

/** Stores the charges of the sandbox's simulated acquirer in separate books, each once. */
export function simulatedCharges({ sql, clocks }: Base) {
  const find = async (attempt: string): Promise<ChargeRow | null> => {
    const { accountId, attemptId } = chargeKey(attempt);
    const [row] = await sql<ChargeRow[]>`
      select outcome, amount, digest, answers_at from simulated_charges
      where account_id = ${accountId} and attempt_id = ${attemptId}::bigint`;
    return row ?? null;
  };

  /** Inserts a charge. Returns null if its id exists or its token is spent. */
  const insert = async (
    order: ChargeOrder,
    token: string | null,
    { outcome, answersAfter, reversesAfter }: SimulatedOutcome,
  ): Promise<ChargeRow | null> => {
    const { accountId, attemptId } = chargeKey(order.attempt);
    const now = Temporal.Instant.from(order.business_time);
    const answersAt = now.add(answersAfter);
    const digest = meaningOf(order);
    const stored = { ...outcome, request_id: Number(order.request.id) };
    const rows = await sql`
      insert into simulated_charges (account_id, attempt_id, amount, digest, token, outcome,
        answers_at, reverses_at)
      values (${accountId}, ${attemptId}::bigint, ${order.amount}, ${digest}, ${token},
        ${JSON.stringify(stored)}::text::json, ${answersAt}::timestamptz,
        ${reversesAfter ? now.add(reversesAfter) : null}::timestamptz)
      on conflict do nothing returning account_id`;
    if (rows.length === 0) return null;
    return { outcome, amount: order.amount, digest, answers_at: answersAt };
  };

  const answer = (order: ChargeOrder, row: ChargeRow): Outcome => {
    if (row.digest !== meaningOf(order)) {
      throw new Changed(`The charge ${order.attempt} was ordered before with another content.`);
    }
    return outcomeAt(order.attempt, row, Temporal.Instant.from(order.business_time));
  };

  const isLate = ({ deadline }: ChargeOrder): boolean => clocks.wall.nowMs() > Date.parse(deadline);

  const put = async (order: ChargeOrder): Promise<Outcome> => {
    const token = tokenOf(order);
    const decided = decide(order);
    if (isLate(order)) {
      const known = await find(order.attempt);
      return known ? answer(order, known) : { outcome: 'unheard' };
    }
    const made = (await insert(order, token, decided)) ?? (await find(order.attempt));
    if (made) return answer(order, made);
    const refused = { outcome: spentToken, answersAfter: { milliseconds: 0 }, reversesAfter: null };
    const row = (await insert(order, null, refused)) ?? (await find(order.attempt));
    if (!row) throw new Error('a charge was written, and is not there');
    return answer(order, row);
  };

  const calls: Pick<ChargeCalls, 'put' | 'get' | 'cancel' | 'known' | 'remember'> = {
    put,
    get: async ({ attempt, businessTime }) => {
      const row = await find(attempt);
      return row
        ? outcomeAt(attempt, row, Temporal.Instant.from(businessTime))
        : { outcome: 'unheard' };
    },
    // The simulator's decisions are final, so it cannot cancel.
    cancel: () => Promise.reject(new Unfit('The simulator cannot cancel a charge.')),
    known: () => null,
    remember: async () => {},
  };

  const atOnce = 500;
  const list = async ({ from, until, after }: ListQuery): Promise<ChargeList> => {
    const last = after === null ? { accountId: '', attemptId: '0' } : chargeKey(after);
    const rows = await sql<
      { attempt: string; outcome: 'approved' | 'rejected'; amount: number; refunded: number }[]
    >`
      select c.account_id || '-' || c.attempt_id as attempt, c.outcome->>'outcome' as outcome,
        c.amount, coalesce((
          select sum(r.amount) from simulated_refunds r
          where r.account_id = c.account_id and r.attempt_id = c.attempt_id
            and r.outcome->>'outcome' = 'done'
        ), 0)::bigint as refunded
      from simulated_charges c
      where (c.account_id, c.attempt_id) > (${last.accountId}, ${last.attemptId}::bigint)
        and c.answers_at >= ${from}::timestamptz and c.answers_at < ${until}::timestamptz
      order by c.account_id, c.attempt_id limit ${atOnce}`;
    const charges = rows.map((row): ChargeList['charges'][number] => ({
      ...row,
      ...(row.outcome === 'approved' && { reference: `simulated ${row.attempt}` }),
    }));
    const next = rows.length === atOnce ? rows.at(-1)?.attempt : undefined;
    return { charges, ...(next !== undefined && { next }) };
  };

  return { calls, list };
}
