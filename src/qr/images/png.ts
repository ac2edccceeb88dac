import { crc32, deflateSync } from 'node:zlib';
import type { QrModules } from '../../platform/qr-shape.ts';

/** Pixels per module. At one bit per pixel, a module's row is a byte. */
export const pixelsOfModule = 8;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const dark = 0x00;
const light = 0xff;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** Builds the IHDR chunk: one-bit grayscale, with the standard's only methods. */
function header(pixels: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(pixels, 0);
  data.writeUInt32BE(pixels, 4);
  data[8] = 1;
  return chunk('IHDR', data);
}

/** Builds the scanlines, each with its filter byte (none). */
function linesOf({ size, isDark }: QrModules, margin: number): Buffer {
  const side = size + 2 * margin;
  const lines = Buffer.alloc(side * pixelsOfModule * (side + 1), light);
  for (let row = 0; row < side; row += 1) {
    const line = Buffer.alloc(side + 1, light);
    line[0] = 0;
    for (let column = 0; column < size; column += 1) {
      const inside = row >= margin && row < margin + size;
      if (inside && isDark(row - margin, column)) line[1 + margin + column] = dark;
    }
    for (let pixel = 0; pixel < pixelsOfModule; pixel += 1) {
      line.copy(lines, (row * pixelsOfModule + pixel) * line.length);
    }
  }
  return lines;
}

/**
 * Draws a QR code as a black-and-white PNG (ISO/IEC 15948) with a quiet zone of `margin` modules.
 */
export function qrPng(modules: QrModules, margin: number): Buffer {
  return Buffer.concat([
    signature,
    header((modules.size + 2 * margin) * pixelsOfModule),
    chunk('IDAT', deflateSync(linesOf(modules, margin))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
