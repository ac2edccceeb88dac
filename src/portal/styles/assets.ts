import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assetPaths, portalStylesWith } from '../frame/assets.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');

export const sampleStyles = portalStylesWith({ folder, files: ['styles.css'] });

export const samplePaths = { ...assetPaths, css: sampleStyles.path };
