import { isDeepStrictEqual } from 'node:util';
import { lockAccount, noteAccount, raiseVersion } from '../../accounts/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { refuseOutdated } from '../../platform/form-version.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { lastSealNo } from '../../seals/index.ts';
import { refusal } from './codes.ts';
import { defaultTexts } from './texts/default-texts.ts';
import { textFaults } from './texts/fill.ts';
import {
  langs,
  type MailLanguages,
  type MailText,
  type PayerMailKind,
  payerMailKinds,
} from './texts/kinds.ts';

export interface PayerMailSettings {
  request: boolean;
  reminder: boolean;
  receipt: boolean;
  /** Days before each due date. */
  reminderDays: number;
  languages: MailLanguages;
  /** Attaches the coupon as PDF. If false, the email only links to it. */
  attachesCoupon: boolean;
}

const off: PayerMailSettings = {
  request: false,
  reminder: false,
  receipt: false,
  reminderDays: 3,
  languages: 'es',
  attachesCoupon: false,
};

export const mostReminderDays = 30;

interface SettingsRow extends Omit<PayerMailSettings, 'reminderDays' | 'attachesCoupon'> {
  reminder_days: number;
  attaches_coupon: boolean;
}

/** Reads an account's settings. By default all emails are off. */
export async function readMailSettings(
  sql: Queryable,
  accountId: string,
): Promise<PayerMailSettings> {
  const [row] = await sql<SettingsRow[]>`
    select sends_request as request, sends_reminder as reminder, sends_receipt as receipt,
      reminder_days, languages, attaches_coupon
    from payer_mail_settings where account_id = ${accountId}`;
  if (!row) return off;
  const { reminder_days: reminderDays, attaches_coupon: attachesCoupon, ...rest } = row;
  return { ...rest, reminderDays, attachesCoupon };
}

export interface SettingsChange {
  accountId: string;
  settings: PayerMailSettings;
  /** The form's version. */
  seen?: string;
  actor: Actor;
}

export const mailSettingsFormValues = (settings: PayerMailSettings) => ({
  kinds: payerMailKinds.filter((kind) => settings[kind]).join(' '),
  days: String(settings.reminderDays),
  languages: settings.languages,
  coupon: settings.attachesCoupon ? 'file' : 'link',
});

function refuseSettings({ reminderDays }: PayerMailSettings): void {
  const fine =
    Number.isInteger(reminderDays) && reminderDays >= 1 && reminderDays <= mostReminderDays;
  if (fine) return;
  throw refusal('payer_mail.reminder_days', { most: mostReminderDays });
}

/**
 * Writes settings and marks, so that requests created, paid or sealed before emails were turned on
 * send none.
 */
async function writeSettings(
  tx: Queryable,
  { accountId, settings, before }: SettingsChange & { before: PayerMailSettings },
  { now, today }: { now: Temporal.Instant; today: Temporal.PlainDate },
): Promise<void> {
  const { request, reminder, receipt, reminderDays, languages, attachesCoupon } = settings;
  // Today's reminders still go out, but not those of missed days. A shorter lead time repeats no
  // reminder, because each due date gets only one.
  const remindedUntil = today.add({ days: reminderDays - 1 });
  const [last] = await tx<{ no: number }[]>`select ${lastSealNo(tx, accountId)} as no`;
  await tx`
    insert into payer_mail_marks as m (account_id, seal_no, reminded_until)
    values (${accountId}, ${last?.no ?? 0}, ${reminder ? remindedUntil : null}::date)
    on conflict (account_id) do update set
      seal_no = case when ${before.request || before.receipt}::boolean then m.seal_no
        else excluded.seal_no end,
      reminded_until = case when excluded.reminded_until is null then m.reminded_until
        when ${before.reminder}::boolean then least(m.reminded_until, excluded.reminded_until)
        else excluded.reminded_until end`;
  await tx`
    insert into payer_mail_settings as s (account_id, sends_request, sends_reminder, sends_receipt,
      request_since, receipt_since, reminder_days, languages, attaches_coupon)
    values (${accountId}, ${request}, ${reminder}, ${receipt},
      case when ${request} then ${now}::timestamptz end,
      case when ${receipt} then ${now}::timestamptz end,
      ${reminderDays}, ${languages}, ${attachesCoupon})
    on conflict (account_id) do update set
      sends_request = excluded.sends_request, sends_reminder = excluded.sends_reminder,
      sends_receipt = excluded.sends_receipt,
      request_since = case when s.sends_request and excluded.sends_request then s.request_since
        else excluded.request_since end,
      receipt_since = case when s.sends_receipt and excluded.sends_receipt then s.receipt_since
        else excluded.receipt_since end,
      reminder_days = excluded.reminder_days, languages = excluded.languages,
      attaches_coupon = excluded.attaches_coupon`;
}

type Parts = Pick<Base, 'sql' | 'clocks' | 'recordIds'>;

/**
 * Changes an account's settings of emails to payers. Returns false if unchanged. Throws 400 for an
 * invalid number of days, 409 if the settings changed since the form was loaded.
 */
export const changeMailSettings =
  ({ sql, clocks, recordIds }: Parts) =>
  async (change: SettingsChange): Promise<boolean> => {
    const { accountId, settings, actor } = change;
    refuseSettings(settings);
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      await lockAccount(tx, accountId);
      const before = await readMailSettings(tx, accountId);
      if (isDeepStrictEqual({ ...before }, settings)) return false;
      refuseOutdated(change.seen, mailSettingsFormValues(before));
      const version = await raiseVersion(tx, accountId);
      const { business } = clocks;
      const moments = { now: business.now(), today: business.today() };
      await writeSettings(tx, { ...change, before }, moments);
      const acting = { sql, clocks, recordIds, actor };
      const data = { payer_mails: settings, before };
      await noteAccount(tx, acting, {
        accountId,
        version,
        eventId,
        type: 'account.mails_changed',
        data,
      });
      return true;
    });
  };

export type MailTexts = Readonly<Record<PayerMailKind, Readonly<Record<Lang, OwnText>>>>;

export interface OwnText extends MailText {
  /** True if the account wrote it. */
  own: boolean;
}

/** Reads an account's texts: its own, or the defaults. */
export async function readMailTexts(sql: Queryable, accountId: string): Promise<MailTexts> {
  const rows = await sql<(MailText & { kind: PayerMailKind; lang: Lang })[]>`
    select kind, lang, subject, body from payer_mail_texts where account_id = ${accountId}`;
  const textOf = (kind: PayerMailKind, lang: Lang): OwnText => {
    const own = rows.find((row) => row.kind === kind && row.lang === lang);
    return own
      ? { subject: own.subject, body: own.body, own: true }
      : { ...defaultTexts[lang][kind], own: false };
  };
  const ofKind = (kind: PayerMailKind) =>
    Object.fromEntries(langs.map((lang) => [lang, textOf(kind, lang)]));
  return Object.fromEntries(payerMailKinds.map((kind) => [kind, ofKind(kind)])) as MailTexts;
}

export interface TextChange {
  accountId: string;
  kind: PayerMailKind;
  lang: Lang;
  /** Null restores the default. */
  text: MailText | null;
  /** The form's version. */
  seen?: string;
  actor: Actor;
}

export const mailTextFormValues = ({ subject, body }: MailText) => ({ subject, body });

/**
 * Sets a text of an account. Throws 400 with each field's fault, 409 if it changed since the form
 * was loaded.
 */
export const changeMailText =
  ({ sql, clocks, recordIds }: Parts) =>
  async ({ accountId, kind, lang, text, seen, actor }: TextChange): Promise<void> => {
    const children = text === null ? {} : textFaults(kind, lang, text);
    if (Object.keys(children).length > 0)
      throw refusal('payer_mail.text_invalid', {}, { children });
    const eventId = await recordIds.next();
    await sql.begin(async (tx) => {
      await lockAccount(tx, accountId);
      const { own, ...before } = (await readMailTexts(tx, accountId))[kind][lang];
      if (isDeepStrictEqual(own ? before : null, text)) return;
      refuseOutdated(seen, mailTextFormValues(before));
      const version = await raiseVersion(tx, accountId);
      if (text === null) {
        await tx`
          delete from payer_mail_texts
          where account_id = ${accountId} and kind = ${kind} and lang = ${lang}`;
      } else {
        await tx`
          insert into payer_mail_texts (account_id, kind, lang, subject, body)
          values (${accountId}, ${kind}, ${lang}, ${text.subject}, ${text.body})
          on conflict (account_id, kind, lang)
          do update set subject = excluded.subject, body = excluded.body`;
      }
      const acting = { sql, clocks, recordIds, actor };
      const data = { payer_mail_text: { kind, lang, ...text } };
      await noteAccount(tx, acting, {
        accountId,
        version,
        eventId,
        type: 'account.mails_changed',
        data,
      });
    });
  };
