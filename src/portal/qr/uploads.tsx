import { UploadField } from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import {
  Badge,
  EmptyState,
  Figures,
  Notice,
  Pager,
  Section,
  type Tone,
} from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { readStoredCode, readStoredText } from '../../platform/refusals.ts';
import type { Batch, BatchResult, ListedBatch, StoredOutcome } from '../../qr/index.ts';
import { ListPager } from '../frame/filters.tsx';
import { formTo } from '../frame/form-to.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { Message } from '../frame/message.tsx';
import { type FieldName, formTexts } from './form-texts.ts';
import { creates } from './list.tsx';
import { qrTexts } from './texts.ts';

const tones: Readonly<Record<Batch['state'], Tone>> = {
  waiting_upload: 'wait',
  uploading: 'wait',
  processing: 'wait',
  completed: 'good',
  failed: 'bad',
};

function StateBadge({ visit: { lang }, batch }: { visit: AccountVisit; batch: Batch }) {
  return <Badge tone={tones[batch.state]}>{qrTexts[lang].uploads.states[batch.state]}</Badge>;
}

interface UploadsModel {
  batches: readonly ListedBatch[];
  next: number | null;
  fault?: string;
  status?: number;
}

export function uploadsPage(visit: AccountVisit, model: UploadsModel): Page {
  const { lang, at } = visit;
  const { uploads: texts, title } = qrTexts[lang];
  const { batches, next, fault, status = 200 } = model;
  return {
    title: texts.title,
    status,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} up={{ href: at('/qr'), label: title }} />
        {creates(visit) && <Upload visit={visit} fault={fault} />}
        <Section title={texts.previous} id="uploaded">
          <Table
            lang={lang}
            caption={texts.previous}
            captionUnseen
            rows={batches}
            empty={<EmptyState title={texts.none} />}
            columns={[
              {
                key: 'id',
                title: texts.file,
                heads: true,
                cell: ({ id }: ListedBatch) => (
                  <a href={at(`/qr/uploads/${id}`)}>{texts.id({ id })}</a>
                ),
              },
              {
                key: 'when',
                title: texts.when,
                cell: ({ created_at: moment }) => momentText(lang, moment),
              },
              {
                key: 'state',
                title: texts.state,
                cell: (batch) => <StateBadge visit={visit} batch={batch} />,
              },
              { key: 'created', title: texts.created, number: true, cell: (one) => one.created },
              { key: 'rejected', title: texts.rejected, number: true, cell: (one) => one.rejected },
            ]}
          />
          <ListPager visit={visit} next={next} />
        </Section>
      </>
    ),
  };
}

function Upload({ visit, fault }: { visit: AccountVisit; fault: string | undefined }) {
  const { lang } = visit;
  const { uploads: texts } = qrTexts[lang];
  const faults = fault === undefined ? [] : [{ field: 'file', label: texts.file, text: fault }];
  return (
    <Form {...formTo(visit, visit.at('/qr/uploads'))} files faults={faults} submit={texts.submit}>
      <UploadField
        lang={lang}
        name="file"
        label={texts.file}
        hint={texts.hint}
        fault={fault}
        accept=".csv,.txt,.xlsx,.json"
        required
      />
    </Form>
  );
}

/** Failed rows per page. A page of results stores up to a thousand. */
const mostRows = 100;

/** Returns the addresses before and after the failed rows from index `from` of a page of results. */
function around(
  here: string,
  { page, pages }: BatchResult,
  { from, count }: { from: number; count: number },
): { previous: string | undefined; next: string | undefined } {
  const address = (no: number, row: number): string =>
    `${here}?page=${no}${row > 0 ? `&from=${row}` : ''}`;
  const before = page > 1 ? address(page - 1, 0) : undefined;
  const after = page < pages ? address(page + 1, 0) : undefined;
  return {
    previous: from > 0 ? address(page, Math.max(0, from - mostRows)) : before,
    next: from + mostRows < count ? address(page, from + mostRows) : after,
  };
}

/** Renders an upload: its progress, and the rows that failed, from an index of the page's on. */
export function uploadPage(visit: AccountVisit, result: BatchResult, from: number): Page {
  const { batch, page, pages, rows } = result;
  const { lang, at } = visit;
  const { uploads: texts } = qrTexts[lang];
  const rejected = (JSON.parse(rows ?? '[]') as StoredOutcome[]).filter(
    ({ status }) => status === 'rejected',
  );
  const here = at(`/qr/uploads/${batch.id}`);
  return {
    title: texts.id({ id: batch.id }),
    body: (
      <>
        <PageHead
          title={texts.id({ id: batch.id })}
          lead={<StateBadge visit={visit} batch={batch} />}
          up={{ href: at('/qr/uploads'), label: texts.title }}
        />
        <HowFar visit={visit} batch={batch} />
        <Figures
          items={[
            { label: texts.total, value: String(batch.total_count ?? 0) },
            { label: texts.created, value: String(batch.created) },
            { label: texts.rejected, value: String(batch.rejected) },
          ]}
        />
        {batch.next_index > 0 && (
          <Section title={texts.rejectedRows} id="rejected">
            <Table
              lang={lang}
              caption={texts.rejectedRows}
              captionUnseen
              rows={rejected.slice(from, from + mostRows)}
              empty={<p class="lead">{texts.noRejected}</p>}
              columns={[
                {
                  key: 'row',
                  title: texts.row,
                  heads: true,
                  cell: ({ index }: StoredOutcome) => index + 1,
                },
                {
                  key: 'id',
                  title: qrTexts[lang].list.id,
                  cell: ({ id }) => (id === undefined ? '—' : <bdi class="code">{id}</bdi>),
                },
                {
                  key: 'why',
                  title: texts.why,
                  cell: ({ errors }) => <Why lang={lang} errors={errors} />,
                },
              ]}
            />
            <Pager
              lang={lang}
              {...(pages > 1 && { range: texts.partOf({ page, pages }) })}
              {...around(here, result, { from, count: rejected.length })}
            />
          </Section>
        )}
      </>
    ),
  };
}

type StoredFaults = Pick<StoredOutcome, 'errors'>;

/** Reads a stored fault. Those of earlier releases have no code and are in English. */
const faultText = ({
  message,
  error_code: code,
  parameters = {},
}: StoredFaults['errors'][number]) =>
  code === undefined ? message : (readStoredCode({ code, parameters }) ?? message);

const Why = ({ lang, errors }: StoredFaults & { lang: Lang }) => (
  <>
    {errors.map((fault) => (
      <span key={fault.field}>
        {fault.field &&
          `${formTexts[lang].fields[fault.field as FieldName]?.label ?? fault.field}: `}
        <Message lang={lang}>{faultText(fault)}</Message>{' '}
      </span>
    ))}
  </>
);

function HowFar({ visit, batch }: { visit: AccountVisit; batch: Batch }) {
  const { uploads: texts } = qrTexts[visit.lang];
  if (batch.state === 'failed') {
    return (
      <Notice
        tone="bad"
        text={<Message lang={visit.lang}>{readStoredText(batch.error ?? '')}</Message>}
      />
    );
  }
  if (batch.state === 'completed') return null;
  const all = batch.total_count ?? 0;
  return (
    <Notice tone="wait">
      <p>
        <progress
          max={Math.max(all, 1)}
          value={batch.next_index}
          aria-label={texts.of({ done: batch.next_index, all })}
        />{' '}
        {texts.of({ done: batch.next_index, all })}
      </p>
      <p>
        <a href={visit.at(`/qr/uploads/${batch.id}`)}>{texts.look}</a>
      </p>
    </Notice>
  );
}
