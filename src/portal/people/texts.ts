import type { Lang } from '../../platform/pages/model.ts';
import type { AccountRole, PasswordFault, ServiceRole } from '../../users/index.ts';

interface PeopleTexts {
  tooMany: (minutes: number) => string;
  signIn: Record<'title' | 'email' | 'password' | 'submit' | 'wrong' | 'forgot' | 'done', string>;
  code: Record<'title' | 'body' | 'label' | 'hint' | 'submit' | 'wrong', string>;
  confirm: Record<'title' | 'body' | 'submit' | 'wrong', string>;
  accounts: Record<'title' | 'none' | 'operator', string>;
  forgot: Record<'title' | 'body' | 'submit' | 'sent', string>;
  link: Record<
    | 'gone'
    | 'goneBody'
    | 'lapsedBody'
    | 'renew'
    | 'renewed'
    | 'invitation'
    | 'invitationBody'
    | 'accept'
    | 'reset'
    | 'resetBody'
    | 'choose'
    | 'password'
    | 'again'
    | 'different',
    string
  >;
  password: Record<PasswordFault, string> & { rules: string };
  me: Record<
    | 'title'
    | 'email'
    | 'language'
    | 'save'
    | 'changePassword'
    | 'newPassword'
    | 'currentPassword'
    | 'wrongPassword'
    | 'change'
    | 'changed'
    | 'sessions'
    | 'thisOne'
    | 'end'
    | 'since'
    | 'seen'
    | 'factor'
    | 'factorOn'
    | 'factorOff'
    | 'manage',
    string
  >;
  factor: Record<
    | 'title'
    | 'why'
    | 'needed'
    | 'begin'
    | 'scan'
    | 'byHand'
    | 'label'
    | 'confirm'
    | 'wrong'
    | 'on'
    | 'remove'
    | 'codes'
    | 'codesBody'
    | 'goOn',
    string
  >;
  roles: Record<AccountRole | ServiceRole, string>;
}

const spanish: PeopleTexts = {
  tooMany: (minutes) => `Hubo demasiados intentos. Probá de nuevo en ${minutes} minutos.`,
  signIn: {
    title: 'Ingresar',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Ingresar',
    wrong: 'El correo o la contraseña no son correctos.',
    forgot: 'Olvidé mi contraseña',
    done: 'Listo. Ya podés ingresar.',
  },
  code: {
    title: 'Segundo factor',
    body: 'Escribí el código de tu aplicación. Si no la tenés, usá uno de tus códigos de recuperación.',
    label: 'Código',
    hint: '6 dígitos, o un código de recuperación',
    submit: 'Seguir',
    wrong: 'El código no es correcto, o ya se usó.',
  },
  confirm: {
    title: 'Confirmá que sos vos',
    body: 'Lo que vas a hacer necesita que vuelvas a identificarte.',
    submit: 'Seguir',
    wrong: 'Lo que escribiste no es correcto.',
  },
  accounts: {
    title: 'Tus cuentas',
    none: 'Todavía no trabajás para ninguna cuenta. Pedile una invitación a quien la administra.',
    operator: 'Operación del servicio',
  },
  forgot: {
    title: 'Elegir una contraseña nueva',
    body: 'Te mandamos un enlace por correo. Sirve por 30 minutos, una sola vez.',
    submit: 'Mandar el enlace',
    sent: 'Si hay un usuario con ese correo, le mandamos un enlace. Mirá también el correo no deseado.',
  },
  link: {
    gone: 'Este enlace ya no sirve',
    goneBody: 'Cada enlace sirve una sola vez, y por un tiempo. Pedí otro.',
    lapsedBody: 'La invitación venció. Te podemos mandar otro enlace al mismo correo.',
    renew: 'Mandarme otro enlace',
    renewed: 'Si la invitación sigue en pie, el enlace va a tu correo.',
    invitation: 'Te invitaron al portal',
    invitationBody: 'Vas a ingresar con este correo:',
    accept: 'Aceptar la invitación',
    reset: 'Elegí una contraseña nueva',
    resetBody: 'Al cambiarla se cierran todas tus sesiones. Es para:',
    choose: 'Guardar la contraseña',
    password: 'Contraseña nueva',
    again: 'Repetila',
    different: 'Las dos contraseñas no son iguales.',
  },
  password: {
    rules: 'Al menos 12 caracteres. Una frase de varias palabras es fácil de recordar.',
    short: 'Es muy corta: tiene que tener al menos 12 caracteres.',
    long: 'Es muy larga: puede tener hasta 128 caracteres.',
    common: 'Es una de las contraseñas más usadas, o se parece mucho. Elegí otra.',
    own: 'No puede contener tu correo.',
    used: 'Es una de tus últimas cuatro contraseñas. Elegí otra.',
  },
  me: {
    title: 'Mi cuenta',
    email: 'Correo electrónico',
    language: 'Idioma',
    save: 'Guardar',
    changePassword: 'Cambiar la contraseña',
    newPassword: 'Contraseña nueva',
    currentPassword: 'Contraseña actual',
    wrongPassword: 'La contraseña actual no es esa.',
    change: 'Cambiar',
    changed: 'Cambiaste tu contraseña. Tus otras sesiones se cerraron.',
    sessions: 'Sesiones abiertas',
    thisOne: 'esta',
    end: 'Cerrar',
    since: 'Desde',
    seen: 'Último uso',
    factor: 'Segundo factor',
    factorOn: 'Está activado.',
    factorOff: 'No está activado.',
    manage: 'Ver o cambiar',
  },
  factor: {
    title: 'Segundo factor',
    why: 'Además de la contraseña vas a escribir un código que hace una aplicación de tu teléfono.',
    needed: 'Tu rol mueve dinero o maneja claves: para seguir tenés que activarlo.',
    begin: 'Empezar',
    scan: 'Leé este código con la aplicación (Google Authenticator, Aegis, 1Password…).',
    byHand: 'O escribí esta clave en ella:',
    label: 'Código que muestra la aplicación',
    confirm: 'Activar',
    wrong: 'El código no es correcto. Esperá el próximo y probá de nuevo.',
    on: 'El segundo factor está activado.',
    remove: 'Quitarlo',
    codes: 'Guardá tus códigos de recuperación',
    codesBody:
      'Cada uno sirve una vez si perdés el teléfono. Solo se muestran ahora: imprimilos o guardalos en un lugar seguro.',
    goOn: 'Los guardé',
  },
  roles: {
    owner: 'Titular',
    administrator: 'Administración',
    collections: 'Cobranzas',
    treasury: 'Tesorería',
    read_only: 'Solo lectura',
    operator: 'Operación',
    operator_read_only: 'Operación, solo lectura',
  },
};

const english: PeopleTexts = {
  tooMany: (minutes) => `There were too many tries. Try again in ${minutes} minutes.`,
  signIn: {
    title: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    wrong: 'The e-mail address or the password is not right.',
    forgot: 'I forgot my password',
    done: 'Done. You can sign in now.',
  },
  code: {
    title: 'Second factor',
    body: 'Enter the code of your application. Without it, use one of your recovery codes.',
    label: 'Code',
    hint: '6 digits, or a recovery code',
    submit: 'Go on',
    wrong: 'The code is not right, or was used already.',
  },
  confirm: {
    title: 'Confirm that it is you',
    body: 'What you are about to do asks you to prove again who you are.',
    submit: 'Go on',
    wrong: 'What you entered is not right.',
  },
  accounts: {
    title: 'Your accounts',
    none: 'You work for no account yet. Ask whoever manages it for an invitation.',
    operator: 'Operation of the service',
  },
  forgot: {
    title: 'Choose a new password',
    body: 'We mail you a link. It is good for 30 minutes, once.',
    submit: 'Send the link',
    sent: 'If there is a user with this address, we mailed a link. Look among unwanted mail too.',
  },
  link: {
    gone: 'This link is no longer good',
    goneBody: 'A link works once, and for a time. Ask for another one.',
    lapsedBody: 'The invitation has expired. We can mail another link to the same address.',
    renew: 'Mail me another link',
    renewed: 'If the invitation still stands, the link goes to your address.',
    invitation: 'You were invited to the portal',
    invitationBody: 'You will sign in with this address:',
    accept: 'Accept the invitation',
    reset: 'Choose a new password',
    resetBody: 'All your sessions end with it. It is for:',
    choose: 'Save the password',
    password: 'New password',
    again: 'Repeat it',
    different: 'The two passwords are not the same.',
  },
  password: {
    rules: 'At least 12 characters. A phrase of several words is easy to remember.',
    short: 'It is too short: it must have at least 12 characters.',
    long: 'It is too long: it may have up to 128 characters.',
    common: 'It is one of the most common passwords, or nearly so. Choose another one.',
    own: 'It must not hold your e-mail address.',
    used: 'It is one of your last four passwords. Choose another one.',
  },
  me: {
    title: 'My account',
    email: 'E-mail address',
    language: 'Language',
    save: 'Save',
    changePassword: 'Change the password',
    newPassword: 'New password',
    currentPassword: 'Current password',
    wrongPassword: 'The current password is another one.',
    change: 'Change',
    changed: 'You changed your password. Your other sessions ended.',
    sessions: 'Open sessions',
    thisOne: 'this one',
    end: 'End',
    since: 'Since',
    seen: 'Last used',
    factor: 'Second factor',
    factorOn: 'It is on.',
    factorOff: 'It is off.',
    manage: 'See or change',
  },
  factor: {
    title: 'Second factor',
    why: 'Besides the password you will enter a code that an application on your phone makes.',
    needed: 'Your role moves money or manages keys: to go on you have to turn it on.',
    begin: 'Begin',
    scan: 'Read this code with the application (Google Authenticator, Aegis, 1Password…).',
    byHand: 'Or enter this key there:',
    label: 'Code that the application shows',
    confirm: 'Turn on',
    wrong: 'The code is not right. Wait for the next one and try again.',
    on: 'The second factor is on.',
    remove: 'Remove it',
    codes: 'Keep your recovery codes',
    codesBody:
      'Each is good once if you lose the phone. They are shown only now: print them or keep them in a safe place.',
    goOn: 'I kept them',
  },
  roles: {
    owner: 'Owner',
    administrator: 'Administration',
    collections: 'Collections',
    treasury: 'Treasury',
    read_only: 'Read only',
    operator: 'Operation',
    operator_read_only: 'Operation, read only',
  },
};

export const peopleTexts: Readonly<Record<Lang, PeopleTexts>> = { es: spanish, en: english };
