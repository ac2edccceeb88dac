import type { FastifyRequest } from 'fastify';

const ownAddress = /^\/portal(?:$|[/?](?!\/)[\w./?=&%:,~+-]*$)/;

/** Returns the local path to continue at, never another site. */
export const nextIn = (params: URLSearchParams): string => {
  const next = params.get('next') ?? '';
  return ownAddress.test(next) ? next : '/portal';
};

/**
 * Returns the address of the page that a call shows, or of the page with the form that it posts:
 * the form's own `back`, or the address that it posts to if that is a page too. Returns null if
 * unknown.
 */
export function pageAddress(request: FastifyRequest, posted: URLSearchParams): string | null {
  if (request.method !== 'POST') return request.url;
  const back = posted.get('back');
  if (back !== null) return ownAddress.test(back) ? back : null;
  const { url } = request.routeOptions;
  const isPage = url !== undefined && request.server.hasRoute({ method: 'GET', url });
  return isPage ? request.url : null;
}
