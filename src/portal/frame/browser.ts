import type { FastifyRequest } from 'fastify';
import { addressOf, networkOf } from '../../platform/http/callers.ts';
import { deviceIn } from './cookie.ts';

/** The origin of a call. */
export interface Browser {
  address: string;
  /** The network that failed sign-ins are counted by. */
  network: string;
  userAgent: string;
  /** The secret of a known device, or null. */
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
