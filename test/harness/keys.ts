import { randomBytes } from 'node:crypto';
import { wallClock } from '../../src/platform/clocks.ts';
import type { KeyRing } from '../../src/platform/key-ring.ts';
import { createSealKeys, type Sealer } from '../../src/seals/index.ts';

/** The tests' vault key. Processes on one database need the same key, wherever their files are. */
export const testVaultKeys = `tests:${Buffer.alloc(32, 5).toString('base64')}`;

/** Returns a ring of keys that are numbered from 1. The last one is current. */
export const ringOf = (...keys: string[]): KeyRing => ({
  current: () => ({ no: keys.length, key: keys.at(-1) ?? '' }),
  key: (no) => keys[no - 1] ?? null,
});

/** Creates a sealer with a fresh key. */
export const keyedSealer = (): Sealer => ({
  keys: createSealKeys([{ id: 'k1', key: randomBytes(32) }]),
  moment: wallClock.now,
});
