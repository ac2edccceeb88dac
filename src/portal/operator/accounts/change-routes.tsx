import {
  type AccountMove,
  accountClosing,
  accountOpening,
  accountReopening,
  accountSetting,
  accountSuspending,
  connectorFormValues,
  drawAccountId,
  readConnectorSettings,
  settingsFormValues,
} from '../../../accounts/index.ts';
import { configureConnector, connectorConfiguring } from '../../../connectors/index.ts';
import { holderBalances } from '../../../money/ledger/index.ts';
import { Figures } from '../../../platform/pages/components/parts.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import { accountRoles, operatorInviting } from '../../../users/index.ts';
import { type Portal, portalRefusal, type ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { operationPages } from '../../frame/operation.tsx';
import { peopleTexts } from '../../people/texts.ts';
import { accountOf, openAccountOf } from '../forms/account.ts';
import { formPage } from './forms.tsx';
import { type AccountPageParts, settingsOf } from './model.ts';
import { accountsTexts } from './texts.ts';

/** Operations that move an account to another state. */
export const accountMoves = {
  suspend: accountSuspending,
  reopen: accountReopening,
  close: accountClosing,
} satisfies Record<AccountMove, object>;

const homeOf = ({ at, params: { account, id = account } }: ServiceVisit) => at(`/accounts/${id}`);

/**
 * Serves the form that opens an account under an id that its page drew, and invites its first
 * owner.
 */
function openingPages(portal: Portal, { base, users }: AccountPageParts): void {
  operationPages(portal, accountOpening, {
    on: { path: '/accounts/new', act: 'accounts.manage' },
    // The form's token is bound to this address, so ids cannot be made up.
    path: '/accounts/:key/create',
    once: drawAccountId,
    fixed: { id: ({ params }) => params.key ?? '' },
    verbOf: ({ lang }) => ({
      base,
      invitation: async (actor, { id, of, ...owner }) => {
        const invite = await users.invitation(actor, {
          ...owner,
          lang,
          serviceRole: null,
          to: { account: { id, name: of }, role: 'owner', granting: null },
        });
        return async (tx) => void (await invite(tx));
      },
    }),
    back: ({ at }) => at('/accounts'),
    async page({ lang, at }, form) {
      const title = accountOpening.text('title', lang) ?? '';
      const lead = accountOpening.text('lead', lang) ?? '';
      const up = { href: at('/accounts'), label: accountsTexts[lang].title };
      return {
        title,
        body: (
          <>
            <PageHead title={title} lead={lead} up={up} />
            {form}
          </>
        ),
      };
    },
    done: ({ at, params: { key } }, outcome) => ({
      to: at(`/accounts/${key}${outcome === 'opened' ? '?sent=1' : ''}`),
    }),
  });
}

function invitingPages(portal: Portal, parts: AccountPageParts): void {
  operationPages(portal, operatorInviting, {
    path: '/accounts/:account/users/new',
    fixed: {
      account: async (visit) => (await openAccountOf(visit, parts)).id,
      lang: ({ lang }) => lang,
    },
    verbOf: () => parts.base,
    choices: async ({ lang }) => ({
      role: accountRoles.map((value) => ({ value, label: peopleTexts[lang].roles[value] })),
    }),
    back: homeOf,
    async page(visit, form) {
      const { invite: title, inviteLead: lead } = accountsTexts[visit.lang];
      return formPage(visit, await openAccountOf(visit, parts), { title, lead, form });
    },
    done: (visit) => ({ to: `${homeOf(visit)}?sent=1` }),
  });
}

/** Serves the form with the settings that only the operator may change. */
function settingsPages(portal: Portal, parts: AccountPageParts): void {
  const currentValues = async (visit: ServiceVisit) => {
    const { id, name } = await openAccountOf(visit, parts);
    return settingsFormValues(name, await settingsOf(parts, id));
  };
  operationPages(portal, accountSetting, {
    path: '/accounts/:id/settings',
    fixed: { id: async (visit) => (await openAccountOf(visit, parts)).id, cbu: () => '' },
    needs: ['name'],
    current: {
      read: currentValues,
      shows: (lang) => {
        const { yes, no } = accountsTexts[lang];
        const word = (text: string) => (text === 'yes' ? yes : no);
        return { returns_fees: word, refunds_below_zero: word, returns_late_approvals: word };
      },
    },
    initial: currentValues,
    verbOf: ({ posted }) => ({ base: parts.base, seen: posted.get('seen') ?? '' }),
    back: homeOf,
    async page(visit, form) {
      const { settings: title, settingsLead: lead } = accountsTexts[visit.lang];
      return formPage(visit, await openAccountOf(visit, parts), { title, lead, form });
    },
  });
}

function movePages(portal: Portal, parts: AccountPageParts): void {
  const doorOf = (move: AccountMove) => ({
    path: `/accounts/:id/${move}`,
    grave: move !== 'reopen',
    back: homeOf,
    async page(visit: ServiceVisit, form: Parameters<typeof formPage>[2]['form']) {
      const account = await accountOf(visit, parts);
      const { lang } = visit;
      const [title = '', lead = ''] = ['title', 'lead'].map(
        (key) => accountMoves[move].text(key, lang) ?? '',
      );
      const { available, unavailable } = await holderBalances(parts.base.sql, account.id);
      const texts = accountsTexts[lang];
      const figures = move === 'close' && (
        <Figures
          items={[
            { label: texts.id, value: account.id },
            { label: texts.available, value: moneyText(lang, available) },
            { label: texts.toCome, value: moneyText(lang, unavailable) },
          ]}
        />
      );
      return formPage(visit, account, { title, lead, form: [figures, form] });
    },
  });
  operationPages(portal, accountSuspending, { ...doorOf('suspend'), verbOf: () => parts.base });
  operationPages(portal, accountReopening, { ...doorOf('reopen'), verbOf: () => parts.base });
  operationPages(portal, accountClosing, {
    ...doorOf('close'),
    confirms: 'id',
    verbOf: () => parts.closeAccount,
    done: (visit, { mandates }) => ({ to: `${homeOf(visit)}?closed=${mandates}` }),
  });
}

function connectorOf({ params }: ServiceVisit, { connectors }: AccountPageParts): string {
  const known = connectors.all.find(({ settings }) => settings.name === params.name);
  if (!known) throw portalRefusal('page.not_found', {});
  return known.settings.name;
}

/** Serves the form with the settings that a connector receives about an account. */
function connectorPages(portal: Portal, parts: AccountPageParts): void {
  const { base, connectors } = parts;
  const manifestOf = async (name: string) =>
    connectors.all.find(({ settings }) => settings.name === name)?.manifest() ?? null;
  const currentValues = async (visit: ServiceVisit) => {
    const { id } = await openAccountOf(visit, parts);
    const name = connectorOf(visit, parts);
    return connectorFormValues(await readConnectorSettings(base.sql, id, name));
  };
  operationPages(portal, connectorConfiguring, {
    path: '/accounts/:account/connectors/:name',
    fixed: {
      account: async (visit) => (await openAccountOf(visit, parts)).id,
      name: (visit) => connectorOf(visit, parts),
    },
    current: { read: currentValues },
    initial: currentValues,
    verbOf: (visit) => ({
      seen: visit.posted.get('seen') ?? '',
      configure: configureConnector(base, manifestOf),
    }),
    back: homeOf,
    async page(visit, form) {
      const title = connectorOf(visit, parts);
      const lead = accountsTexts[visit.lang].connectorLead({ name: title });
      return formPage(visit, await openAccountOf(visit, parts), { title, lead, form });
    },
  });
}

export function changeRoutes(portal: Portal, parts: AccountPageParts): void {
  openingPages(portal, parts);
  invitingPages(portal, parts);
  settingsPages(portal, parts);
  movePages(portal, parts);
  connectorPages(portal, parts);
}
