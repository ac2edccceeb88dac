import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Lang } from '../../platform/pages/model.ts';

/** Over TLS, the prefix binds the cookie to this host (RFC 6265bis). */
const nameOf = (of: 'session' | 'device', secure: boolean): string =>
  `${secure ? '__Host-' : ''}recaudo_${of}`;

/** Half a year after the last sign-in. */
const deviceSeconds = 180 * 24 * 60 * 60;

const secretShape = /^[\w-]{43}$/;

function cookieIn({ headers }: FastifyRequest, name: string): string | undefined {
  const start = `${name}=`;
  return headers.cookie
    ?.split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(start))
    ?.slice(start.length);
}

function readSecret(
  request: FastifyRequest,
  of: 'session' | 'device',
  secure: boolean,
): string | null {
  const found = cookieIn(request, nameOf(of, secure));
  return found !== undefined && secretShape.test(found) ? found : null;
}

/** Returns the browser's session secret, or null. */
export const secretIn = (request: FastifyRequest, secure: boolean): string | null =>
  readSecret(request, 'session', secure);

/** Returns the secret of a known device, or null. */
export const deviceIn = (request: FastifyRequest, secure: boolean): string | null =>
  readSecret(request, 'device', secure);

function setCookie(
  reply: FastifyReply,
  { name, value, more, secure }: { name: string; value: string; more: string[]; secure: boolean },
): void {
  const flags = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])];
  reply.header('set-cookie', [`${name}=${value}`, ...flags, ...more].join('; '));
}

/** Sets the session cookie. Null deletes it. */
export function setSecret(reply: FastifyReply, secret: string | null, secure: boolean): void {
  const name = nameOf('session', secure);
  setCookie(reply, { name, value: secret ?? '', more: secret ? [] : ['Max-Age=0'], secure });
}

/** Sets the cookie that identifies the device. */
export function setDevice(reply: FastifyReply, secret: string, secure: boolean): void {
  const name = nameOf('device', secure);
  setCookie(reply, { name, value: secret, more: [`Max-Age=${deviceSeconds}`], secure });
}

const langCookie = 'recaudo_lang';

/** The browser's chosen language, or null. */
export function chosenLangIn(request: FastifyRequest): Lang | null {
  const lang = cookieIn(request, langCookie);
  return lang === 'en' || lang === 'es' ? lang : null;
}

/** Keeps a chosen language for as long as a device stays known. */
export function setLang(reply: FastifyReply, lang: Lang, secure: boolean): void {
  setCookie(reply, { name: langCookie, value: lang, more: [`Max-Age=${deviceSeconds}`], secure });
}
