export { type AnchorCheck, checkAnchors } from './anchors/check.ts';
export { createAnchors, receiverAt } from './anchors/publish.ts';
export { watchBlockedSeals } from './blocked.ts';
export { checkChain, checkRows, endKeyIds, linkBefore } from './check.ts';
export { type Evidence, namedRows, type Stamped, type StampsBegan } from './evidence.ts';
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
export { oldestUnsealed, sealLagging } from './lagging.ts';
export { type Forged, holdChains, keylessSealer, type Sealer } from './seal.ts';
export {
  checkStamps,
  forgedAmongFacts,
  forgedFacts,
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
} from './stamps.ts';
