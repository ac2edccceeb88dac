export { type Connectors, openConnectors } from './connectors.ts';
export { noticeRoutes } from './routes.ts';
export { statusOf } from './status.ts';
