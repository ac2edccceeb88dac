import { refusal } from '../../platform/codes.ts';
import type { Refusal } from '../../platform/errors.ts';

/** Returns the refusal of a compressed body, recognized by its header or first bytes. */
export const compressed = (): Refusal => refusal('unsupported_encoding', {});

export const beginsLikeGzip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x1f && bytes[1] === 0x8b;
