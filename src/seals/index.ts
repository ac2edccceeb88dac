export { type AnchorCheck, checkAnchors } from './anchors/check.ts';
export { createAnchors, receiverAt } from './anchors/publish.ts';
export { oldestUnsent } from './anchors/store.ts';
export { watchBlockedSeals } from './blocked.ts';
export { checkChain, checkRows, endKeyIds, linkBefore } from './check.ts';
export { readSealed, type SealedDigests, sealErased } from './erased.ts';
export { type Evidence, namedRows, rowsOf, type Stamped, type StampsBegan } from './evidence.ts';
export {
  createSealKeys,
  keyless,
  type RetiredSealKey,
  type SealKeys,
  sealKeyOf,
} from './keys.ts';
export {
  isSealedAfter,
  keysSealedLater,
  keysSealedSince,
  lastSealNo,
  nextSeal,
  type SealPlace,
  sealedAccounts,
  sealedKeys,
  sealsOfKeys,
  unsealedKeys,
  unsealedSince,
} from './keys-sealed.ts';
export { neverSealed, oldestUnsealed, sealLagging } from './lagging.ts';
export { checkPosition } from './position.ts';
export { type Forged, holdChains, keylessSealer, type Sealer } from './seal.ts';
export {
  checkStamps,
  forgedAmongFacts,
  hasStamp,
  isForged,
  readBegan,
  stampColumns,
  stampedFacts,
} from './stamped.ts';
export {
  isStamped,
  momentText,
  stampedText,
  stampKeys,
  stampRow,
  stampRows,
  stampWith,
  withoutStamp,
} from './stamps.ts';
