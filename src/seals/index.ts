export { checkChain, checkRows, linkBefore } from './check.ts';
export { type Evidence, rowsOf } from './evidence.ts';
export { createSealKeys, type SealKeys } from './keys.ts';
export { keylessSealer, lockSeals, type Sealer, sealBehind, sealRows } from './seal.ts';
