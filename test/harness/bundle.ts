import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Packages to bundle. Each has many small modules, and none reads files next to itself. */
const inside = [
  '@opentelemetry/api',
  'avvio',
  'fastify',
  'find-my-way',
  'pg',
  'pg-copy-streams',
  'pg-protocol',
  'pngjs',
  'prom-client',
  'qrcode',
  'semver',
  'typebox',
  'undici',
];
const isInside = (id: string): boolean =>
  id.startsWith('.') ||
  path.isAbsolute(id) ||
  inside.some((name) => id === name || id.startsWith(`${name}/`));

/**
 * Keeps the path from which each module finds its assets. Makes a bundled primary start bundled
 * processes.
 */
const keepPlaces = (processProgram: string) => ({
  name: 'places of modules',
  transform(code: string, id: string): string | null {
    if (!code.includes('import.meta.')) return null;
    return code
      .replaceAll(`'./process.js'`, JSON.stringify(pathToFileURL(processProgram).href))
      .replaceAll(/import\.meta\.url/g, JSON.stringify(pathToFileURL(id).href))
      .replaceAll(/import\.meta\.dirname/g, JSON.stringify(path.dirname(id)));
  },
});

export interface Bundles {
  recaudo: string;
  paywayEmulator: string;
}

/**
 * Packs programs of a build into a few files, with the bundler of vitest. Finding and linking two
 * thousand modules takes most of the processor time of a start, and tests start hundreds of
 * processes.
 */
export async function bundle(dist: string): Promise<Bundles> {
  const dir = path.join(dist, 'bundled');
  const input = {
    recaudo: path.join(dist, 'src/cli/main.js'),
    process: path.join(dist, 'src/cli/process.js'),
    paywayEmulator: path.join(dist, 'connectors/payway/emulator/main.js'),
  };
  const done = path.join(dir, 'done');
  const isDone = (await stat(done).catch(() => null)) !== null;
  if (!isDone) {
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir);
    const build = await rolldown({
      input,
      platform: 'node',
      external: (id) => !isInside(id),
      plugins: [keepPlaces(path.join(dir, 'process.js'))],
      logLevel: 'silent',
    });
    await build.write({ dir, format: 'esm' });
    await build.close();
    await writeFile(done, '');
  }
  return {
    recaudo: path.join(dir, 'recaudo.js'),
    paywayEmulator: path.join(dir, 'paywayEmulator.js'),
  };
}
