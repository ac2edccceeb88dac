import type { Portal } from '../../frame/index.ts';
import { type AuditLogParts, readAuditLog } from './model.ts';
import { auditLogPage } from './views.tsx';

export type { AuditLogParts } from './model.ts';

export function auditLogPages(portal: Portal, parts: AuditLogParts): void {
  portal.page({
    act: 'audit_log.see',
    path: '/audit-log',
    read: async (visit) => auditLogPage(visit, await readAuditLog(parts, visit)),
  });
}
