import {
  connectorFormValues,
  createAccount,
  drawAccountId,
  readConnectorSettings,
  setAccount,
  settingsFormValues,
} from '../../../accounts/index.ts';
import { configureConnector, connectorConfiguring } from '../../../connectors/index.ts';
import { Refusal } from '../../../platform/errors.ts';
import { type Answer, type Portal, portalRefusal, type ServiceVisit } from '../../frame/index.ts';
import { drawnKey } from '../../frame/once.ts';
import { operationPages } from '../../frame/operation.tsx';
import { firstShown, unlessOvertaken } from '../../frame/overtaken.tsx';
import { openAccountOf } from '../forms/account.ts';
import { inviteIn, newAccountIn, numberOrNull, type SettingsDraft, settingsIn } from './drafts.ts';
import { formPage, inviteUserPage, newAccountPage, settingsPage } from './forms.tsx';
import { type AccountPageParts, settingsOf } from './model.ts';
import { accountsTexts } from './texts.ts';

const isConflict = (error: unknown): boolean =>
  error instanceof Refusal && error.kind === 'conflict';

/** Opens the account once and invites its first owner. Does not repeat an invitation. */
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
    // The form was sent before, so the account exists, whether or not the invitation was sent.
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

/** Serves the settings that a connector receives for an account. */
function connectorPages(portal: Portal, parts: AccountPageParts): void {
  const { base, connectors } = parts;
  const home = (visit: ServiceVisit) => visit.at(`/accounts/${visit.params.account}`);
  const manifestOf = async (name: string) =>
    connectors.all.find(({ settings }) => settings.name === name)?.manifest() ?? null;
  const current = async (visit: ServiceVisit) => {
    const { id } = await openAccountOf(visit, parts);
    const name = connectorOf(visit, parts);
    return connectorFormValues(await readConnectorSettings(base.sql, id, name));
  };
  operationPages(portal, connectorConfiguring, {
    path: '/accounts/:account/connectors/:name',
    current: { read: current },
    initial: current,
    verbOf: (visit) => ({
      seen: visit.posted.get('seen') ?? '',
      configure: configureConnector(base, manifestOf),
    }),
    back: home,
    async page(visit, form) {
      const account = await openAccountOf(visit, parts);
      return formPage(visit, account, {
        title: connectorOf(visit, parts),
        lead: accountsTexts[visit.lang].connectorLead({ name: connectorOf(visit, parts) }),
        form,
      });
    },
    done: (visit) => ({ to: home(visit) }),
  });
}

/** Serves the creation and settings of accounts. */
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
  // The form's token is bound to this address, so callers cannot invent ids.
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
  connectorPages(portal, parts);
}
