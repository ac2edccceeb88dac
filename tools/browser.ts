import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

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
];

/**
 * Starts a real Chromium: the installed one, else the one that comes with the packages. The caller
 * closes it.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = existsSync(installed) ? installed : await sparticuz.executablePath();
  return await chromium.launch({ executablePath, args, headless: true });
}
