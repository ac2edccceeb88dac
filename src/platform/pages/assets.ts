import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '../http/server.ts';

export interface Asset {
  content: Buffer;
  type: string;
  path: string;
}

/**
 * Reads a file once. Its address contains a hash of the content. `imports` are sibling modules
 * (`./name.js`), which get separate addresses.
 */
export function loadAsset(
  folder: string,
  name: string,
  type: string,
  imports: readonly Asset[] = [],
): Asset {
  const content = imports.reduce(
    (text, { path: address }) => {
      return text.replaceAll(`'./${path.posix.basename(address)}'`, `'${address}'`);
    },
    readFileSync(path.join(folder, name), 'latin1'),
  );
  return assetOf(name, type, content);
}

/** Builds an asset from text in Latin-1, which preserves a file's bytes, whatever its encoding. */
function assetOf(name: string, type: string, content: string): Asset {
  const bytes = Buffer.from(content, 'latin1');
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { content: bytes, type, path: `/page-assets/${hash}/${name}` };
}

/** Joins a folder's files into one style sheet, in order, to save requests. */
export function joinSheets(
  name: string,
  parts: readonly { folder: string; files: readonly string[] }[],
): Asset {
  const texts = parts.flatMap(({ folder, files }) =>
    files.map((file) => readFileSync(path.join(folder, file), 'latin1')),
  );
  return assetOf(name, 'text/css; charset=utf-8', texts.join('\n'));
}

const ownFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');

/** Tokens and base rules, which come first in every style sheet. */
export const firstSheets = { folder: ownFolder, files: ['tokens.css', 'base.css'] } as const;

/** The style sheet of payers' and holders' pages. */
export const styles = joinSheets('pages.css', [
  firstSheets,
  { folder: ownFolder, files: ['pages.css'] },
]);

/** The script that receives messages from frames on a page. */
export const frameScript = loadAsset(ownFolder, 'frame.js', 'text/javascript; charset=utf-8');

export const icon = loadAsset(ownFolder, 'icon.svg', 'image/svg+xml');
const favicon = loadAsset(ownFolder, 'favicon.png', 'image/png');

/** Serves assets. Earlier versions are 404. */
export function assetRoutes(app: App, assets: readonly Asset[]): void {
  // Browsers request it unprompted, even on pages that we do not style.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.type(favicon.type).header('cache-control', 'public, max-age=86400').send(favicon.content),
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
