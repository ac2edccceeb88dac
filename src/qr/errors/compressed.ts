import { QrRefusal } from './refusal.ts';

/** The refusal of a body that is compressed, by its header or its first bytes. */
export const compressed = (): QrRefusal =>
  new QrRefusal('compressed', 'The body must not be compressed: send the JSON document itself.');

/** Whether bytes begin like those of gzip. */
export const beginsLikeGzip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x1f && bytes[1] === 0x8b;
