import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/package-root.ts';

const run = promisify(execFile);

async function check(folder: string, folders = ['src']): Promise<{ code: number; output: string }> {
  const bin = path.join(packageRoot(), 'node_modules', 'dependency-cruiser', 'bin');
  const config = path.join(packageRoot(), '.dependency-cruiser.cjs');
  const cruiser = path.join(bin, 'dependency-cruiser.mjs');
  try {
    const { stdout } = await run(process.execPath, [cruiser, '--config', config, ...folders], {
      cwd: folder,
    });
    return { code: 0, output: stdout };
  } catch (error) {
    const failed = error as { code: number; stdout: string; stderr: string };
    return { code: failed.code, output: failed.stdout + failed.stderr };
  }
}

test('fails for imports from higher floors, past an index, or of a store in a route', async () => {
  const folder = await mkdtemp(path.join(packageRoot(), '.floors-'));
  try {
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    };
    await write('src/money/fees/index.ts', 'export const fee = 1;\n');
    await write('src/kernel/money.ts', "export { fee } from '../money/fees/index.ts';\n");
    await write('src/money/ledger/store.ts', "export { fee } from '../fees/index.ts';\n");
    await write('src/money/ledger/index.ts', "export { fee } from './store.ts';\n");
    await write('src/qr/store.ts', 'export const rows = 1;\n');
    await write('src/qr/routes.ts', "export { rows } from './store.ts';\n");
    await write('src/events/store.ts', "export { fee } from '../money/ledger/index.ts';\n");
    await write('src/reports/day.ts', "export { fee } from '../money/ledger/store.ts';\n");
    const { code, output } = await check(folder);
    expect(code).toBeGreaterThan(0);
    expect(output).toContain('floor-0-kernel');
    expect(output).toContain('floor-4-events');
    expect(output).toContain('floor-7-money-ledger');
    expect(output).toContain('routes-know-no-store');
    expect(output).toContain('nouns-by-their-index');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('fails for imports between service and connector, and from an emulator to its connector', async () => {
  const folder = await mkdtemp(path.join(packageRoot(), '.floors-'));
  try {
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    };
    await write('src/kernel/money.ts', 'export const one = 1;\n');
    await write('src/rails/read.ts', "export { two } from '../../connectors/acme/main.ts';\n");
    await write('connectors/acme/read.ts', "export { one } from '../../src/kernel/money.ts';\n");
    await write('connectors/acme/main.ts', 'export const two = 2;\n');
    await write('connectors/acme/emulator/main.ts', "export { two } from '../main.ts';\n");
    const { code, output } = await check(folder, ['src', 'connectors']);
    expect(code).toBeGreaterThan(0);
    expect(output).toContain('connectors-know-the-protocol-alone');
    expect(output).toContain('emulators-stand-alone');
    expect(output).toContain('connectors-by-their-protocol');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('has rules for exactly the floors drawn in the documentation, in their order', async () => {
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
    forbidden: { name: string; from: { path: unknown } }[];
  };
  const climbing = forbidden.filter(({ name }) => /^floor-\d+-/.test(name));
  const byFloor = Map.groupBy(climbing, ({ name }) => Number(/\d+/.exec(name)?.[0]));
  const floors = [...byFloor.values()].map((rules) =>
    rules.map(({ from }) => String(from.path).replace(/^\^src\/|\/$/g, '')),
  );
  const text = await readFile(path.join(packageRoot(), 'docs/explanation/architecture.md'), 'utf8');
  const [, drawing = ''] = /## Floors.*?```\n(.*?)```/s.exec(text) ?? [];
  const inMoney = floors.flat().filter((name) => name.startsWith('money/'));
  const drawn = drawing.split('\n').flatMap((line) => {
    const words = line.replace(/^\d? +(money )?[┌│└]?/, '').split(/ {4,}/)[0] ?? '';
    const names = words.split(/\s+/).filter((word) => word !== '');
    const rooms = names.map((name) => (inMoney.includes(`money/${name}`) ? `money/${name}` : name));
    return rooms.length > 0 ? [rooms.toSorted()] : [];
  });
  const there = (name: string) => existsSync(path.join(packageRoot(), 'src', name));
  const standing = floors.toReversed().map((names) => names.filter(there).toSorted());
  expect(drawn.slice(1)).toEqual(standing.filter((names) => names.length > 0));
});
