import type { Lang } from '../../../platform/pages/model.ts';

interface AuditLogTexts {
  readonly title: string;
  readonly lead: string;
  readonly when: string;
  readonly who: string;
  readonly whoHint: string;
  readonly account: string;
  readonly what: string;
  readonly any: string;
  readonly from: string;
  readonly to: string;
  readonly entity: string;
  readonly entityHint: string;
  readonly number: string;
  readonly of: string;
  readonly service: string;
  readonly detail: string;
  readonly more: (count: number) => string;
  readonly was: string;
  readonly becomes: string;
  readonly none: string;
  readonly noneWhy: string;
  readonly dayFault: string;
  readonly entityFault: string;
  readonly console: (user: string, host: string, command: string) => string;
  readonly key: (prefix: string) => string;
  readonly payer: string;
  readonly system: string;
  readonly connector: (name: string) => string;
  readonly rail: (name: string) => string;
  readonly user: (id: number) => string;
}

export const auditLogTexts: Readonly<Record<Lang, AuditLogTexts>> = {
  es: {
    title: 'Auditoría',
    lead: 'Lo que hizo cada persona, y todo lo que cambió la configuración, con lo que había antes.',
    when: 'Cuándo',
    who: 'Quién',
    whoHint: 'El correo de una persona.',
    account: 'Cuenta',
    what: 'Qué',
    any: 'Cualquier acto',
    from: 'Desde',
    to: 'Hasta',
    entity: 'Objeto',
    entityHint:
      'Con su cuenta y su número muestra toda su historia, también lo que hicieron programas.',
    number: 'Número del objeto',
    of: 'De',
    service: 'El servicio',
    detail: 'Antes y después',
    more: (count) => `${count} más`,
    was: 'antes',
    becomes: 'después',
    none: 'No hay actos que mostrar',
    noneWhy: 'Probá con otros filtros.',
    dayFault: 'Tiene que ser un día.',
    entityFault: 'Para ver un objeto hacen falta su cuenta, qué es y su número.',
    console: (user, host, command) => `${user}@${host}, por consola: ${command}`,
    key: (prefix) => `La clave ${prefix}…`,
    payer: 'El pagador',
    system: 'El servicio',
    connector: (name) => `El conector ${name}`,
    rail: (name) => `La red ${name}`,
    user: (id) => `El usuario ${id}`,
  },
  en: {
    title: 'Audit log',
    lead: 'What people did, and all that changed how things are set up, with what was before.',
    when: 'When',
    who: 'Who',
    whoHint: 'The e-mail address of a person.',
    account: 'Account',
    what: 'What',
    any: 'Any act',
    from: 'From',
    to: 'To',
    entity: 'Object',
    entityHint: 'With its account and number: its whole history, also what programs did.',
    number: 'Number of the object',
    of: 'Of',
    service: 'The service',
    detail: 'Before and after',
    more: (count) => `${count} more`,
    was: 'before',
    becomes: 'after',
    none: 'There are no acts to show',
    noneWhy: 'Try other filters.',
    dayFault: 'It must be a day.',
    entityFault: 'To see an object say its account, what it is, and its number.',
    console: (user, host, command) => `${user}@${host}, by command: ${command}`,
    key: (prefix) => `The key ${prefix}…`,
    payer: 'The payer',
    system: 'The service',
    connector: (name) => `The connector ${name}`,
    rail: (name) => `The network ${name}`,
    user: (id) => `User ${id}`,
  },
};
