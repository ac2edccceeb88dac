export { simulatedDebits } from './debits.ts';
export { demoAccount, demoUsers } from './demo.ts';
export { signInSandbox, simulatedSignatures } from './mandates.ts';
export { simulatedRules, testCards } from './outcomes.ts';
export { simulatedTransfers } from './refunds.ts';
export { simulatedChannels, simulatedReversals } from './simulator.ts';
