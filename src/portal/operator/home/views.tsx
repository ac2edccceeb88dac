import { formatDay } from '../../../kernel/dates.ts';
import { EmptyState, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../../platform/pages/format.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { placeOf } from '../../frame/navigation.ts';
import { railText } from '../files/labels.ts';
import type { ServiceAttention } from './model.ts';
import { operatorHomeTexts } from './texts.ts';

/** Open work, with the address of its page. */
interface Line {
  readonly text: string;
  readonly detail: string;
  readonly path: string;
  /** Appended to the address, for a page below it. */
  readonly below?: string;
}

function linesOf({ lang }: ServiceVisit, attention: ServiceAttention): Line[] {
  const texts = operatorHomeTexts[lang];
  const {
    evidenceDue,
    lateFiles,
    suspense,
    sweepsBehind,
    failedMails,
    payouts,
    corrections,
    looks,
    alarms,
  } = attention;
  return [
    ...(alarms > 0 ? [{ text: texts.alarms({ count: alarms }), detail: '', path: '/alarms' }] : []),
    ...(evidenceDue.first !== null
      ? [
          {
            text: texts.evidence({ count: evidenceDue.count }),
            detail: texts.evidenceUntil({ first: momentText(lang, evidenceDue.first) }),
            path: '/disputes',
          },
        ]
      : []),
    ...lateFiles.map(({ rail, file_date: day }) => ({
      text: texts.lateFile({ rail: railText(lang, rail) }),
      detail: texts.lastFile({ day: formatDay(day) }),
      path: '/files',
    })),
    ...(suspense.count > 0
      ? [
          {
            text: texts.suspense({ count: suspense.count }),
            detail: moneyText(lang, suspense.total),
            path: '/suspense',
          },
        ]
      : []),
    ...(sweepsBehind.length > 0
      ? [
          {
            text: texts.sweeps({ count: sweepsBehind.length }),
            detail: sweepsBehind.join(', '),
            path: '/health',
          },
        ]
      : []),
    ...(payouts > 0
      ? [{ text: texts.payouts({ count: payouts }), detail: '', path: '/payouts' }]
      : []),
    ...(corrections > 0
      ? [{ text: texts.corrections({ count: corrections }), detail: '', path: '/corrections' }]
      : []),
    ...(looks > 0
      ? [{ text: texts.looks({ count: looks }), detail: '', path: '/accounts', below: '/looks' }]
      : []),
    ...(failedMails > 0
      ? [{ text: texts.mails({ count: failedMails }), detail: '', path: '/health' }]
      : []),
  ];
}

export function operatorHomePage(visit: ServiceVisit, attention: ServiceAttention): Page {
  const { lang } = visit;
  const texts = operatorHomeTexts[lang];
  const textOf = ({ text, path, below = '' }: Line) => {
    const href = placeOf(visit, path);
    return href === undefined ? text : <a href={`${href}${below}`}>{text}</a>;
  };
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        <Section title={texts.attention} id="attention">
          <Table
            lang={lang}
            caption={texts.attention}
            captionUnseen
            columns={[
              { key: 'what', title: texts.what, heads: true, cell: textOf },
              { key: 'detail', title: texts.detail, cell: ({ detail }) => detail },
            ]}
            rows={linesOf(visit, attention)}
            empty={<EmptyState title={texts.nothing} text={texts.nothingWhy} />}
          />
        </Section>
      </>
    ),
  };
}
