import type { ComponentChildren } from 'preact';
import { TextField } from '../../../platform/pages/components/field.tsx';
import { Facts, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import type { SweepCount } from '../../../platform/sweeps.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { sandboxTexts } from './texts.ts';

/** Counts of the sweeps that ran while the clock moved. Null if it was already past the target. */
export type Moved = { happened: readonly SweepCount[] } | null;

interface SandboxModel {
  now: Temporal.Instant;
  form: ComponentChildren;
  /** Undefined unless the clock was just moved. */
  moved?: Moved | undefined;
  /** An unknown number, as submitted. */
  unknown?: string;
}

export function sandboxPage(visit: ServiceVisit, model: SandboxModel): Page {
  const { lang } = visit;
  const texts = sandboxTexts[lang];
  return {
    title: texts.title,
    status: model.unknown === undefined ? 200 : 400,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        <Outcome visit={visit} model={model} />
        <Section id="clock" title={texts.clock}>
          <Facts items={[[texts.now, momentText(lang, model.now)]]} />
          {model.form}
        </Section>
        <Section id="play" title={texts.play}>
          <p>{texts.playLead}</p>
          <Finder visit={visit} unknown={model.unknown} />
        </Section>
      </>
    ),
  };
}

type OutcomeProps = { visit: ServiceVisit; model: SandboxModel };

function Outcome({ visit: { lang }, model: { moved, now } }: OutcomeProps) {
  const texts = sandboxTexts[lang];
  if (moved === undefined) return null;
  if (moved === null) {
    return <Notice tone="wait" text={texts.movedBefore} />;
  }
  return (
    <>
      <Notice tone="good" text={texts.moved({ to: momentText(lang, now) })} />
      <Table
        lang={lang}
        caption={texts.happened}
        rows={moved.happened}
        empty={<p>{texts.nothing}</p>}
        columns={[
          { key: 'what', title: texts.what, heads: true, cell: ({ what }) => what },
          { key: 'count', title: texts.count, number: true, cell: ({ count }) => count },
        ]}
      />
    </>
  );
}

function Finder({
  visit: { lang, at },
  unknown,
}: {
  visit: ServiceVisit;
  unknown: string | undefined;
}) {
  const texts = sandboxTexts[lang];
  return (
    <form method="get" action={at('/sandbox')} class="form">
      <TextField
        lang={lang}
        name="number"
        label={texts.number}
        value={unknown ?? ''}
        fault={unknown === undefined ? undefined : texts.unknown}
        inputMode="numeric"
        maxLength={15}
        short
      />
      <p class="form-buttons">
        <button type="submit" class="button button-quiet">
          {texts.find}
        </button>
      </p>
    </form>
  );
}
