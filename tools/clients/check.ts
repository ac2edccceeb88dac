/**
 * Checks docs/reference/openapi.json with other tools: two linters must report nothing, and the
 * output of four generators must compile. `.ci/tools clients` installs them and runs this.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;
const document = path.join(here, '../../docs/reference/openapi.json');
// Next to node_modules, so that generated code resolves its imports.
const out = mkdtempSync(path.join(here, '.out-'));
const scratch = mkdtempSync(path.join(tmpdir(), 'recaudo-clients-'));
const at = (name: string): string => path.join(out, name);

const redocly = path.join(here, 'redocly.yaml');
const spectral = path.join(here, 'spectral.yaml');

const linters: Record<string, string[]> = {
  redocly: ['lint', document, '--config', redocly, '--format', 'stylish', '--max-problems', '50'],
  spectral: ['lint', document, '--ruleset', spectral, '--fail-severity', 'hint', '--quiet=false'],
};
const generators: Record<string, string[]> = {
  'openapi-typescript': [document, '-o', at('openapi-typescript.ts')],
  'openapi-ts': ['-i', document, '-o', at('hey-api'), '-c', '@hey-api/client-fetch'],
  orval: ['-i', document, '-o', at('orval/client.ts'), '--client', 'fetch'],
  'swagger-typescript-api': ['generate', '-p', document, '-o', at('swagger'), '-n', 'client.ts'],
};

/** Runs a program in this folder; returns its output if it failed, else null. */
function failureOf(name: string, args: string[]): string | null {
  const program = path.join(here, 'node_modules/.bin', name);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  // Uses this Node, because the machine's may be too old for them.
  const options = { encoding: 'utf8', cwd: scratch, env } as const;
  const ran = spawnSync(process.execPath, [program, ...args], options);
  const said = `${ran.stdout}${ran.stderr}`;
  const warned = name === 'redocly' && /\b\d+ warnings?\b/.test(said);
  return ran.status === 0 && !warned ? null : said || String(ran.error);
}

let failed = false;
function report(name: string, failure: string | null): void {
  process.stdout.write(failure === null ? `${name}: fine\n` : `${name}: FAILED\n${failure}\n`);
  failed ||= failure !== null;
}

try {
  for (const [name, args] of Object.entries({ ...linters, ...generators })) {
    report(name, failureOf(name, args));
  }
  writeFileSync(
    at('tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ target: 'es2023', module: 'esnext', moduleResolution: 'bundler', strict: true },
        ...{ noEmit: true, skipLibCheck: true, lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
      },
      include: ['**/*.ts'],
    }),
  );
  report('tsc', failureOf('tsc', ['-p', at('tsconfig.json')]));
} finally {
  for (const folder of [out, scratch]) rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
