import { spawn, spawnSync } from 'node:child_process';
import { test } from 'vitest';

/** Debian packages that install each program. */
const programs = {
  promtool: { probe: ['--version'], packages: 'prometheus' },
  python3: { probe: ['-c', 'import http.client, csv, ssl'], packages: 'python3' },
  php: {
    probe: ['-r', 'exit(extension_loaded("curl") && extension_loaded("mbstring") ? 0 : 1);'],
    packages: 'php-cli php-curl php-mbstring',
  },
};
type Program = keyof typeof programs;

/**
 * Declares a test that is skipped, with the reason in its name, if the program is missing. In CI it
 * fails instead.
 */
export function testWith(
  name: Program,
): (title: string, run: () => Promise<void>, timeoutMs?: number) => void {
  const { probe, packages } = programs[name];
  const isPresent = spawnSync(name, probe).status === 0;
  return (title, run, timeoutMs) => {
    if (isPresent) test(title, run, timeoutMs);
    else if (process.env.CI) {
      test(title, () => {
        throw new Error(`${name} is missing: apt-get install ${packages}`);
      });
    } else test.skip(`${title} (NOT RUN: apt-get install ${packages})`, run);
  };
}

/** Runs a program. Returns its status and its output. */
export async function runProgram(
  name: Program,
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<{ status: unknown; output: string }> {
  const ran = spawn(name, args, { cwd, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [ran.stdout, ran.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const status = await new Promise((resolve) => ran.on('close', resolve));
  return { status, output };
}
