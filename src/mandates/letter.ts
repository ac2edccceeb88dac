import type { Account } from '../accounts/index.ts';
import { bankOf } from '../kernel/banks.ts';
import { dayOf, formatDay } from '../kernel/dates.ts';
import type { Links } from '../platform/links.ts';
import type { MandateKind, MandateRow } from './mandate.ts';

const paths: Record<MandateKind, string> = {
  adhesion: '/sign/adhesion',
  card_adhesion: '/sign/card-adhesion',
};

/** Where the holder signs: a link that is good for this mandate alone. */
export const signingPath = (links: Links, row: MandateRow): string =>
  `${paths[row.kind]}/${links.tokenOf({ accountId: row.account_id, id: row.id }, row.kind)}`;

/** What is debited, as its holder knows it; never the whole number. */
export const maskedInstrument = (row: MandateRow): string =>
  row.kind === 'adhesion'
    ? `${bankOf(row.cbu)} CBU •••${row.cbu.slice(-4)}`
    : `${row.details.brand_name} •••${row.details.last_four}`;

/** The mail that asks for a signature. */
export function letterOf(
  row: MandateRow,
  account: Account,
  links: Links,
): { recipient: string; subject: string; body: string } {
  const url = links.origin + signingPath(links, row);
  const lastDay = formatDay(dayOf(row.sign_before));
  const body = `Hola, ${row.holder}:

${account.name} (CUIT ${account.cuit}) te pide autorización para debitar automáticamente de ${maskedInstrument(row)}, a nombre de ${row.payer}.

Concepto: ${row.description}

Para leer el detalle y aceptar o rechazar, entrá a:
${url}

El enlace sirve hasta el ${lastDay}. Si no reconocés este pedido, no hace falta que hagas nada: sin tu firma no se debita nada.

—
${account.name} asks for your authorization to debit automatically. To read the details and accept or decline, open: ${url}?lang=en
`;
  return {
    recipient: row.email,
    subject: `Autorizá el débito automático de ${account.name}`.replace(/[\r\n]/g, ' '),
    body,
  };
}
