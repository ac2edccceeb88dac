import { accountIdsOf } from '../accounts/operations.ts';
import { formatDay } from '../kernel/dates.ts';
import type { Base } from '../platform/base.ts';
import { detail } from '../platform/details.ts';
import { accountId, integer, oneOf, recordId, text } from '../platform/http/fields.ts';
import { type Field, type Filled, optional, required } from '../platform/http/form.ts';
import type { ListPage } from '../platform/list-page.ts';
import { listing } from '../platform/listings.ts';
import { operation } from '../platform/operations.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { maskedInstrument } from './instrument.ts';
import type { MandateKind, MandateRow } from './mandate.ts';
import type { RemindHolder } from './remind.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Digits of a DNI, CUIT or CUIL, in any grouping. */
const idNumber: Field<string> = {
  ...text({ max: 20 }),
  parse: (value) => text({ max: 20 }).parse(String(value).replaceAll(/[-. ]/g, '')),
};

const kind = optional(oneOf(['adhesion', 'card_adhesion'] as const));
const takes = {
  reference: optional(text({ max: 255 })),
  name: optional(text({ max: 255 })),
  cuit: optional(idNumber),
  kind,
  state: optional(oneOf(['pending_to_sign', 'signed', 'canceled'] as const)),
};

/** Returns the id number of a bank account's holder, or null for cards. */
export const idNumberOf = (row: MandateRow): string | null =>
  row.kind === 'adhesion' ? String(row.details.holder_id_number) : null;

/** Lists mandates of one account, or of all. */
export const mandateList = listing({
  name: 'adhesion.find',
  act: 'mandates.see',
  account: 'optional',
  takes,
  texts: { en, es },
  async read(
    sql: Sql,
    part: ListPage & Filled<typeof takes> & { account: string | null },
  ): Promise<MandateRow[]> {
    const { searchMandates } = await import('./search.ts');
    const accountIds = await accountIdsOf(sql, part.account);
    return await searchMandates(sql, { ...part, accountIds, id: null, idNumber: part.cuit }, part);
  },
  columns: {
    account: { kind: 'text', of: (row) => row.account_id },
    id: { kind: 'text', of: (row) => row.id },
    kind: { kind: 'choice', of: (row) => row.kind },
    state: { kind: 'choice', of: (row) => row.state },
    reference: { kind: 'text', of: (row) => row.reference },
    payer: { kind: 'text', of: (row) => row.payer },
    id_number: { kind: 'text', of: idNumberOf },
    instrument: { kind: 'text', of: maskedInstrument },
    created_at: { kind: 'moment', of: (row) => row.created_at },
  },
});

const account = required(accountId());
const id = required(integer({ min: 0, max: Number.MAX_SAFE_INTEGER, digits: true }));

const canceling = (
  of: MandateKind,
  { type, path, noun, tag }: { type: string; path: string; noun: string; tag: string },
) =>
  operation({
    name: `${of}.cancel`,
    act: 'mandates.cancel',
    texts: { en, es },
    takes: { account, id },
    repeat: 'natural',
    async run(base: Base, { account: accountId, id: mandate }, actor) {
      const [{ cancelMandate }, { endMandates }] = await Promise.all([
        import('./cancel.ts'),
        import('./end.ts'),
      ]);
      return await cancelMandate(endMandates(base))({ accountId, actor }, of, mandate);
    },
    api: {
      id: `cancel${type}`,
      method: 'PUT',
      path: `${path}/:id/cancel`,
      permission: 'mandates:write',
      tag,
      summary: `Cancel a ${noun} and the pending debits on it`,
      description: 'Canceling again returns the same answer, so the call is safe to repeat.',
      async answers() {
        const [{ bankMandateAnswer, cardMandateAnswer }, { presentMandate }] = await Promise.all([
          import('./answers.ts'),
          import('./present.ts'),
        ]);
        const schema = of === 'adhesion' ? bankMandateAnswer : cardMandateAnswer;
        return { status: 200, schema, presents: presentMandate };
      },
    },
  });

/** Cancels a mandate and its pending debits. */
export const bankMandateCanceling = canceling('adhesion', {
  type: 'Adhesion',
  path: '/adhesion',
  noun: 'CBU adhesion',
  tag: 'CBU adhesions',
});
export const cardMandateCanceling = canceling('card_adhesion', {
  type: 'CardAdhesion',
  path: '/card-adhesion',
  noun: 'card adhesion',
  tag: 'Card adhesions',
});

const remindable = { act: 'mandates.create', texts: { en, es } } as const;
const takesReminder = { account, kind, id };

const letter = (name: string, newLink: boolean) =>
  operation({
    ...remindable,
    name,
    takes: takesReminder,
    repeat: { again: 'another e-mail, for a payer who lost the first' },
    run: (remind: RemindHolder, { account: accountId, kind: of, id: no }, actor) =>
      remind({ key: { accountId, kind: of ?? 'adhesion', id: no }, newLink, actor }),
    command: {
      arguments: ['id'],
      shows: ({ account: of, kind: as, id: no }, { recipient, lastDay, url }) => ({
        account: of,
        kind: as ?? 'adhesion',
        id: no,
        recipient,
        good_through: formatDay(lastDay),
        url,
      }),
    },
  });

/** Sends the holder the email again, with the same link or a new one. */
export const letterResending = letter('signing.resend', false);
export const linkRenewing = letter('signing.new-link', true);

/** Sends one email per form of the portal, even if it is submitted twice. */
export const mandateReminding = operation({
  ...remindable,
  name: 'mandate.remind',
  takes: {
    ...takesReminder,
    link: required(oneOf(['same', 'new'] as const)),
    version: required(integer({ min: 1, max: Number.MAX_SAFE_INTEGER, digits: true })),
  },
  repeat: 'natural',
  run: (remind: RemindHolder, { account: accountId, kind: of, id: no, link, version }, actor) =>
    remind({
      key: { accountId, kind: of ?? 'adhesion', id: no },
      newLink: link === 'new',
      version,
      actor,
    }),
});

/** Shows a mandate of any account, without its card number. */
export const mandateShowing = detail({
  name: 'adhesion.show',
  act: 'mandates.see',
  takes: { id: required(recordId()), kind },
  command: { arguments: ['id'] },
  texts: { en, es },
  async facts({ sql }, { id, kind: wanted }) {
    const [{ searchMandates }, { notThere }, { presentMandate }] = await Promise.all([
      import('./search.ts'),
      import('./mandate.ts'),
      import('./present.ts'),
    ]);
    const of = wanted ?? 'adhesion';
    const accountIds = await accountIdsOf(sql, null);
    const any = { reference: null, name: null, idNumber: null, state: null };
    const [row] = await searchMandates(
      sql,
      { ...any, accountIds, kind: of, id },
      { after: 0, limit: 1 },
    );
    if (!row) throw notThere(of);
    return { account: row.account_id, kind: of, ...presentMandate(row) };
  },
});
