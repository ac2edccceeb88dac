import type { ComponentChildren } from 'preact';
import type { Refusal } from '../../platform/errors.ts';
import type { FieldValues } from '../../platform/form-version.ts';
import type { Members } from '../../platform/http/form.ts';
import type { Operation } from '../../platform/operations.ts';
import { Dialog } from '../../platform/pages/components/dialog.tsx';
import {
  type Choice,
  ChoicesField,
  LongTextField,
  SelectField,
  TextField,
} from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form } from '../../platform/pages/components/form.tsx';
import { formTo } from './form-to.ts';
import { frameTexts } from './texts.ts';
import type { OwnVisit } from './visit.ts';

/** Options in groups, all visible without opening a list. */
interface Offer {
  groups: readonly { name: string; label?: string; choices: readonly Choice[] }[];
}

/** Options of choice members, by name. */
export type Choices = Readonly<Record<string, readonly Choice[] | Offer>>;

/** Returns true if a member accepts several of its options. */
export const isMany = (member: Members[string] | undefined): boolean =>
  member?.field.schema.type === 'array';

/** Returns true if a member is asked with checkboxes, which may all be unticked. */
export const isTicked = (member: Members[string] | undefined): boolean =>
  isMany(member) || member?.field.asks === 'tick' || member?.field.schema.type === 'boolean';

/** Texts and faults of a submitted form. */
export interface Draft {
  input: Readonly<Record<string, string>>;
  faults?: readonly FieldFault[];
  refused?: Refusal;
  /** The version that the form was filled in against, and concurrent changes. */
  seen?: string | undefined;
  overtaken?: FieldValues;
}

type Described = Pick<Operation, 'members' | 'text'>;

/** Maximum characters in a field whose schema has no `maxLength`, such as a number. */
const longestNumber = 20;

interface FieldsProps {
  visit: OwnVisit;
  of: Described;
  fields: readonly string[];
  choices: Choices;
  /** Prefix of field ids, because a page may have two fields of the same name. */
  prefix: string;
  draft: Draft;
}

/** Returns the attributes of a text field for its member's type. */
function typedAs({ schema, typed, asks }: Members[string]['field']): object {
  if (typed && schema.type !== 'array') return { inputMode: 'decimal', short: true };
  if (schema.type === 'integer') return { inputMode: 'numeric', short: true };
  if (schema.pattern === '^[0-9]{22}$') return { inputMode: 'numeric' };
  if (asks !== undefined) return { type: asks };
  if (schema.format === 'email') return { type: 'email' };
  return schema.format === 'uri' ? { type: 'url' } : {};
}

function Fields({ visit: { lang }, of, fields, choices, prefix, draft }: FieldsProps) {
  const { input, faults = [] } = draft;
  const field = ([name, member]: [string, Members[string]]) => {
    const { field: rule, required } = member;
    const value = input[name] ?? '';
    const common = {
      lang,
      name,
      id: `${prefix}${name}`,
      label: of.text(name, lang) ?? name,
      hint: of.text(`${name}.hint`, lang) ?? undefined,
      fault: faults.find((fault) => fault.field === name)?.text,
      optional: !required && !isTicked(member),
    };
    const chosen = choices[name];
    if (chosen !== undefined && 'groups' in chosen) {
      return <OfferField key={name} {...common} {...chosen} value={value} many={isMany(member)} />;
    }
    if (chosen !== undefined) {
      return <SelectField key={name} {...common} value={value} choices={chosen} />;
    }
    if (rule.asks === 'tick') {
      const yes = [{ value: 'yes', label: frameTexts[lang].yes }];
      return <ChoicesField key={name} {...common} kind="checkbox" choices={yes} values={[value]} />;
    }
    if (rule.asks === 'lines') return <LongTextField key={name} {...common} value={value} />;
    return (
      <TextField
        key={name}
        {...common}
        value={value}
        maxLength={Number(rule.schema.maxLength ?? longestNumber)}
        {...typedAs(rule)}
        autocomplete="off"
        required={required}
      />
    );
  };
  return (
    <>
      {Object.entries(of.members)
        .filter(([name]) => fields.includes(name))
        .map(field)}
    </>
  );
}

type OfferProps = Offer &
  Pick<Parameters<typeof TextField>[0], 'lang' | 'name' | 'label' | 'hint' | 'fault'> & {
    value: string;
    many: boolean;
  };

function OfferField({ groups, value, many, label, name, ...common }: OfferProps) {
  const fields = groups.map((group, index) => (
    <ChoicesField
      key={group.name}
      {...common}
      name={name}
      id={index === 0 ? name : `${name}-${group.name}`}
      fault={index === 0 ? common.fault : undefined}
      label={group.label === undefined ? label : `${label}: ${group.label}`}
      kind={many ? 'checkbox' : 'radio'}
      choices={group.choices}
      values={value.split(',')}
    />
  ));
  return groups.length > 1 ? <div class="columns">{fields}</div> : fields;
}

interface OwnFormProps extends FieldsProps {
  brought: readonly string[];
  action: string;
  /** Address of the page that contains the form. */
  page: string;
  back: string | undefined;
  grave: boolean;
}

export function OperationView(props: OwnFormProps) {
  const { visit, of, brought, action, page, back, grave, prefix, draft } = props;
  const { input, faults = [], seen } = draft;
  const values = brought.map((name) => [name, input[name] ?? ''] as const);
  const search = new URLSearchParams(values.map(([name, value]) => [name, value]));
  return (
    <Form
      {...formTo(visit, action)}
      submit={of.text('submit', visit.lang) ?? ''}
      grave={grave}
      seen={seen}
      {...(back !== undefined && { back })}
      faults={faults.map((fault) => ({ ...fault, field: `${prefix}${fault.field}` }))}
    >
      <input type="hidden" name="back" value={search.size > 0 ? `${page}?${search}` : page} />
      {values.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Fields {...props} />
    </Form>
  );
}

interface QuestionProps {
  title: string;
  lead: string | null;
  subject: string | undefined;
  form: ComponentChildren;
}

/** Renders a confirmation: its subject, its effect, and the form. */
export function Question({ title, lead, subject, form }: QuestionProps) {
  return (
    <Dialog title={title}>
      {subject !== undefined && (
        <p>
          <bdi>{subject}</bdi>
        </p>
      )}
      {lead !== null && <p>{lead}</p>}
      {form}
    </Dialog>
  );
}
