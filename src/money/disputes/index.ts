export { type DisputeRow, type DisputeState, disputeStates, undecidedStates } from './dispute.ts';
export { checkRestored, disputeEvidence } from './evidence.ts';
export { type NoteDispute, noteDispute } from './note.ts';

export { disputesNeeded, eraseDisputes, exportDisputes } from './store.ts';
export { countEvidenceDue, type EvidenceDue } from './store-deadlines.ts';
export { disputesOf, listDisputes, readDispute } from './store-reads.ts';
export { deadlineSweep } from './warn.ts';
