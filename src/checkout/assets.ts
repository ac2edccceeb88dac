import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '../platform/http/server.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');

/** Two small files, read once; their addresses carry a hash of the content and never change. */
const load = (name: string, type: string) => {
  const content = readFileSync(path.join(folder, name));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { content, type, path: `/checkout-assets/${hash}/${name}` };
};

const css = load('checkout.css', 'text/css; charset=utf-8');
const js = load('checkout.js', 'text/javascript; charset=utf-8');

export const assetPaths = { css: css.path, js: js.path };

export function assetRoutes(app: App): void {
  // Browsers ask for it unasked; there is none.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.code(204).header('cache-control', 'public, max-age=86400').send(),
  );
  app.get('/checkout-assets/:hash/:name', { schema: { hide: true } }, (request, reply) => {
    const asset = [css, js].find((one) => one.path === request.url);
    if (!asset)
      return reply.code(404).type('text/plain').header('cache-control', 'no-store').send('');
    return reply
      .type(asset.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(asset.content);
  });
}
