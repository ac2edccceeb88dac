import type { ComponentChildren } from 'preact';
import { logoPath, type PayoutCbu, type PendingLook, profileFields } from '../../accounts/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import { Facts, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { cuitText } from '../../platform/pages/format.ts';
import type { Topic } from '../../users/index.ts';
import { accessTexts } from '../accesses/texts.ts';
import { activityTexts } from '../activity/texts.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { RefundLimit } from '../refunds/limit.tsx';
import { BankAccount } from './bank-account.tsx';
import { Notices } from './notices.tsx';
import { Preview } from './preview.tsx';
import { settingTexts } from './setting-texts.ts';
import { Waiting } from './waiting.tsx';

type Part = { visit: AccountVisit };

/** Links to a section's form, for members who may change it. */
function Change({ visit, path, part }: Part & { path: string; part: string }) {
  const texts = settingTexts[visit.lang];
  if (!visit.may('settings.change')) return null;
  return (
    <a class="button button-quiet" href={visit.at(path)}>
      {texts.change}
      <span class="unseen"> {part}</span>
    </a>
  );
}

function Profile({ visit }: Part) {
  const texts = settingTexts[visit.lang];
  const { name, cuit, look } = visit.account;
  return (
    <Section
      id="profile"
      title={texts.profile.title}
      actions={<Change visit={visit} path="/settings/profile" part={texts.profile.title} />}
    >
      <Facts
        items={[
          [texts.profile.name, <bdi>{name}</bdi>],
          [texts.profile.cuit, cuitText(cuit)],
          ...profileFields.map(
            (field) => [texts.fields[field], <bdi>{look[field] ?? texts.none}</bdi>] as const,
          ),
        ]}
      />
    </Section>
  );
}

function Appearance({ visit }: Part) {
  const { look: texts } = settingTexts[visit.lang];
  const { look } = visit.account;
  const logo = logoPath(visit.account);
  return (
    <Section
      id="look"
      title={texts.title}
      actions={<Change visit={visit} path="/settings/appearance" part={texts.title} />}
    >
      <Facts
        items={[
          [texts.logo, logo ? <Logo visit={visit} path={logo} /> : texts.noLogo],
          [texts.accent, look.accent ? <code>{look.accent}</code> : texts.ownAccent],
        ]}
      />
      <Preview visit={visit} />
    </Section>
  );
}

export function Logo({ visit, path }: Part & { path: string }) {
  const { width = 1, height = 1 } = visit.account.look.logo ?? {};
  const share = Math.min(1, 160 / width, 60 / height);
  return (
    <img
      class="own-logo"
      src={path}
      alt={settingTexts[visit.lang].look.logo}
      width={Math.max(1, Math.round(width * share))}
      height={Math.max(1, Math.round(height * share))}
    />
  );
}

function Mails({ visit }: Part) {
  const { mails: texts } = settingTexts[visit.lang];
  return (
    <Section
      id="mails"
      title={texts.title}
      actions={
        <a class="button button-quiet" href={visit.at('/settings/mails')}>
          {texts.see}
        </a>
      }
    >
      <p>{texts.lead}</p>
    </Section>
  );
}

function Users({ visit }: Part) {
  const { users: texts } = settingTexts[visit.lang];
  if (!visit.may('users.manage')) return null;
  return (
    <Section
      id="users"
      title={texts.title}
      actions={
        <>
          {visit.may('activity.see') && (
            <a class="button button-quiet" href={visit.at('/settings/activity')}>
              {activityTexts[visit.lang].title}
            </a>
          )}
          <a class="button button-quiet" href={visit.at('/settings/accesses')}>
            {accessTexts[visit.lang].title}
          </a>
          <a class="button button-quiet" href={visit.at('/settings/users')}>
            {texts.see}
          </a>
        </>
      }
    >
      <p>{texts.lead}</p>
    </Section>
  );
}

interface SettingsModel {
  cbu: PayoutCbu;
  /** The change that waits for an operator's approval. */
  pending: PendingLook | null;
  /** The form that withdraws it. */
  withdraw: ComponentChildren;
  wishes: readonly Topic[];
  /** Amount above which refunds need two people. Null disables dual approval. */
  refundsAbove: Centavos | null;
}

export function settingsPage(
  visit: AccountVisit,
  { cbu, pending, withdraw, wishes, refundsAbove }: SettingsModel,
): Page {
  const texts = settingTexts[visit.lang];
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        {visit.query.has('saved') && (
          <Notice
            tone="good"
            text={visit.query.get('saved') === 'waits' ? texts.waiting.saved : texts.saved}
          />
        )}
        {pending !== null && <Waiting lang={visit.lang} pending={pending} withdraw={withdraw} />}
        <Profile visit={visit} />
        <Appearance visit={visit} />
        <BankAccount visit={visit} cbu={cbu} />
        <RefundLimit visit={visit} above={refundsAbove} />
        <Notices visit={visit} wishes={wishes} />
        <Mails visit={visit} />
        <Users visit={visit} />
      </>
    ),
  };
}
