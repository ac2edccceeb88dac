import type { FastifyRequest } from 'fastify';
import type { Lang } from '../../platform/pages/model.ts';

/** The language that an address asks for, or else that of whoever is signed in. */
export function langOf({ query }: FastifyRequest, own: Lang = 'es'): Lang {
  const asked = (query as { lang?: unknown } | null | undefined)?.lang;
  return asked === 'en' || asked === 'es' ? asked : own;
}

/** A page of ours to go on to, as an address told it: never another site. */
export const nextIn = (params: URLSearchParams): string => {
  const next = params.get('next') ?? '';
  return /^\/portal(?:$|[/?](?!\/)[\w./?=&%:,~+-]*$)/.test(next) ? next : '/portal';
};
