import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAsset } from '../assets.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');
const type = 'text/javascript; charset=utf-8';

/** Component style sheets, which follow the first sheets. */
export const componentSheets = {
  folder,
  files: ['parts.css', 'table.css', 'form.css', 'chart.css', 'dialog.css'],
} as const;

const files = [
  'copy.js',
  'dialog.js',
  'drafts.js',
  'in-place.js',
  'menus.js',
  'passkey.js',
  'session.js',
  'upload.js',
];
const parts = files.map((name) => loadAsset(folder, name, type));
const main = loadAsset(folder, 'components.js', type, parts);

/** Component scripts: one module and its imports. */
export const componentScripts = [main, ...parts];
export const componentScript = main;
