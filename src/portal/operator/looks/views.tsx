import type { ComponentChildren } from 'preact';
import type { WaitingLook } from '../../../accounts/index.ts';
import { EmptyState, Facts, Section } from '../../../platform/pages/components/parts.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { pendingFacts } from '../../settings/waiting.tsx';
import { accountsTexts } from '../accounts/texts.ts';
import { lookTexts } from './texts.ts';

interface LookView extends WaitingLook {
  /** The picture as a data URI. Null if the change has none. */
  picture: string | null;
  approval: ComponentChildren;
  rejection: ComponentChildren;
}

interface LooksModel {
  rows: readonly LookView[];
  names: ReadonlyMap<number, string>;
}

type RowProps = { visit: ServiceVisit; row: LookView; model: LooksModel };

function Decide({ visit, row: { asked, approval, rejection } }: Omit<RowProps, 'model'>) {
  return (
    <>
      {asked.by === visit.user.id ? <p>{lookTexts[visit.lang].own}</p> : approval}
      {rejection}
    </>
  );
}

function Row({ visit, row, model }: RowProps) {
  const { lang, at, may } = visit;
  const texts = lookTexts[lang];
  const { asked, account_id: id, name, picture } = row;
  const { width = 1, height = 1 } = asked.changes.logo ?? {};
  const share = Math.min(1, 160 / width, 60 / height);
  const logo = picture !== null && (
    <img
      src={picture}
      alt={accountsTexts[lang].name}
      width={Math.max(1, Math.round(width * share))}
      height={Math.max(1, Math.round(height * share))}
    />
  );
  const by = asked.by === null ? texts.nobody : (model.names.get(asked.by) ?? String(asked.by));
  return (
    <Section id={`look-${id}`} title={name}>
      <Facts
        items={[
          [accountsTexts[lang].id, <a href={at(`/accounts/${id}`)}>{id}</a>],
          [texts.now, <bdi>{name}</bdi>],
          ...pendingFacts(lang, asked, logo || undefined).map(
            ([label, value]) => [`${texts.asked}: ${label}`, value] as const,
          ),
          [texts.askedBy, <bdi>{by}</bdi>],
          [texts.askedAt, momentText(lang, Temporal.Instant.from(asked.at))],
        ]}
      />
      {may('accounts.manage') && <Decide visit={visit} row={row} />}
    </Section>
  );
}

export function looksPage(visit: ServiceVisit, model: LooksModel): Page {
  const { lang, at } = visit;
  const texts = lookTexts[lang];
  const { rows } = model;
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/accounts'), label: accountsTexts[lang].title }}
        />
        {rows.length === 0 && <EmptyState title={texts.none} />}
        {rows.map((row) => (
          <Row key={row.account_id} visit={visit} row={row} model={model} />
        ))}
      </>
    ),
  };
}
