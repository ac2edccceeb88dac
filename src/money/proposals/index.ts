export {
  approveIn,
  type Decision,
  propose,
  type Reject,
  rejectProposal,
} from './decide.ts';
export { checkApproved, proposalEvidence } from './evidence.ts';
export { balancesAround, type Proposal } from './proposal.ts';
export { findProposal, findProposed, latestProposals, listWaiting } from './store.ts';
