import type { FastifyRequest } from 'fastify';
import { addressOf, networkOf } from '../../platform/http/callers.ts';
import { deviceIn } from './cookie.ts';

export interface Browser {
  address: string;
  /** Network whose failed sign-ins count together. */
  network: string;
  userAgent: string;
  /** Secret of a known device, or null. */
  device: string | null;
}

export function browserOf(request: FastifyRequest, secure: boolean): Browser {
  const address = addressOf(request);
  return {
    address,
    network: networkOf(address),
    userAgent: request.headers['user-agent'] ?? '',
    device: deviceIn(request, secure),
  };
}
