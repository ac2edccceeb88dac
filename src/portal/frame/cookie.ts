import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Lang } from '../../platform/pages/model.ts';

/** Returns a cookie's name. Over TLS, the prefix binds the cookie to this host (RFC 6265bis). */
const nameOf = (of: 'session' | 'device', secure: boolean): string =>
  `${secure ? '__Host-' : ''}recaudo_${of}`;

/** Returns the prefix of the cookies of sign-ins at a provider. Their names end in the state. */
const flowPrefix = (secure: boolean): string => `${secure ? '__Host-' : ''}recaudo_provider_`;
/** Lifetime of these cookies: the time that a person may spend at the provider. */
const flowSeconds = 10 * 60;
const longestFlow = 2_000;

/** Lifetime of a known device's cookie: half a year from the last sign-in. */
const deviceSeconds = 180 * 24 * 60 * 60;

const secretShape = /^[\w-]{43}$/;

const cookiesIn = ({ headers }: FastifyRequest): string[] =>
  headers.cookie?.split(';').map((one) => one.trim()) ?? [];

function cookieIn(request: FastifyRequest, name: string): string | undefined {
  const start = `${name}=`;
  return cookiesIn(request)
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

export const secretIn = (request: FastifyRequest, secure: boolean): string | null =>
  readSecret(request, 'session', secure);

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

export function setDevice(reply: FastifyReply, secret: string, secure: boolean): void {
  const name = nameOf('device', secure);
  setCookie(reply, { name, value: secret, more: [`Max-Age=${deviceSeconds}`], secure });
}

const langCookie = 'recaudo_lang';

/** Returns the browser's chosen language, or null. */
export function chosenLangIn(request: FastifyRequest): Lang | null {
  const lang = cookieIn(request, langCookie);
  return lang === 'en' || lang === 'es' ? lang : null;
}

/** Stores the chosen language for half a year. */
export function setLang(reply: FastifyReply, lang: Lang, secure: boolean): void {
  setCookie(reply, { name: langCookie, value: lang, more: [`Max-Age=${deviceSeconds}`], secure });
}

/** Returns the browser's sign-ins at a provider, by state. */
export function flowsIn(request: FastifyRequest, secure: boolean): Map<string, string> {
  const prefix = flowPrefix(secure);
  const flows = cookiesIn(request)
    .filter((one) => one.startsWith(prefix))
    .map((one): [string, string] => {
      const [state = '', text = ''] = one.slice(prefix.length).split('=');
      return [state, text];
    });
  return new Map(
    flows.filter(([state, text]) => secretShape.test(state) && text.length < longestFlow),
  );
}

/** Stores a sign-in at a provider in the browser. Null removes it. */
export function setFlow(
  reply: FastifyReply,
  { state, text }: { state: string; text: string | null },
  secure: boolean,
): void {
  const more = [`Max-Age=${text === null ? 0 : flowSeconds}`];
  setCookie(reply, { name: `${flowPrefix(secure)}${state}`, value: text ?? '', more, secure });
}
