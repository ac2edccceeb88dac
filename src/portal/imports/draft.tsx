import { kindActs, missingFields, type Note } from '../../imports/index.ts';
import { type Choice, ChoicesField, SelectField } from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import { Figures, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { moneyText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { formTo } from '../frame/form-to.ts';
import type { AccountVisit } from '../frame/index.ts';
import { Message } from '../frame/message.tsx';
import { type ImportModel, mostRemarks, type Remark } from './model.ts';
import { ReadingForm } from './reading.tsx';
import { Difference, sumFigure } from './sums.tsx';
import { importTexts } from './texts.ts';

/** Shortens a cell for the page. */
const cut = (text: string): string => text.slice(0, 80);

interface PartProps {
  visit: AccountVisit;
  model: ImportModel;
}

function Match({ visit, model: { one, fields, first } }: PartProps) {
  const { lang } = visit;
  const { match } = importTexts[lang];
  const choices = one.columns.map(
    (name, place): Choice => ({ value: String(place), label: `${place + 1}. ${cut(name)}` }),
  );
  const exampleOf = (place: number | null): string | undefined => {
    const cell = place === null ? undefined : first[0]?.[1][place];
    return cell === undefined || cell === ''
      ? undefined
      : match.example({ value: cut(String(cell)) });
  };
  return (
    <Section title={match.title} id="columns">
      <p>{match.lead}</p>
      <Form {...formTo(visit, visit.at(`/imports/${one.id}/match`))} submit={match.submit}>
        {fields.map(({ name, label, required }) => {
          const place = one.matched[name] ?? null;
          const hint = exampleOf(place);
          return (
            <SelectField
              key={name}
              lang={lang}
              name={name}
              label={label[lang]}
              optional={!required}
              choices={choices}
              value={place === null ? '' : String(place)}
              none={match.none}
              {...(hint !== undefined && { hint })}
            />
          );
        })}
      </Form>
    </Section>
  );
}

function Remarks({ visit, model: { remarks } }: PartProps) {
  const { lang } = visit;
  const { faults } = importTexts[lang];
  if (remarks.length === 0) return null;
  const remarkText = ({ fault }: Remark) =>
    typeof fault === 'object' && 'repeats' in fault ? (
      faults.repeats({ id: fault.repeats === null ? 'none' : String(fault.repeats) })
    ) : (
      <Message lang={lang}>{fault}</Message>
    );
  return (
    <Section title={faults.title} id="remarks">
      <Table
        lang={lang}
        caption={faults.title}
        captionUnseen
        rows={remarks}
        empty={null}
        columns={[
          { key: 'row', title: faults.row, heads: true, cell: ({ row }) => `${faults.row} ${row}` },
          {
            key: 'field',
            title: faults.field,
            cell: ({ field }) => (field === null ? faults.whole : field.label[lang]),
          },
          {
            key: 'cell',
            title: faults.cell,
            cell: ({ cell }) => (cell === '' ? '—' : <bdi>{cut(cell)}</bdi>),
          },
          { key: 'fault', title: faults.fault, cell: remarkText },
        ]}
      />
      {remarks.length === mostRemarks && <p>{faults.more({ count: mostRemarks })}</p>}
    </Section>
  );
}

function Preview({ visit, model: { one, fields, first } }: PartProps) {
  const { lang } = visit;
  const texts = importTexts[lang];
  const matchedFields = fields.flatMap((field) => {
    const place = one.matched[field.name] ?? null;
    return place === null ? [] : [{ field, place }];
  });
  if (matchedFields.length === 0) return null;
  return (
    <Section title={texts.preview} id="preview">
      <Table
        lang={lang}
        caption={texts.preview}
        captionUnseen
        rows={first}
        empty={null}
        columns={[
          {
            key: 'row',
            title: texts.faults.row,
            heads: true,
            cell: ([row]) => `${texts.faults.row} ${row}`,
          },
          ...matchedFields.map(({ field, place }) => ({
            key: field.name,
            title: field.label[lang],
            cell: ([, cells]: ImportModel['first'][number]) => {
              const text = String(cells[place] ?? '');
              return text === '' ? '—' : <bdi>{cut(text)}</bdi>;
            },
          })),
        ]}
      />
    </Section>
  );
}

function Confirm({ visit, model: { one, sameFile } }: PartProps) {
  const { lang } = visit;
  const { confirm } = importTexts[lang];
  const sound = one.row_count - (one.faulty_count ?? one.row_count);
  if (sound === 0) return null;
  // Rows with an existing reference are left out by default.
  const repeats = one.existing_count ?? 0;
  const choices: Choice[] = [
    ...(one.existing_count ? [{ value: 'repeats', label: confirm.repeats }] : []),
    ...(sameFile ? [{ value: 'again', label: confirm.again }] : []),
  ];
  return (
    <Section title={confirm.title} id="confirm">
      <p>
        {confirm.lead({
          count: sound - repeats,
          sum: one.sound_amount === null ? 'none' : moneyText(lang, one.sound_amount),
        })}{' '}
        {repeats > 0 && confirm.without({ count: repeats })}
      </p>
      <Form
        {...formTo(visit, visit.at(`/imports/${one.id}/confirm`))}
        submit={confirm.submit({ count: sound - repeats })}
      >
        <input type="hidden" name="version" value={String(one.version)} />
        {choices.length > 0 && (
          <ChoicesField
            lang={lang}
            name="how"
            label={confirm.choices}
            kind="checkbox"
            choices={choices}
            values={[]}
          />
        )}
      </Form>
    </Section>
  );
}

function Discard({ visit, model: { one } }: PartProps) {
  const { lang } = visit;
  return (
    <Form
      {...formTo(visit, visit.at(`/imports/${one.id}/discard`))}
      submit={importTexts[lang].discard}
      grave
    />
  );
}

/** Describes a remark of the spreadsheet reader. */
function noteText(lang: Lang, note: Note): string {
  const { notes } = importTexts[lang];
  const listed = (rows: readonly number[]) => rows.slice(0, 10).join(', ');
  switch (note.what) {
    case 'totals':
      return notes.totals({ rows: listed(note.rows) });
    case 'above':
      return notes.above({ count: note.rows });
    case 'sheets': {
      const { name, others } = note;
      return name === undefined ? notes.first_sheet({ others }) : notes.sheet({ name, others });
    }
    case 'hidden':
      return notes.hidden({ count: note.rows.length, rows: listed(note.rows) });
    case 'encoding':
      return notes.encoding({ encoding: note.encoding });
    case 'same_name':
      return notes.same_name({ name: note.name });
  }
}

/** Renders the review of a draft before anything is created. */
export function Draft({ visit, model }: PartProps) {
  const { one, fields, sameFile } = model;
  const { lang } = visit;
  const texts = importTexts[lang];
  const missing = missingFields(fields, one.matched).map(({ label, or }) =>
    [label, fields.find(({ name }) => name === or)?.label]
      .flatMap((one) => (one ? [one[lang]] : []))
      .join(' / '),
  );
  const counted = one.faulty_count !== null;
  const runs = visit.may('imports.run') && visit.may(kindActs[one.kind].create);
  return (
    <>
      <Difference lang={lang} model={model} />
      {runs && <Confirm visit={visit} model={model} />}
      {one.notes.map((note) => (
        <Notice key={note.what} tone="calm">
          <p>{noteText(lang, note)}</p>
        </Notice>
      ))}
      {sameFile && (
        <Notice tone="wait">
          <p>
            <a href={visit.at(`/imports/${sameFile.id}`)}>{texts.sameFile({ id: sameFile.id })}</a>
          </p>
        </Notice>
      )}
      {missing.length > 0 && (
        <Notice tone="bad" text={texts.match.missing({ fields: missing.join(', ') })} />
      )}
      <Figures
        items={[
          { label: texts.figures.rows, value: String(one.row_count) },
          ...sumFigure(lang, model),
          ...(counted
            ? [
                {
                  label: texts.figures.sound,
                  value: String(one.row_count - (one.faulty_count ?? 0)),
                },
                { label: texts.figures.faulty, value: String(one.faulty_count) },
                { label: texts.figures.existing, value: String(one.existing_count) },
              ]
            : []),
        ]}
      />
      <Remarks visit={visit} model={model} />
      <Preview visit={visit} model={model} />
      {runs && <ReadingForm visit={visit} one={one} />}
      {runs && <Match visit={visit} model={model} />}
      {runs && <Discard visit={visit} model={model} />}
    </>
  );
}
