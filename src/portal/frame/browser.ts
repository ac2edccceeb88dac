import type { FastifyRequest } from 'fastify';
import { addressOf, networkOf } from '../../platform/http/callers.ts';

/** Where a call comes from. */
export interface Browser {
  address: string;
  /** Whose tries are counted together. */
  network: string;
  userAgent: string;
}

export function browserOf(request: FastifyRequest): Browser {
  const address = addressOf(request);
  return {
    address,
    network: networkOf(address),
    userAgent: request.headers['user-agent'] ?? '',
  };
}
