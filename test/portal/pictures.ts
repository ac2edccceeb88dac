import { crc32, deflateSync } from 'node:zlib';
import { createCanvas } from '@napi-rs/canvas';

/** Draws a logo. */
export function drawn(kind: 'png' | 'jpeg', width = 240, height = 96): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  if (kind === 'jpeg') {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
  }
  context.fillStyle = '#7a1f5c';
  context.beginPath();
  context.arc(height / 2, height / 2, height / 2 - 4, 0, Math.PI * 2);
  context.fill();
  context.fillRect(height + 8, height / 3, width - height - 16, height / 3);
  return kind === 'png' ? canvas.toBuffer('image/png') : canvas.toBuffer('image/jpeg');
}

export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export const pngMark = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Builds a PNG of the given chunks, even if they contradict each other. */
export function madePng({
  width = 64,
  height = 64,
  shape = [8, 2, 0, 0, 0],
  pixels = Buffer.alloc(64 * (1 + 64 * 3)),
  extra = [] as Buffer[],
} = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  Buffer.from(shape).copy(head, 8);
  return Buffer.concat([
    pngMark,
    chunk('IHDR', head),
    ...extra,
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
