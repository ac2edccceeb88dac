import { formatDay } from '../../../kernel/dates.ts';
import { UploadField } from '../../../platform/pages/components/field.tsx';
import { Form } from '../../../platform/pages/components/form.tsx';
import { Facts, Figures, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { momentText, moneyText } from '../../../platform/pages/format.ts';
import type { Preview, RailFile } from '../../../rails/index.ts';
import { formTo } from '../../frame/form-to.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { railText } from './labels.ts';
import { Remarked } from './lines.tsx';
import { FileState } from './list.tsx';
import { fileTexts } from './texts.ts';

export const linesAtOnce = 100;

interface FileModel {
  file: RailFile;
  /** True if the file holds card numbers. */
  cards: boolean;
  /** True if the file has a companion. */
  beside: boolean;
  /** One more than the page shows, to detect a next page. */
  remarked: Preview['remarked'];
  fault?: string | undefined;
}

interface PartProps {
  visit: ServiceVisit;
  model: FileModel;
}

function Certificate({ visit, model: { file, fault } }: PartProps) {
  const { lang } = visit;
  const { certificate: texts } = fileTexts[lang];
  return (
    <Section title={texts.title} id="download">
      <p>{texts.lead}</p>
      <Form
        {...formTo(visit, visit.at(`/files/${file.id}/download`))}
        files
        faults={fault === undefined ? [] : [{ field: 'file', label: texts.file, text: fault }]}
        submit={texts.submit}
      >
        <input type="hidden" name="back" value={visit.at(`/files/${file.id}`)} />
        <UploadField
          lang={lang}
          name="file"
          label={texts.file}
          hint={texts.hint}
          fault={fault}
          accept=".pem,.cer,.crt,.der"
          required
        />
      </Form>
    </Section>
  );
}

function Downloads({ visit, model: { file, beside } }: PartProps) {
  const { one: texts } = fileTexts[visit.lang];
  const href = visit.at(`/files/${file.id}/download`);
  return (
    <>
      <a class="button" href={href}>
        {texts.download}
      </a>
      {beside && (
        <a class="button button-quiet" href={`${href}?beside=1`}>
          {texts.beside}
        </a>
      )}
    </>
  );
}

function Received({ visit, model: { file, remarked } }: PartProps) {
  const { lang, query } = visit;
  const { one: texts } = fileTexts[lang];
  const here = visit.at(`/files/${file.id}`);
  const pageLines = remarked.slice(0, linesAtOnce);
  const last = remarked.length > linesAtOnce ? pageLines.at(-1) : undefined;
  return (
    <>
      {file.state === 'importing' && <Notice tone="wait" title={texts.going} />}
      {(file.summary?.suspense ?? 0) > 0 && (
        <Notice tone="wait">
          <p>
            {texts.suspense} <a href={visit.at('/suspense')}>{texts.toSuspense}</a>
          </p>
        </Notice>
      )}
      <Remarked
        lang={lang}
        lines={pageLines}
        first={query.has('after') ? here : undefined}
        next={last && `${here}?after=${last.line}`}
      />
    </>
  );
}

export function filePage(visit: ServiceVisit, model: FileModel): Page {
  const { file, cards, fault } = model;
  const { lang } = visit;
  const { one: texts, preview, list, title } = fileTexts[lang];
  const takes = file.direction === 'out' && visit.may('files.manage');
  return {
    title: texts.title({ name: file.name }),
    status: fault === undefined ? 200 : 400,
    body: (
      <>
        <PageHead
          title={texts.title({ name: file.name })}
          lead={railText(lang, file.rail)}
          up={{ href: visit.at('/files'), label: title }}
          actions={takes && !cards ? <Downloads visit={visit} model={model} /> : undefined}
        />
        <Figures
          items={[
            { label: list.lines, value: String(file.lines) },
            ...(file.direction === 'in'
              ? [
                  {
                    label: texts.applied,
                    value: String(file.state === 'imported' ? file.lines : file.applied),
                  },
                ]
              : []),
            { label: list.total, value: moneyText(lang, file.total) },
          ]}
        />
        <Facts
          items={[
            [texts.number, String(file.id)],
            [list.state, <FileState lang={lang} state={file.state} />],
            [preview.day, formatDay(file.file_date)],
            [texts.created, momentText(lang, file.created_at)],
            [preview.digest, <span class="code">{file.sha256.toString('hex')}</span>],
          ]}
        />
        {file.direction === 'in' && <Received visit={visit} model={model} />}
        {file.direction === 'out' && cards && visit.may('card_files.take') && (
          <Certificate visit={visit} model={model} />
        )}
      </>
    ),
  };
}
