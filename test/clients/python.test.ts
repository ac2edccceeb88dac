import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { startService, testKey } from '../harness/service.ts';

const folder = path.join(packageRoot(), 'clients/python');
const present = spawnSync('python3', ['--version']).status === 0;

/** Runs Python in the client's folder; answers its status and what it printed. */
async function python(
  args: string[],
  origin: string,
): Promise<{ status: unknown; output: string }> {
  const ran = spawn('python3', args, {
    cwd: folder,
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      RECAUDO_URL: origin,
      RECAUDO_KEY: testKey,
    },
  });
  let output = '';
  for (const stream of [ran.stdout, ran.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const status = await new Promise((resolve) => ran.on('close', resolve));
  return { status, output };
}

test.skipIf(!present)('the client in Python passes its tests, and its README runs', async () => {
  const service = await startService();
  try {
    const { status, output } = await python(['-m', 'unittest'], service.origin);
    expect(status, output).toBe(0);
    expect(output).toMatch(/Ran 1\d tests[\s\S]*\nOK\n$/);
    const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
    const code = /```python\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const example = code
      .replace('<API_KEY>', testKey)
      .replace('http://127.0.0.1:8360', service.origin);
    const ran = await python(['-c', example], service.origin);
    expect(ran.status, ran.output).toBe(0);
    expect(ran.output).toMatch(/\/checkout\/.*\n\d+ paid\n404 payment_request\.not_found \[\]\n$/);
  } finally {
    await service.stop();
  }
});
