import type { ComponentChildren } from 'preact';
import type { Account } from '../../../accounts/index.ts';
import { ChoicesField, TextField } from '../../../platform/pages/components/field.tsx';
import { Form, faultIn, statusOf } from '../../../platform/pages/components/form.tsx';
import type { Lang } from '../../../platform/pages/model.ts';
import { accountRoles } from '../../../users/index.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { OvertakenNotice, statusOfAgain } from '../../frame/overtaken.tsx';
import { InviteFields } from '../../people/invite-fields.tsx';
import { peopleTexts } from '../../people/texts.ts';
import {
  type InviteDraft,
  limitNames,
  type NewAccountDraft,
  type SettingsDraft,
} from './drafts.ts';
import { accountsTexts } from './texts.ts';

/** Links to an account's page, as the parent page. */
export const upTo = ({ at }: ServiceVisit, { id, name }: Account) => ({
  href: at(`/accounts/${id}`),
  label: name,
});

export function newAccountPage(visit: ServiceVisit, draft: NewAccountDraft): Page {
  const { lang, at, token } = visit;
  const texts = accountsTexts[lang];
  const action = at(`/accounts/${draft.id}/create`);
  const faultOf = faultIn(draft.faults);
  const field = (name: string, label: string, value: string) => ({
    lang,
    name,
    label,
    value,
    fault: faultOf(name),
    autocomplete: 'off',
  });
  return {
    title: texts.create,
    status: statusOf(draft.faults),
    body: (
      <>
        <PageHead
          title={texts.create}
          lead={texts.createLead}
          up={{ href: at('/accounts'), label: texts.title }}
        />
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          faults={draft.faults}
          submit={texts.create}
          back={at('/accounts')}
        >
          <TextField
            {...field('name', texts.name, draft.name)}
            hint={texts.nameHint}
            maxLength={100}
          />
          <TextField {...field('cuit', texts.cuit, draft.cuit)} inputMode="numeric" short />
          <TextField {...field('city', texts.city, draft.city)} maxLength={60} />
          <TextField
            {...field('owner_name', texts.ownerName, draft.ownerName)}
            hint={texts.ownerHint}
          />
          <TextField {...field('email', texts.email, draft.email)} type="email" />
        </Form>
      </>
    ),
  };
}

export function inviteUserPage(visit: ServiceVisit, account: Account, draft: InviteDraft): Page {
  const { lang, at, token } = visit;
  const texts = accountsTexts[lang];
  const action = at(`/accounts/${account.id}/users/new`);
  return {
    title: texts.invite,
    status: statusOf(draft.faults),
    body: (
      <>
        <PageHead title={texts.invite} lead={texts.inviteLead} up={upTo(visit, account)} />
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          faults={draft.faults}
          submit={texts.invite}
          back={at(`/accounts/${account.id}`)}
        >
          <InviteFields
            lang={lang}
            labels={texts}
            draft={draft}
            roles={accountRoles.map((value) => ({
              value,
              label: peopleTexts[lang].roles[value],
            }))}
          />
        </Form>
      </>
    ),
  };
}

interface YesOrNo {
  name: string;
  choices: { value: string; label: string }[];
  values: string[];
}

function SettingsFields({
  lang,
  draft,
  choices,
}: {
  lang: Lang;
  draft: SettingsDraft;
  choices: YesOrNo[];
}) {
  const texts = accountsTexts[lang];
  const faultOf = faultIn(draft.faults);
  return (
    <>
      <TextField
        lang={lang}
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        value={draft.name}
        fault={faultOf('name')}
        maxLength={100}
      />
      {choices.map((one) => (
        <ChoicesField
          key={one.name}
          lang={lang}
          kind="checkbox"
          {...one}
          label={one.choices[0]?.label ?? ''}
          choices={[{ value: 'yes', label: texts.yes }]}
        />
      ))}
      <TextField
        lang={lang}
        name="card_cut_day"
        label={texts.cutDay}
        hint={texts.cutDayHint}
        value={draft.cutDay}
        fault={faultOf('card_cut_day')}
        inputMode="numeric"
        short
      />
      {limitNames.map((name) => (
        <TextField
          key={name}
          lang={lang}
          name={name}
          label={texts.limits[name]}
          hint={texts.limitHint}
          value={draft.limits[name]}
          fault={faultOf(name)}
          inputMode="numeric"
          short
        />
      ))}
    </>
  );
}

export function settingsPage(visit: ServiceVisit, account: Account, draft: SettingsDraft): Page {
  const { lang, at, token } = visit;
  const texts = accountsTexts[lang];
  const action = at(`/accounts/${account.id}/settings`);
  const choice = (name: string, label: string, value: boolean): YesOrNo => ({
    name,
    choices: [{ value: 'yes', label }],
    values: value ? ['yes'] : [],
  });
  const choices = [
    choice('returns_fees', texts.returnsFees, draft.returnsFees),
    choice('refunds_below_zero', texts.refundsBelowZero, draft.refundsBelowZero),
    choice('returns_late_approvals', texts.returnsLateApprovals, draft.returnsLateApprovals),
  ];
  return {
    title: texts.settings,
    status: statusOfAgain(draft, draft.faults),
    body: (
      <>
        <PageHead title={texts.settings} lead={texts.settingsLead} up={upTo(visit, account)} />
        <OvertakenNotice
          lang={lang}
          changed={draft.overtaken}
          labels={{
            name: texts.name,
            card_cut_day: texts.cutDay,
            ...texts.limits,
            ...Object.fromEntries(
              choices.map(({ name, choices: [one] }) => [name, one?.label ?? '']),
            ),
          }}
          shows={Object.fromEntries(
            choices.map(({ name }) => [name, (text) => (text === 'true' ? texts.yes : texts.no)]),
          )}
        />
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          seen={draft.seen}
          faults={draft.faults}
          submit={texts.save}
          back={at(`/accounts/${account.id}`)}
        >
          <SettingsFields lang={lang} draft={draft} choices={choices} />
        </Form>
      </>
    ),
  };
}

/** Renders a page of an account with one form. */
export const formPage = (
  visit: ServiceVisit,
  account: Account,
  { title, lead, form }: { title: string; lead: string; form: ComponentChildren },
): Page => ({
  title,
  body: (
    <>
      <PageHead title={title} lead={lead} up={upTo(visit, account)} />
      {form}
    </>
  ),
});
