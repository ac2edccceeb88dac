import type { FastifyRequest } from 'fastify';
import type { Lang } from '../../platform/pages/model.ts';
import { chosenLangIn } from './cookie.ts';

/** Returns the language that an address asks for, or null. */
export function queryLang(query: URLSearchParams): Lang | null {
  const lang = query.get('lang');
  return lang === 'en' || lang === 'es' ? lang : null;
}

/** Returns the language of the address, of the browser's last choice, or else the user's. */
export function langOf(request: FastifyRequest, own: Lang = 'es'): Lang {
  const [, query] = request.url.split('?');
  return queryLang(new URLSearchParams(query)) ?? chosenLangIn(request) ?? own;
}
