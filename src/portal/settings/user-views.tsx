import { SelectField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form, statusOf } from '../../platform/pages/components/form.tsx';
import { Badge, EmptyState, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { type AccountRole, accountRoles, hasFactor, type Member } from '../../users/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { InviteFields } from '../people/invite-fields.tsx';
import { peopleTexts } from '../people/texts.ts';
import { usersTexts } from './texts.ts';

export function usersPage(
  visit: AccountVisit,
  { members, sent }: { members: readonly Member[]; sent: boolean },
): Page {
  const { lang, at } = visit;
  const texts = usersTexts[lang];
  const { roles } = peopleTexts[lang];
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        {sent && (
          <Notice tone="good">
            <p>{texts.sent}</p>
          </Notice>
        )}
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
                    {one.membership_state === 'invited' ? '' : factorText(lang, one)}
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

const factorText = (lang: Lang, member: Member): string =>
  hasFactor(member) ? usersTexts[lang].factor : usersTexts[lang].noFactor;

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

/** The roles that somebody may give: only owners make owners. */
const rolesFor = ({ lang, role }: AccountVisit) =>
  accountRoles
    .filter((one) => role === 'owner' || one !== 'owner')
    .map((value) => ({ value, label: peopleTexts[lang].roles[value] }));

export interface InviteDraft {
  email: string;
  name: string;
  role: AccountRole | '';
  faults: readonly FieldFault[];
}

export function invitePage(visit: AccountVisit, draft: InviteDraft): Page {
  const { lang, at, token } = visit;
  const texts = usersTexts[lang];
  const action = at('/settings/users/new');
  return {
    title: texts.invite,
    status: statusOf(draft.faults),
    body: (
      <>
        <PageHead title={texts.invite} lead={texts.inviteLead} />
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          faults={draft.faults}
          submit={texts.send}
          back={at('/settings/users')}
        >
          <input type="hidden" name="back" value={action} />
          <InviteFields lang={lang} labels={texts} draft={draft} roles={rolesFor(visit)} />
        </Form>
      </>
    ),
  };
}

function Resend({ visit, member }: { visit: AccountVisit; member: Member }) {
  const { lang, at, token } = visit;
  const texts = usersTexts[lang];
  const home = at(`/settings/users/${member.id}`);
  const action = `${home}/resend`;
  const until = member.invitation_until;
  return (
    <Section id="resend" title={texts.resend}>
      <p>
        {until === null || member.invitation_lapsed
          ? texts.resendLapsed
          : texts.resendLead({ until: momentText(lang, until) })}
      </p>
      <Form lang={lang} action={action} token={token(action)} submit={texts.resend}>
        <input type="hidden" name="back" value={home} />
      </Form>
    </Section>
  );
}

export function memberPage(
  visit: AccountVisit,
  { member, fault, status = 200 }: { member: Member; fault?: string; status?: number },
): Page {
  const { lang, at, token } = visit;
  const texts = usersTexts[lang];
  const home = at(`/settings/users/${member.id}`);
  const title = texts.changeTitle({ name: member.name || member.email });
  return {
    title,
    status,
    body: (
      <>
        <PageHead title={title} lead={member.email} />
        {fault !== undefined && (
          <Notice tone="bad">
            <p>{fault}</p>
          </Notice>
        )}
        <Form
          lang={lang}
          action={`${home}/role`}
          token={token(`${home}/role`)}
          submit={texts.change}
          back={at('/settings/users')}
        >
          <input type="hidden" name="back" value={home} />
          <SelectField
            lang={lang}
            name="role"
            label={texts.role}
            value={member.role}
            choices={rolesFor(visit)}
          />
        </Form>
        {member.membership_state === 'invited' && <Resend visit={visit} member={member} />}
        <Section id="remove" title={texts.remove}>
          <p>{texts.removeLead}</p>
          <Form
            lang={lang}
            action={`${home}/remove`}
            token={token(`${home}/remove`)}
            submit={texts.remove}
            grave
          >
            <input type="hidden" name="back" value={home} />
          </Form>
        </Section>
      </>
    ),
  };
}
