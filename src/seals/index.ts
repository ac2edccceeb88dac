export { type AnchorCheck, checkAnchors } from './anchors/check.ts';
export { anchorProtocols, createAnchors, namesAnchorFile, receiverAt } from './anchors/publish.ts';
export { oldestUnsealed, sealBehind } from './behind.ts';
export { checkChain, checkRows, endKeyIds, linkBefore } from './check.ts';
export { type Evidence, namedRows, type Stamped, type StampsBegan } from './evidence.ts';
export { createHeldBack } from './held-back.ts';
export {
  createSealKeys,
  type KeptSealKey,
  keyless,
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
