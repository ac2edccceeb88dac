import { formatDay } from '../../../kernel/dates.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { ChoicesField } from '../../../platform/pages/components/field.tsx';
import { Form } from '../../../platform/pages/components/form.tsx';
import { Facts, Figures, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../../platform/pages/format.ts';
import type { Preview, Upload } from '../../../rails/index.ts';
import { formTo } from '../../frame/form-to.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Message } from '../../frame/message.tsx';
import { fileLabels, railText } from './labels.ts';
import { Remarked } from './lines.tsx';
import { fileTexts } from './texts.ts';

interface PreviewModel {
  upload: Upload;
  preview: Preview;
  /** Reason of a refused import. */
  fault?: Refusal | undefined;
}

interface PartProps {
  visit: ServiceVisit;
  model: PreviewModel;
}

function FileLink({ visit, id, text }: { visit: ServiceVisit; id: number; text: string }) {
  return <a href={visit.at(`/files/${id}`)}>{text}</a>;
}

function CameBefore({ visit, model: { preview } }: PartProps) {
  const texts = fileTexts[visit.lang].preview;
  const { known, sibling } = preview;
  if (known !== null) {
    const ended = known.state === 'imported';
    const text = (ended ? texts.known : texts.begun)({ id: known.id });
    return (
      <Notice tone={ended ? 'calm' : 'wait'}>
        <p>
          <FileLink visit={visit} id={known.id} text={text} />{' '}
          {ended ? texts.knownWhy : texts.begunWhy}
        </p>
      </Notice>
    );
  }
  if (sibling === null) return null;
  return (
    <Notice tone="wait">
      <p>
        <FileLink visit={visit} id={sibling.id} text={texts.sibling({ id: sibling.id })} />{' '}
        {texts.siblingWhy}
      </p>
    </Notice>
  );
}

function Outcomes({ visit, model: { preview } }: PartProps) {
  const { lang } = visit;
  const texts = fileTexts[lang].preview;
  return (
    <Section title={texts.outcomes} id="outcomes">
      <Table
        lang={lang}
        caption={texts.outcomes}
        captionUnseen
        rows={preview.outcomes}
        empty={null}
        columns={[
          {
            key: 'outcome',
            title: texts.outcome,
            heads: true,
            cell: (one) => fileLabels[lang].outcomes[one.outcome],
          },
          { key: 'lines', title: texts.lines, number: true, cell: (one) => one.lines },
          {
            key: 'total',
            title: texts.total,
            number: true,
            cell: (one) => moneyText(lang, one.total),
          },
        ]}
      />
    </Section>
  );
}

function Confirm({ visit, model: { upload, preview } }: PartProps) {
  const { lang } = visit;
  const texts = fileTexts[lang].preview;
  const confirm = visit.at(`/files/uploads/${upload.id}/confirm`);
  const discard = visit.at(`/files/uploads/${upload.id}/discard`);
  const imported = preview.known?.state === 'imported';
  return (
    <>
      {!imported && (
        <Section title={texts.confirmTitle} id="confirm">
          <p>{texts.confirmLead}</p>
          <Form {...formTo(visit, confirm)} submit={texts.confirm} back={visit.at('/files')}>
            <input type="hidden" name="sha256" value={upload.sha256.toString('hex')} />
            {preview.sibling !== null && (
              <ChoicesField
                lang={lang}
                name="how"
                label={texts.confirmTitle}
                kind="checkbox"
                choices={[{ value: 'same-day', label: texts.sameDay }]}
                values={[]}
              />
            )}
          </Form>
        </Section>
      )}
      <Form {...formTo(visit, discard)} submit={texts.discard} grave />
    </>
  );
}

/** Renders the effect of an uploaded file before it is imported. */
export function previewPage(visit: ServiceVisit, model: PreviewModel): Page {
  const { upload, preview, fault } = model;
  const { lang } = visit;
  const { preview: texts, remarks, title } = fileTexts[lang];
  const some = preview.remarkedCount > preview.remarked.length;
  return {
    title: texts.title({ name: upload.name }),
    status: fault?.status ?? 200,
    body: (
      <>
        <PageHead
          title={texts.title({ name: upload.name })}
          lead={texts.lead}
          up={{ href: visit.at('/files'), label: title }}
        />
        {fault && (
          <Notice
            tone="bad"
            title={fileTexts[lang].upload.wrong}
            text={<Message lang={lang}>{fault}</Message>}
          />
        )}
        <CameBefore visit={visit} model={model} />
        <Figures
          items={[
            { label: texts.lines, value: String(preview.lines) },
            { label: texts.total, value: moneyText(lang, preview.total) },
          ]}
        />
        <Facts
          items={[
            [texts.of, railText(lang, upload.rail)],
            [texts.day, formatDay(preview.date)],
            [texts.uploaded, momentText(lang, upload.uploaded_at)],
            [texts.digest, <span class="code">{upload.sha256.toString('hex')}</span>],
          ]}
        />
        {preview.outcomes.length > 0 && <Outcomes visit={visit} model={model} />}
        {preview.known?.state !== 'imported' && (
          <Remarked
            lang={lang}
            lines={preview.remarked}
            note={
              some
                ? remarks.more({ shown: preview.remarked.length, all: preview.remarkedCount })
                : undefined
            }
          />
        )}
        {visit.may('files.manage') && <Confirm visit={visit} model={model} />}
      </>
    ),
  };
}
