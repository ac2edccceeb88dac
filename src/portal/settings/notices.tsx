import type { ComponentChildren } from 'preact';
import { Notice, Section } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { type Topic, topicsFor } from '../../users/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { noticeTexts } from './notice-texts.ts';
import { settingTexts } from './setting-texts.ts';

export const noticesPath = '/settings/notifications';

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

export const topicNames = (lang: Lang, text: string): string =>
  text
    .split(' ')
    .map((topic) => noticeTexts[lang].topics[topic as Topic]?.label ?? topic)
    .join(', ');

export function noticesPage(visit: AccountVisit, form: ComponentChildren): Page {
  const { lang, at, role } = visit;
  const texts = noticeTexts[lang];
  const up = { href: at('/settings'), label: settingTexts[lang].title };
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          {...(visit.may('settings.see') && { up })}
        />
        {visit.query.has('saved') && <Notice tone="good" text={texts.saved} />}
        {form}
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
