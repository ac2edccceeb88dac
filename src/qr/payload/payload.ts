import type { Account } from '../../accounts/index.ts';
import { buildPayload } from '../../kernel/emv.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { QrDetails, QrRow } from '../row.ts';

/** How wallets know this deployment (configuration). */
export interface QrTerms {
  acceptorDomain: string;
  administratorCuit: string;
  mcc: string;
}

export type Holder = Pick<Account, 'name' | 'cuit'>;

interface Facts {
  kind: 'dynamic' | 'static';
  id: string;
  amount: Centavos | undefined;
  details: Pick<QrDetails, 'city' | 'postal_code' | 'qr_name'>;
}

/** The text of a QR (docs/qr.md): what a wallet reads in the image. */
export const payloadOf = (terms: QrTerms, holder: Holder, facts: Facts): string =>
  buildPayload({
    kind: facts.kind,
    ...terms,
    holderCuit: holder.cuit,
    name: facts.details.qr_name ?? holder.name,
    city: facts.details.city,
    postalCode: facts.details.postal_code ?? undefined,
    id: facts.id,
    amount: facts.amount,
  });

/**
 * The text of a dynamic QR. Its amount is written only where it is one whatever the day; wallets
 * learn what is due by resolving the id.
 */
export const dynamicPayload = (terms: QrTerms, holder: Holder, row: QrRow): string =>
  payloadOf(terms, holder, {
    kind: 'dynamic',
    id: row.code,
    amount: row.total2 === null ? row.total1 : undefined,
    details: row.details,
  });
