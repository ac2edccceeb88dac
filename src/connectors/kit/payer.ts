import type { Manifest } from '../../../connectors/protocol/messages.ts';

const known = { name: 'Ana Pérez', email: 'ana@example.com', id_number: '25123456' };
const address = {
  street: 'Cerrito 740',
  city: 'Buenos Aires',
  postal_code: '1010',
  province: 'C',
};

/**
 * Returns the payer of the kit's charges, with the extra facts that the manifest asks for on a
 * channel.
 */
export function payerOf({ channels }: Manifest, channel: string): object {
  const asks = channels.find((one) => one.channel === channel)?.asks ?? [];
  return {
    ...known,
    ...(asks.includes('phone') && { phone: '+541155554444' }),
    ...(asks.includes('address') && { address }),
  };
}
