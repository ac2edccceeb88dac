import type { Lang } from '../../platform/pages/model.ts';
import type { AccountRole, ServiceRole } from '../../users/index.ts';

interface PeopleTexts {
  signIn: {
    title: string;
    email: string;
    password: string;
    submit: string;
    wrong: string;
    tooMany: (minutes: number) => string;
  };
  confirm: { title: string; body: string; submit: string; wrong: string };
  accounts: { title: string; none: string; operator: string };
  me: { title: string; email: string; language: string; save: string };
  roles: Record<AccountRole | ServiceRole, string>;
}

export const peopleTexts: Readonly<Record<Lang, PeopleTexts>> = {
  es: {
    signIn: {
      title: 'Ingresar',
      email: 'Correo electrónico',
      password: 'Contraseña',
      submit: 'Ingresar',
      wrong: 'El correo o la contraseña no son correctos.',
      tooMany: (minutes) => `Hubo demasiados intentos. Probá de nuevo en ${minutes} minutos.`,
    },
    confirm: {
      title: 'Confirmá que sos vos',
      body: 'Lo que vas a hacer necesita que vuelvas a escribir tu contraseña.',
      submit: 'Seguir',
      wrong: 'La contraseña no es correcta.',
    },
    accounts: {
      title: 'Tus cuentas',
      none: 'Todavía no trabajás para ninguna cuenta. Pedile una invitación a quien la administra.',
      operator: 'Operación del servicio',
    },
    me: { title: 'Mi cuenta', email: 'Correo electrónico', language: 'Idioma', save: 'Guardar' },
    roles: {
      owner: 'Titular',
      administrator: 'Administración',
      collections: 'Cobranzas',
      treasury: 'Tesorería',
      read_only: 'Solo lectura',
      operator: 'Operación',
      operator_read_only: 'Operación, solo lectura',
    },
  },
  en: {
    signIn: {
      title: 'Sign in',
      email: 'E-mail address',
      password: 'Password',
      submit: 'Sign in',
      wrong: 'The e-mail address or the password is not right.',
      tooMany: (minutes) => `There were too many tries. Try again in ${minutes} minutes.`,
    },
    confirm: {
      title: 'Confirm that it is you',
      body: 'What you are about to do asks for your password again.',
      submit: 'Go on',
      wrong: 'The password is not right.',
    },
    accounts: {
      title: 'Your accounts',
      none: 'You work for no account yet. Ask whoever manages it for an invitation.',
      operator: 'Operation of the service',
    },
    me: { title: 'My account', email: 'E-mail address', language: 'Language', save: 'Save' },
    roles: {
      owner: 'Owner',
      administrator: 'Administration',
      collections: 'Collections',
      treasury: 'Treasury',
      read_only: 'Read only',
      operator: 'Operation',
      operator_read_only: 'Operation, read only',
    },
  },
};
