export { type AuditReport, auditAccount, auditIn, reportAccount } from './audit.ts';
export { evidences } from './evidences.ts';
