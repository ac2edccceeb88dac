export { auditReports } from './audit.ts';
export { openReports, type ReportLimits } from './read.ts';
export { accountRoutes, reportRoutes } from './routes.ts';
