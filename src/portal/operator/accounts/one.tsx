import { type AccountMove, accountSetting } from '../../../accounts/index.ts';
import { connectorConfiguring } from '../../../connectors/index.ts';
import { dayOf } from '../../../kernel/dates.ts';
import {
  Badge,
  EmptyState,
  Facts,
  Figures,
  Notice,
  Section,
} from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { cuitText, dayText, grouped, moneyText } from '../../../platform/pages/format.ts';
import type { Member } from '../../../users/index.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { peopleTexts } from '../../people/texts.ts';
import { lookTexts } from '../looks/texts.ts';
import { accountMoves } from './change-routes.tsx';
import { StateBadge } from './list.tsx';
import { looksPath, type OneAccount } from './model.ts';
import { accountsTexts } from './texts.ts';

/** Moves allowed from each state. */
const movesFrom = {
  active: ['suspend', 'close'],
  suspended: ['reopen', 'close'],
  closed: [],
} as const satisfies Record<string, readonly AccountMove[]>;

type OneProps = { visit: ServiceVisit; one: OneAccount };

export function accountPage(visit: ServiceVisit, one: OneAccount, said?: string): Page {
  const { lang, at, may } = visit;
  const texts = accountsTexts[lang];
  const { account, balances } = one;
  const money = (amount: typeof balances.available) => moneyText(lang, amount);
  return {
    title: account.name,
    body: (
      <>
        <PageHead
          title={account.name}
          lead={
            <>
              <code>{account.id}</code> · <StateBadge lang={lang} state={account.state} />
            </>
          }
          up={{ href: at('/accounts'), label: texts.title }}
        />
        {said !== undefined && <Notice tone="good" text={said} />}
        {one.lookWaits && (
          <Notice tone="wait">
            <p>
              <a href={at(looksPath)}>{lookTexts[lang].title}</a>
            </p>
          </Notice>
        )}
        <Figures
          items={[
            { label: texts.available, value: money(balances.available) },
            { label: texts.toCome, value: money(balances.unavailable) },
          ]}
        />
        <Facts
          items={[
            [texts.cuit, <span class="whole">{cuitText(account.cuit)}</span>],
            [texts.city, <bdi>{account.city}</bdi>],
            [texts.since, dayText(lang, dayOf(account.created_at))],
            [texts.keys, texts.keysActive({ count: one.activeKeys })],
            [texts.fees, <a href={at(`/accounts/${account.id}/fees`)}>{texts.feesSee}</a>],
            [texts.acts, <a href={`${at('/audit-log')}?account=${account.id}`}>{texts.actsSee}</a>],
          ]}
        />
        <Members visit={visit} one={one} />
        <Settings visit={visit} one={one} />
        {one.connectors.length > 0 && <Connectors visit={visit} one={one} />}
        {may('accounts.manage') && account.state !== 'closed' && (
          <Section id="standing" title={texts.standing}>
            <p class="form-buttons">
              {movesFrom[account.state].map((move) => (
                <a
                  key={move}
                  class="button button-quiet"
                  href={at(`/accounts/${account.id}/${move}`)}
                >
                  {accountMoves[move].text('title', lang)}
                </a>
              ))}
            </p>
          </Section>
        )}
      </>
    ),
  };
}

function memberState(lang: ServiceVisit['lang'], member: Member) {
  const texts = accountsTexts[lang];
  if (member.state === 'suspended') return <Badge tone="bad">{texts.suspendedUser}</Badge>;
  return member.membership_state === 'invited' ? (
    <Badge tone="wait">{texts.invited}</Badge>
  ) : (
    <Badge tone="good">{texts.working}</Badge>
  );
}

function Members({ visit, one: { account, members } }: OneProps) {
  const { lang, at, may } = visit;
  const texts = accountsTexts[lang];
  const invite = may('accounts.manage') && account.state !== 'closed' && (
    <a class="button" href={at(`/accounts/${account.id}/users/new`)}>
      {texts.invite}
    </a>
  );
  return (
    <Section id="users" title={texts.users} actions={invite || undefined}>
      <Table
        lang={lang}
        caption={texts.users}
        captionUnseen
        rows={members}
        empty={<EmptyState title={texts.noUsers} />}
        columns={[
          {
            key: 'name',
            title: texts.name,
            heads: true,
            cell: ({ name, email }) => <bdi>{name || email}</bdi>,
          },
          { key: 'email', title: texts.email, cell: ({ email }) => <bdi>{email}</bdi> },
          {
            key: 'role',
            title: texts.role,
            cell: ({ role }) => peopleTexts[lang].roles[role],
          },
          { key: 'state', title: texts.state, cell: (member) => memberState(lang, member) },
        ]}
      />
    </Section>
  );
}

function Settings({ visit, one: { account, settings } }: OneProps) {
  const { lang, at, may } = visit;
  const texts = accountsTexts[lang];
  const label = (member: string) => accountSetting.text(member, lang) ?? member;
  const yesOrNo = (value: boolean) => (value ? texts.yes : texts.no);
  const limit = (value: number | null) =>
    value === null ? texts.standard : value === 0 ? texts.noLimit : String(value);
  const change = may('accounts.manage') && account.state !== 'closed' && (
    <a class="button button-quiet" href={at(`/accounts/${account.id}/settings`)}>
      {texts.change}
      <span class="unseen"> {texts.settings}</span>
    </a>
  );
  return (
    <Section id="settings" title={texts.settings} actions={change || undefined}>
      <Facts
        items={[
          [
            texts.cbu,
            settings.payout_cbu === null ? (
              texts.cbuNone
            ) : (
              <span class="whole">{grouped(settings.payout_cbu)}</span>
            ),
          ],
          [label('returns_fees'), yesOrNo(settings.returns_fees)],
          [label('refunds_below_zero'), yesOrNo(settings.refunds_below_zero)],
          [label('returns_late_approvals'), yesOrNo(settings.returns_late_approvals)],
          [label('card_cut_day'), settings.card_cut_day ?? texts.standard],
          [label('letters_a_day'), limit(settings.letters_a_day)],
          [label('letters_a_minute'), limit(settings.letters_a_minute)],
          [label('unsigned_mandates'), limit(settings.unsigned_mandates)],
        ]}
      />
    </Section>
  );
}

function Connectors({ visit, one: { account, connectors } }: OneProps) {
  const { lang, at, may } = visit;
  const texts = accountsTexts[lang];
  const changes = may('accounts.manage') && account.state !== 'closed';
  return (
    <Section id="connectors" title={texts.connectors}>
      <Table
        lang={lang}
        caption={texts.connectors}
        captionUnseen
        rows={connectors}
        empty={null}
        columns={[
          {
            key: 'name',
            title: texts.connector,
            heads: true,
            cell: ({ name }) =>
              changes ? (
                <a href={at(`/accounts/${account.id}/connectors/${encodeURIComponent(name)}`)}>
                  {name}
                </a>
              ) : (
                name
              ),
          },
          {
            key: 'told',
            title: connectorConfiguring.text('settings', lang) ?? '',
            cell: ({ names }) => (names === '' ? texts.nothingSet : <code>{names}</code>),
          },
        ]}
      />
    </Section>
  );
}
