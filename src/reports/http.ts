/** HTTP entry point: routes, schemas and documentation. Commands do not load it. */

export { accountRoutes, reportRoutes } from './routes.ts';
