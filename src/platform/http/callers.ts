import type { Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { networkTest, normalNetwork } from './networks.ts';

/** Number or networks of trusted proxies, or false if callers connect directly. */
export type TrustedProxies = false | number | string[];

export interface ConnectionCaps {
  total: number;
  perAddress: number;
}

/** Unwraps an IPv4 address from its IPv6 form. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Returns the unit of rate limits: an IPv4 address, or the /64 that one IPv6 caller usually owns.
 */
export function networkOf(address: string): string {
  const text = plain(address);
  return isIP(text) === 6 ? (normalNetwork(`${text.split('%')[0]}/64`) ?? text) : text;
}

declare module 'fastify' {
  interface FastifyRequest {
    address: string | null;
  }
}

/** Removes the caller's port, which some proxies append to its address in X-Forwarded-For. */
const portless = (text: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');

function findAddress({ ip: reportedIp, raw }: FastifyRequest): string {
  const ip = portless(reportedIp);
  return plain(isIP(ip) === 0 ? (raw.socket.remoteAddress ?? '') : ip);
}

/** Returns the caller's address, from a trusted proxy's header if valid. */
export function addressOf(request: FastifyRequest): string {
  request.address ??= findAddress(request);
  return request.address;
}

/**
 * Returns a test for our proxies. Hop 0 is the connection's address, and later hops come from the
 * end of X-Forwarded-For.
 */
export function proxyTest(proxies: TrustedProxies): (address: string, hop: number) => boolean {
  if (proxies === false) return () => false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return networkTest(proxies);
}

/**
 * Closes connections above the limits: in total, and per IPv4 address or IPv6 /64 unless it is a
 * trusted proxy's.
 */
export function capConnections(
  server: Server,
  { total, perAddress }: ConnectionCaps,
  proxies: TrustedProxies,
): void {
  const isProxy = proxyTest(proxies);
  const open = new Map<string, number>();
  server.maxConnections = total;
  server.prependListener('connection', (socket: Socket) => {
    const address = plain(socket.remoteAddress ?? '');
    if (isProxy(address, 0)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    if (count > perAddress) socket.destroy();
  });
}
