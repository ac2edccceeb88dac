import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '../http/server.ts';

/** A small file that pages use. */
export interface Asset {
  content: Buffer;
  type: string;
  path: string;
}

/** Reads a file once; its address carries a hash of the content and never changes. */
export function loadAsset(folder: string, name: string, type: string): Asset {
  const content = readFileSync(path.join(folder, name));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { content, type, path: `/page-assets/${hash}/${name}` };
}

const ownFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');

/** The one style sheet of all pages. */
export const styles = loadAsset(ownFolder, 'pages.css', 'text/css; charset=utf-8');

/** Serves assets; the addresses of older versions are not there any more. */
export function assetRoutes(app: App, assets: readonly Asset[]): void {
  // Browsers ask for it unasked; there is none.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.code(204).header('cache-control', 'public, max-age=86400').send(),
  );
  app.get('/page-assets/:hash/:name', { schema: { hide: true } }, (request, reply) => {
    const asset = assets.find((one) => one.path === request.url);
    if (!asset)
      return reply.code(404).type('text/plain').header('cache-control', 'no-store').send('');
    return reply
      .type(asset.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(asset.content);
  });
}
