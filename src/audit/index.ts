export { type AuditFault, auditAccount, auditIn } from './audit.ts';
export { evidences } from './evidences.ts';
