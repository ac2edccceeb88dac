#!/usr/bin/env node
// Runs the built service on Node 26, also when an older Node was found first: `npm ci` brings one.
// Written for old runtimes on purpose: it must be able to say what is wrong.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Keeps the garbage of calls, which live shortly, small: docs/explanation/performance.md has what it costs. */
const flags = ['--max-semi-space-size=8', '--max-old-space-size=1024'];

/**
 * glibc's malloc settings (mallopt(3)), unless the operator sets them. The defaults keep an arena
 * for each of Node's threads and the memory that compilers and parsers freed: tens of megabytes
 * that nothing uses. Other C libraries ignore these variables.
 */
const allocator = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

function run(node) {
  const args = [...flags, entry, ...process.argv.slice(2)];
  const env = { ...allocator, ...process.env };
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(node, [node, ...args], env);
  }
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  // The service listens for SIGTERM; what it ends by is one that came before it did.
  const early = (signal) => signal === 'SIGTERM' && process.argv[2] === 'serve';
  child.on('exit', (code, signal) => process.exit(signal ? Number(!early(signal)) : (code ?? 1)));
}

const isRecent = Number(process.versions.node.split('.')[0]) >= wanted;
const node = isRecent ? process.execPath : bundledNode();

if (!existsSync(entry)) {
  console.error('Recaudo is not built yet: run `npm run build` (npm start does it by itself).');
  process.exit(1);
} else if (node === null) {
  console.error(
    `Recaudo needs Node.js ${wanted}; this is ${process.version}. Install it, or run \`npm ci\` ` +
      'without --omit=optional, which brings one.',
  );
  process.exit(1);
} else {
  run(node);
}
