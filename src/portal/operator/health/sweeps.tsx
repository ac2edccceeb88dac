import { Badge, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { Health, SweepHealth } from './model.ts';
import { sweepName } from './sweep-names.ts';
import { healthTexts } from './texts.ts';

const seconds = (lang: Lang, ms: number): string => {
  if (ms < 1_000) return `${ms} ms`;
  const text = (ms / 1_000).toFixed(1);
  return `${lang === 'es' ? text.replace('.', ',') : text} s`;
};

function Last({ lang, one: { run } }: { lang: Lang; one: SweepHealth }) {
  const texts = healthTexts[lang];
  if (run === null || run.ran_at === null) return <>{texts.neverRan}</>;
  return (
    <>
      {momentText(lang, run.ran_at)}
      <span class="aside">
        {seconds(lang, run.took_ms ?? 0)}, {texts.moved({ count: run.moved ?? 0 })}
      </span>
    </>
  );
}

function LastError({ lang, one: { run, failing } }: { lang: Lang; one: SweepHealth }) {
  if (run === null || run.failed_at === null) return <>{healthTexts[lang].noError}</>;
  return (
    <>
      {failing && <Badge tone="bad">{healthTexts[lang].look}</Badge>}{' '}
      {momentText(lang, run.failed_at)}
      <span class="aside" lang="en">
        {run.error}
      </span>
    </>
  );
}

export function Sweeps({ lang, sweeps }: { lang: Lang; sweeps: Health['sweeps'] }) {
  const texts = healthTexts[lang];
  const stateOf = ({ behindSeconds }: SweepHealth) =>
    behindSeconds === null ? (
      <Badge tone="good">{texts.good}</Badge>
    ) : (
      <Badge tone="bad">{texts.behind({ minutes: Math.floor(behindSeconds / 60) })}</Badge>
    );
  return (
    <Section id="sweeps" title={texts.sweeps}>
      <p class="lead">{texts.sweepsLead}</p>
      <Table
        lang={lang}
        caption={texts.sweeps}
        captionUnseen
        rows={sweeps}
        empty={null}
        columns={[
          {
            key: 'sweep',
            title: texts.sweep,
            heads: true,
            cell: ({ name }) => sweepName(lang, name),
          },
          {
            key: 'next',
            title: texts.next,
            cell: ({ due }) => (due === null ? texts.nothing : momentText(lang, due)),
          },
          { key: 'last', title: texts.lastRun, cell: (one) => <Last lang={lang} one={one} /> },
          {
            key: 'error',
            title: texts.lastError,
            cell: (one) => <LastError lang={lang} one={one} />,
          },
          { key: 'state', title: texts.state, cell: stateOf },
        ]}
      />
    </Section>
  );
}
