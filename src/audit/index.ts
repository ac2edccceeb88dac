export {
  type AuditOptions,
  type AuditReport,
  auditAccount,
  auditChecks,
  auditIn,
  auditSteps,
  reportAccount,
} from './audit.ts';
export { evidences } from './evidences.ts';
export { stampedAlarms } from './stamped-alarms.ts';
