import type { ComponentChildren } from 'preact';
import type { Lang } from '../model.ts';
import { componentTexts } from './texts.ts';

type FrameProps = {
  lang: Lang;
  name: string;
  /** Needed if two fields on a page share a name. Default: the name. */
  id?: string;
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  /** Marks the field as optional. Filters do not set it, because all of their fields are. */
  optional?: boolean;
};

const idOf = ({ id, name }: Pick<FrameProps, 'id' | 'name'>): string => id ?? name;

/** Returns the ids of a control's fault and hint, or undefined if it has neither. */
export const describedBy = ({ hint, fault, ...field }: FrameProps): string | undefined =>
  [fault !== undefined && `${idOf(field)}-fault`, hint !== undefined && `${idOf(field)}-hint`]
    .filter(Boolean)
    .join(' ') || undefined;

function Around(props: FrameProps & { children: ComponentChildren }) {
  const { lang, label, hint, fault, optional = false, children } = props;
  const id = idOf(props);
  return (
    <div class={fault === undefined ? 'field' : 'field field-bad'}>
      <label for={id}>
        {label}
        {optional && <span class="optional"> {componentTexts[lang].optional}</span>}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {children}
    </div>
  );
}

const tied = (props: FrameProps) => ({
  id: idOf(props),
  name: props.name,
  'aria-describedby': describedBy(props),
  'aria-invalid': props.fault === undefined ? undefined : true,
});

type TextProps = FrameProps & {
  value?: string;
  type?: 'text' | 'email' | 'password' | 'date' | 'month' | 'search' | 'tel' | 'url' | 'color';
  autocomplete?: string;
  inputMode?: 'numeric' | 'decimal' | 'email' | 'text';
  maxLength?: number;
  required?: boolean;
  short?: boolean;
};

/** Renders one line of text, a day, an amount or a password. */
export function TextField(props: TextProps) {
  const { value, type = 'text', autocomplete, inputMode, maxLength, required, short } = props;
  const kind: object = { type };
  return (
    <Around {...props}>
      <input
        {...tied(props)}
        {...kind}
        value={value}
        class={short ? 'short' : undefined}
        autocomplete={autocomplete}
        inputMode={inputMode}
        maxLength={maxLength}
        required={required}
      />
    </Around>
  );
}

export function LongTextField(props: FrameProps & { value?: string; rows?: number }) {
  return (
    <Around {...props}>
      <textarea {...tied(props)} rows={props.rows ?? 4}>
        {props.value}
      </textarea>
    </Around>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

type ChoiceProps = FrameProps & { choices: readonly Choice[]; value?: string };

/** Renders a select. `none` labels the empty choice. */
export function SelectField(props: ChoiceProps & { none?: string }) {
  const { lang, choices, value = '', none = componentTexts[lang].choose } = props;
  return (
    <Around {...props}>
      <select {...tied(props)}>
        <option value="" selected={value === ''}>
          {none}
        </option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Around>
  );
}

type ChoicesProps = FrameProps & {
  choices: readonly Choice[];
  values: readonly string[];
  /** One choice, or several. */
  kind: 'radio' | 'checkbox';
};

/** Renders a few choices, all visible. */
export function ChoicesField(props: ChoicesProps) {
  const { label, hint, fault, name, choices, values, kind } = props;
  const id = idOf(props);
  return (
    <fieldset
      class={fault === undefined ? 'field' : 'field field-bad'}
      aria-describedby={describedBy(props)}
    >
      <legend>{label}</legend>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {choices.map((choice, index) => (
        <label key={choice.value} class="choice">
          <input
            // The summary of faults links to the first.
            id={index === 0 ? id : undefined}
            type={kind}
            name={name}
            value={choice.value}
            checked={values.includes(choice.value)}
          />
          <span>
            {choice.label}
            {choice.hint !== undefined && <span class="hint">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type UploadProps = FrameProps & {
  /** File types for the browser's picker: `.csv,.xlsx`. */
  accept: string;
  required?: boolean;
  multiple?: boolean;
};

/** Renders a file field. Scripts let it accept dropped files and display name and size. */
export function UploadField(props: UploadProps) {
  const { lang, accept, required, multiple } = props;
  return (
    <Around {...props}>
      <div class="upload" data-upload>
        <input
          {...tied(props)}
          type="file"
          accept={accept}
          required={required}
          multiple={multiple}
        />
        <p class="upload-drop" hidden data-upload-drop>
          {componentTexts[lang].dropHere}
        </p>
        <p class="upload-chosen" data-upload-chosen role="status" />
      </div>
    </Around>
  );
}
