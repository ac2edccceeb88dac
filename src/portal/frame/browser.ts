import type { FastifyRequest } from 'fastify';
import { addressOf, networkOf } from '../../platform/http/callers.ts';
import { deviceIn } from './cookie.ts';

/** Where a call comes from. */
export interface Browser {
  address: string;
  /** Whose tries are counted together. */
  network: string;
  userAgent: string;
  /** The secret of a device on which somebody signed in before; null: none. */
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
