import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clocks.ts';
import { tooMany } from '../codes.ts';
import type { RateExchange } from '../processes/rates.ts';
import { addressOf, networkOf } from './callers.ts';
import { createRateLimiter, type RateVerdict } from './rate-limit.ts';
import type { App } from './server.ts';

export interface StrangerLimits {
  /** Calls per second and address, and per link. 0 is unlimited. */
  perAddress: number;
  perLink: number;
}

/** Limits calls without a key, in the scopes that install it. */
export interface GuardStrangers {
  (app: App): void;
  /** Counts one call against its address. Throws 429 above the limit. */
  countCall(request: FastifyRequest): void;
}

/** Seconds' worth of calls in a burst. */
const burstSeconds = 10;

const refuse = (
  code: 'too_many_calls_from_address' | 'too_many_calls_to_link',
  { resetSeconds: seconds }: RateVerdict,
): never => {
  throw tooMany(code, { seconds }, seconds);
};

/**
 * Returns the token of the link that a call opens, or the name of its file, which contains the
 * token. Returns null for calls without a link.
 */
const linkOf = ({ params }: FastifyRequest): string | null => {
  const { token, file } = (params ?? {}) as { token?: string; file?: string };
  return token ?? file ?? null;
};

/** Limits calls by address and link. All guarded scopes share the buckets. */
export function guardStrangers(
  { perAddress, perLink }: StrangerLimits,
  wall: Clock,
  exchange: RateExchange,
): GuardStrangers {
  const limiter = (name: string, perSecond: number) =>
    perSecond === 0
      ? null
      : createRateLimiter({ perSecond, burst: perSecond * burstSeconds }, wall, { name, exchange });
  const addresses = limiter('addresses', perAddress);
  const links = limiter('links', perLink);
  const countCall = (request: FastifyRequest): void => {
    const ofAddress = addresses?.(networkOf(addressOf(request)));
    if (ofAddress && !ofAddress.allowed) refuse('too_many_calls_from_address', ofAddress);
  };
  const guard = (app: App): void => {
    app.addHook('onRequest', (request, _reply, done) => {
      countCall(request);
      const link = linkOf(request);
      const ofLink = link === null ? undefined : links?.(link);
      if (ofLink && !ofLink.allowed) refuse('too_many_calls_to_link', ofLink);
      done();
    });
  };
  return Object.assign(guard, { countCall });
}
