export {
  type ApproveCorrection,
  approveCorrection,
  type OrderCorrection,
  type OrderedCorrection,
  orderCorrection,
} from './corrections.ts';
export { checkCorrections, correctionEvidence } from './evidence.ts';
export { balanceCorrecting } from './operations.ts';
