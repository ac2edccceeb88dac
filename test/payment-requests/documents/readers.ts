import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import jsQrModule from 'jsqr';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const require = createRequire(import.meta.url);

const wasm = await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({
  overrides: {
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength),
  },
});

// The package declares a default member, but Node returns the function itself.
const jsQr = jsQrModule as unknown as typeof jsQrModule.default;

export type Pixels = {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
};

export type ReadPage = { readonly text: string; readonly pixels: Pixels };

/** Renders every page of a PDF and extracts its text, with an independent reader. */
export async function readPdf(bytes: Buffer, scale = 2.5): Promise<ReadPage[]> {
  const fonts = join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts/');
  const task = getDocument({
    data: new Uint8Array(bytes),
    standardFontDataUrl: fonts,
    verbosity: 0,
  });
  const pdf = await task.promise;
  const pages: ReadPage[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const viewport = page.getViewport({ scale });
    const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
    const context = canvas.getContext('2d');
    await page.render({
      canvas: canvas as unknown as HTMLCanvasElement,
      canvasContext: context as unknown as CanvasRenderingContext2D,
      viewport,
    }).promise;
    const { items } = await page.getTextContent();
    const text = items
      .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
      .join('')
      .replace(/ +/g, ' ');
    pages.push({ text, pixels: context.getImageData(0, 0, canvas.width, canvas.height) });
  }
  await task.destroy();
  return pages;
}

/** Returns the pixels of an image file (PNG or SVG), enlarged by `scale`. */
export async function readImage(bytes: Buffer, scale = 1): Promise<Pixels> {
  const image = await loadImage(bytes);
  const canvas = createCanvas(image.width * scale, image.height * scale);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

async function symbolsIn(pixels: Pixels, format: 'Code128' | 'ITF' | 'QRCode'): Promise<string[]> {
  const found = await readBarcodes(pixels as ImageData, { formats: [format], tryHarder: true });
  return found.map((symbol) => symbol.text);
}

/** Returns the texts of all Code 128 symbols in the picture. */
export const code128In = (pixels: Pixels): Promise<string[]> => symbolsIn(pixels, 'Code128');

/** Returns the texts of all Interleaved 2 of 5 symbols in the picture. */
export const itfIn = (pixels: Pixels): Promise<string[]> => symbolsIn(pixels, 'ITF');

/** Returns the texts of all QR codes in the picture, by a reader other than `qrIn`'s. */
export const zxingQrIn = (pixels: Pixels): Promise<string[]> => symbolsIn(pixels, 'QRCode');

/** Returns the text of the picture's QR code, if there is one. */
export function qrIn(pixels: Pixels): string | undefined {
  return jsQr(pixels.data, pixels.width, pixels.height)?.data;
}
