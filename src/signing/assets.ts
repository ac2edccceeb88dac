import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { frameScript, loadAsset, styles } from '../platform/pages/assets.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');

/** The script that hands a card over from its frame. Signing without a card needs no script. */
export const signScript = loadAsset(folder, 'sign.js', 'text/javascript; charset=utf-8', [
  frameScript,
]);

export const assetPaths = { css: styles.path, js: signScript.path };
