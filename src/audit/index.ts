export { type AuditReport, auditAccount, auditIn, auditSteps, reportAccount } from './audit.ts';
export { evidences } from './evidences.ts';
