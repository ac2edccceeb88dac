import { formatDay } from '../../../kernel/dates.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { SelectField, UploadField } from '../../../platform/pages/components/field.tsx';
import { Form } from '../../../platform/pages/components/form.tsx';
import {
  Badge,
  EmptyState,
  Notice,
  Pager,
  Section,
  type Tone,
} from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { Arrivals, RailDesk, RailFile, Upload } from '../../../rails/index.ts';
import { formTo } from '../../frame/form-to.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Message } from '../../frame/message.tsx';
import { fileLabels, railText } from './labels.ts';
import { fileTexts } from './texts.ts';

export const filesAtOnce = 25;

/** Reason of a refused upload. `found` is the fault in the file, if one was found. */
export interface UploadFault {
  text: string;
  found?: string | Refusal;
  status: number;
}

interface ListModel {
  inbound: RailDesk['inbound'];
  uploads: readonly Upload[];
  late: Arrivals['late'];
  /** One more than the page shows, to detect a next page. */
  files: readonly RailFile[];
  fault?: UploadFault | undefined;
}

const tones: Record<RailFile['state'], Tone> = {
  importing: 'wait',
  imported: 'good',
  exported: 'calm',
};

export function FileState({ lang, state }: { lang: Lang; state: RailFile['state'] }) {
  return <Badge tone={tones[state]}>{fileLabels[lang].states[state]}</Badge>;
}

function UploadPart({
  visit,
  model: { inbound, fault },
}: {
  visit: ServiceVisit;
  model: ListModel;
}) {
  const { lang } = visit;
  const { upload } = fileTexts[lang];
  const faults = fault ? [{ field: 'file', label: upload.file, text: fault.text }] : [];
  return (
    <Section title={upload.title} id="upload">
      {fault?.found !== undefined && (
        <Notice
          tone="bad"
          title={upload.wrong}
          text={<Message lang={lang}>{fault.found}</Message>}
        />
      )}
      <Form {...formTo(visit, visit.at('/files'))} files faults={faults} submit={upload.submit}>
        <UploadField
          lang={lang}
          name="file"
          label={upload.file}
          hint={upload.hint}
          fault={fault?.text}
          accept=""
          required
        />
        <SelectField
          lang={lang}
          name="rail"
          label={upload.rail}
          none={upload.detect}
          optional
          choices={inbound.map(({ name }) => ({ value: name, label: railText(lang, name) }))}
        />
      </Form>
    </Section>
  );
}

function Waiting({ visit, uploads }: { visit: ServiceVisit; uploads: readonly Upload[] }) {
  const { lang } = visit;
  const { waiting, list } = fileTexts[lang];
  if (uploads.length === 0) return null;
  return (
    <Section title={waiting.title} id="waiting">
      <Table
        lang={lang}
        caption={waiting.title}
        captionUnseen
        rows={uploads}
        empty={null}
        columns={[
          {
            key: 'name',
            title: list.name,
            heads: true,
            cell: (one) => (
              <a href={visit.at(`/files/uploads/${one.id}`)}>
                <bdi>{one.name}</bdi>
              </a>
            ),
          },
          { key: 'rail', title: list.from, cell: (one) => railText(lang, one.rail) },
          { key: 'when', title: waiting.when, cell: (one) => momentText(lang, one.uploaded_at) },
        ]}
      />
    </Section>
  );
}

/** Lists networks and banks whose files are overdue. */
export function Late({ lang, late }: { lang: Lang; late: Arrivals['late'] }) {
  const texts = fileTexts[lang].late;
  if (late.length === 0) return null;
  return (
    <Notice tone="wait" title={texts.title}>
      <ul>
        {late.map(({ rail, last }) => (
          <li key={rail}>{texts.one({ rail: railText(lang, rail), day: formatDay(last) })}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Files({ visit, files }: { visit: ServiceVisit; files: readonly RailFile[] }) {
  const { lang, query } = visit;
  const { list } = fileTexts[lang];
  const pageRows = files.slice(0, filesAtOnce);
  const last = files.length > filesAtOnce ? pageRows.at(-1) : undefined;
  return (
    <Section title={list.title} id="files">
      <Table
        lang={lang}
        caption={list.title}
        captionUnseen
        rows={pageRows}
        empty={<EmptyState title={list.empty} text={list.emptyWhy} />}
        columns={[
          {
            key: 'name',
            title: list.name,
            heads: true,
            cell: (one) => (
              <a href={visit.at(`/files/${one.id}`)}>
                <bdi>{one.name}</bdi>
              </a>
            ),
          },
          { key: 'rail', title: list.from, cell: (one) => railText(lang, one.rail) },
          {
            key: 'direction',
            title: list.direction,
            cell: (one) => list.directions[one.direction],
          },
          { key: 'day', title: list.day, cell: (one) => formatDay(one.file_date) },
          {
            key: 'state',
            title: list.state,
            cell: (one) => <FileState lang={lang} state={one.state} />,
          },
          { key: 'lines', title: list.lines, number: true, cell: (one) => one.lines },
          {
            key: 'total',
            title: list.total,
            number: true,
            cell: (one) => moneyText(lang, one.total),
          },
        ]}
      />
      <Pager
        lang={lang}
        first={query.has('behind') ? visit.at('/files') : undefined}
        next={last && `${visit.at('/files')}?behind=${last.id}`}
      />
    </Section>
  );
}

export function listPage(visit: ServiceVisit, model: ListModel): Page {
  const { lang } = visit;
  const texts = fileTexts[lang];
  return {
    title: texts.title,
    status: model.fault?.status ?? 200,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            <>
              <a class="button button-quiet" href={visit.at('/files/send')}>
                {texts.sendingsLink}
              </a>
              <a class="button button-quiet" href={visit.at('/files/calendar')}>
                {texts.calendarLink}
              </a>
            </>
          }
        />
        <Late lang={lang} late={model.late} />
        {visit.may('files.manage') && <UploadPart visit={visit} model={model} />}
        <Waiting visit={visit} uploads={model.uploads} />
        <Files visit={visit} files={model.files} />
      </>
    ),
  };
}
