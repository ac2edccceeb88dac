import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Bytes of a CSRF token's mask, and of its MAC. */
const bytes = 32;

const macOf = (secret: string, action: string): Buffer =>
  createHmac('sha256', secret).update(`portal form ${action}`).digest();

const mixed = (one: Buffer, other: Buffer): Buffer =>
  Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));

/**
 * Returns the CSRF token of a form, valid for this session and address only. Masked with fresh
 * random bytes, because the length of a compressed page would reveal a constant (BREACH).
 */
export function formToken(secret: string, action: string): string {
  const mask = randomBytes(bytes);
  return Buffer.concat([mask, mixed(macOf(secret, action), mask)]).toString('base64url');
}

export function isFormToken(token: string, secret: string, action: string): boolean {
  const read = Buffer.from(token, 'base64url');
  if (read.length !== 2 * bytes) return false;
  const mac = mixed(read.subarray(bytes), read.subarray(0, bytes));
  return timingSafeEqual(mac, macOf(secret, action));
}

/** Returns true if the browser reports that the form comes from our origin. */
export function comesFromUs({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === origin;
}
