import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { packageRoot } from '../src/package-root.ts';
import { holdFileLock } from '../src/platform/embedded/file-lock.ts';

const installed = '/usr/bin/chromium';

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A renderer of its own for each page costs more than the page; every page here is ours.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--process-per-site',
];

const modules = path.join(packageRoot(), 'node_modules');

/** The version of the browser that comes with the packages. */
function packedVersion(): string {
  const manifest = path.join(modules, '@sparticuz/chromium/package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Unpacks to a folder, in a process of its own: the package does so to the temporary folder. */
function unpackTo(folder: string): void {
  const program = path.join(
    import.meta.dirname,
    `unpack-browser${path.extname(import.meta.filename)}`,
  );
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [program], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * The browser that comes with the packages, unpacked beside them once. Of several processes one
 * unpacks and the others wait; its name is there when all of it is, whatever broke off before.
 */
export async function unpackedBrowser(
  folder = path.join(modules, '.cache', `chromium-${packedVersion()}`),
): Promise<string> {
  const browser = path.join(folder, 'chromium');
  if (existsSync(browser)) return browser;
  mkdirSync(path.dirname(folder), { recursive: true });
  const letGo = await holdFileLock(`${folder}.lock`);
  try {
    if (existsSync(browser)) return browser;
    const part = `${folder}.part`;
    rmSync(part, { recursive: true, force: true });
    unpackTo(part);
    renameSync(part, folder);
    return browser;
  } finally {
    letGo();
  }
}

/**
 * Starts a real Chromium: the installed one, else the one that comes with the packages. The caller
 * closes it.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = existsSync(installed) ? installed : await unpackedBrowser();
  return await chromium.launch({ executablePath, args, headless: true });
}
