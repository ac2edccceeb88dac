import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../src/platform/key-ring.ts';

const key = randomBytes(32).toString('hex');

/** Links as the service makes them, with a key of this process. */
export const oneKey: KeyRing = { current: () => ({ no: 1, key }), key: () => key };
