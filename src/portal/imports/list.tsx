import { Fragment } from 'preact';
import { type Import, type KindName, kindActs, kindNames } from '../../imports/index.ts';
import { SelectField, UploadField } from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import {
  Badge,
  EmptyState,
  Notice,
  Section,
  type Tone,
} from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import { sheetFormats } from '../../platform/spreadsheets/write/table.ts';
import { ListPager } from '../frame/filters.tsx';
import { formTo } from '../frame/form-to.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { importTexts } from './texts.ts';

const tones: Record<Import['state'], Tone> = {
  draft: 'wait',
  discarded: 'calm',
  running: 'wait',
  completed: 'good',
  failed: 'bad',
  undoing: 'wait',
  undone: 'calm',
};

export function StateBadge({ visit, one }: { visit: AccountVisit; one: Import }) {
  return <Badge tone={tones[one.state]}>{importTexts[visit.lang].states[one.state]}</Badge>;
}

interface ListModel {
  imports: readonly Import[];
  /** Cursor of the next page. Null at the end. */
  next: number | null;
  /** Fault of a refused upload, and the chosen kind. */
  fault?: string;
  kind?: KindName | undefined;
  status?: number;
}

function Templates({ visit }: { visit: AccountVisit }) {
  const { upload, kinds } = importTexts[visit.lang];
  return (
    <details class="group">
      <summary>{upload.templates}</summary>
      <p>{upload.templatesLead}</p>
      <ul>
        {creatable(visit).map((kind) => (
          <li key={kind}>
            {kinds[kind]}:{' '}
            {sheetFormats.toReversed().map((format) => (
              <Fragment key={format}>
                <a
                  href={`${visit.at(`/imports/template.${format}`)}?kind=${kind}`}
                  aria-label={`${kinds[kind]}, ${format.toUpperCase()}`}
                  download
                >
                  {format.toUpperCase()}
                </a>{' '}
              </Fragment>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface UploadProps {
  visit: AccountVisit;
  kind: KindName | undefined;
  fault: string | undefined;
}

/** Returns the kinds that the user may import now. */
const creatable = (visit: AccountVisit): KindName[] =>
  visit.may('imports.run') ? kindNames.filter((kind) => visit.may(kindActs[kind].create)) : [];

function Upload({ visit, kind = 'payment_request', fault }: UploadProps) {
  const { lang } = visit;
  const { upload, kinds } = importTexts[lang];
  const faults = fault === undefined ? [] : [{ field: 'file', label: upload.file, text: fault }];
  return (
    <Section title={upload.title} id="upload">
      <Form {...formTo(visit, visit.at('/imports'))} files faults={faults} submit={upload.submit}>
        <SelectField
          lang={lang}
          name="kind"
          label={upload.kind}
          choices={creatable(visit).map((value) => ({ value, label: kinds[value] }))}
          value={kind}
        />
        <UploadField
          lang={lang}
          name="file"
          label={upload.file}
          hint={upload.hint}
          fault={fault}
          accept=".csv,.txt,.xlsx"
          required
        />
      </Form>
      <Templates visit={visit} />
    </Section>
  );
}

export function listPage(
  visit: AccountVisit,
  { imports, next, fault, kind, status = 200 }: ListModel,
): Page {
  const { lang } = visit;
  const texts = importTexts[lang];
  const { list } = texts;
  const uploads = creatable(visit).length > 0;
  return {
    title: texts.title,
    status,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        {uploads && <Upload visit={visit} kind={kind} fault={fault} />}
        {!uploads && fault !== undefined && <Notice tone="bad" title={fault} />}
        <Section title={list.title} id="uploaded">
          <Table
            lang={lang}
            caption={list.title}
            captionUnseen
            rows={imports.filter(({ kind: of }) => visit.may(kindActs[of].see))}
            empty={<EmptyState title={texts.empty} />}
            columns={[
              {
                key: 'file',
                title: list.file,
                heads: true,
                cell: (one) => (
                  <a href={visit.at(`/imports/${one.id}`)}>
                    <bdi>{one.file_name}</bdi>
                  </a>
                ),
              },
              { key: 'kind', title: list.kind, cell: (one) => texts.kinds[one.kind] },
              {
                key: 'state',
                title: list.state,
                cell: (one) => <StateBadge visit={visit} one={one} />,
              },
              { key: 'rows', title: list.rows, number: true, cell: (one) => one.row_count },
              { key: 'created', title: list.created, number: true, cell: (one) => one.created },
              { key: 'when', title: list.when, cell: (one) => momentText(lang, one.created_at) },
            ]}
          />
          <ListPager visit={visit} next={next} />
        </Section>
      </>
    ),
  };
}
