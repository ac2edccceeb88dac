import path from 'node:path';
import { type Asset, loadAsset } from '../../platform/pages/assets.ts';

const folder = path.join(import.meta.dirname, 'assets');
const load = (name: string, imports: readonly Asset[] = []): Asset =>
  loadAsset(folder, name, 'text/javascript; charset=utf-8', imports);

const parts = ['brand.js', 'typing.js'].map((name) => load(name));
export const frameScript = load('card.js', parts);

/** Styles of the frame's form, in addition to the common ones. */
export const frameStyle = loadAsset(folder, 'card.css', 'text/css; charset=utf-8');

export const simulatorAssets: readonly Asset[] = [frameScript, frameStyle, ...parts];
