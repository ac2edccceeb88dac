import type { Lang } from '../../../platform/pages/model.ts';
import type { Queue } from './model.ts';

interface HealthTexts {
  readonly title: string;
  readonly lead: string;
  readonly good: string;
  readonly look: string;
  readonly behind: (minutes: number) => string;
  readonly database: string;
  readonly answers: string;
  readonly schema: string;
  readonly schemaGood: string;
  readonly schemaBad: (count: number) => string;
  readonly clock: string;
  readonly apart: (seconds: number) => string;
  readonly sweeps: string;
  readonly sweepsLead: string;
  readonly sweep: string;
  readonly next: string;
  readonly nothing: string;
  readonly state: string;
  readonly queues: string;
  readonly queue: string;
  readonly count: string;
  readonly queueNames: Readonly<Record<Queue['name'], string>>;
  readonly connectors: string;
  readonly noConnectors: string;
  readonly noConnectorsWhy: string;
  readonly connector: string;
  readonly channels: string;
  readonly version: string;
  readonly unheard: string;
  readonly alarms: string;
  readonly noAlarms: string;
  readonly times: (times: number, when: string) => string;
  readonly off: (until: string) => string;
  readonly machine: string;
  readonly disk: string;
  readonly noRoom: string;
  readonly vaultKey: string;
  readonly keyFirst: string;
  readonly rewrap: string;
  readonly rewrapped: string;
  readonly connections: string;
  readonly followers: string;
  readonly noFollowers: string;
  readonly noLag: string;
  readonly lastRun: string;
  readonly neverRan: string;
  readonly lastError: string;
  readonly noError: string;
  readonly heard: string;
  readonly silent: string;
  readonly room: (free: string, total: string) => string;
  readonly keySince: (when: string) => string;
  readonly toRewrap: (count: string) => string;
  readonly used: (used: number, most: number) => string;
  readonly lag: (seconds: number) => string;
  readonly moved: (count: number) => string;
}

export const healthTexts: Readonly<Record<Lang, HealthTexts>> = {
  es: {
    title: 'Salud',
    lead: 'Cómo están la base de datos, el disco, la bóveda, los procesos que corren solos, las colas y los conectores.',
    good: 'Bien',
    look: 'Para mirar',
    behind: (minutes) => `Atrasado ${minutes} min`,
    database: 'Base de datos',
    answers: 'Responde',
    schema: 'Esquema',
    schemaGood: 'Es el de esta versión',
    schemaBad: (count) => `Faltan ${count} migraciones`,
    clock: 'Relojes',
    apart: (seconds) => `${seconds} s entre esta máquina y la base`,
    sweeps: 'Procesos',
    sweepsLead: 'Lo que hace el paso del tiempo, por el reloj del servicio.',
    sweep: 'Proceso',
    next: 'Próximo trabajo',
    nothing: 'nada previsto',
    state: 'Estado',
    queues: 'Colas',
    queue: 'Cola',
    count: 'Esperan',
    queueNames: {
      events: 'Eventos por ordenar',
      mails: 'Mails por mandar',
      failedMails: 'Mails que no se pudieron entregar',
      deliveries: 'Avisos de webhooks por entregar',
      failingWebhooks: 'Webhooks que no responden',
    },
    connectors: 'Conectores',
    noConnectors: 'No hay conectores configurados',
    noConnectorsWhy: 'En el ambiente de prueba los reemplaza el simulador.',
    connector: 'Conector',
    channels: 'Medios',
    version: 'Versión',
    unheard: 'no respondió todavía',
    alarms: 'Alarmas',
    noAlarms: 'ninguna',
    times: (times, when) =>
      times === 1 ? `una vez, ${when}` : `${times} veces, la última ${when}`,
    off: (until) => `apagado hasta ${until}`,
    machine: 'Disco, bóveda y servidor de la base',
    disk: 'Espacio en disco',
    noRoom: 'No se puede mirar',
    room: (free, total) => `${free} libres de ${total}`,
    vaultKey: 'Clave de la bóveda',
    keyFirst: 'sin reemplazos registrados',
    keySince: (when) => `cifra desde ${when}`,
    rewrap: 'Por volver a cifrar',
    rewrapped: 'Nada: todo está bajo esa clave',
    toRewrap: (count) => `${count}: corré «recaudo vault rewrap»`,
    connections: 'Conexiones a la base',
    used: (used, most) => `${used} de ${most}`,
    followers: 'Réplicas',
    noFollowers: 'ninguna',
    noLag: 'al día',
    lag: (seconds) => `${seconds} s atrás`,
    lastRun: 'Último trabajo',
    neverRan: 'ninguno todavía',
    moved: (count) => (count === 1 ? '1 fila' : `${count} filas`),
    lastError: 'Último error',
    noError: 'ninguno',
    heard: 'Última consulta',
    silent: 'No responde',
  },
  en: {
    title: 'Health',
    lead: 'How the database, disk, vault, sweeps, queues and connectors stand.',
    good: 'Good',
    look: 'To look at',
    behind: (minutes) => `${minutes} min behind`,
    database: 'Database',
    answers: 'Answers',
    schema: 'Schema',
    schemaGood: 'It is that of this release',
    schemaBad: (count) => `${count} migrations are missing`,
    clock: 'Clocks',
    apart: (seconds) => `${seconds} s between this machine and the database`,
    sweeps: 'Sweeps',
    sweepsLead: 'What the passing of time does, by the clock of the service.',
    sweep: 'Sweep',
    next: 'Next work',
    nothing: 'nothing is planned',
    state: 'State',
    queues: 'Queues',
    queue: 'Queue',
    count: 'Waiting',
    queueNames: {
      events: 'Events to be ordered',
      mails: 'Mails to be sent',
      failedMails: 'Mails that could not be delivered',
      deliveries: 'Events to be delivered to webhooks',
      failingWebhooks: 'Webhooks that do not answer',
    },
    connectors: 'Connectors',
    noConnectors: 'No connector is configured',
    noConnectorsWhy: 'In the test environment the simulator stands in for them.',
    connector: 'Connector',
    channels: 'Channels',
    version: 'Version',
    unheard: 'has not answered yet',
    alarms: 'Alarms',
    noAlarms: 'none',
    times: (times, when) => (times === 1 ? `once, ${when}` : `${times} times, the last ${when}`),
    off: (until) => `off until ${until}`,
    machine: 'Disk, vault and the database server',
    disk: 'Room on disk',
    noRoom: 'Cannot be looked at',
    room: (free, total) => `${free} free of ${total}`,
    vaultKey: 'Key of the vault',
    keyFirst: 'no replacement is on record',
    keySince: (when) => `encrypts since ${when}`,
    rewrap: 'To be encrypted anew',
    rewrapped: 'Nothing: all is under that key',
    toRewrap: (count) => `${count}: run “recaudo vault rewrap”`,
    connections: 'Connections to the database',
    used: (used, most) => `${used} of ${most}`,
    followers: 'Replicas',
    noFollowers: 'none',
    noLag: 'up to date',
    lag: (seconds) => `${seconds} s behind`,
    lastRun: 'Last work',
    neverRan: 'none yet',
    moved: (count) => (count === 1 ? '1 row' : `${count} rows`),
    lastError: 'Last error',
    noError: 'none',
    heard: 'Asked last',
    silent: 'Does not answer',
  },
};
