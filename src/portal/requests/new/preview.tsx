import { Notice } from '../../../platform/pages/components/parts.tsx';
import type { AccountVisit, Page } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import type { Draft } from './draft.ts';
import { newTexts } from './texts.ts';

interface PreviewModel {
  draft: Draft;
  html: string;
  /** An existing request with the same reference, or null. */
  repeats: number | null;
}

/**
 * Returns hidden fields that carry the input, so that the server stores nothing before the
 * confirmation.
 */
function fieldsOf({
  key,
  values,
  channels,
  noBrands,
  items,
}: Draft): [name: string, value: string][] {
  return [
    ['key', key],
    ...Object.entries(values),
    ...channels.map((code): [string, string] => ['channels', code]),
    ...noBrands.map((code): [string, string] => ['excluded_card_brands', code]),
    ...items.flatMap((item) =>
      Object.entries(item).map(([name, value]): [string, string] => [`item_${name}`, value]),
    ),
  ];
}

/**
 * Shows the payer's page in a sandboxed frame, which cannot send or run anything. The frame keeps
 * its origin, which it needs to load its style sheet. Buttons above it create the request or return
 * to the form.
 */
export function previewPage(visit: AccountVisit, { draft, html, repeats }: PreviewModel): Page {
  const { lang, at, token } = visit;
  const { preview: texts, repeats: repeatsText, list } = newTexts[lang];
  const action = at('/requests/new');
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/requests'), label: list }}
        />
        {repeats !== null && <Notice tone="wait" text={repeatsText({ id: repeats })} />}
        <form method="post" action={action} class="form">
          <input type="hidden" name="token" value={token(action)} />
          {fieldsOf(draft).map(([name, value], no) => (
            <input key={no} type="hidden" name={name} value={value} />
          ))}
          <p class="form-buttons">
            <button type="submit" class="button" name="step" value="create">
              {texts.create}
            </button>
            <button type="submit" class="button button-quiet" name="step" value="edit">
              {texts.edit}
            </button>
          </p>
        </form>
        <iframe class="preview" title={texts.frame} srcdoc={html} sandbox="allow-same-origin" />
      </>
    ),
  };
}
