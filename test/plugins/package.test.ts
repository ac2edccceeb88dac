import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { runProgram, testWith } from '../harness/programs.ts';

const plugins = path.join(packageRoot(), 'plugins');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-plugins-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function packed(name: string): Promise<Record<string, string>> {
  const file = path.join(folder, `${name}.zip`);
  await promisify(execFile)(process.execPath, [path.join(plugins, 'pack.ts'), name, file]);
  const entries = Object.entries(unzipSync(await readFile(file)));
  return Object.fromEntries(entries.map(([at, bytes]) => [at, strFromU8(bytes)]));
}

describe('the package for Odoo', () => {
  test('includes the client, every file in its manifest and every method that those files call', async () => {
    const files = await packed('odoo');
    const manifest = files['payment_recaudo/__manifest__.py'] ?? '';
    const named = [...manifest.matchAll(/"([a-z_]+\/[a-z_]+\.xml)"/g)].map(([, at]) => at);
    expect(named).toHaveLength(4);
    for (const at of named) expect(files[`payment_recaudo/${at}`], at).toContain('<odoo');
    expect(files['payment_recaudo/client/recaudo.py']).toContain('class Recaudo:');
    const views = named.map((at) => files[`payment_recaudo/${at}`]).join('');
    const models = Object.entries(files).filter(([at]) => at.includes('/models/'));
    for (const [, act] of views.matchAll(/model\.(\w+)\(\)|button name="(\w+)"/g)) {
      if (act)
        expect(
          models.some(([, text]) => text.includes(`def ${act}(`)),
          act,
        ).toBe(true);
    }
  });
});

testWith('python3')('has well-formed XML in the module for Odoo', async () => {
  const code = `
import pathlib, xml.dom.minidom
files = sorted(pathlib.Path("odoo").rglob("*.xml"))
for file in files: xml.dom.minidom.parse(str(file))
print(len(files))`;
  expect(await runProgram('python3', ['-c', code], { cwd: plugins })).toEqual({
    status: 0,
    output: '4\n',
  });
});

describe('the package for WooCommerce', () => {
  test('includes the client and the translation, all in one folder', async () => {
    const files = await packed('woocommerce');
    const root = 'recaudo-woocommerce/';
    for (const name of ['recaudo', 'errors', 'transport', 'webhooks', 'nouns', 'qr']) {
      expect(files[`${root}client/${name}.php`]).toContain('<?php');
    }
    expect(files[`${root}languages/recaudo-es_AR.l10n.php`]).toContain("'domain' => 'recaudo'");
    expect(Object.keys(files).filter((at) => !at.startsWith(root))).toEqual([]);
  });

  testWith('php')('translates every text into Spanish with the same placeholders', async () => {
    const sources = path.join(plugins, 'woocommerce/src');
    const texts = new Set<string>();
    for (const name of await readdir(sources)) {
      const source = await readFile(path.join(sources, name), 'utf8');
      for (const [, text = ''] of source.matchAll(/__\('([^']*)', 'recaudo'\)/g)) texts.add(text);
      expect(source.match(/\b__\(/g)?.length ?? 0, name).toBe(
        source.match(/__\('([^']*)', 'recaudo'\)/g)?.length ?? 0,
      );
    }
    for (const language of ['es_AR', 'es_ES', 'es_MX']) {
      const code = `echo json_encode(require 'languages/recaudo-${language}.l10n.php');`;
      const { output } = await runProgram('php', ['-r', code], {
        cwd: path.join(plugins, 'woocommerce'),
      });
      const read = JSON.parse(output) as { language: string; messages: Record<string, string> };
      expect(read.language).toBe(language);
      expect(Object.keys(read.messages).sort()).toEqual([...texts].sort());
      const places = (text: string) => text.match(/%(?:\d\$)?[sd]/g)?.sort() ?? [];
      for (const [text, spanish] of Object.entries(read.messages)) {
        expect(places(spanish), text).toEqual(places(text));
      }
    }
  });
});
