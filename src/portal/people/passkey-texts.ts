import type { Lang } from '../../platform/pages/model.ts';

type PasskeyTexts = Readonly<
  Record<
    | 'title'
    | 'why'
    | 'none'
    | 'name'
    | 'nameHint'
    | 'nameFault'
    | 'created'
    | 'used'
    | 'never'
    | 'remove'
    | 'add'
    | 'addTitle'
    | 'addLead'
    | 'full'
    | 'instead'
    | 'showTitle'
    | 'showLead'
    | 'goOn'
    | 'needsScript'
    | 'unable'
    | 'stopped'
    | 'wrong'
    | 'codes',
    string
  >
>;

export const passkeyTexts: Readonly<Record<Lang, PasskeyTexts>> = {
  es: {
    title: 'Llaves de acceso',
    why: 'La huella, el rostro o el PIN de tu teléfono o computadora, o una llave USB, en lugar del código.',
    none: 'Todavía no hay llaves de acceso.',
    name: 'Nombre',
    nameHint: 'Para reconocerla, como “Notebook de la oficina”.',
    nameFault: 'Escribí un nombre de 1 a 100 caracteres.',
    created: 'Creada',
    used: 'Último uso',
    never: 'nunca',
    remove: 'Quitar',
    add: 'Agregar una llave de acceso',
    addTitle: 'Agregar una llave de acceso',
    addLead: 'Tu navegador te va a pedir la huella, el rostro o el PIN, o que toques tu llave USB.',
    full: 'Tenés todas las llaves que se pueden tener, o esta ya está en uso. Quitá una primero.',
    instead: 'Usar una llave de acceso',
    showTitle: 'Usá tu llave de acceso',
    showLead:
      'Tu navegador te va a pedir la huella, el rostro o el PIN, o que toques tu llave USB.',
    goOn: 'Continuar',
    needsScript: 'Las llaves de acceso necesitan JavaScript. Sin él, usá un código.',
    unable: 'Este navegador no puede usar llaves de acceso.',
    stopped: 'No se completó. Probá otra vez.',
    wrong: 'La llave de acceso no sirvió. Probá otra vez, o usá un código.',
    codes: 'Aplicación de códigos',
  },
  en: {
    title: 'Passkeys',
    why: 'The fingerprint, face or PIN of your phone or computer, or a USB key, instead of the code.',
    none: 'There are no passkeys yet.',
    name: 'Name',
    nameHint: 'To know it by, such as “Office notebook”.',
    nameFault: 'Enter a name of 1 to 100 characters.',
    created: 'Created',
    used: 'Last used',
    never: 'never',
    remove: 'Remove',
    add: 'Add a passkey',
    addTitle: 'Add a passkey',
    addLead: 'Your browser will ask for your fingerprint, face or PIN, or to touch your USB key.',
    full: 'You have as many as one may have, or this one is in use already. Remove one first.',
    instead: 'Use a passkey',
    showTitle: 'Use your passkey',
    showLead: 'Your browser will ask for your fingerprint, face or PIN, or to touch your USB key.',
    goOn: 'Continue',
    needsScript: 'Passkeys need JavaScript. Without it, use a code.',
    unable: 'This browser cannot use passkeys.',
    stopped: 'It was not completed. Try again.',
    wrong: 'The passkey was not right. Try again, or use a code.',
    codes: 'Application for codes',
  },
};
