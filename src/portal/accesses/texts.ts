import type { Lang } from '../../platform/pages/model.ts';
import type { AccessKind } from '../../users/index.ts';

interface AccessTexts {
  title: string;
  lead: string;
  none: string;
  noneWhy: string;
  when: string;
  what: string;
  who: string;
  account: string;
  address: string;
  detail: string;
  times: string;
  nobody: string;
  kinds: Record<AccessKind, string>;
}

export const accessTexts: Readonly<Record<Lang, AccessTexts>> = {
  es: {
    title: 'Accesos',
    lead: 'Ingresos fallidos, lo que un rol no permitió y los archivos que se descargaron. Lo repetido en una hora es una fila.',
    none: 'No hay accesos registrados',
    noneWhy: 'Cuando alguien falle al ingresar o descargue un archivo, va a estar acá.',
    when: 'Última vez',
    what: 'Qué',
    who: 'Quién',
    account: 'Cuenta',
    address: 'Dirección',
    detail: 'Detalle',
    times: 'Veces',
    nobody: 'Nadie conocido',
    kinds: {
      sign_in_failed: 'Ingreso fallido',
      sign_in_waits: 'Ingreso bloqueado',
      factor_failed: 'Segundo factor fallido',
      act_refused: 'Acción rechazada',
      file_taken: 'Archivo descargado',
    },
  },
  en: {
    title: 'Accesses',
    lead: 'Failed sign-ins, what a role did not allow, and files that were downloaded. What repeats within an hour is one row.',
    none: 'No access is recorded',
    noneWhy: 'A failed sign-in or a downloaded file appears here.',
    when: 'Last time',
    what: 'What',
    who: 'Who',
    account: 'Account',
    address: 'Address',
    detail: 'Detail',
    times: 'Times',
    nobody: 'Nobody known',
    kinds: {
      sign_in_failed: 'Failed sign-in',
      sign_in_waits: 'Sign-in locked',
      factor_failed: 'Failed second factor',
      act_refused: 'Act refused',
      file_taken: 'File downloaded',
    },
  },
};
