export { simulatedDebits } from './debits.ts';
export { demoAccount } from './demo.ts';
export { signInSandbox } from './mandates.ts';
export { simulatedRules, testCards } from './outcomes.ts';
export { payInSandbox } from './pay.ts';
export { sandboxRefusals, sandboxRoutes } from './routes.ts';
export { simulatedChannels, simulatedReversals } from './simulator.ts';
