import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { adhesionBody, getAdhesion, signingUrl } from '../harness/builders/mandates.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

async function waiting(fields: Record<string, unknown> = {}): Promise<{ id: number; url: string }> {
  const email = 'ana+nosign@example.com';
  const { body } = await service.call('POST', '/adhesion', {
    body: adhesionBody({ email, ...fields }),
  });
  return { id: body.id, url: signingUrl(service, 'adhesion', body.id) };
}

/** Opens a page without JavaScript. Fails on any console message. */
async function open(url: string): Promise<Page> {
  const viewport = { width: 360, height: 740 };
  const page = await browser.newPage({ javaScriptEnabled: false, viewport });
  const said: string[] = [];
  page.on('console', (message) => {
    if (!message.text().includes('favicon')) said.push(message.text());
  });
  await page.goto(url);
  expect(said).toEqual([]);
  return page;
}

test('shows the holder what will be debited and by whom, and accepts with one click', async () => {
  const { id, url } = await waiting();
  const page = await open(url);
  expect(await page.textContent('h1')).toContain('Autorizar el débito automático de');
  expect(await page.textContent('dl')).toContain('Nación, CBU 0110 •••• •••• •••• ••67 84');
  await page.click('text=Aceptar y autorizar');
  await page.waitForSelector('text=Autorización firmada');
  expect(page.url()).toBe(url);
  expect((await getAdhesion(service, id)).state).toBe('signed');
  await page.reload();
  expect(await page.locator('input[value=accept]').count()).toBe(0);
  await page.close();
});

test('changes the language, and declines with the keyboard', async () => {
  const { id, url } = await waiting();
  const page = await open(url);
  await page.click('text=English');
  expect(page.url()).toBe(`${url}?lang=en`);
  await page.focus('button.button-quiet');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Do you want to decline?');
  await page.click('text=Back');
  expect(await page.textContent('h1')).toContain('Authorize automatic debits');
  await page.focus('button.button-quiet');
  await page.keyboard.press('Enter');
  await page.focus('text=Yes, decline');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Authorization declined');
  expect((await getAdhesion(service, id)).state).toBe('canceled');
  await page.close();
});

test('fits 360 pixels without scrolling sideways, whatever the texts', async () => {
  const long = 'Palabralarguísimasinespacios'.repeat(9);
  const { url } = await waiting({
    adhesion_holder_name: long.slice(0, 50),
    cbu_holder_name: long.slice(0, 255),
    description: long.slice(0, 255),
  });
  for (const address of [url, `${url}?lang=en`, `${service.origin}/sign/adhesion/x`]) {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(address);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.close();
  }
});
