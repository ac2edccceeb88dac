import { type Account, issuerOf } from '../../accounts/index.ts';
import { dayOf } from '../../kernel/dates.ts';
import { parseAmount } from '../../kernel/money.ts';
import type { Offer, PayerChannel } from '../../money/channels/index.ts';
import type { Links } from '../../platform/links.ts';
import { grouped } from '../../platform/pages/format.ts';
import { allows, type Item, type PaymentRequestRow } from '../details.ts';
import { bankPaymentCode, qrPayload } from '../payment-codes.ts';
import { checkoutUrl } from '../present.ts';
import type { CouponChannel, CouponItem, CouponModel } from './model.ts';

/** Parses the amount of an item as sent. */
export function couponItem({ quantity, description, amount }: Item): CouponItem {
  const parsed = parseAmount(amount);
  if (!parsed.ok) throw new Error('a stored item has an amount that cannot be read');
  return {
    ...(quantity !== undefined && { quantity }),
    description,
    amount: parsed.value,
  };
}

const onlineNames = {
  credit_card: 'tarjeta de crédito',
  debit_card: 'tarjeta de débito',
  DEBIN: 'DEBIN',
} as const;
const onlineCodes = Object.keys(onlineNames) as (keyof typeof onlineNames)[];

/** Returns the names of the online channels that a request allows, or '' if there are none. */
function onlineMeans(row: PaymentRequestRow, offer: Offer): string {
  return onlineCodes
    .filter((code) => offer[code] !== null && allows(row, code))
    .map((code) => onlineNames[code])
    .join(', ');
}

function channelsOf(row: PaymentRequestRow, offer: Offer, cvu: string | null): CouponChannel[] {
  const { banelco_pmc: pmc, link_pagos: link, qr } = offer;
  const value = grouped(bankPaymentCode(row));
  const means = onlineMeans(row, offer);
  const atOnce: (CouponChannel & { code: PayerChannel })[] = [
    ...(qr === null
      ? []
      : [
          {
            code: 'qr' as const,
            label: 'QR',
            instruction: 'Escaneá el código con la app de tu banco o billetera.',
          },
        ]),
    ...(pmc === null
      ? []
      : [
          {
            code: 'banelco_pmc' as const,
            label: 'Pago Mis Cuentas',
            instruction: `Desde tu homebanking o un cajero Banelco: empresa ${pmc.company}, con este código de pago.`,
            value,
          },
        ]),
    ...(link === null
      ? []
      : [
          {
            code: 'link_pagos' as const,
            label: 'Link Pagos',
            instruction: `Desde tu homebanking o un cajero Link: entidad ${link.entity}, con este código de pago.`,
            value,
          },
        ]),
    ...(cvu === null
      ? []
      : [
          {
            code: 'wire_transfer' as const,
            label: 'Transferencia',
            instruction: 'Transferí el importe exacto a este CVU, que es solo de este pago.',
            value: cvu,
          },
        ]),
  ];
  const online = {
    code: 'online',
    label: 'En línea',
    instruction: `Entrá a la página de pago: ${means}.`,
  };
  return [...(means === '' ? [] : [online]), ...atOnce.filter(({ code }) => allows(row, code))];
}

function couponIssuer(
  account: Pick<Account, 'id' | 'name' | 'cuit' | 'look'>,
): CouponModel['issuer'] {
  const { name, about } = issuerOf(account);
  const { accent, logo } = account.look;
  return {
    name,
    cuit: account.cuit,
    ...(about && { about }),
    ...(accent !== undefined && { accent }),
    ...(logo && { logo: { hash: logo.hash, width: logo.width, height: logo.height } }),
  };
}

/** Builds a payment request's coupon, to print or take to a cash network. */
export function couponOf(
  row: PaymentRequestRow,
  account: Pick<Account, 'id' | 'name' | 'cuit' | 'city' | 'look'>,
  links: Links,
  offer: Offer,
  cvu: string | null,
): CouponModel {
  const first = { day: row.due1, total: row.total1 };
  const second =
    row.due2 !== null && row.total2 !== null ? { day: row.due2, total: row.total2 } : null;
  const token = links.tokenOf({ accountId: row.account_id, id: row.id });
  return {
    issuer: couponIssuer(account),
    id: row.id,
    ...(row.reference !== null && { reference: row.reference }),
    payerName: row.payer,
    description: row.description,
    items: (row.details.items ?? []).map(couponItem),
    dues: second ? [first, second] : [first],
    barcode: row.details.barcode,
    checkoutUrl: checkoutUrl(links, token),
    paymentQr: offer.qr && allows(row, 'qr') ? qrPayload(offer.qr, account, row) : null,
    channels: channelsOf(row, offer, cvu),
    cashAllowed: offer.non_banking !== null && allows(row, 'non_banking'),
    issuedOn: dayOf(row.created_at),
  };
}
