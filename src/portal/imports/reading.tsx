import type { Import, Reading } from '../../imports/index.ts';
import { type Choice, ChoicesField, SelectField } from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import { Section } from '../../platform/pages/components/parts.tsx';
import { formTo } from '../frame/form-to.ts';
import { type AccountVisit, numberIn } from '../frame/index.ts';
import { importTexts } from './texts.ts';

/** Reads the options for a file from the form. */
export function readingIn({ posted }: AccountVisit): Reading {
  const sheet = numberIn(posted.get('sheet') ?? '');
  const headings = numberIn(posted.get('headings') ?? '');
  return {
    ...(sheet !== null && { sheet }),
    ...(headings !== null && { headings }),
    hiddenToo: posted.get('hidden') === 'read',
  };
}

/** Renders a file's options: the sheet, the row of headings and hidden rows. */
export function ReadingForm({ visit, one }: { visit: AccountVisit; one: Import }) {
  const { lang } = visit;
  const { reading } = importTexts[lang];
  const { way } = one;
  const sheets = way.sheets.map(
    ({ place, name, isHidden }): Choice => ({
      value: String(place),
      label: isHidden ? reading.hiddenSheet({ name }) : name,
    }),
  );
  const rows = way.top.map(
    ([row, text]): Choice => ({ value: String(row), label: `${row}. ${text.slice(0, 80)}` }),
  );
  return (
    <Section title={reading.title} id="reading">
      <p>{reading.lead}</p>
      <Form {...formTo(visit, visit.at(`/imports/${one.id}/read`))} submit={reading.submit}>
        {sheets.length > 1 && (
          <SelectField
            lang={lang}
            name="sheet"
            label={reading.sheet}
            choices={sheets}
            value={String(way.sheet)}
            none={reading.firstSheet}
          />
        )}
        <SelectField
          lang={lang}
          name="headings"
          label={reading.headings}
          hint={reading.headingsHint}
          choices={rows}
          value={String(way.headings)}
          none={reading.found}
        />
        {way.hidden > 0 && (
          <ChoicesField
            lang={lang}
            name="hidden"
            label={reading.hidden}
            kind="checkbox"
            choices={[{ value: 'read', label: reading.hiddenRows({ count: way.hidden }) }]}
            values={way.hiddenToo ? ['read'] : []}
          />
        )}
      </Form>
    </Section>
  );
}
