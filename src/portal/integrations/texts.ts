import type { KeyPermission } from '../../accounts/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

interface IntegrationTexts {
  title: string;
  lead: string;
  webhooks: string;
  log: string;
  keys: Record<
    | 'title'
    | 'name'
    | 'nameHint'
    | 'nameFault'
    | 'prefix'
    | 'permissions'
    | 'permissionsFault'
    | 'created'
    | 'expires'
    | 'expiresHint'
    | 'expiresFault'
    | 'never'
    | 'used'
    | 'state'
    | 'active'
    | 'revoked'
    | 'expired'
    | 'revoke'
    | 'none'
    | 'new'
    | 'create'
    | 'made'
    | 'madeLead'
    | 'key'
    | 'back'
    | 'twice'
    | 'sure'
    | 'sureLead',
    string
  >;
  full: (most: number) => string;
  permissions: Record<KeyPermission, string>;
  quick: Record<'title' | 'lead' | 'base' | 'reference', string>;
}

export const integrationTexts: Readonly<Record<Lang, IntegrationTexts>> = {
  es: {
    title: 'Integraciones',
    lead: 'Claves con las que tus programas llaman a la API, y cómo empezar.',
    webhooks: 'Webhooks',
    log: 'Registro de llamadas',
    keys: {
      title: 'Claves de API',
      name: 'Nombre',
      nameHint: 'Para reconocerla: qué programa la usa.',
      nameFault: 'Escribí un nombre de 1 a 60 caracteres.',
      prefix: 'Empieza con',
      permissions: 'Permisos',
      permissionsFault: 'Elegí al menos un permiso.',
      created: 'Creada',
      expires: 'Vence',
      expiresHint: 'El último día en que sirve. Sin fecha no vence.',
      expiresFault: 'Tiene que ser un día de hoy en adelante.',
      never: 'nunca',
      used: 'Último uso',
      state: 'Estado',
      active: 'Activa',
      revoked: 'Revocada',
      expired: 'Vencida',
      revoke: 'Revocar',
      none: 'Todavía no hay claves.',
      new: 'Crear una clave',
      create: 'Crear la clave',
      made: 'Clave creada',
      madeLead: 'Copiala ahora: no se vuelve a mostrar.',
      key: 'Clave',
      back: 'Volver a Integraciones',
      twice:
        'Esta clave ya se creó, y no se vuelve a mostrar. Si la perdiste, revocala y creá otra.',
      sure: '¿Revocar la clave?',
      sureLead: 'Los programas que la usan dejan de funcionar en el momento. No se puede deshacer.',
    },
    full: (most) =>
      `La cuenta ya tiene ${most} claves activas: revocá una que no se use para crear otra.`,
    permissions: {
      read: 'Leer',
      write: 'Crear y cambiar',
      sandbox: 'Simular pagos y mover el reloj (solo en el ambiente de prueba)',
    },
    quick: {
      title: 'Para empezar',
      lead: 'Un cobro de prueba en seis lenguajes. Poné tu clave en la variable RECAUDO_KEY.',
      base: 'Dirección base',
      reference: 'Referencia de la API',
    },
  },
  en: {
    title: 'Integrations',
    lead: 'Keys by which your programs call the API, and how to begin.',
    webhooks: 'Webhooks',
    log: 'Request log',
    keys: {
      title: 'API keys',
      name: 'Name',
      nameHint: 'To know it by: which program uses it.',
      nameFault: 'Enter a name of 1 to 60 characters.',
      prefix: 'Begins with',
      permissions: 'Permissions',
      permissionsFault: 'Choose at least one permission.',
      created: 'Created',
      expires: 'Expires',
      expiresHint: 'The last day on which it works. Without one it does not expire.',
      expiresFault: 'It must be a day from today on.',
      never: 'never',
      used: 'Last used',
      state: 'State',
      active: 'Active',
      revoked: 'Revoked',
      expired: 'Expired',
      revoke: 'Revoke',
      none: 'There are no keys yet.',
      new: 'Create a key',
      create: 'Create the key',
      made: 'Key created',
      madeLead: 'Copy it now: it is not shown again.',
      key: 'Key',
      back: 'Back to Integrations',
      twice:
        'This key was created already, and is not shown again. If you lost it, revoke it and create another one.',
      sure: 'Revoke the key?',
      sureLead: 'Programs that use it stop working at once. It cannot be undone.',
    },
    full: (most) =>
      `The account has ${most} active keys already: revoke one that is not used to create another.`,
    permissions: {
      read: 'Read',
      write: 'Create and change',
      sandbox: 'Simulate payments and move the clock (test environment only)',
    },
    quick: {
      title: 'To begin',
      lead: 'A payment request to try, in six languages. Put your key into the variable RECAUDO_KEY.',
      base: 'Base address',
      reference: 'Reference of the API',
    },
  },
};
