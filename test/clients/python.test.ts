import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { runProgram, testWith } from '../harness/programs.ts';
import { startService, testKey } from '../harness/service.ts';

const folder = path.join(packageRoot(), 'clients/python');

testWith('python3')('passes the Python client’s own tests, and runs its README', async () => {
  const service = await startService();
  const env = {
    PYTHONDONTWRITEBYTECODE: '1',
    RECAUDO_URL: service.origin,
    RECAUDO_KEY: testKey,
  };
  const python = (...args: string[]) => runProgram('python3', args, { cwd: folder, env });
  try {
    const { status, output } = await python('-m', 'unittest');
    expect(status, output).toBe(0);
    expect(output).toMatch(/Ran 2\d tests[\s\S]*\nOK\n$/);
    const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
    const code = /```python\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const ran = await python('-c', code);
    expect(ran.status, ran.output).toBe(0);
    expect(ran.output).toMatch(/\/checkout\/.*\n\d+ paid\n404 payment_request\.not_found \[\]\n$/);
  } finally {
    await service.stop();
  }
});
