export {
  type ApproveCorrection,
  approveCorrection,
  correct,
  listCorrections,
  type OrderCorrection,
  type OrderedCorrection,
  orderCorrection,
} from './corrections.ts';
export { checkCorrections, correctionEvidence } from './evidence.ts';
