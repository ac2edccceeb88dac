export { type LivesUntil, retireSweep } from './retire.ts';
export {
  createKeyRing,
  keysChangedTopic,
  type LiveKeyRing,
  rewrapKeys,
} from './ring.ts';
export { type OnRetire, type Rotation, rotateKeys } from './rotate.ts';
export { keepSealKeys, readSealKeys, storedSealKeyIds } from './seal-keys.ts';
export {
  countKeysUnderOtherKeys,
  type KeyPurpose,
  type KeyRow,
  keyPurposes,
  lockServiceKey,
} from './store.ts';
