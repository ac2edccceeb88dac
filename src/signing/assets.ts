import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { frameScript, loadAsset, styles } from '../platform/pages/assets.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');

/** Without it a holder signs as well, but for who hands a card over to its frame. */
export const signScript = loadAsset(folder, 'sign.js', 'text/javascript; charset=utf-8', [
  frameScript,
]);

export const assetPaths = { css: styles.path, js: signScript.path };
