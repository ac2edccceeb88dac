export { type AuditCheck, auditAccount } from './audit.ts';
