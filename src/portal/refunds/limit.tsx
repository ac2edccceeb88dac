import type { ComponentChildren } from 'preact';
import type { Centavos } from '../../kernel/money.ts';
import { Section } from '../../platform/pages/components/parts.tsx';
import { moneyText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { refundTexts } from './texts.ts';

export const limitPath = '/settings/refunds';

export function RefundLimit({ visit, above }: { visit: AccountVisit; above: Centavos | null }) {
  const { lang, at, may } = visit;
  const { limit: texts } = refundTexts[lang];
  return (
    <Section
      id="refund-limit"
      title={texts.title}
      actions={
        may('refunds.limit') ? (
          <a class="button button-quiet" href={at(limitPath)}>
            {texts.change}
            <span class="unseen"> {texts.title}</span>
          </a>
        ) : undefined
      }
    >
      <p>{above === null ? texts.off : texts.on(moneyText(lang, above))}</p>
    </Section>
  );
}

export function limitPage({ lang, at }: AccountVisit, form: ComponentChildren): Page {
  const { limit: texts } = refundTexts[lang];
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/settings'), label: lang === 'es' ? 'Ajustes' : 'Settings' }}
        />
        {form}
        <p class="hint">{texts.note}</p>
      </>
    ),
  };
}
