import { type Account, accountRefusal } from '../../accounts/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { CreationOutcome, IdempotencyClaim } from '../../platform/idempotency.ts';
import type { Links } from '../../platform/links.ts';
import { readQrId } from '../item.ts';
import { payloadOf, type QrTerms, refuseUnlessOffered } from '../payload/payload.ts';
import { presentStatic } from './present.ts';
import type { StaticInput } from './schema.ts';
import type { StaticRow } from './store.ts';
import { insertStatic } from './store-create.ts';

/** A static QR to create, and the key of its stored response. */
export interface NewStatic {
  ctx: Ctx;
  input: StaticInput;
  claim: IdempotencyClaim | null;
}

export type CreateStatic = (one: NewStatic) => Promise<CreationOutcome>;

export interface CreateParts {
  links: Links;
  terms: QrTerms;
  readAccount(id: string): Promise<Account | null>;
}

function rowOf(
  input: StaticInput,
  account: Account,
  { number, now, terms }: { number: number; now: Temporal.Instant; terms: QrTerms },
): StaticRow {
  const id = readQrId(input.id, account.id);
  if (!id.ok) throw new Error('an id that the form let through');
  const { city, postal_code, qr_name } = input;
  const payload = payloadOf(terms, account, {
    kind: 'static',
    id: id.value,
    amount: undefined,
    details: { city, postal_code, qr_name },
  });
  if (payload === null) throw new Error('a QR of a deployment that is no acceptor');
  return {
    account_id: account.id,
    id: id.value,
    number,
    open_amount: input.qr_type === 'static_open_amount',
    multiple_payment: input.multiple_payment,
    name: qr_name,
    city,
    postal_code,
    description: input.description,
    payer: input.payer_name,
    payload,
    created_at: now,
    cuit: account.cuit,
  };
}

/** Creates a static QR, whose payload never changes. Throws 409 if the id is taken. */
export const createStatic =
  (base: Base, { links, terms, readAccount }: CreateParts): CreateStatic =>
  async ({ ctx, input, claim }) => {
    refuseUnlessOffered(terms);
    const { clocks, requestIds, recordIds } = base;
    const [account, number, eventId] = await Promise.all([
      readAccount(ctx.accountId),
      requestIds.next(),
      recordIds.next(),
    ]);
    if (!account) throw accountRefusal('account.not_found', {});
    const now = clocks.business.now();
    const row = rowOf(input, account, { number, now, terms });
    const presented = presentStatic({ row, open: null, paid: null }, { links, now });
    const answer = { status: 201, body: JSON.stringify(presented) };
    return await insertStatic(base, {
      accountId: row.account_id,
      id: row.number,
      row,
      eventId,
      actor: ctx.actor,
      claim,
      answer,
    });
  };
