export { type ClockMoved, moveClock } from './clock.ts';
export { simulatedDebits } from './debits.ts';
export { demoAccount, demoUsers } from './demo.ts';
export { signInSandbox, simulatedSignatures } from './mandates.ts';
export { simulatedCodes } from './simulator/codes.ts';
export { simulatedRules } from './simulator/outcomes.ts';
export { simulatedReversals } from './simulator/reversals.ts';
export { testCards } from './simulator/test-cards.ts';
export { simulatedTransfers } from './transfers.ts';
