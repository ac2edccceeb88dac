import { renderToString } from 'preact-render-to-string';
import { icon, styles } from '../../platform/pages/assets.ts';
import { frameScript, frameStyle } from './assets.ts';
import { type CardField, cardFields, type FrameModel, framePath, tokensPath } from './model.ts';
import { simulatorTexts } from './texts.ts';

const inputs: Record<CardField, { autocomplete: string; maxLength: number; numeric: boolean }> = {
  number: { autocomplete: 'cc-number', maxLength: 23, numeric: true },
  holder: { autocomplete: 'cc-name', maxLength: 255, numeric: false },
  expiry: { autocomplete: 'cc-exp', maxLength: 7, numeric: true },
  code: { autocomplete: 'cc-csc', maxLength: 4, numeric: true },
};

interface FieldWords {
  label: string;
  hint?: string;
  fault: string;
}

function Field({ model, name }: { model: FrameModel; name: CardField }) {
  const { label, hint, fault }: FieldWords = simulatorTexts[model.lang].fields[name];
  const { autocomplete, maxLength, numeric } = inputs[name];
  const wrong = model.faults.includes(name);
  const value = model.typed[name];
  return (
    <div class={`field field-${name}`}>
      <label for={name}>{label}</label>
      <div>
        <input
          type="text"
          id={name}
          name={name}
          required
          spellcheck={false}
          autocomplete={autocomplete}
          maxLength={maxLength}
          inputMode={numeric ? 'numeric' : 'text'}
          aria-describedby={`${hint === undefined ? '' : `${name}-hint `}${name}-fault`}
          aria-invalid={wrong ? 'true' : 'false'}
          {...(value !== undefined && { value })}
        />
        {hint !== undefined && (
          <p class="hint" id={`${name}-hint`}>
            {hint}
          </p>
        )}
        <p class="fault" id={`${name}-fault`} data-text={fault}>
          {wrong ? fault : ''}
        </p>
      </div>
    </div>
  );
}

/** Returns the form's address for browsers without scripts, including the return address. */
const actionOf = ({ lang, back }: FrameModel): string =>
  `${framePath}?${new URLSearchParams({ lang, ...(back !== null && { back }) })}`;

function Frame({ model }: { model: FrameModel }) {
  const texts = simulatorTexts[model.lang];
  return (
    <html lang={model.lang === 'es' ? 'es-AR' : 'en'}>
      <head>
        <meta charset="utf-8" />
        <title>{texts.title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={icon.path} type="image/svg+xml" />
        <link rel="stylesheet" href={styles.path} />
        <link rel="stylesheet" href={frameStyle.path} />
        <script type="module" src={frameScript.path} />
      </head>
      <body class="card-frame">
        <form
          method="post"
          action={actionOf(model)}
          target="_top"
          novalidate
          data-opener={model.opener}
          data-tokens={tokensPath}
          data-away={texts.away}
        >
          <div class="fields">
            {cardFields.map((name) => (
              <Field key={name} model={model} name={name} />
            ))}
          </div>
          <p class="fault" role="alert" data-whole />
          {model.back === null ? null : (
            <noscript>
              <button type="submit" class="button">
                {texts.use}
              </button>
            </noscript>
          )}
        </form>
      </body>
    </html>
  );
}

/** Renders the card form, either in a frame of the checkout or, without scripts, as a page. */
export const framePage = (model: FrameModel): string =>
  `<!DOCTYPE html>${renderToString(<Frame model={model} />)}`;
