import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify';

/** Answers a call that reached no handler. */
export type SendFailure = (reply: FastifyReply, error: unknown) => FastifyReply;

/** Returns a URL's path. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/** A path's methods, none if it has no route, and its own way to answer failures. */
interface KnownPath {
  methods: readonly string[];
  sendFailure: SendFailure | undefined;
}

export type PathAt = (path: string) => KnownPath;

export const unknownPath: PathAt = () => ({ methods: [], sendFailure: undefined });

/** Collects each path's methods, for 405 answers. */
export function collectPaths(app: FastifyInstance): PathAt {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    // Routes of folders handle missing files themselves.
    if (!route.url.includes('*')) routes.push(route);
  });
  let patterns: { pattern: RegExp; route: RouteOptions }[] | null = null;
  return (path) => {
    patterns ??= routes.map((route) => ({
      pattern: new RegExp(`^${route.url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
      route,
    }));
    const found = patterns.flatMap(({ pattern, route }) => (pattern.test(path) ? [route] : []));
    return {
      methods: [...new Set(found.flatMap(({ method }) => method))].sort(),
      // Read late, because a scope's own hook sets it after this one.
      sendFailure: found.find(({ config }) => config?.sendFailure)?.config?.sendFailure,
    };
  };
}
