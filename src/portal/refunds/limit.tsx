import type { Centavos } from '../../kernel/money.ts';
import { TextField } from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import { Section } from '../../platform/pages/components/parts.tsx';
import { moneyText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { refundTexts } from './texts.ts';

export const limitPath = '/settings/refunds';

/** The part of the first page of settings. */
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

interface LimitDraft {
  above: string;
  faulty: boolean;
}

export function limitPage(visit: AccountVisit, { above, faulty }: LimitDraft): Page {
  const { lang, at, token } = visit;
  const { limit: texts } = refundTexts[lang];
  const action = at(limitPath);
  const text = faulty ? texts.fault : undefined;
  return {
    title: texts.title,
    status: faulty ? 400 : 200,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/settings'), label: lang === 'es' ? 'Ajustes' : 'Settings' }}
        />
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          submit={texts.save}
          back={at('/settings')}
          faults={text === undefined ? [] : [{ field: 'above', label: texts.field, text }]}
        >
          <input type="hidden" name="back" value={action} />
          <TextField
            lang={lang}
            name="above"
            label={texts.field}
            hint={texts.hint}
            value={above}
            fault={text}
            inputMode="decimal"
            maxLength={20}
            short
            optional
          />
          <p class="hint">{texts.note}</p>
        </Form>
      </>
    ),
  };
}
