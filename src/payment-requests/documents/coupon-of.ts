import type { Account } from '../../accounts/index.ts';
import { dayOf } from '../../kernel/dates.ts';
import { parseAmount } from '../../kernel/money.ts';
import type { ChannelCode } from '../../money/channels/index.ts';
import type { Links } from '../../platform/links.ts';
import { grouped } from '../../platform/pages/format.ts';
import { allows, type Item, type PaymentRequestRow } from '../details.ts';
import { bankPaymentCode, type CodeTerms, transferCvu } from '../payment-codes.ts';
import { checkoutUrl } from '../present.ts';
import type { CouponChannel, CouponItem, CouponModel } from './model.ts';

/** Items are kept as they were sent; documents show them as amounts. */
export function shownItem({ quantity, description, amount }: Item): CouponItem {
  const parsed = parseAmount(amount);
  if (!parsed.ok) throw new Error('a stored item has an amount that cannot be read');
  return {
    ...(quantity !== undefined && { quantity }),
    description,
    amount: parsed.value,
  };
}

const online: readonly ChannelCode[] = ['credit_card', 'debit_card', 'DEBIN', 'qr'];

function channelsOf(row: PaymentRequestRow, terms: CodeTerms): CouponChannel[] {
  const code = grouped(bankPaymentCode(row));
  const all: (CouponChannel & { code: ChannelCode })[] = [
    {
      code: 'banelco_pmc',
      label: 'Pago Mis Cuentas',
      instruction: `Desde tu homebanking o un cajero Banelco: empresa ${terms.pmcCompany}, con este código de pago.`,
      value: code,
    },
    {
      code: 'link_pagos',
      label: 'Link Pagos',
      instruction: `Desde tu homebanking o un cajero Link: entidad ${terms.linkEntity}, con este código de pago.`,
      value: code,
    },
    {
      code: 'wire_transfer',
      label: 'Transferencia',
      instruction: 'Transferí el importe exacto a este CVU, que es solo de este pago.',
      value: transferCvu(terms, row.id),
    },
  ];
  const onlineAllowed = online.filter((channel) => allows(row, channel));
  const names: Partial<Record<ChannelCode, string>> = {
    credit_card: 'tarjeta de crédito',
    debit_card: 'tarjeta de débito',
    DEBIN: 'DEBIN',
    qr: 'QR',
  };
  const means = onlineAllowed.map((channel) => names[channel]).join(', ');
  return [
    ...(onlineAllowed.length > 0
      ? [
          {
            code: 'online',
            label: 'En línea',
            instruction: `Escaneá el código QR o entrá a la dirección de pago: ${means}.`,
          },
        ]
      : []),
    ...all.filter((channel) => allows(row, channel.code)),
  ];
}

/** The coupon of a payment request: what the payer prints or takes to a cash network. */
export function couponOf(
  row: PaymentRequestRow,
  account: Pick<Account, 'name' | 'cuit'>,
  links: Links,
  terms: CodeTerms,
): CouponModel {
  const first = { day: row.due1, total: row.total1 };
  const second =
    row.due2 !== null && row.total2 !== null ? { day: row.due2, total: row.total2 } : null;
  const token = links.tokenOf({ accountId: row.account_id, id: row.id });
  return {
    issuer: { name: account.name, cuit: account.cuit },
    id: row.id,
    ...(row.reference !== null && { reference: row.reference }),
    payerName: row.payer,
    description: row.description,
    items: (row.details.items ?? []).map(shownItem),
    dues: second ? [first, second] : [first],
    barcode: row.details.barcode,
    checkoutUrl: checkoutUrl(links, token),
    channels: channelsOf(row, terms),
    cashAllowed: allows(row, 'non_banking'),
    issuedOn: dayOf(row.created_at),
  };
}
