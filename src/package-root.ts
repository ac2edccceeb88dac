import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's own files: beside src in a checkout, two levels above dist/src when built. */
export function packageRoot(): string {
  const above = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
  return existsSync(path.join(above, 'package.json')) ? above : path.resolve(above, '..');
}
