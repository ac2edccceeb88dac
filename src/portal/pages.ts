import { type AccessParts, accessPages } from './accesses/pages.tsx';
import { type ActivityParts, activityPages } from './activity/routes.ts';
import { type CallParts, callPages } from './calls/routes.ts';
import { type DebitPageParts, debitPages } from './debits/routes.ts';
import { type DisputeParts, disputePages } from './disputes/routes.ts';
import type { FrameParts, Portal } from './frame/index.ts';
import { type HistoryParts, historyPages } from './history/routes.ts';
import type { HomeParts } from './home/model.ts';
import { homePages } from './home/routes.ts';
import { type ImportParts, importPages } from './imports/routes.ts';
import { type IntegrationParts, integrationPages } from './integrations/routes.ts';
import { type MailPageParts, mailPages } from './mails/routes.ts';
import { type MandatePageParts, mandatePages } from './mandates/routes.ts';
import { type MoneyParts, moneyPages } from './money/routes.ts';
import { type AccountPageParts, operatorAccountPages } from './operator/accounts/routes.ts';
import { type AlarmParts, alarmPages } from './operator/alarms/routes.tsx';
import { type AuditLogParts, auditLogPages } from './operator/audit-log/routes.ts';
import { type CorrectionParts, correctionPages } from './operator/corrections/routes.ts';
import { emailPages, type LetterParts } from './operator/dead-letters/routes.ts';
import { type FeePageParts, feePages } from './operator/fees/routes.ts';
import { type FileParts, operatorFilePages } from './operator/files/routes.ts';
import { type HealthParts, healthPages } from './operator/health/routes.ts';
import { type OperatorHomeParts, operatorHomePages } from './operator/home/routes.ts';
import { type LookPageParts, lookPages } from './operator/looks/routes.ts';
import { type PayoutParts, payoutPages } from './operator/payouts/routes.ts';
import { type OperatorPeopleParts, operatorPeoplePages } from './operator/people/routes.ts';
import { type SandboxPageParts, sandboxPages } from './operator/sandbox/routes.ts';
import { type SettlementParts, settlementPages } from './operator/settlements/routes.ts';
import { type SuspenseParts, suspensePages } from './operator/suspense/routes.tsx';
import { type PeopleParts, peoplePages } from './people/routes.ts';
import type { QrPageParts } from './qr/parts.ts';
import { qrPages } from './qr/routes.ts';
import { type RefundPageParts, refundPages } from './refunds/routes.tsx';
import { type ReportPageParts, reportPages } from './reports/routes.ts';
import { type RequestParts, requestPages } from './requests/routes.ts';
import { type SettingParts, settingPages } from './settings/routes.ts';
import { type UserPageParts, userPages } from './settings/user-routes.ts';
import { type WebhookParts, webhookPages } from './webhooks/routes.ts';

export type PortalParts = FrameParts &
  PeopleParts &
  IntegrationParts &
  WebhookParts &
  CallParts &
  AccessParts &
  ActivityParts &
  SettingParts &
  UserPageParts &
  HomeParts &
  RequestParts &
  HistoryParts &
  RefundPageParts &
  DisputeParts &
  ImportParts &
  MandatePageParts &
  DebitPageParts &
  QrPageParts &
  MoneyParts &
  ReportPageParts &
  MailPageParts &
  OperatorHomeParts &
  FileParts &
  SuspenseParts &
  AlarmParts &
  LetterParts &
  PayoutParts &
  CorrectionParts &
  AccountPageParts &
  LookPageParts &
  AuditLogParts &
  SandboxPageParts &
  SettlementParts &
  FeePageParts &
  HealthParts &
  OperatorPeopleParts;

export function everyPage(portal: Portal, parts: PortalParts): void {
  peoplePages(portal, parts);
  integrationPages(portal, parts);
  webhookPages(portal, parts);
  callPages(portal, parts);
  accessPages(portal, parts);
  activityPages(portal, parts);
  settingPages(portal, parts);
  userPages(portal, parts);
  homePages(portal, parts);
  requestPages(portal, parts);
  historyPages(portal, parts);
  refundPages(portal, parts);
  disputePages(portal, parts);
  importPages(portal, parts);
  mandatePages(portal, parts);
  debitPages(portal, parts);
  qrPages(portal, parts);
  moneyPages(portal, parts);
  reportPages(portal, parts);
  mailPages(portal, parts);
  operatorHomePages(portal, parts);
  operatorFilePages(portal, parts);
  suspensePages(portal, parts);
  operatorPeoplePages(portal, parts);
  alarmPages(portal, parts);
  emailPages(portal, parts);
  settlementPages(portal, parts);
  payoutPages(portal, parts);
  correctionPages(portal, parts);
  operatorAccountPages(portal, parts);
  lookPages(portal, parts);
  auditLogPages(portal, parts);
  sandboxPages(portal, parts);
  feePages(portal, parts);
  healthPages(portal, parts);
}
