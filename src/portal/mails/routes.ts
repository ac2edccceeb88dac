import {
  heldMailText,
  type PayerMailKind,
  type PayerMails,
  payerMailKinds,
} from '../../payment-requests/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import {
  type AccountVisit,
  type Answer,
  numberIn,
  type Page,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { firstShown, seenIn, unlessOvertaken } from '../frame/overtaken.tsx';
import { draftOf, faultsOf, readSettings, type SettingsDraft, textIn } from './model.ts';
import { type TextModel, textPage } from './text-views.tsx';
import { mailTexts } from './texts.ts';
import { mailsPage } from './views.tsx';

export interface MailPageParts {
  payerMails: PayerMails;
  /** True if mails go to a server; otherwise they are files. */
  hasMailServer: boolean;
}

async function shown(
  visit: AccountVisit,
  { payerMails, hasMailServer: hasServer }: MailPageParts,
  draft: SettingsDraft | null,
): Promise<Page> {
  const { id } = visit.account;
  const [settings, texts, stops] = await Promise.all([
    payerMails.settingsOf(id),
    payerMails.textsOf(id),
    payerMails.countStops(id),
  ]);
  const own = (kind: PayerMailKind, lang: Lang): boolean => texts[kind][lang].own;
  const saved = draft === null && visit.query.has('saved');
  const shownDraft = draft ?? draftOf(settings);
  return mailsPage(visit, { settings, draft: shownDraft, own, stops, hasServer, saved });
}

/** Which text an address names. */
function namedIn({ params }: AccountVisit): { kind: PayerMailKind; of: Lang } {
  const kind = payerMailKinds.find((one) => one === params.kind);
  const of = (['es', 'en'] as const).find((one) => one === params.of);
  if (kind === undefined || of === undefined) throw portalRefusal('page.not_found', {});
  return { kind, of };
}

/** A text's page, with a preview for a request or a sample. */
async function previewed(
  visit: AccountVisit,
  { payerMails }: MailPageParts,
  model: Omit<TextModel, 'preview'>,
): Promise<Page> {
  const { kind, of: lang, text, request } = model;
  if (model.faults.length > 0) return textPage(visit, { ...model, preview: null });
  const requestId = request === '' ? null : (numberIn(request) ?? -1);
  const asked = { account: visit.account, kind, lang, text, requestId };
  const preview = await payerMails.preview(asked);
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

/** Mails to payers, and their texts. */
export function mailPages(portal: Portal, parts: MailPageParts): void {
  portal.page({
    act: 'settings.see',
    path: '/settings/mails',
    read: (visit) => shown(visit, parts, null),
  });
  portal.form({
    act: 'settings.change',
    path: '/settings/mails',
    async does(visit) {
      const { draft, settings } = readSettings(visit.lang, visit.posted);
      if (settings === null) return await shown(visit, parts, draft);
      const { account, actor } = visit;
      const change = { accountId: account.id, settings, seen: draft.seen, actor };
      return await unlessOvertaken(
        async () => {
          await parts.payerMails.changeSettings(change);
          return { to: visit.at('/settings/mails?saved=1') };
        },
        async (again) => await shown(visit, parts, { ...draft, ...again }),
      );
    },
  });
  portal.page({
    act: 'settings.see',
    path: '/settings/mails/:kind/:of',
    async read(visit) {
      const { kind, of } = namedIn(visit);
      const { own, ...text } = (await parts.payerMails.textsOf(visit.account.id))[kind][of];
      const saved = visit.query.has('saved');
      const first = firstShown(heldMailText(text));
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
