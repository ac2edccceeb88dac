import { centavos } from '../../../src/kernel/money.ts';
import type { CouponModel } from '../../../src/payment-requests/documents/model.ts';

const day = (text: string) => Temporal.PlainDate.from(text);

/** Layout 0448: client 12345, 15-01-2026 $ 1.490,80, ten days later $ 1.550,00. */
export const barcode = '04480000000000123452601150000149080100000155000515000000078';

/**
 * Barcodes with an even number of digits, as published by the networks: layout 0444 and Pago
 * Fácil's.
 */
export const evenBarcodes = [
  '04440000132671207300093700060098385000000000515000934600',
  '012300017450261960000000001234500003301079',
] as const;

export const couponModel: CouponModel = {
  issuer: { name: 'Instituto San Martín de Porres S.R.L.', cuit: '30712345671' },
  id: 48_210_337,
  reference: 'FAC-2026-001893',
  payerName: 'María Belén Gutiérrez',
  description: 'Cuota noviembre 2026, nivel secundario.\nIncluye comedor.',
  items: [
    { quantity: 1, description: 'Arancel mensual', amount: centavos(14_450_050) },
    { description: 'Comedor', amount: centavos(4_800_000) },
  ],
  dues: [
    { day: day('2026-12-05'), total: centavos(19_250_050) },
    { day: day('2026-12-15'), total: centavos(20_212_553) },
  ],
  barcode,
  checkoutUrl: 'https://pagos.example.com/checkout/A1B2C3D4-48210337-9f8a7c6b5d4e3f2a1b0c',
  channels: [
    { code: 'credit_card', label: 'Tarjeta de crédito', instruction: 'En línea.' },
    {
      code: 'wire_transfer',
      label: 'Transferencia',
      instruction: 'Desde cualquier banco o billetera.',
      value: 'CVU 0000003100062244154712',
    },
    { code: 'non_banking', label: 'Efectivo', instruction: 'En Pago Fácil o Rapipago.' },
  ],
  paymentQr: null,
  cashAllowed: true,
  issuedOn: day('2026-11-21'),
};
