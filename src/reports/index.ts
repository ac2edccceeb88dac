export { auditReports } from './audit.ts';
export { createReportReader, type ReportLimits } from './read.ts';
