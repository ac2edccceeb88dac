export { checkChain, checkRows, linkBefore } from './check.ts';
export { type Evidence, rowsOf } from './evidence.ts';
export { openSealKeys, type SealKeys } from './keys.ts';
export { holdSeals, keylessSealer, type Sealer, sealBehind, sealRows } from './seal.ts';
