import type { ComponentChildren } from 'preact';
import { Badge, EmptyState, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { hasFactor, serviceRoles, type User } from '../../../users/index.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { peopleTexts } from '../../people/texts.ts';
import { operatorPeopleTexts } from './texts.ts';

const tones = { invited: 'wait', active: 'good', suspended: 'bad' } as const;

export const rolesFor = ({ lang }: ServiceVisit) =>
  serviceRoles.map((value) => ({ value, label: peopleTexts[lang].roles[value] }));

interface PeopleModel {
  people: readonly User[];
  /** Those who are linked to the provider. */
  linked: ReadonlySet<number>;
  said?: string | undefined;
  /** The form that releases a locked user. */
  release: ComponentChildren;
}

function People({
  visit,
  people,
  linked,
}: Pick<PeopleModel, 'people' | 'linked'> & { visit: ServiceVisit }) {
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
              {linked.has(one.id) && `, ${texts.linked}`}
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

export function peoplePage(visit: ServiceVisit, model: PeopleModel): Page {
  const { lang, at, may } = visit;
  const texts = operatorPeopleTexts[lang];
  return {
    title: texts.title,
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
        {model.said !== undefined && <Notice tone="good" text={model.said} />}
        <Section id="people" title={texts.title}>
          <People visit={visit} people={model.people} linked={model.linked} />
        </Section>
        {may('operators.manage') && (
          <Section id="release" title={texts.release}>
            <p>{texts.releaseLead}</p>
            {model.release}
          </Section>
        )}
      </>
    ),
  };
}

export function addPage({ lang, at }: ServiceVisit, form: ComponentChildren): Page {
  const texts = operatorPeopleTexts[lang];
  return {
    title: texts.add,
    body: (
      <>
        <PageHead
          title={texts.add}
          lead={texts.addLead}
          up={{ href: at('/people'), label: texts.title }}
        />
        {form}
      </>
    ),
  };
}

interface PersonModel {
  person: User;
  /** The forms that change the user's role. */
  role: ComponentChildren;
  remove: ComponentChildren;
}

export function personPage(
  { lang, at }: ServiceVisit,
  { person, role, remove }: PersonModel,
): Page {
  const texts = operatorPeopleTexts[lang];
  const title = texts.changeTitle({ name: person.name });
  return {
    title,
    body: (
      <>
        <PageHead
          title={title}
          lead={person.email}
          up={{ href: at('/people'), label: texts.title }}
        />
        {role}
        <Section id="remove" title={texts.remove}>
          <p>{texts.removeLead}</p>
          {remove}
        </Section>
      </>
    ),
  };
}
