import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clocks.ts';
import { tooMany } from '../codes.ts';
import type { RateExchange } from '../processes/rates.ts';
import { addressOf, networkOf } from './callers.ts';
import { createRateLimiter, type RateVerdict } from './rate-limit.ts';
import type { App } from './server.ts';

export interface StrangerLimits {
  /** Calls a second of an address, and for a link; 0: no limit. */
  perAddress: number;
  perLink: number;
}

/** Limits calls without a key, in the scopes that install it. */
export type GuardStrangers = (app: App) => void;

/** The burst after a pause, in seconds of the rate. */
const burstSeconds = 10;

const refuse = (
  code: 'too_many_calls_from_address' | 'too_many_calls_to_link',
  { resetSeconds: seconds }: RateVerdict,
): never => {
  throw tooMany(code, { seconds }, seconds);
};

/** The link that a call opens: its token, with or without the ending of a file. */
const linkOf = ({ params }: FastifyRequest): string | null => {
  const { token, file } = (params ?? {}) as { token?: string; file?: string };
  return token ?? file ?? null;
};

/** Calls by address and by link share their buckets over all scopes that it guards. */
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
  return (app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const ofAddress = addresses?.(networkOf(addressOf(request)));
      if (ofAddress && !ofAddress.allowed) {
        refuse('too_many_calls_from_address', ofAddress);
      }
      const link = linkOf(request);
      const ofLink = link === null ? undefined : links?.(link);
      if (ofLink && !ofLink.allowed) refuse('too_many_calls_to_link', ofLink);
      done();
    });
  };
}
