import { centavos } from '../kernel/money.ts';
import type { LocalizedText } from '../language/localized-text.ts';
import { walkFaults } from '../platform/errors.ts';
import { fault as fieldFault } from '../platform/http/codes.ts';
import { amount, day, email, prose, reference, text } from '../platform/http/fields.ts';
import {
  type Field,
  type Filled,
  type Form,
  fail,
  form,
  type JsonSchema,
  optional,
  type Parsed,
  required,
  wrongType,
} from '../platform/http/form.ts';
import { checkDues } from '../requests/index.ts';
import { fault } from './codes.ts';
import { type Fault, faultOf } from './errors/batch-refusal.ts';

/** Minimum amount of a QR: 10 pesos. */
const leastTotal = centavos(1_000);

const notBoolean = fieldFault('field.not_boolean', {});

/** Accepts true, false, or either word as a string. */
export const trueOrFalse: Field<boolean> = {
  schema: { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }] },
  expectation: notBoolean,
  parse(value) {
    if (value === true || value === 'true') return { ok: true, value: true };
    if (value === false || value === 'false') return { ok: true, value: false };
    return fail(notBoolean);
  },
};

const callersPart = /^[A-Za-z0-9_-]{1,16}$/;
const anyPrefix = /^[0-9A-F]{8}-/;

const malformedId = fault('qr.id_malformed', {});

/** Parses a QR id of the account, `A1B2C3D4-` and the caller's part, and adds a missing prefix. */
export function readQrId(sent: string, accountId: string): Parsed<string> {
  const prefix = `${accountId}-`;
  const part = sent.startsWith(prefix) ? sent.slice(prefix.length) : sent;
  if (part === sent && anyPrefix.test(sent)) {
    return fail(fault('qr.id_other_account', { prefix }));
  }
  return callersPart.test(part) ? { ok: true, value: prefix + part } : fail(malformedId);
}

export const idText: Field<string> = {
  schema: {
    type: 'string',
    pattern: '^([0-9A-F]{8}-)?[A-Za-z0-9_-]{1,16}$',
    description: 'Unique in the account forever; a missing account prefix is added',
  },
  expectation: malformedId,
  parse: (value) => (typeof value === 'string' ? { ok: true, value } : wrongType('text', value)),
};

export const takenFault = (): Fault => faultOf(fault('qr.id_used', {}), 'id');

export interface ItemContext {
  accountId: string;
  today: Temporal.PlainDate;
}

/** Returns the fault of an id, or undefined if it is valid or absent. */
export const idFault = (
  sent: string | undefined,
  accountId: string,
): string | LocalizedText | undefined => {
  if (sent === undefined) return undefined;
  const read = readQrId(sent, accountId);
  return read.ok ? undefined : read.errors?.[0];
};

const fields = {
  city: prose({ max: 15 }),
  description: prose({ min: 2, max: 500, lineBreaks: true }),
  first_total: amount({ min: leastTotal }),
  first_due_date: day(),
  payer_name: prose({ max: 255 }),
};

const optionals = {
  qr_type: optional(text({ max: 50 })),
  qr_name: optional(prose({ max: 15 })),
  postal_code: optional(text({ max: 10 })),
  payer_email: optional(email()),
  second_due_date: optional(day()),
  second_total: optional(amount({ min: leastTotal })),
};

const members = {
  id: required(idText),
  city: required(fields.city),
  multiple_payment: required(trueOrFalse),
  external_reference: optional(reference()),
  description: required(fields.description),
  first_total: required(fields.first_total),
  first_due_date: required(fields.first_due_date),
  payer_name: required(fields.payer_name),
  ...optionals,
};

const editMembers = {
  id: required(idText),
  city: optional(fields.city),
  multiple_payment: optional(trueOrFalse),
  external_reference: members.external_reference,
  description: optional(fields.description),
  first_total: optional(fields.first_total),
  first_due_date: optional(fields.first_due_date),
  payer_name: optional(fields.payer_name),
  ...optionals,
};

const itemForm = form<typeof members, ItemContext>(members, (valid, { accountId, today }) => ({
  id: idFault(valid.id, accountId),
  ...checkDues(
    {
      firstDue: valid.first_due_date ?? null,
      firstTotal: valid.first_total ?? null,
      secondDue: valid.second_due_date,
      secondTotal: valid.second_total,
    },
    today,
  ),
}));

/** A parsed item of a batch. Its id has the prefix. */
export type QrItem = Filled<typeof members>;

/** The form of an edit. Null marks an absent field, which stays unchanged. */
const editForm = form<typeof editMembers, ItemContext>(
  editMembers,
  (valid, { accountId, today }) => ({
    id: idFault(valid.id, accountId),
    ...checkDues(
      {
        firstDue: valid.first_due_date ?? null,
        firstTotal: valid.first_total ?? null,
        secondDue: valid.second_due_date ?? undefined,
        secondTotal: valid.second_total ?? undefined,
      },
      today,
    ),
  }),
);

/** A parsed edit. Null members were not sent. */
export type QrEdit = Filled<typeof editMembers>;

export const qrItemSchema: JsonSchema = itemForm.schema;
export const qrEditSchema: JsonSchema = editForm.schema;

/** A valid item, or all its faults. */
export type ReadItem<T> =
  | { ok: true; item: T }
  | {
      ok: false;
      /** The item's id, if valid. */
      id: string | null;
      faults: Fault[];
    };

/** A row of a file that cannot be read as an item, with its faults. */
export class BrokenItem {
  readonly id: string | null;
  readonly faults: Fault[];

  constructor(id: string, faults: Fault[]) {
    this.id = id === '' ? null : id;
    this.faults = faults;
  }
}

function idOf(value: unknown, accountId: string): string | null {
  const sent = (value as { id?: unknown } | null)?.id;
  const read = typeof sent === 'string' ? readQrId(sent, accountId) : null;
  return read?.ok ? read.value : null;
}

const reader =
  <T extends { id: string }>(target: Form<T, ItemContext>) =>
  (value: unknown, context: ItemContext): ReadItem<T> => {
    const read = target.read(value, context);
    if (read.ok) {
      const id = readQrId(read.value.id, context.accountId);
      if (!id.ok) throw new Error('an id that the form let through');
      return { ok: true, item: { ...read.value, id: id.value } };
    }
    if (!read.children) {
      const faults = (read.errors ?? []).map((text) => faultOf(text));
      return { ok: false, id: null, faults };
    }
    const faults = walkFaults(read.children).map(({ path, message, localized = null }) => ({
      field: path.join('.'),
      message,
      localized,
    }));
    return { ok: false, id: idOf(value, context.accountId), faults };
  };

export const readItem = reader<QrItem>(itemForm);

const readSent = reader<QrEdit>(editForm);

/** Earlier than any due date. */
const longAgo = Temporal.PlainDate.from('1900-01-01');

/**
 * Reads an item of an edit, which must change something, because a misspelled field would go
 * unnoticed otherwise. A past first due date is allowed if the stored QR has it already, which is
 * checked later.
 */
export function readEdit(value: unknown, context: ItemContext): ReadItem<QrEdit> {
  const read = readSent(value, { ...context, today: longAgo });
  if (!read.ok) return readSent(value, context);
  const { id, ...sent } = read.item;
  if (Object.values(sent).some((member) => member !== null)) return read;
  const fields = Object.keys(sent).join(', ');
  return { ok: false, id, faults: [faultOf(fault('qr.nothing_to_change', { fields }))] };
}
