import type { Account } from '../../accounts/index.ts';
import { buildPayload } from '../../kernel/emv.ts';
import type { Centavos } from '../../kernel/money.ts';
import { refusal } from '../codes.ts';
import type { QrDetails, QrRow } from '../row.ts';

/** Identifiers of this deployment in codes, from the configuration. */
export interface QrTerms {
  /** Null if this deployment is not an acceptor, so that no code can name it. */
  acceptorDomain: string | null;
  administratorCuit: string;
  mcc: string;
  /** True if wallets can pay here. */
  offered: boolean;
}

/** Throws if no payer could pay a QR, so that none is created. */
export function refuseUnlessOffered({ offered }: Pick<QrTerms, 'offered'>): void {
  if (!offered) throw refusal('qr.not_offered', {});
}

export type Holder = Pick<Account, 'name' | 'cuit'>;

interface Facts {
  kind: 'dynamic' | 'static';
  id: string;
  amount: Centavos | undefined;
  details: Pick<QrDetails, 'city' | 'postal_code' | 'qr_name'>;
}

/**
 * Returns the text of a QR image for wallets (docs/how-to/qr.md), or null without an acceptor
 * domain.
 */
export function payloadOf(terms: QrTerms, holder: Holder, facts: Facts): string | null {
  const { acceptorDomain, administratorCuit, mcc } = terms;
  if (acceptorDomain === null) return null;
  return buildPayload({
    kind: facts.kind,
    acceptorDomain,
    administratorCuit,
    mcc,
    holderCuit: holder.cuit,
    name: facts.details.qr_name ?? holder.name,
    city: facts.details.city,
    postalCode: facts.details.postal_code ?? undefined,
    id: facts.id,
    amount: facts.amount,
  });
}

/**
 * Returns the text of a dynamic QR. Includes the amount only if it is the same on every day.
 * Wallets resolve the id for the amount due.
 */
export const dynamicPayload = (terms: QrTerms, holder: Holder, row: QrRow): string | null =>
  payloadOf(terms, holder, {
    kind: 'dynamic',
    id: row.code,
    amount: row.total2 === null ? row.total1 : undefined,
    details: row.details,
  });
