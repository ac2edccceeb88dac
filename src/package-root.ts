import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the folder of the package's files: next to src in a checkout, two levels above dist/src
 * when built.
 */
export function packageRoot(): string {
  const above = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
  return existsSync(path.join(above, 'package.json')) ? above : path.resolve(above, '..');
}
