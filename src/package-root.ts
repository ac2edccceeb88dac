import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's own files: beside src in a checkout, two levels above dist/src when built. */
export function packageRoot(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return path.basename(path.dirname(here)) === 'dist'
    ? path.resolve(here, '../..')
    : path.resolve(here, '..');
}
