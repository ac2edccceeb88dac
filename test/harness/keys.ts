import { randomBytes } from 'node:crypto';
import { wallClock } from '../../src/platform/clocks.ts';
import type { KeyRing } from '../../src/platform/key-ring.ts';
import { createSealKeys, type Sealer } from '../../src/seals/index.ts';

/** The tests' vault key, shared by the processes of one database wherever their files are. */
export const testVaultKeys = `tests:${Buffer.alloc(32, 5).toString('base64')}`;

/** Returns a key ring numbered from 1. The last key is the current one. */
export const ringOf = (...keys: string[]): KeyRing => ({
  current: () => ({ no: keys.length, key: keys.at(-1) ?? '' }),
  key: (no) => keys[no - 1] ?? null,
});

/** Creates a sealer with a fresh key. */
export const keyedSealer = (): Sealer => ({
  keys: createSealKeys([{ id: 'k1', key: randomBytes(32) }]),
  moment: wallClock.now,
});
