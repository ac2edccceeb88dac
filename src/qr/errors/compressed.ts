import { refusal } from '../../platform/codes.ts';
import type { Refusal } from '../../platform/errors.ts';

/** The refusal of a body that is compressed, by its header or its first bytes. */
export const compressed = (): Refusal => refusal('unsupported_encoding', {});

/** True if bytes begin like those of gzip. */
export const beginsLikeGzip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x1f && bytes[1] === 0x8b;
