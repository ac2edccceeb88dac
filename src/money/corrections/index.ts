export { correct, listCorrections } from './corrections.ts';
export { checkCorrections, correctionEvidence } from './evidence.ts';
