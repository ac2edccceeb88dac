import { debitsOnMandate } from '../../debit-requests/index.ts';
import type { MandateRow } from '../../mandates/index.ts';
import type { Base } from '../../platform/base.ts';
import { Section } from '../../platform/pages/components/parts.tsx';
import type { AccountVisit } from '../frame/index.ts';
import { segmentOf } from '../mandates/places.ts';
import { debitKindOf } from './places.ts';
import { DebitTable } from './table.tsx';
import { debitTexts } from './texts.ts';

const maxDebits = 12;

/**
 * Renders the newest debits on a mandate, with a link to add one. Returns null without permission
 * to see them.
 */
export async function debitsSection(
  { sql }: Pick<Base, 'sql'>,
  visit: AccountVisit,
  { kind, id, state }: MandateRow,
) {
  if (!visit.may('debits.see')) return null;
  const of = { accountId: visit.account.id, kind: debitKindOf[kind], id };
  const rows = await debitsOnMandate(sql, of, maxDebits);
  const { onMandate: texts, list } = debitTexts[visit.lang];
  const creates =
    state === 'signed' && visit.may('debits.create') && visit.account.state === 'active';
  return (
    <Section
      title={texts.title}
      id="debits"
      actions={
        creates ? (
          <a class="button" href={visit.at(`/debits/new/${segmentOf[kind]}/${id}`)}>
            {texts.all}
          </a>
        ) : undefined
      }
    >
      <DebitTable
        visit={visit}
        rows={rows}
        caption={list.caption}
        empty={<p class="lead">{texts.none}</p>}
      />
    </Section>
  );
}
