export {
  approveFirst,
  approveIn,
  type Decision,
  expireIn,
  lapseSweep,
  noProposal,
  propose,
  type Reject,
  rejectProposal,
} from './decide.ts';
export { checkApproved, proposalEvidence } from './evidence.ts';
export {
  correctionApproving,
  correctionRejecting,
  type ProposalApproving,
  type ProposalList,
  type ProposalRejecting,
  payoutApproving,
  payoutRejecting,
  refundApproving,
  refundRejecting,
} from './operations.ts';
export {
  countPersonalProposals,
  eraseProposals,
  exportProposals,
  proposalEntities,
  proposalsNeeded,
} from './personal.ts';
export {
  balancesAround,
  isOfAccount,
  lapseOf,
  type Proposal,
  standingOf,
} from './proposal.ts';
export {
  decidedOf,
  findNamed,
  findProposal,
  findProposed,
  latestProposals,
  letGoBy,
  listWaiting,
  oldestWaiting,
  pendingPayoutRequest,
  proposalsOfRequest,
  waitingOf,
  waitingOnRequest,
} from './store.ts';
