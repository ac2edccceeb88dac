import type { AccountMove, AccountState } from '../../../accounts/index.ts';
import type { Tone } from '../../../platform/pages/components/parts.tsx';
import type { Lang } from '../../../platform/pages/model.ts';
import { english } from './texts-en.ts';

export const stateTones: Readonly<Record<AccountState, Tone>> = {
  active: 'good',
  suspended: 'wait',
  closed: 'calm',
};

interface MoveTexts {
  readonly title: string;
  readonly lead: string;
  readonly submit: string;
}

export interface AccountsTexts {
  readonly title: string;
  readonly lead: string;
  readonly create: string;
  readonly createLead: string;
  readonly search: string;
  readonly searchHint: string;
  readonly anyState: string;
  readonly none: string;
  readonly noneFound: string;
  readonly name: string;
  readonly nameHint: string;
  readonly cuit: string;
  readonly city: string;
  readonly id: string;
  readonly state: string;
  readonly states: Readonly<Record<AccountState, string>>;
  readonly since: string;
  readonly owner: string;
  readonly ownerHint: string;
  readonly ownerName: string;
  readonly email: string;
  readonly keys: string;
  readonly keysActive: (count: number) => string;
  readonly fees: string;
  readonly feesSee: string;
  readonly acts: string;
  readonly actsSee: string;
  readonly available: string;
  readonly toCome: string;
  readonly settings: string;
  readonly settingsLead: string;
  readonly change: string;
  readonly save: string;
  readonly cbu: string;
  readonly cbuNone: string;
  readonly returnsFees: string;
  readonly refundsBelowZero: string;
  readonly returnsLateApprovals: string;
  readonly cutDay: string;
  readonly cutDayHint: string;
  readonly standard: string;
  readonly limits: Readonly<
    Record<'letters_a_day' | 'letters_a_minute' | 'unsigned_mandates', string>
  >;
  readonly limitHint: string;
  readonly noLimit: string;
  readonly yes: string;
  readonly no: string;
  readonly connectors: string;
  readonly connector: string;
  readonly connectorLead: (name: string) => string;
  readonly connectorSettings: string;
  readonly nothingSet: string;
  readonly users: string;
  readonly noUsers: string;
  readonly invite: string;
  readonly inviteLead: string;
  readonly role: string;
  readonly invited: string;
  readonly working: string;
  readonly suspendedUser: string;
  readonly sent: string;
  readonly closedMandates: (count: number) => string;
  readonly standing: string;
  readonly moves: Readonly<Record<AccountMove, MoveTexts>>;
  readonly reason: string;
  readonly reasonHint: string;
  readonly typed: (id: string) => string;
  readonly faults: Readonly<
    Record<
      | 'name'
      | 'cuit'
      | 'city'
      | 'ownerName'
      | 'email'
      | 'role'
      | 'taken'
      | 'reason'
      | 'typed'
      | 'cutDay'
      | 'limit'
      | 'json'
      | 'owed'
      | 'moved',
      string
    >
  >;
}

const spanish: AccountsTexts = {
  title: 'Cuentas',
  lead: 'Quiénes cobran con el servicio.',
  create: 'Crear una cuenta',
  createLead: 'Su primer titular recibe una invitación por correo, que sirve por 30 minutos.',
  search: 'Buscar',
  searchHint: 'Parte del nombre, o el CUIT o el número de cuenta completos.',
  anyState: 'Cualquiera',
  none: 'Todavía no hay cuentas',
  noneFound: 'Ninguna cuenta coincide con la búsqueda',
  name: 'Nombre',
  nameHint: 'Como lo ven los pagadores.',
  cuit: 'CUIT',
  city: 'Ciudad',
  id: 'Cuenta',
  state: 'Estado',
  states: { active: 'Activa', suspended: 'Suspendida', closed: 'Cerrada' },
  since: 'Desde',
  owner: 'Primer titular',
  ownerHint: 'Invita después a los demás.',
  ownerName: 'Nombre del titular',
  email: 'Correo electrónico',
  keys: 'Claves de API',
  keysActive: (count) => (count === 1 ? '1 activa' : `${count} activas`),
  fees: 'Comisiones',
  feesSee: 'Ver comisiones y retenciones',
  acts: 'Auditoría',
  actsSee: 'Ver quién hizo qué',
  available: 'Disponible',
  toCome: 'A disponibilizarse',
  settings: 'Configuración',
  settingsLead: 'Rige desde ahora; quién la cambió y qué decía antes queda registrado.',
  change: 'Cambiar',
  save: 'Guardar',
  cbu: 'CBU para transferencias',
  cbuNone: 'Ninguno: no se le transfiere',
  returnsFees: 'Devoluciones y contracargos reintegran la comisión',
  refundsBelowZero: 'Las devoluciones pueden superar el saldo',
  returnsLateApprovals: 'Las aprobaciones que llegan tarde vuelven al pagador',
  cutDay: 'Último día del mes para débitos en tarjeta',
  cutDayHint: 'De 1 a 31; vacío, el que rige para todas.',
  standard: 'el general',
  limits: {
    letters_a_day: 'Cartas de firma a una casilla en 24 horas',
    letters_a_minute: 'Cartas de firma por minuto',
    unsigned_mandates: 'Adhesiones que esperan su firma',
  },
  limitHint: 'Vacío: el límite general. 0: sin límite.',
  noLimit: 'sin límite',
  yes: 'Sí',
  no: 'No',
  connectors: 'Conectores',
  connector: 'Conector',
  connectorLead: (name) => `Lo que se le dice a ${name} de esta cuenta con cada cobro.`,
  connectorSettings: 'Datos, como objeto JSON',
  nothingSet: 'Nada',
  users: 'Usuarios',
  noUsers: 'Nadie trabaja todavía para esta cuenta',
  invite: 'Invitar a alguien',
  inviteLead: 'Recibe un enlace por correo, que sirve por 30 minutos, una sola vez.',
  role: 'Rol',
  invited: 'Invitación enviada',
  working: 'Activo',
  suspendedUser: 'Suspendido',
  sent: 'La invitación va por correo.',
  closedMandates: (count) => `La cuenta está cerrada. Se cancelaron ${count} adhesiones.`,
  standing: 'Estado de la cuenta',
  moves: {
    suspend: {
      title: 'Suspender la cuenta',
      lead: 'Sus claves solo leen, nadie le paga en línea y no se le transfiere. Lo que informen redes y bancos se registra igual.',
      submit: 'Suspender',
    },
    reopen: {
      title: 'Reabrir la cuenta',
      lead: 'Vuelve a cobrar y a recibir transferencias.',
      submit: 'Reabrir',
    },
    close: {
      title: 'Cerrar la cuenta',
      lead: 'Para siempre: sus claves dejan de servir y sus adhesiones se cancelan. Antes se le paga lo que se le debe.',
      submit: 'Cerrar para siempre',
    },
  },
  reason: 'Motivo',
  reasonHint: 'Queda en el registro de auditoría.',
  typed: (id) => `Para confirmar, escribí el número de la cuenta: ${id}`,
  faults: {
    name: 'Escribí un nombre de 1 a 100 caracteres, en una línea.',
    cuit: 'El CUIT lleva 11 dígitos, y el último tiene que corresponder.',
    city: 'Escribí una ciudad de 1 a 60 caracteres.',
    ownerName: 'Escribí un nombre de 1 a 100 caracteres.',
    email: 'Escribí un correo, como ana@ejemplo.com.',
    role: 'Elegí un rol.',
    taken: 'Ya trabaja para esta cuenta.',
    reason: 'Escribí un motivo de 1 a 255 caracteres.',
    typed: 'No es el número de esta cuenta.',
    cutDay: 'Tiene que ser un día de 1 a 31.',
    limit: 'Tiene que ser un número entero de 0 a 1000000000.',
    json: 'Tiene que ser un objeto JSON de hasta 4 KiB, como {"comercio": "123"}.',
    owed: 'Todavía se le debe dinero, o nos lo debe, o hay devoluciones en camino: primero tiene que quedar todo saldado.',
    moved: 'El estado de la cuenta ya no permite esto.',
  },
};

export const accountsTexts: Readonly<Record<Lang, AccountsTexts>> = { es: spanish, en: english };
