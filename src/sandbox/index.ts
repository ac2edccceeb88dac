export { demoAccount } from './demo.ts';
export { simulatedRequests } from './kinds.ts';
export { simulatedRules, testCards } from './outcomes.ts';
export { simulatedPaymentRequests } from './pay.ts';
export { simulatedQrs } from './pay-qr.ts';
export { sandboxRefusals, sandboxRoutes } from './routes.ts';
export { simulatedChannels, simulatedReversals } from './simulator.ts';
