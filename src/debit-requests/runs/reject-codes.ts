import type { Lang } from '../../platform/pages/model.ts';
import { type Advice, advices } from './reject-advice.ts';

/** Consequences of a code of the bank clearing or a card processor. */
export type Handling =
  /** The debit ends, and the mandate continues. */
  | 'reject'
  /** Debit and mandate end, because the account or service is gone. */
  | 'close'
  /** Insufficient funds. The debit runs again on its second due date, if it has one. */
  | 'retry'
  /** Interim. The debit stays in process. */
  | 'wait';

export interface RejectCode {
  text: string;
  handling: Handling;
}

interface KnownCode extends RejectCode {
  es: string;
  advice: Advice;
}

const code = (handling: Handling, advice: Advice, text: string, es: string): KnownCode => ({
  text,
  es,
  handling,
  advice,
});

/**
 * Codes of the bank clearing, and the one interim code of the card processor, whose other codes
 * come with texts of their own.
 */
export const rejectCodes: Readonly<Record<string, KnownCode>> = {
  '034': code(
    'wait',
    'wait',
    'The card processor tries the authorization again.',
    'La procesadora de tarjetas vuelve a pedir la autorización.',
  ),
  R02: code('close', 'gone', 'Account closed or suspended.', 'Cuenta cerrada o suspendida.'),
  R03: code('close', 'gone', 'The account does not exist.', 'La cuenta no existe.'),
  R04: code('close', 'gone', 'Invalid account number.', 'Número de cuenta inválido.'),
  R05: code('wait', 'wait', 'Deferral order.', 'Orden de diferimiento.'),
  R06: code('reject', 'service', 'Formal defects.', 'Defectos formales.'),
  R07: code(
    'reject',
    'bank',
    'At the request of the originating bank.',
    'A solicitud del banco de origen.',
  ),
  R08: code('reject', 'order', 'Order not to pay.', 'Orden de no pagar.'),
  R10: code('retry', 'funds', 'Insufficient funds.', 'Falta de fondos.'),
  R13: code(
    'reject',
    'bank',
    'The destination bank does not exist.',
    'El banco de destino no existe.',
  ),
  R14: code(
    'reject',
    'service',
    'Wrong customer id at the company.',
    'Identificación del cliente en la empresa errónea.',
  ),
  R15: code('close', 'order', 'The service was canceled.', 'Baja del servicio.'),
  R17: code('reject', 'service', 'Format error.', 'Error de formato.'),
  R19: code('reject', 'service', 'Wrong amount.', 'Importe erróneo.'),
  R20: code(
    'reject',
    'currency',
    'The currency differs from that of the account.',
    'La moneda no es la de la cuenta.',
  ),
  R23: code('reject', 'bank', 'The branch is not enabled.', 'La sucursal no está habilitada.'),
  R24: code(
    'wait',
    'wait',
    'Duplicate transaction: the bank has this debit already.',
    'Transacción duplicada: el banco ya tiene este débito.',
  ),
  R25: code('reject', 'service', 'Error in the addenda record.', 'Error en el registro adicional.'),
  R26: code('reject', 'service', 'Error in a mandatory field.', 'Error en un campo obligatorio.'),
  R28: code('retry', 'funds', 'Rejected at the first due.', 'Rechazado en el primer vencimiento.'),
  R29: code('wait', 'wait', 'The reversal was made already.', 'La reversión ya se hizo.'),
  R75: code('reject', 'service', 'Invalid date.', 'Fecha inválida.'),
  R81: code('wait', 'wait', 'Force majeure.', 'Fuerza mayor.'),
  R87: code('reject', 'currency', 'Invalid currency.', 'Moneda inválida.'),
  R89: code('close', 'gone', 'Errors of the adhesion.', 'Errores de la adhesión.'),
  R90: code('wait', 'wait', 'Reversal out of its 30 days.', 'Reversión fuera de sus 30 días.'),
  R91: code(
    'reject',
    'currency',
    'The bank code does not go with the currency.',
    'El código de banco no corresponde a la moneda.',
  ),
  R95: code('wait', 'wait', 'Reversal presented late.', 'Reversión presentada tarde.'),
};

/** Codes about the debited account, not about the mandate. */
export const accountCodes: readonly string[] = ['R02', 'R03', 'R04'];

/** Returns true if a code ends a mandate only while it still uses the run's account. */
export const isOfAccount = (said: string): boolean => accountCodes.includes(said);

/** Looks up a code of a third party, which may be the name of a property of every object. */
const lookUp = <T>(codes: Readonly<Record<string, T>>, said: string): T | undefined =>
  Object.hasOwn(codes, said) ? codes[said] : undefined;

/** Returns a code's meaning. An unknown one ends the debit, with the bank's text. */
export const rejectCodeOf = (said: string, text: string): RejectCode =>
  lookUp(rejectCodes, said) ?? { text: text === '' ? 'Rejected.' : text, handling: 'reject' };

/** Code of a run that was never sent because its mandate ended. */
export const mandateEnded = 'MANDATE_ENDED';

/** Codes of connectors or the operator, not of banks. */
const ownCodes: Readonly<Record<string, Omit<KnownCode, 'handling' | 'text'>>> = {
  unheard: { es: 'El adquirente no confirmó ningún cobro de la tarjeta.', advice: 'service' },
  unreachable: {
    es: 'No se pudo consultar al adquirente el día del débito.',
    advice: 'service',
  },
  card_gone: { es: 'La tarjeta ya no está guardada.', advice: 'card' },
  insufficient_funds: { es: 'Falta de fondos.', advice: 'funds' },
  rejected: { es: 'El emisor de la tarjeta la rechazó.', advice: 'card' },
  stop_debit: { es: 'El titular ordenó no pagar.', advice: 'order' },
  [mandateEnded]: { es: 'La adhesión terminó antes de mandar el débito.', advice: 'gone' },
  NOT_SENT: { es: 'El débito no se pudo mandar al banco.', advice: 'service' },
};

/** A bank's or processor's refusal in plain words, with advice. */
export interface RefusalWords {
  code: string | null;
  reason: string;
  /** True if the reason is quoted in its original language. */
  isQuoted: boolean;
  advice: string;
}

/** A stored refusal: its code, and a comment that begins with the code. */
export interface StoredRefusal {
  code?: string | undefined;
  state_comment?: string | undefined;
}

const withoutCode = ({ code: said, state_comment: comment = '' }: StoredRefusal): string =>
  said !== undefined && comment.startsWith(`${said}: `) ? comment.slice(said.length + 2) : comment;

/** Describes a refusal: a known code in our words, any other as the bank reported it. */
export function refusalWords(lang: Lang, stored: StoredRefusal): RefusalWords {
  const { code: said = null } = stored;
  const ofBank = said === null ? undefined : lookUp(rejectCodes, said);
  const known = ofBank ?? (said === null ? undefined : lookUp(ownCodes, said));
  const comment = withoutCode(stored);
  const own = lang === 'es' ? known?.es : ofBank?.text;
  return {
    code: said,
    reason: own ?? (comment === '' ? (known?.es ?? '—') : comment),
    isQuoted: own === undefined,
    advice: advices[lang][known?.advice ?? 'other'],
  };
}
