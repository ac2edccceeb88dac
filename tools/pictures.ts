import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas, type Image, loadImage } from '@napi-rs/canvas';
import { packageRoot } from '../src/package-root.ts';
import { readmePicture } from './readme-picture.ts';

/**
 * Combines the four renderings of each page, which tests write to the folder `PICTURES`, into one
 * image of docs/reference/portal: light and dark, desktop and phone.
 */

const looks = ['1280-light', '360-light', '1280-dark', '360-dark'] as const;
/** Scale of an image; longer pages are cropped. */
const scale = 0.5;
const tallest = 1_600;
const gap = 16;
const quality = 70;

const [folder, checkout, portal, email, password] = process.argv.slice(2);
if (folder === '--readme' && checkout && portal && email && password) {
  await readmePicture({ checkout, portal, email, password });
  process.exit(0);
}
if (folder === undefined || folder === '--readme') {
  process.stderr.write(
    'usage: npm run pictures -- FOLDER\n       npm run pictures -- --readme CHECKOUT PORTAL EMAIL PASSWORD\n',
  );
  process.exit(2);
}
const files = await readdir(folder);
const names = files
  .flatMap((file) => /^(.+)-1280-light\.png$/.exec(file)?.[1] ?? [])
  .filter((name) => looks.every((look) => files.includes(`${name}-${look}.png`)))
  .toSorted();

const heightOf = ({ height }: Image): number => Math.min(height, tallest) * scale;

async function picture(name: string): Promise<Buffer> {
  const images = await Promise.all(
    looks.map((look) => loadImage(path.join(folder as string, `${name}-${look}.png`))),
  );
  const width = images.reduce((sum, image) => sum + image.width * scale + gap, gap);
  const canvas = createCanvas(width, Math.max(...images.map(heightOf)) + 2 * gap);
  const context = canvas.getContext('2d');
  context.fillStyle = '#8a8f94';
  context.fillRect(0, 0, canvas.width, canvas.height);
  let left = gap;
  for (const image of images) {
    const wide = image.width * scale;
    const high = heightOf(image);
    context.drawImage(image, 0, 0, image.width, high / scale, left, gap, wide, high);
    left += wide + gap;
  }
  return await canvas.encode('webp', quality);
}

const target = path.join(packageRoot(), 'docs/reference/portal');
await mkdir(target, { recursive: true });
for (const name of names) await writeFile(path.join(target, `${name}.webp`), await picture(name));
// Pages that were not rendered this time keep their images.
const all = (await readdir(target)).flatMap((file) => /^(.+)\.webp$/.exec(file)?.[1] ?? []);
const lines = all.toSorted().map((name) => `## ${name}\n\n![${name}](${name}.webp)\n`);
const head =
  '# The pages of the portal\n\nEach as the browser tests see it: 1280 and 360 pixels wide, by day and by night. Made by `npm run pictures`.\n';
await writeFile(path.join(target, 'README.md'), `${head}\n${lines.join('\n')}`);
process.stdout.write(`${names.length} pictures in docs/reference/portal\n`);
