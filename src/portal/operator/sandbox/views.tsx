import { SelectField, TextField } from '../../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn } from '../../../platform/pages/components/form.tsx';
import { Facts, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import type { SweepCount } from '../../../platform/sweeps.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { type Step, sandboxTexts, steps } from './texts.ts';

export interface Played {
  now: Temporal.Instant;
  faults?: readonly FieldFault[];
  /** Counts of the sweeps that ran while the clock moved. */
  happened?: readonly SweepCount[];
  /** True if the clock had already passed the target. */
  late?: boolean;
  /** True if blocked work stopped the clock. */
  blocked?: boolean;
  /** An unknown number, as submitted. */
  unknown?: string;
}

const statusOfPlayed = ({ faults = [], blocked, unknown }: Played): number => {
  if (blocked) return 409;
  return faults.length > 0 || unknown !== undefined ? 400 : 200;
};

/** Renders the sandbox's clock, and a search for payable requests. */
export function sandboxPage(visit: ServiceVisit, played: Played): Page {
  const { lang } = visit;
  const texts = sandboxTexts[lang];
  return {
    title: texts.title,
    status: statusOfPlayed(played),
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        <Outcome visit={visit} played={played} />
        <Section id="clock" title={texts.clock}>
          <Facts items={[[texts.now, momentText(lang, played.now)]]} />
          <ClockForm visit={visit} played={played} />
        </Section>
        <Section id="play" title={texts.play}>
          <p>{texts.playLead}</p>
          <Finder visit={visit} unknown={played.unknown} />
        </Section>
      </>
    ),
  };
}

type PlayedProps = { visit: ServiceVisit; played: Played };

function Outcome({ visit: { lang }, played }: PlayedProps) {
  const texts = sandboxTexts[lang];
  const { happened, late, blocked, now } = played;
  if (blocked) {
    return (
      <Notice tone="bad">
        <p>{texts.heldUp}</p>
      </Notice>
    );
  }
  if (late) {
    return (
      <Notice tone="wait">
        <p>{texts.movedBefore}</p>
      </Notice>
    );
  }
  if (happened === undefined) return null;
  return (
    <>
      <Notice tone="good">
        <p>{texts.moved({ to: momentText(lang, now) })}</p>
      </Notice>
      <Table
        lang={lang}
        caption={texts.happened}
        rows={happened}
        empty={<p>{texts.nothing}</p>}
        columns={[
          { key: 'what', title: texts.what, heads: true, cell: ({ what }) => what },
          { key: 'count', title: texts.count, number: true, cell: ({ count }) => count },
        ]}
      />
    </>
  );
}

function ClockForm({ visit: { lang, at, token }, played: { now, faults = [] } }: PlayedProps) {
  const texts = sandboxTexts[lang];
  const action = at('/sandbox/clock');
  const faultOf = faultIn(faults);
  return (
    <Form lang={lang} action={action} token={token(action)} faults={faults} submit={texts.move}>
      <input type="hidden" name="from" value={now.toString()} />
      <SelectField
        lang={lang}
        name="step"
        label={texts.step}
        fault={faultOf('step')}
        choices={(Object.keys(steps) as Step[]).map((value) => ({
          value,
          label: texts.steps[value],
        }))}
      />
      <TextField
        lang={lang}
        name="until"
        type="date"
        label={texts.until}
        hint={texts.untilHint}
        fault={faultOf('until')}
        optional
      />
    </Form>
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
