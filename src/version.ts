import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from './package-root.ts';

/** The release, as package.json names it. */
export const version: string = (
  JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
).version;
