import type { Refusal } from '../../platform/errors.ts';
import type { Members } from '../../platform/http/form.ts';
import type { Operation } from '../../platform/operations.ts';
import { type Choice, SelectField, TextField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form } from '../../platform/pages/components/form.tsx';
import type { OwnVisit } from './visit.ts';

/** The options of members that are chosen, by their names. */
export type Choices = Readonly<Record<string, readonly Choice[]>>;

/** The texts that a form was sent with, and their faults. */
export interface Draft {
  typed: Readonly<Record<string, string>>;
  faults?: readonly FieldFault[];
  refused?: Refusal;
}

type Described = Pick<Operation, 'members' | 'text'>;

/** Enough for a number as people write it; texts say themselves how long they may be. */
const longestNumber = 20;

interface FieldsProps {
  visit: OwnVisit;
  of: Described;
  asked: readonly string[];
  choices: Choices;
  draft: Draft;
}

function Fields({
  visit: { lang },
  of,
  asked,
  choices,
  draft: { typed, faults = [] },
}: FieldsProps) {
  const field = ([name, { field: rule, required }]: [string, Members[string]]) => {
    const common = {
      lang,
      name,
      label: of.text(name, lang) ?? name,
      hint: of.text(`${name}.hint`, lang) ?? undefined,
      value: typed[name] ?? '',
      fault: faults.find((fault) => fault.field === name)?.text,
      optional: !required,
    };
    const chosen = choices[name];
    if (chosen !== undefined) return <SelectField key={name} {...common} choices={chosen} />;
    return (
      <TextField
        key={name}
        {...common}
        maxLength={Number(rule.schema.maxLength ?? longestNumber)}
        {...(rule.typed && { inputMode: 'decimal', short: true })}
        required={required}
      />
    );
  };
  return (
    <>
      {Object.entries(of.members)
        .filter(([name]) => asked.includes(name))
        .map(field)}
    </>
  );
}

interface OwnFormProps extends FieldsProps {
  brought: readonly string[];
  action: string;
  /** The address of the page that it stands on. */
  page: string;
  back: string | undefined;
  grave: boolean;
}

/** The form of an operation. */
export function OperationView(props: OwnFormProps) {
  const { visit, of, brought, action, page, back, grave, draft } = props;
  const { typed, faults = [] } = draft;
  const values = brought.map((name) => [name, typed[name] ?? ''] as const);
  const search = new URLSearchParams(values.map(([name, value]) => [name, value]));
  return (
    <Form
      lang={visit.lang}
      action={action}
      token={visit.token(action)}
      submit={of.text('submit', visit.lang) ?? ''}
      grave={grave}
      {...(back !== undefined && { back })}
      faults={faults}
    >
      <input type="hidden" name="back" value={search.size > 0 ? `${page}?${search}` : page} />
      {values.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Fields {...props} />
    </Form>
  );
}
