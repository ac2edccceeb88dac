import { isCuit } from '../../kernel/cuit.ts';
import { decimalText } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { Refusal } from '../../platform/errors.ts';
import { accountId, email, integer, line, yesOrNo } from '../../platform/http/fields.ts';
import { type Field, fail, optional, required } from '../../platform/http/form.ts';
import { operation } from '../../platform/operations.ts';
import { highestLimit, readAccount } from '../account.ts';
import { refusals } from '../codes.ts';
import type { Alongside } from '../note.ts';
import { payoutCbu } from '../payout-cbu-form.ts';
import en from '../texts.en.json' with { type: 'json' };
import es from '../texts.es.json' with { type: 'json' };

const texts = { en, es };
const account = required(accountId());

const cuit: Field<string> = {
  schema: { type: 'string', pattern: '^[0-9]{2}-?[0-9]{8}-?[0-9]$' },
  expectation: refusals.fault('account.cuit_invalid', {}),
  parse(value) {
    const digits = String(value).replaceAll('-', '');
    return isCuit(digits) ? { ok: true, value: digits } : fail(cuit.expectation);
  },
};
const holder = { name: required(line({ max: 100 })), cuit: required(cuit) };
const city = line({ max: 60 });

/** Opens an account. Generates its id if none is given. */
export const accountCreating = operation({
  name: 'account.create',
  repeat: { again: 'each account is another, unless its id is given' },
  act: 'accounts.manage',
  texts,
  takes: { ...holder, city: optional(city), id: optional(accountId()) },
  async run(base: Base, { city: of, ...input }, actor) {
    const { createAccount } = await import('../open.ts');
    return await createAccount({ ...base, actor }, { ...input, city: of ?? 'Buenos Aires' });
  },
  command: {
    shows: (_, { id, name, cuit: digits, city: of }) => ({ id, name, cuit: digits, city: of }),
  },
});

interface Opening {
  base: Base;
  /** Prepares the invitation. The result writes it in the transaction that opens the account. */
  invitation(
    actor: Actor,
    owner: { id: string; of: string; name: string; email: string },
  ): Promise<Alongside>;
}

/** Opens an account under the id that its form drew, and invites its first owner. */
export const accountOpening = operation({
  name: 'account.open',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: {
    id: account,
    ...holder,
    city: required(city),
    owner_name: required(line({ max: 100 })),
    email: required(email()),
  },
  async run({ base, invitation }: Opening, { owner_name: owner, email: address, ...input }, actor) {
    const { id, name: of } = input;
    const { createAccount } = await import('../open.ts');
    const invite = await invitation(actor, { id, of, name: owner, email: address });
    try {
      await createAccount({ ...base, actor }, input, invite);
    } catch (error) {
      const isTaken = error instanceof Refusal && error.errorCode === 'account.id_taken';
      const known = isTaken ? await readAccount(base.sql, id) : null;
      // The form was sent before, so its account and invitation exist.
      if (known?.name === of && known.cuit === input.cuit) return 'known';
      throw error;
    }
    return 'opened';
  },
});

const orWord = <T>(word: string, field: Field<T>): Field<T | string> => ({
  ...field,
  parse: (value) => (value === word ? { ok: true, value: word } : field.parse(value)),
});
const limit = optional(
  orWord('standard', {
    ...integer({ min: 0, max: highestLimit, digits: true }),
    expectation: refusals.fault('account.limit_invalid', { most: highestLimit }),
  }),
);

interface Setting {
  base: Base;
  /** The form's version. A form sends every setting, so that a blank one restores the default. */
  seen?: string;
  /**
   * Returns a function that writes the notices of a new CBU in the change's transaction. Returns
   * undefined if none are needed.
   */
  noticesOf?(accountId: string, cbu: string | null): Promise<Alongside | undefined>;
}

export const accountSetting = operation({
  name: 'account.set',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: {
    id: account,
    name: optional(line({ max: 100 })),
    cbu: optional(orWord('none', payoutCbu)),
    returns_fees: optional(yesOrNo()),
    refunds_below_zero: optional(yesOrNo()),
    returns_late_approvals: optional(yesOrNo()),
    card_cut_day: optional(integer({ min: 1, max: 31, digits: true })),
    letters_a_day: limit,
    letters_a_minute: limit,
    unsigned_mandates: limit,
  },
  async run({ base, seen, noticesOf }: Setting, { id, name, cbu, ...input }, actor) {
    const [none, no] = seen === undefined ? [] : [null, false];
    const own = (value: number | string | null) =>
      value === null ? none : typeof value === 'number' ? value : null;
    const next = cbu === 'none' ? null : cbu;
    const { setAccount } = await import('../settings.ts');
    const notices = cbu === null ? undefined : await noticesOf?.(id, next);
    return await setAccount({ ...base, actor })(
      {
        accountId: id,
        seen,
        name: name ?? undefined,
        payoutCbu: cbu === null ? undefined : next,
        returnsFees: input.returns_fees ?? no,
        refundsBelowZero: input.refunds_below_zero ?? no,
        returnsLateApprovals: input.returns_late_approvals ?? no,
        cardCutDay: own(input.card_cut_day),
        limits: {
          letters_a_day: own(input.letters_a_day),
          letters_a_minute: own(input.letters_a_minute),
          unsigned_mandates: own(input.unsigned_mandates),
        },
      },
      notices,
    );
  },
  command: {
    arguments: ['id'],
    flags: {
      returns_fees: 'returns-fees',
      refunds_below_zero: 'refunds-below-zero',
      returns_late_approvals: 'returns-late-approvals',
      card_cut_day: 'card-cut-day',
      letters_a_day: 'letters-a-day',
      letters_a_minute: 'letters-a-minute',
      unsigned_mandates: 'unsigned-mandates',
    },
    noFlags: { cbu: 'none' },
    operator: 'may',
    shows: ({ id }, { refund_approval_above: above, ...settings }) => ({
      id,
      ...settings,
      refund_approval_above: above === null ? null : decimalText(above),
    }),
  },
});
