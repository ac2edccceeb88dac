import type { Account } from '../accounts/index.ts';
import { formatDay } from '../kernel/dates.ts';
import { isolated } from '../kernel/text.ts';
import type { Links } from '../platform/links.ts';
import { linkMark, type Mail } from '../platform/mail/queue.ts';
import type { LinkOf } from '../platform/mail/send.ts';
import { cuitText } from '../platform/pages/format.ts';
import { maskedInstrument } from './instrument.ts';
import type { MandateKind, MandateRow } from './mandate.ts';
import { lastDayToSign } from './states.ts';

const paths: Record<MandateKind, string> = {
  adhesion: '/sign/adhesion',
  card_adhesion: '/sign/card-adhesion',
};

const isMandateKind = (kind: string): kind is MandateKind => Object.hasOwn(paths, kind);

/** Creates signing links. A link is valid for one mandate, until a newer link replaces it. */
export const signingLinks =
  (links: Links): LinkOf =>
  ({ accountId, kind, id, no }) => {
    if (!isMandateKind(kind)) throw new Error(`no letter has a link to a ${kind}`);
    return `${links.origin}${paths[kind]}/${links.tokenOf({ accountId, id, no }, kind)}`;
  };

export type SigningEmail = Pick<Mail, 'recipient' | 'subject' | 'body' | 'link'>;

/** Builds the email that asks for a signature. The link is created when the email is sent. */
export function signingEmail(row: MandateRow, account: Account): SigningEmail {
  const lastDay = formatDay(lastDayToSign(row));
  const issuer = isolated(account.name);
  const reference = row.reference === null ? '' : `\nReferencia: ${isolated(row.reference)}`;
  const body = `Hola, ${isolated(row.holder)}:

${issuer} (CUIT ${cuitText(account.cuit)}) te pide autorización para debitar automáticamente de ${maskedInstrument(row)}, a nombre de ${isolated(row.payer)}.

Concepto: ${isolated(row.description)}${reference}

Para leer el detalle y aceptar o rechazar, entrá a:
${linkMark}

El enlace sirve hasta el ${lastDay}, todo el día. Si no reconocés este pedido, no hace falta que hagas nada: sin tu firma no se debita nada.

—
${issuer} asks for your authorization to debit automatically. To read the details and accept or decline, open: ${linkMark}?lang=en
`;
  return {
    recipient: row.email,
    subject: `Autorizá el débito automático de ${issuer}`.replace(/[\r\n]/g, ' '),
    body,
    link: { kind: row.kind, id: row.id, no: row.link_no },
  };
}
