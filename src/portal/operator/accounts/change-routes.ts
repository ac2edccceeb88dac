import type { Manifest } from '../../../../connectors/protocol/messages.ts';
import { faultsOfSettings, type SettingFault } from '../../../../connectors/protocol/settings.ts';
import {
  connectorFormValues,
  createAccount,
  drawAccountId,
  readConnectorSettings,
  setAccount,
  setConnectorSettings,
  settingsFormValues,
} from '../../../accounts/index.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { type Answer, type Portal, portalRefusal, type ServiceVisit } from '../../frame/index.ts';
import { drawnKey } from '../../frame/once.ts';
import { firstShown, seenIn, unlessOvertaken } from '../../frame/overtaken.tsx';
import { openAccountOf } from '../forms/account.ts';
import {
  inviteIn,
  newAccountIn,
  numberOrNull,
  objectIn,
  type SettingsDraft,
  settingsIn,
} from './drafts.ts';
import { connectorPage, inviteUserPage, newAccountPage, settingsPage } from './forms.tsx';
import { type AccountPageParts, settingsOf } from './model.ts';
import { accountsTexts } from './texts.ts';

const isConflict = (error: unknown): boolean =>
  error instanceof Refusal && error.kind === 'conflict';

/** Opens the account, once, and invites its first owner; who is invited already is not again. */
async function creates(visit: ServiceVisit, { base, users }: AccountPageParts): Promise<Answer> {
  const draft = newAccountIn(visit);
  if (draft.faults.length > 0) return newAccountPage(visit, draft);
  const { actor, lang } = visit;
  const { id, name, city, email, ownerName } = draft;
  const to = { to: visit.at(`/accounts/${id}?sent=1`) };
  try {
    const cuit = draft.cuit.replaceAll('-', '');
    await createAccount({ ...base, actor }, { id, name, cuit, city });
  } catch (error) {
    // The form was sent before: the account exists, whatever became of the letter.
    if (isConflict(error)) return { to: visit.at(`/accounts/${id}`) };
    throw error;
  }
  const owner = { email, name: ownerName, lang, serviceRole: null };
  await users.invite(actor, {
    ...owner,
    to: { account: { id, name }, role: 'owner', granting: null },
  });
  return to;
}

async function invites(visit: ServiceVisit, parts: AccountPageParts): Promise<Answer> {
  const account = await openAccountOf(visit, parts);
  const draft = inviteIn(visit);
  const { role, email, name } = draft;
  if (draft.faults.length > 0 || role === '') return inviteUserPage(visit, account, draft);
  const { actor, lang } = visit;
  try {
    const person = { email, name, lang, serviceRole: null };
    await parts.users.invite(actor, { ...person, to: { account, role, granting: null } });
  } catch (error) {
    const isFull = error instanceof Refusal && error.kind === 'too_many_requests';
    if (!isFull && !isConflict(error)) throw error;
    const { email: label, faults } = accountsTexts[lang];
    return inviteUserPage(visit, account, {
      ...draft,
      faults: [{ field: 'email', label, text: isFull ? faults.tooMany : faults.taken }],
    });
  }
  return { to: visit.at(`/accounts/${account.id}?sent=1`) };
}

async function draftOf(
  visit: ServiceVisit,
  parts: AccountPageParts,
  name: string,
): Promise<SettingsDraft> {
  const settings = await settingsOf(parts, visit.params.id ?? '');
  const text = (value: number | null) => (value === null ? '' : String(value));
  return {
    name,
    returnsFees: settings.returns_fees,
    refundsBelowZero: settings.refunds_below_zero,
    returnsLateApprovals: settings.returns_late_approvals,
    cutDay: text(settings.card_cut_day),
    limits: {
      letters_a_day: text(settings.letters_a_day),
      letters_a_minute: text(settings.letters_a_minute),
      unsigned_mandates: text(settings.unsigned_mandates),
    },
    ...firstShown(settingsFormValues(name, settings)),
    faults: [],
  };
}

async function sets(visit: ServiceVisit, parts: AccountPageParts): Promise<Answer> {
  const account = await openAccountOf(visit, parts);
  const draft = settingsIn(visit);
  if (draft.faults.length > 0) return settingsPage(visit, account, draft);
  const acting = { ...parts.base, actor: visit.actor };
  const { name, returnsFees, refundsBelowZero, returnsLateApprovals, limits } = draft;
  const change = {
    accountId: account.id,
    name,
    returnsFees,
    refundsBelowZero,
    returnsLateApprovals,
    cardCutDay: numberOrNull(draft.cutDay),
    limits: {
      letters_a_day: numberOrNull(limits.letters_a_day),
      letters_a_minute: numberOrNull(limits.letters_a_minute),
      unsigned_mandates: numberOrNull(limits.unsigned_mandates),
    },
    seen: draft.seen,
  };
  return await unlessOvertaken(
    async () => {
      await setAccount(acting)(change);
      return { to: visit.at(`/accounts/${account.id}`) };
    },
    (again) => settingsPage(visit, account, { ...draft, ...again }),
  );
}

function connectorOf({ params }: ServiceVisit, { connectors }: AccountPageParts): string {
  const known = connectors.all.find(({ settings }) => settings.name === params.name);
  if (!known) throw portalRefusal('page.not_found', {});
  return known.settings.name;
}

const manifestOf = (name: string, { connectors }: AccountPageParts): Manifest | null =>
  connectors.all.find(({ settings }) => settings.name === name)?.manifest() ?? null;

function faultText(lang: Lang, { path, rule, bound }: SettingFault): string {
  const { settingFault, wholeSettings } = accountsTexts[lang];
  const says = settingFault[rule as keyof typeof settingFault];
  return says({ path: path === '' ? wholeSettings : path, bound });
}

async function tells(visit: ServiceVisit, parts: AccountPageParts): Promise<Answer> {
  const account = await openAccountOf(visit, parts);
  const name = connectorOf(visit, parts);
  const text = visit.posted.get('settings') ?? '';
  const settings = objectIn(text);
  const texts = accountsTexts[visit.lang];
  if (settings === null || Buffer.byteLength(text) > 4096) {
    const fault = texts.faults.json;
    return connectorPage(visit, account, { name, text, fault, ...seenIn(visit.posted) });
  }
  const wrong = faultsOfSettings(manifestOf(name, parts), settings);
  if (wrong.length > 0) {
    const fault = wrong.map((one) => faultText(visit.lang, one)).join(' ');
    return connectorPage(visit, account, { name, text, fault, ...seenIn(visit.posted) });
  }
  const acting = { ...parts.base, actor: visit.actor };
  const { seen } = seenIn(visit.posted);
  return await unlessOvertaken(
    async () => {
      const change = { accountId: account.id, connector: name, settings, seen };
      await setConnectorSettings(acting)(change);
      return { to: visit.at(`/accounts/${account.id}`) };
    },
    (again) => connectorPage(visit, account, { name, text, ...again }),
  );
}

/** Creation and settings of accounts. */
export function changeRoutes(portal: Portal, parts: AccountPageParts): void {
  const act = 'accounts.manage';
  portal.page({
    act,
    path: '/accounts/new',
    once: drawAccountId,
    read: async (visit) =>
      newAccountPage(visit, {
        id: drawnKey(visit),
        name: '',
        cuit: '',
        city: '',
        ownerName: '',
        email: '',
        faults: [],
      }),
  });
  // The form's token is bound to this address, so ids cannot be made up.
  portal.form({ act, path: '/accounts/:id/create', does: (visit) => creates(visit, parts) });
  portal.page({
    act,
    path: '/accounts/:id/users/new',
    read: async (visit) =>
      inviteUserPage(visit, await openAccountOf(visit, parts), {
        name: '',
        email: '',
        role: '',
        faults: [],
      }),
  });
  portal.form({ act, path: '/accounts/:id/users/new', does: (visit) => invites(visit, parts) });
  portal.page({
    act,
    path: '/accounts/:id/settings',
    async read(visit) {
      const account = await openAccountOf(visit, parts);
      return settingsPage(visit, account, await draftOf(visit, parts, account.name));
    },
  });
  portal.form({ act, path: '/accounts/:id/settings', does: (visit) => sets(visit, parts) });
  portal.page({
    act,
    path: '/accounts/:id/connectors/:name',
    async read(visit) {
      const account = await openAccountOf(visit, parts);
      const name = connectorOf(visit, parts);
      const told = await readConnectorSettings(parts.base.sql, account.id, name);
      const held = connectorFormValues(told);
      return connectorPage(visit, account, {
        name,
        text: held.settings ?? '',
        ...firstShown(held),
      });
    },
  });
  portal.form({
    act,
    path: '/accounts/:id/connectors/:name',
    does: (visit) => tells(visit, parts),
  });
}
