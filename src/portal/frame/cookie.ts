import type { FastifyReply, FastifyRequest } from 'fastify';

/** Over TLS the browser itself holds the cookie to this very host, whatever sets one (RFC 6265bis). */
const nameOf = (secure: boolean): string => (secure ? '__Host-recaudo_session' : 'recaudo_session');

const secretShape = /^[\w-]{43}$/;

/** The secret of the session that a browser has; null: none. */
export function secretIn({ headers }: FastifyRequest, secure: boolean): string | null {
  const wanted = `${nameOf(secure)}=`;
  const found = headers.cookie
    ?.split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(wanted))
    ?.slice(wanted.length);
  return found !== undefined && secretShape.test(found) ? found : null;
}

/** Gives the browser the secret of its session; null: it forgets it. */
export function setSecret(reply: FastifyReply, secret: string | null, secure: boolean): void {
  const parts = [
    `${nameOf(secure)}=${secret ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
    ...(secret === null ? ['Max-Age=0'] : []),
  ];
  reply.header('set-cookie', parts.join('; '));
}
