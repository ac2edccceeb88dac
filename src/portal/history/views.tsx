import type { Story, Section as ToldSection } from '../../explain/index.ts';
import { isoDateTime, isoMidnight } from '../../kernel/dates.ts';
import { TextField } from '../../platform/pages/components/field.tsx';
import { Notice, Section } from '../../platform/pages/components/parts.tsx';
import { Timeline } from '../../platform/pages/components/timeline.tsx';
import { dayText, momentText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountVisit, Page, ServiceVisit } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { historyTexts } from './texts.ts';

type LinkProps = { visit: Pick<AccountVisit, 'lang' | 'at'>; path: string };

export function HistoryLink({ visit: { lang, at }, path }: LinkProps) {
  return (
    <a class="button button-quiet" href={at(`${path}/history`)}>
      {historyTexts[lang].title}
    </a>
  );
}

type Sentences = ToldSection['sentences'];

const whenOf = (lang: Lang, { at, day }: Sentences[number]) => {
  if (day !== null) return { text: dayText(lang, day), iso: isoMidnight(day) };
  return at && { text: momentText(lang, at), iso: isoDateTime(at) };
};

/** Renders sentences with a time as steps, and the others as paragraphs. */
function HistorySection({
  lang,
  section: { key, title, sentences },
}: {
  lang: Lang;
  section: ToldSection;
}) {
  const dated = sentences.filter((one) => whenOf(lang, one) !== null);
  const plain = sentences.filter((one) => whenOf(lang, one) === null);
  const body = (
    <>
      {dated.length > 0 && (
        <Timeline
          label={title}
          steps={dated.map((one) => ({
            title: <bdi>{one.text}</bdi>,
            when: whenOf(lang, one),
          }))}
        />
      )}
      {plain.map(({ text }) => (
        <p key={text}>
          <bdi>{text}</bdi>
        </p>
      ))}
    </>
  );
  if (key !== 'faults') {
    return (
      <Section id={key} title={title}>
        {body}
      </Section>
    );
  }
  return (
    <Notice tone="bad" title={title}>
      {body}
    </Notice>
  );
}

const Sections = ({ lang, story }: { lang: Lang; story: Story }) => (
  <>
    {story.sections.map((section) => (
      <HistorySection key={section.key} lang={lang} section={section} />
    ))}
  </>
);

export function historyPage({ lang, at }: AccountVisit, story: Story, path: string): Page {
  const { title } = historyTexts[lang];
  return {
    title: `${title} · ${story.title}`,
    body: (
      <>
        <PageHead title={title} up={{ href: at(path), label: story.title }} />
        <Sections lang={lang} story={story} />
      </>
    ),
  };
}

/** Renders a search for any payment's history, for operators. `story` is null without a match. */
export function searchPage(
  { lang, at }: ServiceVisit,
  { id, story }: { id: string; story: Story | null },
): Page {
  const texts = historyTexts[lang];
  return {
    title: story === null ? texts.title : `${texts.title} · ${story.title}`,
    status: id !== '' && story === null ? 404 : 200,
    body: (
      <>
        <PageHead title={story?.title ?? texts.title} lead={texts.lead} />
        <form class="filters" method="get" action={at('/history')}>
          <TextField lang={lang} name="id" label={texts.id} value={id} maxLength={40} />
          <button type="submit" class="button">
            {texts.show}
          </button>
        </form>
        {id !== '' && story === null && <Notice tone="bad" text={texts.missing} />}
        {story !== null && <Sections lang={lang} story={story} />}
      </>
    ),
  };
}
