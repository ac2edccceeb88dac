import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAsset, styles } from '../platform/pages/assets.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');

/** What the checkout does more when scripts run. */
export const checkoutScript = loadAsset(folder, 'checkout.js', 'text/javascript; charset=utf-8');

export const assetPaths = { css: styles.path, js: checkoutScript.path };
