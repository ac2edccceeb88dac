import type { Lang } from '../../../platform/pages/model.ts';

type LookTexts = Record<
  | 'title'
  | 'lead'
  | 'none'
  | 'now'
  | 'askedBy'
  | 'askedAt'
  | 'nobody'
  | 'asked'
  | 'approve'
  | 'own'
  | 'reject'
  | 'reason'
  | 'reasonFault'
  | 'refused',
  string
>;

export const lookTexts: Readonly<Record<Lang, LookTexts>> = {
  es: {
    title: 'Nombres y logos por aprobar',
    lead: 'Lo que verán los pagadores. Aprobá solo lo que corresponde al CUIT y no se confunde con otra empresa u organismo.',
    none: 'Ningún cambio espera aprobación',
    now: 'Nombre de ahora',
    askedBy: 'Lo pidió',
    askedAt: 'Pedido el',
    nobody: 'Nadie del portal',
    asked: 'Pide',
    approve: 'Aprobar',
    own: 'Lo pediste vos: tiene que aprobarlo otra persona.',
    reject: 'Rechazar',
    reason: 'Motivo',
    reasonFault: 'Escribí un motivo de 1 a 255 caracteres. Los titulares lo reciben por correo.',
    refused: 'No se pudo hacer',
  },
  en: {
    title: 'Names and logos to approve',
    lead: 'What payers will see. Approve only what belongs to the tax ID and cannot be taken for another company or authority.',
    none: 'No change waits for approval',
    now: 'Present name',
    askedBy: 'Asked for by',
    askedAt: 'Asked for on',
    nobody: 'Nobody of the portal',
    asked: 'Asks for',
    approve: 'Approve',
    own: 'You asked for it: another person has to approve it.',
    reject: 'Reject',
    reason: 'Reason',
    reasonFault: 'Enter a reason of 1 to 255 characters. The owners get it by mail.',
    refused: 'This could not be done',
  },
};
