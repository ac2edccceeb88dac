export { type DebitKind, type DebitRow, type DebitRun, mandateKindOf } from './debit.ts';
export { type DebitParts, type DebitRequests, openDebitRequests } from './open.ts';
export { debitRequestRoutes } from './routes.ts';
export { channelOf, type RunOutcome } from './runs/fact.ts';
export { type Handling, type RejectCode, rejectCodeOf, rejectCodes } from './runs/reject-codes.ts';
export { type Decision, readDecisions } from './runs/runs.ts';
export { planRun, type Settled, type SettleRuns, settleRuns } from './runs/settle.ts';
export type { DebitTerms, TermsOf } from './timing.ts';
