import { highestLimit } from '../../../accounts/index.ts';
import { isCuit } from '../../../kernel/cuit.ts';
import { isEmail } from '../../../kernel/email.ts';
import type { FieldFault } from '../../../platform/pages/components/form.tsx';
import { type AccountRole, accountRoles, nameFault } from '../../../users/index.ts';
import type { ServiceVisit } from '../../frame/index.ts';
import { type RepeatedForm, seenIn } from '../../frame/overtaken.tsx';
import { lineIn } from '../forms/read.ts';
import { accountsTexts } from './texts.ts';

interface Draft {
  faults: readonly FieldFault[];
}

export interface NewAccountDraft extends Draft {
  /** Drawn before the form is shown, so that a repeated form creates one account. */
  id: string;
  name: string;
  cuit: string;
  city: string;
  ownerName: string;
  email: string;
}

const found = (faults: (FieldFault | false)[]): FieldFault[] =>
  faults.filter((one) => one !== false);

export const oneLine = (text: string, most: number): boolean => lineIn(text, most) !== null;

export function newAccountIn({ lang, posted, params }: ServiceVisit): NewAccountDraft {
  const texts = accountsTexts[lang];
  const text = (name: string) => (posted.get(name) ?? '').trim();
  const [name, city, ownerName, email] = ['name', 'city', 'owner_name', 'email'].map(text) as [
    string,
    string,
    string,
    string,
  ];
  const cuit = text('cuit');
  const { faults } = texts;
  return {
    id: params.id ?? '',
    name,
    cuit,
    city,
    ownerName,
    email,
    faults: found([
      !oneLine(name, 100) && { field: 'name', label: texts.name, text: faults.name },
      !isCuit(cuit.replaceAll('-', '')) && { field: 'cuit', label: texts.cuit, text: faults.cuit },
      !oneLine(city, 60) && { field: 'city', label: texts.city, text: faults.city },
      nameFault(ownerName) !== null && {
        field: 'owner_name',
        label: texts.ownerName,
        text: faults.ownerName,
      },
      !isEmail(email) && { field: 'email', label: texts.email, text: faults.email },
    ]),
  };
}

export interface InviteDraft extends Draft {
  name: string;
  email: string;
  role: AccountRole | '';
}

export function inviteIn({ lang, posted }: ServiceVisit): InviteDraft {
  const texts = accountsTexts[lang];
  const name = (posted.get('name') ?? '').trim();
  const email = (posted.get('email') ?? '').trim();
  const role = accountRoles.find((one) => one === posted.get('role')) ?? '';
  const { faults } = texts;
  return {
    name,
    email,
    role,
    faults: found([
      nameFault(name) !== null && { field: 'name', label: texts.name, text: faults.ownerName },
      !isEmail(email) && { field: 'email', label: texts.email, text: faults.email },
      role === '' && { field: 'role', label: texts.role, text: faults.role },
    ]),
  };
}

export const limitNames = ['letters_a_day', 'letters_a_minute', 'unsigned_mandates'] as const;

export interface SettingsDraft extends Draft, RepeatedForm {
  name: string;
  returnsFees: boolean;
  refundsBelowZero: boolean;
  returnsLateApprovals: boolean;
  /** As submitted. Empty for the configured default. */
  cutDay: string;
  limits: Readonly<Record<(typeof limitNames)[number], string>>;
}

export const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));

export function settingsIn({ lang, posted }: ServiceVisit): SettingsDraft {
  const texts = accountsTexts[lang];
  const text = (name: string) => (posted.get(name) ?? '').trim();
  const cutDay = text('card_cut_day');
  const limits = {
    letters_a_day: text('letters_a_day'),
    letters_a_minute: text('letters_a_minute'),
    unsigned_mandates: text('unsigned_mandates'),
  };
  const name = text('name');
  const whole = /^(\d{1,10})?$/;
  return {
    name,
    returnsFees: posted.has('returns_fees'),
    refundsBelowZero: posted.has('refunds_below_zero'),
    returnsLateApprovals: posted.has('returns_late_approvals'),
    cutDay,
    limits,
    ...seenIn(posted),
    faults: found([
      !oneLine(name, 100) && { field: 'name', label: texts.name, text: texts.faults.name },
      !/^(|0?[1-9]|[12]\d|3[01])$/.test(cutDay) && {
        field: 'card_cut_day',
        label: texts.cutDay,
        text: texts.faults.cutDay,
      },
      ...limitNames.map(
        (field) =>
          (!whole.test(limits[field]) || Number(limits[field]) > highestLimit) && {
            field,
            label: texts.limits[field],
            text: texts.faults.limit,
          },
      ),
    ]),
  };
}
