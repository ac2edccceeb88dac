import type { Browser } from 'playwright-core';

/** A slow mobile line: 1.6 Mbit/s, 150 ms latency. */
const line = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
};

/** Returns the milliseconds to first paint over that line, with an empty cache. */
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
