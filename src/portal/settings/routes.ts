import {
  appearanceFormValues,
  type Changed,
  isName,
  type LookChange,
  lookWithdrawing,
  type PendingLook,
  type Picture,
  type Profile,
  type ProfileField,
  profileFaults,
  profileFields,
  profileFormValues,
  readPicture,
  withChanges,
} from '../../accounts/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import { accentFault } from '../../platform/pages/accent.ts';
import type { FieldFault } from '../../platform/pages/components/form.tsx';
import type { AccountVisit, Answer, Page, Portal } from '../frame/index.ts';
import { type OperationForm, operationForm } from '../frame/operation.tsx';
import { newForm, seenIn, unlessOvertaken } from '../frame/overtaken.tsx';
import { type BankParts, bankPages } from './bank-routes.ts';
import { type LookDraft, lookPage, type ProfileDraft, profilePage } from './forms.tsx';
import { settingsPage } from './home.tsx';
import { type NoticeParts, noticePages } from './notice-routes.ts';
import { settingTexts } from './setting-texts.ts';

export interface SettingParts extends NoticeParts {
  settings: BankParts['settings'] & {
    changeLook(
      actor: Actor,
      account: AccountVisit['account'],
      change: LookChange,
    ): Promise<Changed>;
    pendingLook(accountId: string): Promise<PendingLook | null>;
    withdrawLook(actor: Actor, look: { accountId: string; id: number }): Promise<void>;
    refundLimit(accountId: string): Promise<Centavos | null>;
  };
}

const saidBy = (read: (field: ProfileField) => string): Record<ProfileField, string> => ({
  legal_name: read('legal_name'),
  address: read('address'),
  email: read('email'),
  phone: read('phone'),
  sender: read('sender'),
});

/**
 * Shows a pending change as if it were applied, so that saving the form again does not withdraw it.
 */
function profileNow({ account }: AccountVisit, pending: PendingLook | null): ProfileDraft {
  const { name, look } = withChanges(account, pending?.changes ?? {});
  const values = profileFormValues(name, look);
  return { name, said: values, faults: [], pending, ...newForm(values) };
}

function profileIn({ posted, lang }: AccountVisit): ProfileDraft & { profile: Profile } {
  const texts = settingTexts[lang];
  const name = (posted.get('name') ?? '').trim();
  const said = saidBy((field) => (posted.get(field) ?? '').trim());
  const profile: Profile = Object.fromEntries(
    profileFields.map((field) => [field, said[field]] as const).filter(([, text]) => text !== ''),
  );
  const faults: FieldFault[] = profileFaults(profile).map((field) => ({
    field,
    label: texts.fields[field],
    text: texts.faults[field],
  }));
  const unnamed = { field: 'name', label: texts.profile.name, text: texts.profile.nameFault };
  const all = isName(name) ? faults : [unnamed, ...faults];
  return { name, said, profile, faults: all, pending: null, ...seenIn(posted) };
}

/** Describes the fault of a color, with a remedy. Returns null if it has none. */
function accentText(lang: AccountVisit['lang'], accent: string): string | null {
  const { look: texts } = settingTexts[lang];
  const fault = accent === '' ? null : accentFault(accent);
  if (fault === null) return null;
  if (fault === 'format') return texts.accentFormat;
  // Rounds down, because rounding up could show a sufficient ratio.
  const ratio = (Math.floor(fault.ratio * 10) / 10).toFixed(1);
  return texts.accentWeak({
    ratio: lang === 'es' ? ratio.replace('.', ',') : ratio,
    nearest: fault.nearest,
  });
}

function lookIn({ posted, file, lang }: AccountVisit): LookDraft & { logo?: Picture | null } {
  const { look: texts } = settingTexts[lang];
  const accent = (posted.get('accent') ?? '').trim();
  const faults: FieldFault[] = [];
  const picture = file === null ? null : readPicture(file.bytes);
  if (typeof picture === 'string') {
    faults.push({ field: 'logo', label: texts.logo, text: texts.pictures[picture] });
  }
  const text = accentText(lang, accent);
  if (text !== null) faults.push({ field: 'accent', label: texts.accent, text });
  const draft = { accent, faults, pending: null, ...seenIn(posted) };
  if (picture !== null && typeof picture !== 'string') return { ...draft, logo: picture };
  return { ...draft, ...(posted.get('remove') === 'logo' && { logo: null }) };
}

/** Serves the settings page and the withdrawal of a pending change. */
function homePages(portal: Portal, { settings, digests }: SettingParts): void {
  const home = { path: '/settings', act: 'settings.see' } as const;
  async function show(visit: AccountVisit): Promise<Page> {
    const { id } = visit.account;
    const pending = await settings.pendingLook(id);
    return settingsPage(visit, {
      cbu: await settings.readCbu(id),
      pending,
      withdraw: pending && (await withdrawing.form(visit, { id: String(pending.id) })),
      refundsAbove: await settings.refundLimit(id),
      wishes: await digests.wishes(id, visit.user.id),
    });
  }
  const withdrawing: OperationForm<'settings.change'> = operationForm(portal, lookWithdrawing, {
    path: '/settings/waiting/:id/withdraw',
    on: home,
    verbOf: () => settings.withdrawLook,
    grave: true,
    page: show,
    done: ({ at }) => ({ to: at('/settings?saved=1') }),
  });
  portal.page({ ...home, read: show });
}

export function settingPages(portal: Portal, parts: SettingParts): void {
  const { settings } = parts;
  bankPages(portal, parts);
  noticePages(portal, parts);
  const done = (visit: AccountVisit, changed: Changed): Answer => ({
    to: visit.at(`/settings?saved=${changed === 'waits' ? 'waits' : '1'}`),
  });
  homePages(portal, parts);
  portal.page({
    act: 'settings.change',
    path: '/settings/profile',
    read: async (visit) =>
      profilePage(visit, profileNow(visit, await settings.pendingLook(visit.account.id))),
  });
  portal.form({
    act: 'settings.change',
    path: '/settings/profile',
    async does(visit) {
      const draft = profileIn(visit);
      if (draft.faults.length > 0) return profilePage(visit, draft);
      const { name, profile, seen } = draft;
      const change = { accountId: visit.account.id, name, profile, seen };
      return await unlessOvertaken(
        async () => {
          return done(visit, await settings.changeLook(visit.actor, visit.account, change));
        },
        (again) => profilePage(visit, { ...draft, ...again }),
      );
    },
  });
  portal.page({
    act: 'settings.change',
    path: '/settings/appearance',
    async read(visit) {
      const { account } = visit;
      const pending = await settings.pendingLook(account.id);
      const values = appearanceFormValues(withChanges(account, pending?.changes ?? {}).look);
      return lookPage(visit, { accent: values.accent, faults: [], pending, ...newForm(values) });
    },
  });
  portal.form({
    act: 'settings.change',
    path: '/settings/appearance',
    takesFile: true,
    async does(visit) {
      const { logo, ...draft } = lookIn(visit);
      if (draft.faults.length > 0) return lookPage(visit, draft);
      const change = {
        accountId: visit.account.id,
        accent: draft.accent === '' ? null : draft.accent,
        seen: draft.seen,
        ...(logo !== undefined && { logo }),
      };
      return await unlessOvertaken(
        async () => {
          return done(visit, await settings.changeLook(visit.actor, visit.account, change));
        },
        (again) => lookPage(visit, { ...draft, ...again }),
      );
    },
  });
}
