export { connectorOver } from './connector.ts';
export { type Connectors, openConnectors } from './connectors.ts';
export type { NoticeParts } from './facts.ts';
export { type Reconciled, reconcile } from './reconcile/index.ts';
export { keepLetter, replayLetter } from './replay.ts';
export { noticeRoutes } from './routes.ts';
export { statusOf } from './status.ts';
export { tells } from './tells.ts';
