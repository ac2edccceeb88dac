import { spawn, spawnSync } from 'node:child_process';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { startService, type TestService, testKey } from '../harness/service.ts';

const pages = path.join(packageRoot(), 'docs/tutorials/recipes');
const client = path.join(packageRoot(), 'clients/typescript/src/index.ts');

interface Recipe {
  name: string;
  code: string;
  output: string;
}

const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';

const recipes: Recipe[] = [];
for await (const name of glob('*.md', { cwd: pages })) {
  const page = await readFile(path.join(pages, name), 'utf8');
  if (name === 'README.md') continue;
  recipes.push({ name, code: blockOf(page, 'ts'), output: blockOf(page, 'text') });
}
recipes.sort((one, other) => one.name.localeCompare(other.name));

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-recipes-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Runs a program against the service. Returns its output. */
async function run(file: string): Promise<string> {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    BILLS: '1500',
    RECAUDO_URL: service.origin,
    RECAUDO_KEY: testKey,
  };
  const args = ['--disable-warning=ExperimentalWarning', file];
  const ran = spawn(process.execPath, args, { env });
  let output = '';
  for (const stream of [ran.stdout, ran.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await new Promise((resolve) => ran.on('close', resolve));
  return output;
}

test('lists every recipe in the index', async () => {
  const index = await readFile(path.join(pages, 'README.md'), 'utf8');
  expect(recipes.length).toBeGreaterThanOrEqual(9);
  for (const { name } of recipes) expect(index).toContain(`](${name})`);
});

// Sorted by name, so the first recipe moves the clock by a month.
test.each(recipes)(
  'prints the documented output for the recipe $name',
  async ({ name, code, output }) => {
    const file = path.join(folder, name.replace('.md', '.ts'));
    await writeFile(file, code.replaceAll("'@recaudo/client'", `'${pathToFileURL(client).href}'`));
    const parts = output.split('…').map((part) => RegExp.escape(part));
    expect(output).not.toBe('');
    expect(await run(file)).toMatch(new RegExp(`^${parts.join('.*')}$`));
  },
);

test('compiles the recipes with the client’s types', async () => {
  for (const { name, code } of recipes) {
    await writeFile(path.join(folder, name.replace('.md', '.ts')), code);
  }
  const config = {
    extends: path.join(packageRoot(), 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: true, types: ['node'], paths: { '@recaudo/client': [client] } },
      ...{ typeRoots: [path.join(packageRoot(), 'node_modules/@types')], rootDir: '/' },
    },
    include: ['*.ts'],
  };
  const file = path.join(folder, 'tsconfig.json');
  await writeFile(file, JSON.stringify(config));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const tsc = path.join(packageRoot(), 'node_modules/typescript/bin/tsc');
  const compiled = spawnSync(process.execPath, [tsc, '-p', file], { encoding: 'utf8' });
  expect(compiled.stdout).toBe('');
});
