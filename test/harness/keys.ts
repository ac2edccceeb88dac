import { randomBytes } from 'node:crypto';
import { wallClock } from '../../src/platform/clocks.ts';
import type { KeyRing } from '../../src/platform/key-ring.ts';
import { createSealKeys, type Sealer } from '../../src/seals/index.ts';

/** The tests' vault key: the processes of one database share it, wherever their files are. */
export const testVaultKeys = `tests:${Buffer.alloc(32, 5).toString('base64')}`;

/** A ring of keys by their numbers, 1 first; the last one makes new things. */
export const ringOf = (...keys: string[]): KeyRing => ({
  current: () => ({ no: keys.length, key: keys.at(-1) ?? '' }),
  key: (no) => keys[no - 1] ?? null,
});

/** Seals with a key of its own. */
export const keyedSealer = (): Sealer => ({
  keys: createSealKeys([{ id: 'k1', key: randomBytes(32) }]),
  moment: wallClock.now,
});
