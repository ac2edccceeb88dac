export { simulatedDebits } from './debits.ts';
export { demoAccount } from './demo.ts';
export { signInSandbox } from './mandates.ts';
export { simulatedRules, testCards } from './outcomes.ts';
export { simulatedChannels, simulatedReversals } from './simulator.ts';
