import { randomBytes } from 'node:crypto';
import type { FindRequest, FoundRequest } from '../../../money/collections/index.ts';
import type { Reverse } from '../../../money/reversals/index.ts';
import type { Base, Ctx } from '../../../platform/base.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Sweeper } from '../../../platform/sweeps.ts';
import { findRequests } from '../../../requests/index.ts';
import type { SimulatedRequests } from '../../../sandbox/http.ts';
import { idIn, type ServiceVisit } from '../../frame/index.ts';

export interface SandboxPageParts {
  base: Base;
  sweeper: Sweeper;
  find: FindRequest;
  reverse: Reverse;
  /** Null in production. */
  simulated: SimulatedRequests | null;
}

/** In production there is no such page. */
export function simulatedIn({ simulated }: SandboxPageParts): SimulatedRequests {
  if (!simulated) throw notFound('sandbox');
  return simulated;
}

/** What one form does, once, however often it is sent. */
export const drawReference = (): string => randomBytes(9).toString('base64url');

export const referenceIn = ({ params: { no = '' } }: ServiceVisit): string => {
  if (/^[\w-]{12}$/.test(no)) return `portal:${no}`;
  throw notFound('form');
};

/** The request of an address, whatever account it belongs to. */
export async function requestOf(
  visit: ServiceVisit,
  parts: SandboxPageParts,
): Promise<FoundRequest> {
  simulatedIn(parts);
  const [row] = await findRequests(parts.base.sql, [idIn(visit)]);
  const found = row && (await parts.find({ accountId: row.account_id, id: row.id }));
  if (!found) throw notFound('request');
  return found;
}

export const ctxOf = ({ actor, requestId }: ServiceVisit, accountId: string): Ctx => ({
  accountId,
  actor,
  requestId,
});
