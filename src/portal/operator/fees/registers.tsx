import { dayOf, formatDay } from '../../../kernel/dates.ts';
import type { ImportedRegister, RatesReport } from '../../../money/withholdings/index.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { ChoicesField, UploadField } from '../../../platform/pages/components/field.tsx';
import { Form } from '../../../platform/pages/components/form.tsx';
import { EmptyState, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { formTo } from '../../frame/form-to.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Message } from '../../frame/message.tsx';
import { feesTexts } from './texts.ts';

export interface RegistersModel {
  registers: readonly ImportedRegister[];
  /** Result of a check or an import. */
  report?: RatesReport;
  /** The file's faults by line. */
  refusal?: Refusal;
  /** True if the form had no file. */
  missing?: boolean;
}

/** Renders the registers of withholding rates, and the form that checks or imports one. */
export function registersPage(visit: ServiceVisit, model: RegistersModel): Page {
  const { lang, may } = visit;
  const texts = feesTexts[lang];
  const { report, refusal, missing = false } = model;
  return {
    title: texts.registers,
    status: missing || refusal !== undefined ? 400 : 200,
    body: (
      <>
        <PageHead title={texts.registers} lead={texts.registersLead} />
        {report !== undefined && <Report visit={visit} report={report} />}
        {refusal !== undefined && (
          <Notice tone="bad" title={texts.refused}>
            <p class="lines">
              <Message lang={visit.lang}>{refusal}</Message>
            </p>
          </Notice>
        )}
        {may('fees.manage') && <RegisterForm visit={visit} missing={missing} />}
        <Imported visit={visit} registers={model.registers} />
      </>
    ),
  };
}

function Report({ visit: { lang }, report }: { visit: ServiceVisit; report: RatesReport }) {
  const texts = feesTexts[lang];
  const count = (key: 'added' | 'changed' | 'unchanged') => ({
    key,
    title: texts[key],
    number: true,
    cell: (row: RatesReport['changes'][number]) => row[key],
  });
  return (
    <>
      <Notice
        tone={report.outcome === 'imported' ? 'good' : 'wait'}
        text={texts.outcomes[report.outcome]({ lines: report.lines })}
      />
      <Table
        lang={lang}
        caption={texts.registers}
        captionUnseen
        rows={report.changes}
        empty={null}
        columns={[
          { key: 'regime', title: texts.regime, heads: true, cell: ({ regime }) => regime },
          { key: 'jurisdiction', title: texts.jurisdiction, cell: (row) => row.jurisdiction },
          count('added'),
          count('changed'),
          count('unchanged'),
        ]}
      />
    </>
  );
}

function RegisterForm({ visit, missing }: { visit: ServiceVisit; missing: boolean }) {
  const { lang, at } = visit;
  const texts = feesTexts[lang];
  const fault = missing ? texts.faults.file : undefined;
  return (
    <Form
      {...formTo(visit, at('/registers'))}
      faults={missing ? [{ field: 'file', label: texts.file, text: texts.faults.file }] : []}
      submit={texts.send}
      files
    >
      <UploadField
        lang={lang}
        name="file"
        label={texts.file}
        hint={texts.fileHint}
        fault={fault}
        accept=".csv,.txt"
      />
      <ChoicesField
        lang={lang}
        name="mode"
        kind="radio"
        label={texts.mode}
        values={['check']}
        choices={[
          { value: 'check', label: texts.check, hint: texts.checkHint },
          { value: 'import', label: texts.import, hint: texts.importHint },
        ]}
      />
    </Form>
  );
}

type ImportedProps = { visit: ServiceVisit; registers: readonly ImportedRegister[] };

function Imported({ visit: { lang }, registers }: ImportedProps) {
  const texts = feesTexts[lang];
  return (
    <Section id="imported" title={texts.imported}>
      <Table
        lang={lang}
        caption={texts.imported}
        captionUnseen
        rows={registers}
        empty={<EmptyState title={texts.noRegisters} />}
        columns={[
          { key: 'name', title: texts.name, heads: true, cell: ({ name }) => <bdi>{name}</bdi> },
          {
            key: 'when',
            title: texts.when,
            cell: (row) => formatDay(dayOf(row.imported_at)),
          },
          { key: 'lines', title: texts.lines, number: true, cell: ({ lines }) => lines },
          { key: 'added', title: texts.added, number: true, cell: ({ added }) => added },
          { key: 'changed', title: texts.changed, number: true, cell: ({ changed }) => changed },
        ]}
      />
    </Section>
  );
}
