import type { ComponentChildren } from 'preact';
import type { Lang } from '../model.ts';
import { componentTexts } from './texts.ts';

export interface FieldFault {
  readonly field: string;
  readonly label: string;
  readonly text: string;
}

export const faultIn =
  (faults: readonly FieldFault[]) =>
  (name: string): string | undefined =>
    faults.find(({ field }) => field === name)?.text;

export const statusOf = (faults: readonly FieldFault[]): 200 | 400 =>
  faults.length === 0 ? 200 : 400;

type SummaryProps = { lang: Lang; faults: readonly FieldFault[]; sample?: boolean };

/** Lists every fault above a form, each linked to its field. Receives the focus. */
export function ErrorSummary({ lang, faults, sample }: SummaryProps) {
  if (faults.length === 0) return null;
  return (
    <div
      class="faults"
      role="alert"
      tabIndex={-1}
      autofocus={!sample}
      aria-labelledby="faults-title"
    >
      <h2 id="faults-title">{componentTexts[lang].faults({ count: faults.length })}</h2>
      <ul>
        {faults.map(({ field, label, text }) => (
          <li key={field}>
            <a href={`#${field}`}>{label}</a>: {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

type FormProps = {
  lang: Lang;
  action: string;
  /** CSRF token, in a hidden field `token`. */
  token?: string;
  /** Version of the displayed values (`src/platform/form-version.ts`), in a hidden field `seen`. */
  seen?: string | undefined;
  faults?: readonly FieldFault[];
  /** True for a sample on the style guide, which does not take the focus. */
  sample?: boolean;
  files?: boolean;
  submit: string;
  /** True if irreversible. The button gets the warning color. */
  grave?: boolean;
  /** Address of "cancel". */
  back?: string;
  children?: ComponentChildren;
};

export function Form(props: FormProps) {
  const {
    lang,
    action,
    token,
    seen,
    faults = [],
    sample = false,
    files = false,
    submit,
    grave = false,
    back,
  } = props;
  return (
    <form
      method="post"
      action={action}
      class="form"
      encType={files ? 'multipart/form-data' : undefined}
      noValidate
    >
      {token !== undefined && <input type="hidden" name="token" value={token} />}
      {seen !== undefined && <input type="hidden" name="seen" value={seen} />}
      <ErrorSummary lang={lang} faults={faults} sample={sample} />
      {props.children}
      <p class="form-buttons">
        <button type="submit" class={grave ? 'button button-grave' : 'button'}>
          {submit}
        </button>
        {back !== undefined && (
          <a class="button button-quiet" href={back} data-dialog-close>
            {componentTexts[lang].cancel}
          </a>
        )}
      </p>
    </form>
  );
}
