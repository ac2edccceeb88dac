/** HTTP entry point: routes, schemas and documentation. Commands do not load it. */

export { type SimulatedRequests, simulatedRequests } from './kinds.ts';
export { simulatedPaymentRequests } from './pay.ts';
export { simulatedDebitRequests } from './pay-debit.ts';
export { simulatedQrs } from './pay-qr.ts';
export { sandboxRefusals, sandboxRoutes } from './routes.ts';
export { simulatorAssets } from './simulator/assets.ts';
export { openSimulator, type Simulator } from './simulator/connector.ts';
export { simulatorPages } from './simulator/pages.ts';
