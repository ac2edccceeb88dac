import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { holdFileLock } from '../../src/platform/embedded/file-lock.ts';
import { type Bundles, bundle } from './bundle.ts';
import { cacheFolder } from './run-folder.ts';

const root = path.join(import.meta.dirname, '../..');
const product = path.join(root, 'dist/src/cli/main.js');

/** Inputs of the build. */
const sources = [
  'src',
  'connectors',
  'bench',
  'tools',
  'scripts',
  'tsconfig.json',
  'tsconfig.build.json',
];

const writtenAt = (file: string): number =>
  statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Returns when a file, or the newest file in a folder, was modified. */
const youngest = (name: string): number =>
  statSync(path.join(root, name)).isDirectory()
    ? readdirSync(path.join(root, name), { recursive: true, encoding: 'utf8' }).reduce(
        (latest, file) => Math.max(latest, writtenAt(path.join(name, file))),
        0,
      )
    : writtenAt(name);

/** Returns true if there is no build, or if its sources are newer. */
const isStale = (): boolean => {
  const builtAt = statSync(product, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.some((name) => youngest(name) > builtAt);
};

/**
 * Builds the program if it is missing or stale, so that tests never run an outdated build. If
 * several test files import it, the first one builds and the others wait.
 */
async function build(): Promise<Bundles> {
  const mark = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const letGo = await holdFileLock(path.join(cacheFolder(root), `build-${mark}.sqlite`));
  try {
    if (isStale()) {
      const bin = path.join(root, 'node_modules/.bin');
      execFileSync(process.execPath, ['scripts/build.js'], {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
      });
    }
    return await bundle(path.join(root, 'dist'));
  } finally {
    letGo();
  }
}

const bundles = await build();

/** The built program, as `npx recaudo` starts it. */
export const program = path.join(root, 'bin/recaudo.js');

/** Node arguments that start the same program from a few files, with the flags of `bin/`. */
export const bundledProgram = [
  '--max-semi-space-size=8',
  '--max-old-space-size=1024',
  bundles.recaudo,
];

/** The Payway emulator, bundled into a few files. */
export const bundledPaywayEmulator = bundles.paywayEmulator;
