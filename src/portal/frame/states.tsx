import type { MandateState } from '../../mandates/index.ts';
import { Badge, type Tone } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import type { RequestState } from '../../requests/index.ts';

type Look = { readonly tone: Tone; readonly es: string; readonly en: string };

/** How the states of requests are called and coloured, whatever the kind. */
export const requestStates: Readonly<Record<RequestState, Look>> = {
  pending: { tone: 'wait', es: 'Pendiente', en: 'Pending' },
  in_process: { tone: 'wait', es: 'En proceso', en: 'In process' },
  paid: { tone: 'good', es: 'Pagado', en: 'Paid' },
  rejected: { tone: 'bad', es: 'Rechazado', en: 'Rejected' },
  expired: { tone: 'calm', es: 'Vencido', en: 'Expired' },
  canceled: { tone: 'calm', es: 'Cancelado', en: 'Canceled' },
  deleted: { tone: 'calm', es: 'Eliminado', en: 'Deleted' },
  reverted: { tone: 'bad', es: 'Contracargo', en: 'Reverted' },
  refunded: { tone: 'calm', es: 'Devuelto', en: 'Refunded' },
};

/** The same of mandates. */
export const mandateStates: Readonly<Record<MandateState, Look>> = {
  pending_to_sign: { tone: 'wait', es: 'Sin firmar', en: 'To be signed' },
  signed: { tone: 'good', es: 'Firmada', en: 'Signed' },
  canceled: { tone: 'calm', es: 'Cancelada', en: 'Canceled' },
};

type StateProps<State> = { lang: Lang; state: State };

export function RequestBadge({ lang, state }: StateProps<RequestState>) {
  return <Badge tone={requestStates[state].tone}>{requestStates[state][lang]}</Badge>;
}

export function MandateBadge({ lang, state }: StateProps<MandateState>) {
  return <Badge tone={mandateStates[state].tone}>{mandateStates[state][lang]}</Badge>;
}
