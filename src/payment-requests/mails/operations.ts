import type { Base } from '../../platform/base.ts';
import { accountId, integer, line, listOf, oneOf } from '../../platform/http/fields.ts';
import { optional, required } from '../../platform/http/form.ts';
import { operation } from '../../platform/operations.ts';
import { mostReminderDays, type PayerMailSettings, type SettingsChange } from './settings.ts';
import { mailLanguages, type PayerMailKind, payerMailKinds } from './texts/kinds.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

interface Verb {
  change(change: SettingsChange): Promise<unknown>;
  /** The version that the form showed. */
  seen: string;
}

export const mailSetting = operation({
  name: 'payer_mail.settings',
  act: 'settings.change',
  texts: { en, es },
  takes: {
    account: required(accountId()),
    kinds: optional(listOf(oneOf(payerMailKinds), { max: payerMailKinds.length })),
    days: required(integer({ min: 1, max: mostReminderDays, digits: true })),
    languages: required(oneOf(mailLanguages)),
    coupon: required(oneOf(['link', 'file'] as const)),
  },
  repeat: 'natural',
  run({ change, seen }: Verb, { account, kinds, days, languages, coupon }, actor) {
    const has = (kind: PayerMailKind): boolean => (kinds ?? []).includes(kind);
    const settings: PayerMailSettings = {
      request: has('request'),
      reminder: has('reminder'),
      receipt: has('receipt'),
      reminderDays: days,
      languages,
      attachesCoupon: coupon === 'file',
    };
    return change({ accountId: account, settings, seen, actor });
  },
});

export const bounceBooking = operation({
  name: 'payer_mail.bounces',
  act: 'operators.manage',
  texts: { en, es },
  takes: { file: required(line({ max: 4_096 })) },
  repeat: 'natural',
  async run(base: Base, { file }, actor) {
    const { bookBounceFile } = await import('./bounces/file.ts');
    return await bookBounceFile({ ...base, actor }, file);
  },
  command: { arguments: ['file'], shows: (_, booked) => ({ ...booked }) },
});
