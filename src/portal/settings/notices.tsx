import { ChoicesField } from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import { Notice, Section } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { type Topic, topicsFor } from '../../users/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { OvertakenNotice, type RepeatedForm } from '../frame/overtaken.tsx';
import { noticeTexts } from './notice-texts.ts';
import { settingTexts } from './setting-texts.ts';

export const noticesPath = '/settings/notifications';

/** Renders the notices' section of the settings page. */
export function Notices({ visit, wishes }: { visit: AccountVisit; wishes: readonly Topic[] }) {
  const texts = noticeTexts[visit.lang];
  const chosen = topicsFor(visit.role).filter((topic) => wishes.includes(topic));
  return (
    <Section
      id="notices"
      title={texts.title}
      actions={
        <a class="button button-quiet" href={visit.at(noticesPath)}>
          {texts.see}
          <span class="unseen"> {texts.title}</span>
        </a>
      }
    >
      <p>
        {chosen.length === 0
          ? texts.none
          : `${texts.chosen}: ${chosen.map((topic) => texts.topics[topic].label.toLowerCase()).join(', ')}.`}
      </p>
    </Section>
  );
}

const topicNames = (lang: Lang, text: string): string =>
  text
    .split(' ')
    .map((topic) => noticeTexts[lang].topics[topic as Topic]?.label ?? topic)
    .join(', ');

interface NoticesModel extends RepeatedForm {
  wishes: readonly Topic[];
  saved: boolean;
}

export function noticesPage(visit: AccountVisit, model: NoticesModel): Page {
  const { wishes, saved, seen, overtaken } = model;
  const { lang, at, token, role } = visit;
  const texts = noticeTexts[lang];
  const action = at(noticesPath);
  const up = { href: at('/settings'), label: settingTexts[lang].title };
  return {
    title: texts.title,
    status: overtaken === null ? 200 : 409,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          {...(visit.may('settings.see') && { up })}
        />
        {saved && (
          <Notice tone="good">
            <p>{texts.saved}</p>
          </Notice>
        )}
        <OvertakenNotice
          lang={lang}
          changed={overtaken}
          labels={{ topics: texts.chosen }}
          shows={{ topics: (text) => topicNames(lang, text) }}
        />
        <Form lang={lang} action={action} token={token(action)} seen={seen} submit={texts.save}>
          <ChoicesField
            lang={lang}
            name="topics"
            label={texts.choose}
            hint={texts.how}
            kind="checkbox"
            choices={topicsFor(role).map((value) => ({ value, ...texts.topics[value] }))}
            values={wishes}
          />
        </Form>
        <Section id="always" title={texts.always}>
          <ul>
            <li>{texts.security.own}</li>
            {role === 'owner' && <li>{texts.security.owner}</li>}
          </ul>
        </Section>
      </>
    ),
  };
}
