import type { ComponentChildren } from 'preact';
import { Notice } from '../../platform/pages/components/parts.tsx';

interface FormProps {
  action: string;
  token?: string;
  /** What is wrong with what was sent. */
  fault?: string | undefined;
  hidden?: Readonly<Record<string, string>>;
  submit: string;
  children?: ComponentChildren;
}

export function PostForm({ action, token, fault, hidden = {}, submit, children }: FormProps) {
  return (
    <form method="post" action={action} class="form">
      {token !== undefined && <input type="hidden" name="token" value={token} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fault !== undefined && (
        <Notice tone="bad">
          <p>{fault}</p>
        </Notice>
      )}
      {children}
      <p>
        <button type="submit" class="button">
          {submit}
        </button>
      </p>
    </form>
  );
}

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  type?: 'text' | 'email' | 'password';
  value?: string;
  autocomplete: string;
}

export function Field({ name, label, hint, type = 'text', value = '', autocomplete }: FieldProps) {
  return (
    <p class="field">
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
      <input
        id={name}
        name={name}
        type={type as 'text'}
        value={value}
        required
        autocomplete={autocomplete}
        aria-describedby={hint === undefined ? undefined : `${name}-hint`}
      />
    </p>
  );
}
