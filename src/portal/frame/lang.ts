import type { FastifyRequest } from 'fastify';
import type { Lang } from '../../platform/pages/model.ts';

/** The language of an address, or else the user's. */
export function langOf({ query }: FastifyRequest, own: Lang = 'es'): Lang {
  const asked = (query as { lang?: unknown } | null | undefined)?.lang;
  return asked === 'en' || asked === 'es' ? asked : own;
}

/** Returns the local path to continue to; never another site. */
export const nextIn = (params: URLSearchParams): string => {
  const next = params.get('next') ?? '';
  return /^\/portal(?:$|[/?](?!\/)[\w./?=&%:,~+-]*$)/.test(next) ? next : '/portal';
};
