import type { ComponentChildren } from 'preact';
import type { Centavos } from '../../../kernel/money.ts';
import { Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import { fourEyesTexts } from '../../four-eyes/texts.ts';
import { Proposals } from '../../four-eyes/views.tsx';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { ListPager, type ProposalLists } from '../four-eyes/pager.tsx';
import { correctionTexts } from './texts.ts';

export interface CorrectionsModel extends ProposalLists {
  limit: Centavos;
  /** The form to propose a correction. False if the visitor may not. */
  form: ComponentChildren;
  done?: 'posted' | 'known' | undefined;
}

export function correctionsPage(visit: ServiceVisit, model: CorrectionsModel): Page {
  const { lang } = visit;
  const texts = correctionTexts[lang];
  const shared = fourEyesTexts[lang];
  const list = { visit, names: model.names, path: '/corrections' };
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead({ limit: moneyText(lang, model.limit) })} />
        {model.done && <Notice tone="good" title={texts[model.done]} />}
        <Section title={shared.waiting} id="waiting">
          <Proposals {...list} title={shared.waiting} rows={model.waiting} empty={shared.none} />
        </Section>
        {model.form && (
          <Section title={texts.add} id="new">
            {model.form}
          </Section>
        )}
        <Section title={shared.latest} id="latest">
          <Proposals
            {...list}
            title={shared.latest}
            rows={model.latest.rows}
            empty={shared.noneEver}
          />
          <ListPager
            visit={visit}
            path="/corrections"
            name="behind"
            id="latest"
            page={model.latest}
          />
        </Section>
      </>
    ),
  };
}
