import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Asset, firstSheets, joinSheets } from '../../platform/pages/assets.ts';
import {
  componentScript,
  componentScripts,
  componentSheets,
} from '../../platform/pages/components/assets.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');

const sheets = [firstSheets, componentSheets, { folder, files: ['portal.css'] }] as const;

const portalStyles = joinSheets('portal.css', sheets);

/** Returns the style sheet with appended files, for the page of samples. */
export const portalStylesWith = (own: { folder: string; files: readonly string[] }): Asset =>
  joinSheets('styles.css', [...sheets, own]);

export const frameAssets: readonly Asset[] = [portalStyles, ...componentScripts];

export const assetPaths = { css: portalStyles.path, js: componentScript.path };
