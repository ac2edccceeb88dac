import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Asset, frameScript, loadAsset, styles } from '../platform/pages/assets.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');
const type = 'text/javascript; charset=utf-8';

const load = (name: string, imports: readonly Asset[] = []): Asset =>
  loadAsset(folder, name, type, imports);

const parts = [frameScript, ...['brand.js', 'swap.js'].map((name) => load(name))];
const main = load('checkout.js', parts);

export const checkoutScripts: readonly Asset[] = [main, ...parts];

export const assetPaths = { css: styles.path, js: main.path };
