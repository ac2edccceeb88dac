import type { ComponentChildren } from 'preact';
import type { ChannelCode, ChannelModel, FieldName, FormState, Lang, PayModel } from './model.ts';
import { texts } from './texts.ts';

export type FormContext = {
  readonly lang: Lang;
  /** Prefix of field ids, unique among the page's forms. */
  readonly scope: string;
  /** The earlier input, if it is this form's. */
  readonly form: FormState | undefined;
};

const takersOf = (channel: ChannelModel) => ('takers' in channel ? channel.takers : []);

/** Returns the prefix of field ids in the form that is shown again. */
export function scopeOfForm({ channels, form }: PayModel): string {
  const channel = channels.find(({ code }) => code === form?.channel);
  const takers = channel ? takersOf(channel) : [];
  const taker = takers.find(({ connector }) => connector === form?.connector) ?? takers[0];
  return taker?.scope ?? channel?.code ?? '';
}

export function contextOf(page: PayModel, scope: string): FormContext {
  const form = scopeOfForm(page) === scope ? page.form : undefined;
  return { lang: page.lang, scope, form };
}

/** All others are required. */
const optional: readonly FieldName[] = ['holder_email'];

/** Returns the id of a field's control, the target of links in the summary of faults. */
export function fieldId(scope: string, name: FieldName): string {
  return `${scope}-${name}`;
}

function stateOf({ form }: FormContext, name: FieldName) {
  return {
    fault: form?.faults[name],
    value: form?.values[name],
  };
}

interface FieldWords {
  label: string;
  hint?: string;
}

type FieldProps = { context: FormContext; name: FieldName; children: ComponentChildren };

/** Renders label, control, hint and fault of a field, linked by ids. */
function Field({ context, name, children }: FieldProps) {
  const words = texts[context.lang];
  const { fault } = stateOf(context, name);
  const id = fieldId(context.scope, name);
  const { label, hint }: FieldWords = words.fields[name];
  return (
    <div class={`field field-${name}${fault === undefined ? '' : ' field-bad'}`}>
      <label for={id}>{label}</label>
      <div>
        {children}
        {hint !== undefined && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        {fault !== undefined && (
          <p class="fault" id={`${id}-fault`}>
            {words.faults[fault]}
          </p>
        )}
      </div>
    </div>
  );
}

function described(context: FormContext, name: FieldName) {
  const id = fieldId(context.scope, name);
  const { fault } = stateOf(context, name);
  const parts = [
    'hint' in texts[context.lang].fields[name] ? `${id}-hint` : '',
    fault === undefined ? '' : `${id}-fault`,
  ].filter((part) => part !== '');
  return {
    id,
    name,
    required: !optional.includes(name),
    ...(parts.length > 0 && { 'aria-describedby': parts.join(' ') }),
    ...(fault !== undefined && { 'aria-invalid': 'true' as const }),
  };
}

type TextFieldProps = {
  context: FormContext;
  name: FieldName;
  input: {
    inputMode?: 'numeric' | 'email' | 'tel';
    autocomplete: 'email' | 'off' | 'tel' | 'street-address' | 'address-level2' | 'postal-code';
    maxLength: number;
    autocapitalize?: 'none';
  };
};

export function TextField({ context, name, input }: TextFieldProps) {
  const { value } = stateOf(context, name);
  return (
    <Field context={context} name={name}>
      <input
        type="text"
        spellcheck={false}
        {...input}
        {...described(context, name)}
        {...(value !== undefined && { value })}
      />
    </Field>
  );
}

type SelectFieldProps = {
  context: FormContext;
  name: FieldName;
  children: (previous: string | undefined) => ComponentChildren;
  after?: ComponentChildren;
};

/** Renders a drop-down. `children` receives the previously chosen value. */
export function SelectField({ context, name, children, after }: SelectFieldProps) {
  return (
    <Field context={context} name={name}>
      <select {...described(context, name)}>{children(stateOf(context, name).value)}</select>
      {after}
    </Field>
  );
}

type PostProps = {
  action: string;
  lang: Lang;
  channel: ChannelCode;
  label: string;
  busy?: string;
  /** Address where the script validates the form. */
  check?: string;
  /** Address that switches the language without scripts and keeps the input. */
  language?: string;
  quiet?: boolean;
  children?: ComponentChildren;
};

/** Renders a form that posts its channel and language. */
export function PostForm(props: PostProps) {
  const { action, lang, channel, label, busy, check, language, quiet, children } = props;
  return (
    <form
      method="post"
      action={action}
      data-once
      data-busy={busy ?? texts[lang].card.sending}
      data-check={check}
    >
      <input type="hidden" name="channel" value={channel} />
      <input type="hidden" name="lang" value={lang} />
      {children}
      <button type="submit" class={quiet ? 'button button-quiet' : 'button'}>
        {label}
      </button>
      {language !== undefined && <OtherLanguage action={language} lang={lang} channel={channel} />}
    </form>
  );
}

/**
 * Submits the form in the other language. Visible only without scripts, when the language link
 * would lose the input. Comes last, so that Enter pays.
 */
function OtherLanguage({ action, lang, channel }: Pick<PostProps, 'action' | 'lang' | 'channel'>) {
  const other = lang === 'es' ? 'en' : 'es';
  return (
    <button
      type="submit"
      class="button button-quiet language-kept"
      name="to"
      value={other}
      lang={other}
      formaction={`${action}#channel-${channel}`}
      formnovalidate
    >
      {texts[lang].pay.goOnInOther}
    </button>
  );
}
