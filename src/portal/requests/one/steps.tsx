import { isoDateTime, isoMidnight } from '../../../kernel/dates.ts';
import type { ResultRow } from '../../../money/collections/index.ts';
import type { TimelineStep, TimelineWhat } from '../../../payment-requests/index.ts';
import { Section, type Tone } from '../../../platform/pages/components/parts.tsx';
import { Timeline } from '../../../platform/pages/components/timeline.tsx';
import { dayText, moneyText, paidText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { oneTexts } from './texts.ts';

const tones: Readonly<Partial<Record<string, Tone>>> = {
  paid: 'good',
  available: 'good',
  paid_out: 'good',
  rejected: 'bad',
  reverted: 'bad',
  refund_failed: 'bad',
  disputed: 'bad',
  mail_refused: 'bad',
  mail_bounced: 'bad',
  tried: 'wait',
  authorized: 'wait',
  refund_requested: 'wait',
};

const isKnown = (
  what: string,
  steps: Readonly<Record<TimelineWhat, string>>,
): what is TimelineWhat => Object.hasOwn(steps, what);

/** Renders instrument, amount and actor on one line, and the reason on the next. */
function Detail({ lang, step }: { lang: Lang; step: TimelineStep }) {
  const { channel, amount, words, actor, mail } = step;
  const texts = oneTexts[lang];
  const whom = mail === undefined ? texts.by[actor.kind] : mail.recipient;
  const parts = [channel, amount === null ? null : moneyText(lang, amount), whom];
  return (
    <>
      <p>{parts.filter((part) => part !== null).join(' · ')}</p>
      {words !== null && (
        <p>
          <bdi>{words}</bdi>
        </p>
      )}
    </>
  );
}

/** Returns a step's name. A request that does not expire by itself was withdrawn. */
function stepName(lang: Lang, { what, actor }: TimelineStep): string {
  const { steps, withdrawn } = oneTexts[lang];
  if (what === 'expired' && actor.kind !== 'system') return withdrawn;
  return isKnown(what, steps) ? steps[what] : what;
}

const stepView = (lang: Lang, step: TimelineStep) => {
  return {
    title: stepName(lang, step),
    when:
      step.day === null
        ? { text: paidText(lang, step.at), iso: isoDateTime(step.at) }
        : { text: dayText(lang, step.day), iso: isoMidnight(step.day) },
    detail: <Detail lang={lang} step={step} />,
    tone: tones[step.what] ?? 'calm',
  };
};

type StepsProps = {
  lang: Lang;
  steps: readonly TimelineStep[];
  results: readonly ResultRow[];
};

/** Renders past and coming steps, in order. */
export function Steps({ lang, steps, results }: StepsProps) {
  const texts = oneTexts[lang];
  const toCome = results.flatMap((row) =>
    row.type === 'collected' && row.released_on === null && row.available_on !== null
      ? [{ title: texts.toCome({ day: dayText(lang, row.available_on) }), when: null }]
      : [],
  );
  return (
    <Section id="timeline" title={texts.timeline}>
      <Timeline
        label={texts.timeline}
        steps={[...steps.map((step) => stepView(lang, step)), ...toCome]}
      />
    </Section>
  );
}
