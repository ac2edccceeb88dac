import type { ComponentChildren } from 'preact';
import {
  mailLanguages,
  mailSetting,
  mailSettingsFormValues,
  mailTextFormValues,
  type PayerMailKind,
  type PayerMails,
  payerMailKinds,
} from '../../payment-requests/index.ts';
import type { Choice } from '../../platform/pages/components/field.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import {
  type AccountVisit,
  type Answer,
  numberIn,
  type Page,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { type OperationForm, operationForm } from '../frame/operation.tsx';
import type { Choices } from '../frame/operation-view.tsx';
import { newForm, seenIn, unlessOvertaken } from '../frame/overtaken.tsx';
import { faultsOf, textIn } from './model.ts';
import { type TextModel, textPage } from './text-views.tsx';
import { mailTexts } from './texts.ts';
import { mailsPage } from './views.tsx';

export interface MailPageParts {
  payerMails: PayerMails;
  /** True if emails go to a server. Otherwise they are written to files. */
  hasMailServer: boolean;
}

function settingPages(portal: Portal, { payerMails, hasMailServer }: MailPageParts): void {
  const home = { path: '/settings/mails', act: 'settings.see' } as const;
  async function show(visit: AccountVisit, form: ComponentChildren): Promise<Page> {
    const { id } = visit.account;
    const [settings, texts, stops] = await Promise.all([
      payerMails.settingsOf(id),
      payerMails.textsOf(id),
      payerMails.countStops(id),
    ]);
    const own = (kind: PayerMailKind, lang: Lang): boolean => texts[kind][lang].own;
    const saved = visit.query.has('saved');
    return mailsPage(visit, { settings, form, own, stops, hasServer: hasMailServer, saved });
  }
  const current = async ({ account }: AccountVisit) =>
    mailSettingsFormValues(await payerMails.settingsOf(account.id));
  const setting: OperationForm<'settings.change'> = operationForm(portal, mailSetting, {
    path: home.path,
    on: home,
    verbOf: ({ posted }) => ({ change: payerMails.changeSettings, ...seenIn(posted) }),
    async initial(visit) {
      const { kinds, ...values } = await current(visit);
      return { ...values, kinds: kinds.replaceAll(' ', ',') };
    },
    current: { read: current, shows: settingsTexts },
    choices: async ({ lang }) => settingChoices(lang),
    page: show,
    done: ({ at }) => ({ to: at(`${home.path}?saved=1`) }),
  });
  portal.page({ ...home, read: async (visit) => await show(visit, await setting.form(visit)) });
}

function settingChoices(lang: Lang): Choices {
  const { kinds, kindHints, languages, settings } = mailTexts[lang];
  const offer = (name: string, choices: readonly Choice[]) => ({ groups: [{ name, choices }] });
  return {
    kinds: offer(
      'kinds',
      payerMailKinds.map((value) => ({ value, label: kinds[value], hint: kindHints[value] })),
    ),
    languages: mailLanguages.map((value) => ({ value, label: languages[value] })),
    coupon: offer('coupon', [
      { value: 'link', label: settings.couponLink },
      { value: 'file', label: settings.couponFile },
    ]),
  };
}

/** Formats settings that another user changed concurrently. */
function settingsTexts(lang: Lang): Readonly<Record<string, (text: string) => string>> {
  const { kinds, languages, settings } = mailTexts[lang];
  const found = (text: string) => payerMailKinds.filter((kind) => text.split(' ').includes(kind));
  return {
    kinds: (text) =>
      found(text)
        .map((kind) => kinds[kind])
        .join(', '),
    languages: (text) => languages[text as keyof typeof languages],
    coupon: (text) => (text === 'file' ? settings.couponFile : settings.couponLink),
  };
}

/** Returns the kind and language of the text in the address. Throws 404 for unknown ones. */
function namedIn({ params }: AccountVisit): { kind: PayerMailKind; of: Lang } {
  const kind = payerMailKinds.find((one) => one === params.kind);
  const of = (['es', 'en'] as const).find((one) => one === params.of);
  if (kind === undefined || of === undefined) throw portalRefusal('page.not_found', {});
  return { kind, of };
}

/** Renders a text with a preview for a request or a sample. */
async function previewed(
  visit: AccountVisit,
  { payerMails }: MailPageParts,
  model: Omit<TextModel, 'preview'>,
): Promise<Page> {
  const { kind, of: lang, text, request } = model;
  if (model.faults.length > 0) return textPage(visit, { ...model, preview: null });
  const requestId = request === '' ? null : (numberIn(request) ?? -1);
  const order = { account: visit.account, kind, lang, text, requestId };
  const preview = await payerMails.preview(order);
  const { texts: words } = mailTexts[visit.lang];
  const fault = { field: 'request', label: words.request, text: words.requestFault };
  return textPage(visit, { ...model, preview, faults: preview === null ? [fault] : [] });
}

const saves =
  (parts: MailPageParts) =>
  async (visit: AccountVisit): Promise<Answer> => {
    const { kind, of } = namedIn(visit);
    const { account, actor, posted } = visit;
    const text = textIn(posted);
    const faults = faultsOf(visit.lang, { kind, lang: of, text });
    const { own } = (await parts.payerMails.textsOf(account.id))[kind][of];
    const request = (posted.get('request') ?? '').trim();
    const form = { kind, of, text, own, request, faults, saved: false, ...seenIn(posted) };
    if (faults.length > 0 || posted.get('do') === 'preview') {
      return await previewed(visit, parts, form);
    }
    const change = { accountId: account.id, kind, lang: of, text, seen: form.seen, actor };
    return await unlessOvertaken(
      async () => {
        await parts.payerMails.changeText(change);
        return { to: visit.at(`/settings/mails/${kind}/${of}?saved=1`) };
      },
      async (again) => await previewed(visit, parts, { ...form, ...again }),
    );
  };

/** Serves the settings and texts of emails to payers. */
export function mailPages(portal: Portal, parts: MailPageParts): void {
  settingPages(portal, parts);
  portal.page({
    act: 'settings.see',
    path: '/settings/mails/:kind/:of',
    async read(visit) {
      const { kind, of } = namedIn(visit);
      const { own, ...text } = (await parts.payerMails.textsOf(visit.account.id))[kind][of];
      const saved = visit.query.has('saved');
      const first = newForm(mailTextFormValues(text));
      const model = { kind, of, text, own, request: '', faults: [], saved, ...first };
      return await previewed(visit, parts, model);
    },
  });
  portal.form({ act: 'settings.change', path: '/settings/mails/:kind/:of', does: saves(parts) });
  portal.form({
    act: 'settings.change',
    path: '/settings/mails/:kind/:of/reset',
    async does(visit) {
      const { kind, of: lang } = namedIn(visit);
      const { account, actor } = visit;
      const { seen } = seenIn(visit.posted);
      const to = { to: visit.at(`/settings/mails/${kind}/${lang}?saved=1`) };
      return await unlessOvertaken(
        async () => {
          const change = { accountId: account.id, kind, lang, text: null, seen, actor };
          await parts.payerMails.changeText(change);
          return to;
        },
        async (again) => {
          const { own, ...text } = (await parts.payerMails.textsOf(account.id))[kind][lang];
          const model = { kind, of: lang, text, own, request: '', faults: [], saved: false };
          return await previewed(visit, parts, { ...model, ...again });
        },
      );
    },
  });
}
