import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../src/package-root.ts';
import { startService, temporaryDirectory } from '../harness/lab.ts';
import { type Figure, figure } from '../numbers.ts';
import { limit } from '../report.ts';
import type { Bench, Case } from './case.ts';

const mostSeconds = 10;

async function secondsToReady(dataDir: string, cleanup: AsyncDisposableStack): Promise<number> {
  const program = path.join(packageRoot(), 'bin', 'recaudo.js');
  const service = await startService({ dataDir, cleanup, program });
  await service.stop();
  return service.readyMs / 1000;
}

/**
 * Measures the compilation in `npm start`. Returns null if the compiler is not installed or fails.
 */
function secondsToCompile(outDir: string): number | null {
  const root = packageRoot();
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
  if (!existsSync(tsc)) return null;
  const begun = performance.now();
  const args = ['-p', path.join(root, 'tsconfig.build.json'), '--outDir', outDir];
  const { status } = spawnSync(tsc, args, { stdio: 'ignore' });
  return status === 0 ? (performance.now() - begun) / 1000 : null;
}

/** Measures from the command to the line `ready`, with no data and with an existing database. */
export const start: Case = async ({ settings, cleanup, say }: Bench) => {
  const first: number[] = [];
  const again: number[] = [];
  const compiling: number[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    const directory = await temporaryDirectory(cleanup);
    const dataDir = path.join(directory, 'data');
    first.push(await secondsToReady(dataDir, cleanup));
    again.push(await secondsToReady(dataDir, cleanup));
    const compiled = secondsToCompile(path.join(directory, 'dist'));
    if (compiled !== null) compiling.push(compiled);
    say(`  round ${round}: ready after ${first.at(-1)?.toFixed(2)} s`);
  }
  const others: Record<string, Figure> = { 'with data': figure(again, 's') };
  if (compiling.length > 0) others['compiling before, by npm start'] = figure(compiling, 's');
  return [limit('start', figure(first, 's'), mostSeconds, others)];
};
