export { auditReports } from './audit.ts';
export { openReports } from './read.ts';
export { accountRoutes, reportRoutes } from './routes.ts';
