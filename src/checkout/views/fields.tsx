import type { ComponentChildren } from 'preact';
import type { ChannelCode, FieldName, FormState, Lang } from './model.ts';
import { texts } from './texts.ts';

/** What a form knows of itself: its channel, and what came back with it. */
export type FormContext = {
  readonly lang: Lang;
  readonly channel: ChannelCode;
  readonly form: FormState | undefined;
};

/** The others must be filled in. */
const optional: readonly FieldName[] = ['holder_email'];

/** These are never printed back into a page. */
const secret: readonly FieldName[] = ['card_number', 'cvv'];

/** The id of a field's control; the summary of faults links to it. */
export function fieldId(channel: ChannelCode, name: FieldName): string {
  return `${channel}-${name}`;
}

function stateOf(context: FormContext, name: FieldName) {
  const own = context.form?.channel === context.channel ? context.form : undefined;
  return {
    fault: own?.faults[name],
    value: secret.includes(name) ? undefined : own?.values[name],
  };
}

type FieldProps = { context: FormContext; name: FieldName; children: ComponentChildren };

/** Label, control, hint and fault of one field, tied together by ids. */
function Field({ context, name, children }: FieldProps) {
  const words = texts[context.lang];
  const { fault } = stateOf(context, name);
  const id = fieldId(context.channel, name);
  const hint = words.fields[name].hint;
  return (
    <div class={`field field-${name}${fault === undefined ? '' : ' field-bad'}`}>
      <label for={id}>{words.fields[name].label}</label>
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
  const id = fieldId(context.channel, name);
  const { fault } = stateOf(context, name);
  const parts = [
    texts[context.lang].fields[name].hint === undefined ? '' : `${id}-hint`,
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
    inputMode?: 'numeric' | 'email';
    autocomplete: 'cc-number' | 'cc-name' | 'cc-exp' | 'cc-csc' | 'email' | 'off';
    maxLength: number;
    autocapitalize?: 'characters' | 'none';
  };
  after?: ComponentChildren;
};

/** A one-line text field. */
export function TextField({ context, name, input, after }: TextFieldProps) {
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
      {after}
    </Field>
  );
}

type SelectFieldProps = {
  context: FormContext;
  name: FieldName;
  children: (kept: string | undefined) => ComponentChildren;
  after?: ComponentChildren;
};

/** A choice; `children` gets the value that was chosen before. */
export function SelectField({ context, name, children, after }: SelectFieldProps) {
  return (
    <Field context={context} name={name}>
      <select {...described(context, name)}>{children(stateOf(context, name).value)}</select>
      {after}
    </Field>
  );
}

/** Where the script asks what is wrong before it sends; where a page without it changes language. */
export type TypedActions = { readonly check: string; readonly language: string };

type PostProps = {
  action: string;
  lang: Lang;
  channel: ChannelCode;
  label: string;
  busy?: string;
  /** Of a form in which something is typed. */
  typed?: TypedActions;
  quiet?: boolean;
  children?: ComponentChildren;
};

/** A form that posts its channel and language, with one button. */
export function PostForm(props: PostProps) {
  const { action, lang, channel, label, busy, typed, quiet, children } = props;
  return (
    <form
      method="post"
      action={action}
      data-once
      data-busy={busy ?? texts[lang].card.sending}
      data-check={typed?.check}
    >
      <input type="hidden" name="channel" value={channel} />
      <input type="hidden" name="lang" value={lang} />
      {children}
      <button type="submit" class={quiet ? 'button button-quiet' : 'button'}>
        {label}
      </button>
      {typed && <OtherLanguage action={typed.language} lang={lang} channel={channel} />}
    </form>
  );
}

/**
 * Without scripts the link to the other language would lose what was typed: this button, seen only
 * then, takes it along. It stands last, so that Enter pays.
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
