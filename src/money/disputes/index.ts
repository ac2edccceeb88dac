export { type DisputeRow, type DisputeState, disputeStates, undecidedStates } from './dispute.ts';
export { checkRestored, disputeEvidence } from './evidence.ts';
export { type NoteDispute, noteDispute } from './note.ts';

export { disputesNeeded, disputesOf, listDisputes, readDispute } from './store.ts';
export { countEvidenceDue, type EvidenceDue } from './store-deadlines.ts';
export { deadlineSweep } from './warn.ts';
