import { SelectField, TextField } from '../../../platform/pages/components/field.tsx';
import { type FieldFault, Form, statusOf } from '../../../platform/pages/components/form.tsx';
import { Badge, EmptyState, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { hasFactor, type ServiceRole, serviceRoles, type User } from '../../../users/index.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { InviteFields } from '../../people/invite-fields.tsx';
import { peopleTexts } from '../../people/texts.ts';
import { operatorPeopleTexts } from './texts.ts';

const tones = { invited: 'wait', active: 'good', suspended: 'bad' } as const;

const rolesFor = ({ lang }: ServiceVisit) =>
  serviceRoles.map((value) => ({ value, label: peopleTexts[lang].roles[value] }));

interface PeopleModel {
  people: readonly User[];
  said?: string | undefined;
  fault?: string | undefined;
  email?: string;
}

function People({ visit, people }: { visit: ServiceVisit; people: readonly User[] }) {
  const { lang, at } = visit;
  const texts = operatorPeopleTexts[lang];
  return (
    <Table
      lang={lang}
      caption={texts.title}
      captionUnseen
      rows={people}
      empty={<EmptyState title={texts.none} />}
      columns={[
        { key: 'name', title: texts.name, heads: true, cell: (one) => <bdi>{one.name}</bdi> },
        { key: 'email', title: texts.email, cell: (one) => <bdi>{one.email}</bdi> },
        {
          key: 'role',
          title: texts.role,
          cell: ({ service_role: role }) => role && peopleTexts[lang].roles[role],
        },
        {
          key: 'state',
          title: texts.state,
          cell: (one) => (
            <>
              <Badge tone={tones[one.state]}>{texts.states[one.state]}</Badge>{' '}
              {hasFactor(one) ? texts.factor : texts.noFactor}
            </>
          ),
        },
        ...(visit.may('operators.manage')
          ? [
              {
                key: 'change',
                title: texts.change,
                cell: (one: User) => (
                  <a href={at(`/people/${one.id}`)}>
                    {texts.change}
                    <span class="unseen"> {one.name}</span>
                  </a>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function Release({ visit, model }: { visit: ServiceVisit; model: PeopleModel }) {
  const { lang, at, token } = visit;
  const texts = operatorPeopleTexts[lang];
  const action = at('/people/release');
  return (
    <Section id="release" title={texts.release}>
      <p>{texts.releaseLead}</p>
      <Form lang={lang} action={action} token={token(action)} submit={texts.release}>
        <input type="hidden" name="back" value={at('/people')} />
        <TextField
          lang={lang}
          name="email"
          label={texts.email}
          type="email"
          value={model.email ?? ''}
          fault={model.fault}
          autocomplete="off"
          required
        />
      </Form>
    </Section>
  );
}

/** The list of the operator's users. */
export function peoplePage(visit: ServiceVisit, model: PeopleModel): Page {
  const { lang, at, may } = visit;
  const texts = operatorPeopleTexts[lang];
  return {
    title: texts.title,
    status: model.fault === undefined ? 200 : 400,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            may('operators.manage') ? (
              <a class="button" href={at('/people/new')}>
                {texts.add}
              </a>
            ) : undefined
          }
        />
        {model.said !== undefined && (
          <Notice tone="good">
            <p>{model.said}</p>
          </Notice>
        )}
        <Section id="people" title={texts.title}>
          <People visit={visit} people={model.people} />
        </Section>
        {may('operators.manage') && <Release visit={visit} model={model} />}
      </>
    ),
  };
}

export interface OperatorDraft {
  email: string;
  name: string;
  role: ServiceRole | '';
  faults: readonly FieldFault[];
}

export function addPage(visit: ServiceVisit, draft: OperatorDraft): Page {
  const { lang, at, token } = visit;
  const texts = operatorPeopleTexts[lang];
  const action = at('/people/new');
  return {
    title: texts.add,
    status: statusOf(draft.faults),
    body: (
      <>
        <PageHead
          title={texts.add}
          lead={texts.addLead}
          up={{ href: at('/people'), label: texts.title }}
        />
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          faults={draft.faults}
          submit={texts.send}
          back={at('/people')}
        >
          <input type="hidden" name="back" value={action} />
          <InviteFields lang={lang} labels={texts} draft={draft} roles={rolesFor(visit)} />
        </Form>
      </>
    ),
  };
}

/** One of them: another role of the service, or none. */
export function personPage(
  visit: ServiceVisit,
  { person, fault, status = 200 }: { person: User; fault?: string; status?: number },
): Page {
  const { lang, at, token } = visit;
  const texts = operatorPeopleTexts[lang];
  const home = at(`/people/${person.id}`);
  const title = texts.changeTitle({ name: person.name });
  return {
    title,
    status,
    body: (
      <>
        <PageHead
          title={title}
          lead={person.email}
          up={{ href: at('/people'), label: texts.title }}
        />
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
          back={at('/people')}
        >
          <input type="hidden" name="back" value={home} />
          <SelectField
            lang={lang}
            name="role"
            label={texts.role}
            value={person.service_role ?? ''}
            choices={rolesFor(visit)}
          />
        </Form>
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
