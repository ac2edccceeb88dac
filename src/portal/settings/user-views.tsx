import type { ComponentChildren } from 'preact';
import { Badge, EmptyState, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { accountRoles, hasFactor, type Member } from '../../users/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { peopleTexts } from '../people/texts.ts';
import { usersTexts } from './texts.ts';

export function usersPage(
  visit: AccountVisit,
  {
    members,
    linked,
    sent,
  }: { members: readonly Member[]; linked: ReadonlySet<number>; sent: boolean },
): Page {
  const { lang, at } = visit;
  const texts = usersTexts[lang];
  const { roles } = peopleTexts[lang];
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        {sent && <Notice tone="good" text={texts.sent} />}
        <Section
          id="users"
          title={texts.title}
          actions={
            <a class="button" href={at('/settings/users/new')}>
              {texts.invite}
            </a>
          }
        >
          <Table
            lang={lang}
            caption={texts.title}
            captionUnseen
            rows={members}
            empty={<EmptyState title={texts.none} />}
            columns={[
              {
                key: 'name',
                title: texts.name,
                heads: true,
                cell: (one) => <bdi>{one.name || one.email}</bdi>,
              },
              { key: 'email', title: texts.email, cell: (one) => <bdi>{one.email}</bdi> },
              { key: 'role', title: texts.role, cell: (one) => roles[one.role] },
              {
                key: 'state',
                title: texts.state,
                cell: (one) => (
                  <>
                    <MemberBadge lang={lang} member={one} />{' '}
                    {one.membership_state === 'invited' ? '' : factorText(lang, one, linked)}
                  </>
                ),
              },
              {
                key: 'change',
                title: texts.change,
                cell: (one) => (
                  <a href={at(`/settings/users/${one.id}`)}>
                    {texts.change}
                    <span class="unseen"> {one.name || one.email}</span>
                  </a>
                ),
              },
            ]}
          />
        </Section>
      </>
    ),
  };
}

const factorText = (lang: Lang, member: Member, linked: ReadonlySet<number>): string => {
  const texts = usersTexts[lang];
  const factor = hasFactor(member) ? texts.factor : texts.noFactor;
  return linked.has(member.id) ? `${factor}, ${texts.linked}` : factor;
};

function MemberBadge({ lang, member }: { lang: Lang; member: Member }) {
  const texts = usersTexts[lang];
  if (member.state === 'suspended') return <Badge tone="bad">{texts.suspended}</Badge>;
  if (member.membership_state !== 'invited') return <Badge tone="good">{texts.active}</Badge>;
  return member.invitation_lapsed ? (
    <Badge tone="bad">{texts.lapsed}</Badge>
  ) : (
    <Badge tone="wait">{texts.invited}</Badge>
  );
}

/** Returns the roles that this user may assign. Only owners can make owners. */
export const rolesFor = ({ lang, role }: AccountVisit) =>
  accountRoles
    .filter((one) => role === 'owner' || one !== 'owner')
    .map((value) => ({ value, label: peopleTexts[lang].roles[value] }));

export function invitePage({ lang }: AccountVisit, form: ComponentChildren): Page {
  const texts = usersTexts[lang];
  return {
    title: texts.invite,
    body: (
      <>
        <PageHead title={texts.invite} lead={texts.inviteLead} />
        {form}
      </>
    ),
  };
}

interface MemberModel {
  member: Member;
  /** The forms that change the member. */
  role: ComponentChildren;
  resend: ComponentChildren;
  remove: ComponentChildren;
}

function Resend({ visit: { lang }, member, resend }: MemberModel & { visit: AccountVisit }) {
  const texts = usersTexts[lang];
  const until = member.invitation_until;
  return (
    <Section id="resend" title={texts.resend}>
      <p>
        {until === null || member.invitation_lapsed
          ? texts.resendLapsed
          : texts.resendLead({ until: momentText(lang, until) })}
      </p>
      {resend}
    </Section>
  );
}

/** Renders a member's page: change the role, repeat the invitation, or remove them. */
export function memberPage(visit: AccountVisit, model: MemberModel): Page {
  const { member, role, remove } = model;
  const texts = usersTexts[visit.lang];
  const title = texts.changeTitle({ name: member.name || member.email });
  return {
    title,
    body: (
      <>
        <PageHead title={title} lead={member.email} />
        {role}
        {member.membership_state === 'invited' && <Resend visit={visit} {...model} />}
        <Section id="remove" title={texts.remove}>
          <p>{texts.removeLead}</p>
          {remove}
        </Section>
      </>
    ),
  };
}
