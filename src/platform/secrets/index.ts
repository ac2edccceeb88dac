export { type LivesUntil, retireSweep } from './retire.ts';
export {
  type KeyRing,
  keysChangedTopic,
  type LiveKeyRing,
  openKeyRing,
  type RingKey,
  rewrapKeys,
} from './ring.ts';
export { type OnRetire, type Rotation, rotateKeys } from './rotate.ts';
export { holdKey, type KeyPurpose, type KeyRow, keyPurposes, readKeys } from './store.ts';
