import type { CbuFault } from '../../kernel/cbu.ts';
import type { Lang } from '../../platform/pages/model.ts';

type Texts = Record<
  | 'title'
  | 'lead'
  | 'present'
  | 'none'
  | 'bank'
  | 'change'
  | 'see'
  | 'newCbu'
  | 'cbu'
  | 'cbuHint'
  | 'changeLead'
  | 'ask'
  | 'waits'
  | 'cancel'
  | 'same'
  | 'waiting'
  | 'asked'
  | 'canceled'
  | 'gone'
  | 'late'
  | 'onlyOwners',
  string
> & {
  faults: Record<CbuFault, string>;
  from: (moment: string) => string;
  until: (present: string | null) => string;
};

export const bankTexts: Readonly<Record<Lang, Texts>> = {
  es: {
    title: 'Cuenta bancaria',
    lead: 'A dónde van los pagos de lo que cobraste.',
    present: 'CBU de cobro',
    none: 'Sin CBU: no se paga hasta que haya una.',
    bank: 'Banco',
    change: 'Cambiar la CBU',
    see: 'Ver',
    newCbu: 'CBU nueva',
    cbu: 'CBU',
    cbuHint: '22 números, de una cuenta a nombre del mismo CUIT.',
    changeLead:
      'El cambio rige a las 24 horas. Avisamos por correo a todos los titulares, y cualquiera de ellos lo puede cancelar mientras espera.',
    ask: 'Pedir el cambio',
    waits: 'Hay un cambio en espera',
    cancel: 'Cancelar el cambio',
    same: 'Es la CBU de ahora.',
    waiting: 'Ya hay un cambio en espera: cancelalo antes de pedir otro.',
    asked: 'El cambio quedó pedido, y los titulares reciben un aviso.',
    canceled: 'El cambio quedó cancelado.',
    gone: 'Ese cambio ya no estaba en espera.',
    late: 'El cambio ya rige: no se puede cancelar. Pedí otro, y avisá a quien opera el servicio.',
    onlyOwners: 'La cambian los titulares de la cuenta.',
    faults: {
      format: 'La CBU tiene 22 números.',
      'first-check-digit': 'No coincide el dígito verificador del banco y la sucursal (el 8.º).',
      'second-check-digit': 'No coincide el dígito verificador de la cuenta (el último).',
      cvu: 'Es una CVU: los pagos van a la CBU de una cuenta bancaria.',
    },
    from: (moment) => `Rige desde el ${moment}.`,
    until: (present) =>
      present === null
        ? 'Hasta entonces no se paga.'
        : `Hasta entonces los pagos siguen yendo a la terminada en ${present}.`,
  },
  en: {
    title: 'Bank account',
    lead: 'Where what you collected is paid out to.',
    present: 'CBU for payouts',
    none: 'No CBU: nothing is paid out until there is one.',
    bank: 'Bank',
    change: 'Change the CBU',
    see: 'See',
    newCbu: 'New CBU',
    cbu: 'CBU',
    cbuHint: '22 digits, of an account in the name of the same CUIT.',
    changeLead:
      'The change takes effect after 24 hours. All owners are told by mail, and any of them can cancel it while it waits.',
    ask: 'Ask for the change',
    waits: 'A change waits',
    cancel: 'Cancel the change',
    same: 'This is the present CBU.',
    waiting: 'A change waits already: cancel it before you ask for another.',
    asked: 'The change was asked for, and the owners are told.',
    canceled: 'The change was canceled.',
    gone: 'That change did not wait any more.',
    late: 'The change has taken effect and cannot be canceled. Ask for another one, and tell whoever operates the service.',
    onlyOwners: 'The owners of the account change it.',
    faults: {
      format: 'A CBU has 22 digits.',
      'first-check-digit': 'The check digit of bank and branch (the 8th) does not match.',
      'second-check-digit': 'The check digit of the account (the last) does not match.',
      cvu: 'This is a CVU: payouts go to the CBU of a bank account.',
    },
    from: (moment) => `It takes effect on ${moment}.`,
    until: (present) =>
      present === null
        ? 'Until then nothing is paid out.'
        : `Until then payouts still go to the one ending in ${present}.`,
  },
};
