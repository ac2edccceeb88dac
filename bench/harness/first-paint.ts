import type { Browser } from 'playwright-core';

/** A slow phone line: 1.6 Mbit/s, and 150 ms until an answer begins. */
const line = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
};

/** Milliseconds until a browser that has nothing kept shows something of a page, over that line. */
export async function firstPaint(browser: Browser, url: string, cookie: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    const protocol = await context.newCDPSession(page);
    await protocol.send('Network.enable');
    await protocol.send('Network.emulateNetworkConditions', line);
    await page.goto(url, { timeout: 30_000 });
    return await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const told = (seen: PerformanceObserverEntryList): void => {
            const [paint] = seen.getEntriesByName('first-contentful-paint');
            if (paint) resolve(paint.startTime);
          };
          new PerformanceObserver(told).observe({ type: 'paint', buffered: true });
        }),
    );
  } finally {
    await context.close();
  }
}
