import { formatDay } from '../../../kernel/dates.ts';
import { Badge, EmptyState } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import type { Arrivals } from '../../../rails/index.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { railText } from './labels.ts';
import { Late } from './list.tsx';
import { fileTexts } from './texts.ts';

type Day = Arrivals['days'][number];

function Arrival({
  visit,
  of: { day, rail, today },
}: {
  visit: ServiceVisit;
  of: { day: Day; rail: string; today: Temporal.PlainDate };
}) {
  const { calendar: texts } = fileTexts[visit.lang];
  const id = day.files.get(rail);
  if (id !== undefined) return <a href={visit.at(`/files/${id}`)}>{texts.file({ id })}</a>;
  if (!day.awaited) return <>{texts.holiday}</>;
  if (day.day.equals(today)) return <>{texts.today}</>;
  return <Badge tone="bad">{texts.missing}</Badge>;
}

/** Renders arrived and missing files by day. */
export function calendarPage(
  visit: ServiceVisit,
  { rails, days, late }: Arrivals,
  today: Temporal.PlainDate,
): Page {
  const { lang } = visit;
  const { calendar: texts, title } = fileTexts[lang];
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: visit.at('/files'), label: title }}
        />
        <Late lang={lang} late={late} />
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={rails.length === 0 ? [] : days}
          empty={<EmptyState title={texts.empty} text={texts.emptyWhy} />}
          columns={[
            { key: 'day', title: texts.day, heads: true, cell: ({ day }) => formatDay(day) },
            ...rails.map((rail) => ({
              key: rail,
              title: railText(lang, rail),
              cell: (day: Day) => <Arrival visit={visit} of={{ day, rail, today }} />,
            })),
          ]}
        />
      </>
    ),
  };
}
