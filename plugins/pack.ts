/** Packs a plugin with its copy of our client: `node plugins/pack.ts woocommerce FILE.zip`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Zippable, zipSync } from 'fflate';

const root = path.join(import.meta.dirname, '..');

/** Folder that each plugin unpacks to, and the location of our client in it. */
const plugins: Record<string, { folder: string; client: string; files: string[] }> = {
  woocommerce: {
    folder: 'recaudo-woocommerce',
    client: 'client',
    files: ['errors', 'transport', 'webhooks', 'nouns', 'qr', 'recaudo'].map(
      (name) => `clients/php/${name}.php`,
    ),
  },
  odoo: { folder: '', client: 'payment_recaudo/client', files: ['clients/python/recaudo.py'] },
};

function pack(name: string): Uint8Array {
  const plugin = plugins[name];
  if (!plugin) throw new Error(`There is no plugin ${name}: ${Object.keys(plugins).join(', ')}.`);
  const from = path.join(root, 'plugins', name);
  const entries: Zippable = {};
  const add = (target: string, source: string): void => {
    // A fixed timestamp makes the archive reproducible.
    entries[path.posix.join(plugin.folder, target)] = [
      new Uint8Array(readFileSync(source)),
      { mtime: '2026-01-01' },
    ];
  };
  for (const file of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const source = path.join(file.parentPath, file.name);
    if (file.isFile() && !/\.pyc$/.test(file.name)) add(path.relative(from, source), source);
  }
  for (const file of plugin.files) {
    add(path.posix.join(plugin.client, path.basename(file)), path.join(root, file));
  }
  add('LICENSE', path.join(root, 'LICENSE'));
  return zipSync(entries);
}

const [name = '', target = `recaudo-${name}.zip`] = process.argv.slice(2);
writeFileSync(target, pack(name));
process.stdout.write(`${target}\n`);
