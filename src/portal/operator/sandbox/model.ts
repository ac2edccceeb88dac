import type { Centavos } from '../../../kernel/money.ts';
import type { ChannelCode } from '../../../money/channels/index.ts';
import type { FindRequest, FoundRequest } from '../../../money/collections/index.ts';
import type { Reverse } from '../../../money/reversals/index.ts';
import type { Actor } from '../../../platform/actor.ts';
import type { Base, Ctx } from '../../../platform/base.ts';
import type { SweepCount } from '../../../platform/sweeps.ts';
import { findRequests } from '../../../requests/index.ts';
import { idIn, portalRefusal, type ServiceVisit } from '../../frame/index.ts';
import { keyShape } from '../../frame/once.ts';

/** A simulated payer's choices. Null leaves a choice to the simulator. */
export interface PlayedPayment {
  channel: ChannelCode | null;
  amount: Centavos | null;
  card_number: string | null;
}

/** Simulates payers of all kinds of requests. */
interface PlayedRequests {
  pay(
    ctx: Ctx,
    id: number,
    payment: PlayedPayment & { installments: null; cbu_number: null },
    reference: string,
  ): Promise<void>;
}

export interface SandboxPageParts {
  base: Base;
  /** Moves the business clock forward. Returns the counts of the sweeps. */
  moveClock(actor: Actor, to: Temporal.Instant): Promise<{ happened: readonly SweepCount[] }>;
  find: FindRequest;
  reverse: Reverse;
  /** Null in production. */
  simulated: PlayedRequests | null;
}

/** Throws 404 in production. */
export function simulatedIn({ simulated }: SandboxPageParts): PlayedRequests {
  if (!simulated) throw portalRefusal('page.not_found', {});
  return simulated;
}

/**
 * Returns the reference of the form's payment, so that a second submission does nothing. Throws 404
 * for a malformed key.
 */
export const formReference = ({ params: { key = '' } }: ServiceVisit): string => {
  if (keyShape.test(key)) return `portal:${key}`;
  throw portalRefusal('page.not_found', {});
};

/** Returns the request in an address, of any account. Throws 404 if there is none. */
export async function requestOf(
  visit: ServiceVisit,
  parts: SandboxPageParts,
): Promise<FoundRequest> {
  simulatedIn(parts);
  const [row] = await findRequests(parts.base.sql, [idIn(visit)]);
  const found = row && (await parts.find({ accountId: row.account_id, id: row.id }));
  if (!found) throw portalRefusal('page.not_found', {});
  return found;
}

export const ctxOf = ({ actor }: ServiceVisit, accountId: string): Ctx => ({
  accountId,
  actor,
});
