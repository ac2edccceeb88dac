#!/usr/bin/env node
// Runs the built service on Node 26, also when an older Node was found first: `npm ci` brings one.
// Written for old runtimes on purpose: it must be able to say what is wrong.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const wanted = 26;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const entry = join(root, 'dist', 'src', 'cli', 'main.js');

function bundledNode() {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const names = [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`];
  for (const name of names) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`));
      const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
      if (existsSync(binary)) return binary;
    } catch {
      // not installed for this platform
    }
  }
  return null;
}

if (!existsSync(entry)) {
  console.error('Recaudo is not built yet: run `npm run build` (npm start does it by itself).');
  process.exit(1);
} else if (Number(process.versions.node.split('.')[0]) >= wanted) {
  await import(pathToFileURL(entry).href);
} else {
  const node = bundledNode();
  if (node === null) {
    console.error(
      `Recaudo needs Node.js ${wanted}; this is ${process.version}. Install it, or run \`npm ci\` ` +
        'without --omit=optional, which brings one.',
    );
    process.exit(1);
  }
  const child = spawn(node, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
