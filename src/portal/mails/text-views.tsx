import {
  type MailPreview,
  type MailText,
  mailNamesFor,
  type PayerMailKind,
} from '../../payment-requests/index.ts';
import { LongTextField, TextField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn } from '../../platform/pages/components/form.tsx';
import { Facts, Notice, Section } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { formTo } from '../frame/form-to.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { OutdatedFormNotice, type RepeatedForm, statusOfAgain } from '../frame/overtaken.tsx';
import { mailTexts } from './texts.ts';
import { mayChange } from './views.tsx';

export interface TextModel extends RepeatedForm {
  kind: PayerMailKind;
  /** Language of the email. */
  of: Lang;
  text: MailText;
  /** True for an account's own text, which can be reset to the default. */
  own: boolean;
  /** Number of a request, as submitted. */
  request: string;
  faults: readonly FieldFault[];
  preview: MailPreview | null;
  saved: boolean;
}

export function textPage(visit: AccountVisit, model: TextModel): Page {
  const { lang, at } = visit;
  const { texts: words, kinds, languages, saved } = mailTexts[lang];
  const { kind, of, preview, faults } = model;
  const title = `${kinds[kind]} · ${languages[of]}`;
  return {
    title,
    status: statusOfAgain(model, faults),
    styles: mayChange(visit) ? (preview?.page.styles ?? []) : [],
    body: (
      <>
        <PageHead title={title} up={{ href: at('/settings/mails'), label: words.back }} />
        {model.saved && <Notice tone="good" text={saved} />}
        <OutdatedFormNotice
          lang={lang}
          changed={model.overtaken}
          labels={{ subject: words.subject, body: words.body }}
        />
        {mayChange(visit) && <TextForm visit={visit} model={model} />}
        {preview !== null && <Preview visit={visit} of={of} preview={preview} />}
        {mayChange(visit) && model.own && <Reset visit={visit} model={model} />}
      </>
    ),
  };
}

type PartProps = { visit: AccountVisit; model: TextModel };

function TextForm({ visit, model }: PartProps) {
  const { lang, at } = visit;
  const { texts: words } = mailTexts[lang];
  const { kind, of, text, faults } = model;
  const faultOf = faultIn(faults);
  const names = mailNamesFor(kind, of, 'body')
    .map((name) => `{${name}}`)
    .join(' ');
  return (
    <Form
      {...formTo(visit, at(`/settings/mails/${kind}/${of}`))}
      seen={model.seen}
      faults={faults}
      submit={words.save}
      back={at('/settings/mails')}
    >
      <TextField
        lang={lang}
        name="subject"
        label={words.subject}
        hint={words.subjectHint}
        value={text.subject}
        fault={faultOf('subject')}
      />
      <LongTextField
        lang={lang}
        name="body"
        label={words.body}
        hint={words.names({ names })}
        value={text.body}
        fault={faultOf('body')}
        rows={16}
      />
      <TextField
        lang={lang}
        name="request"
        label={words.request}
        hint={words.requestHint}
        value={model.request}
        fault={faultOf('request')}
        inputMode="numeric"
        maxLength={16}
        optional
        short
      />
      <p>
        <button type="submit" name="do" value="preview" class="button button-quiet">
          {words.preview}
        </button>
      </p>
    </Form>
  );
}

type PreviewProps = { visit: AccountVisit; of: Lang; preview: MailPreview };

/**
 * Shows the email in a sandboxed frame, which cannot run, open, send or load anything. The frame
 * keeps its origin, since browsers render frames without one separately from the page. Keyboards
 * skip it and reach the same text below. Users without edit permission see only that text.
 */
function Preview({ visit, of, preview }: PreviewProps) {
  const { texts: words } = mailTexts[visit.lang];
  const asText = (
    <pre class="program" lang={of}>
      {preview.body}
    </pre>
  );
  return (
    <Section id="preview" title={words.preview}>
      <p>{words.previewLead}</p>
      <Facts
        items={[
          [
            words.subject,
            <bdi key="subject" lang={of}>
              {preview.subject}
            </bdi>,
          ],
        ]}
      />
      {mayChange(visit) ? (
        <>
          <iframe
            class="preview preview-letter"
            title={words.asPage}
            srcdoc={preview.page.html}
            sandbox="allow-same-origin"
            tabIndex={-1}
          />
          <details class="group">
            <summary>{words.asText}</summary>
            {asText}
          </details>
        </>
      ) : (
        asText
      )}
    </Section>
  );
}

function Reset({ visit, model: { kind, of, seen } }: PartProps) {
  const { lang, at } = visit;
  const { texts: words } = mailTexts[lang];
  return (
    <Section id="reset" title={words.reset}>
      <p>{words.resetLead}</p>
      <Form
        {...formTo(visit, at(`/settings/mails/${kind}/${of}/reset`))}
        seen={seen}
        submit={words.reset}
        grave
      />
    </Section>
  );
}
