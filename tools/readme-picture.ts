import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { packageRoot } from '../src/package-root.ts';
import { launchBrowser } from './browser.ts';

/** Pages of a running sandbox for the README. */
export interface Places {
  checkout: string;
  portal: string;
  email: string;
  password: string;
}

const height = 1_040;
const gap = 24;
const quality = 80;

/** Renders the checkout on a phone next to the portal's home page, from a running service. */
export async function readmePicture({ checkout, portal, email, password }: Places): Promise<void> {
  const browser = await launchBrowser();
  try {
    const desk = await browser.newPage({ viewport: { width: 1_280, height } });
    await desk.goto(portal);
    await desk.fill('input[name=email]', email);
    await desk.fill('input[name=password]', password);
    await desk.keyboard.press('Enter');
    await desk.waitForURL(/\/portal\/[0-9A-F]{8}/);
    const phone = await browser.newPage({ viewport: { width: 390, height } });
    await phone.goto(checkout);
    const images = await Promise.all(
      [phone, desk].map(async (page) => loadImage(await page.screenshot())),
    );
    const width = images.reduce((sum, image) => sum + image.width + gap, gap);
    const canvas = createCanvas(width, height + 2 * gap);
    const context = canvas.getContext('2d');
    context.fillStyle = '#8a8f94';
    context.fillRect(0, 0, canvas.width, canvas.height);
    let left = gap;
    for (const image of images) {
      context.drawImage(image, left, gap);
      left += image.width + gap;
    }
    const file = path.join(packageRoot(), 'docs/recaudo.webp');
    await writeFile(file, await canvas.encode('webp', quality));
  } finally {
    await browser.close();
  }
}
