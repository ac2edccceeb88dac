export {
  type ApproveCorrection,
  approveCorrection,
  listCorrections,
  type OrderCorrection,
  type OrderedCorrection,
  orderCorrection,
} from './corrections.ts';
export { checkCorrections, correctionEvidence } from './evidence.ts';
