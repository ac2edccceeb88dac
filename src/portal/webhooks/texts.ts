import type { Lang } from '../../platform/pages/model.ts';
import type { AddressFault } from '../../webhooks/index.ts';

interface WebhookTexts {
  title: string;
  lead: string;
  none: string;
  noneWhy: string;
  columns: Record<'url' | 'events' | 'last' | 'state', string>;
  never: string;
  states: Record<'good' | 'failing' | 'paused' | 'shaky' | 'held', string>;
  one: Record<
    | 'created'
    | 'events'
    | 'state'
    | 'secret'
    | 'secretSince'
    | 'waiting'
    | 'waitingNone'
    | 'test'
    | 'rotate'
    | 'pause'
    | 'resume'
    | 'heldWhy'
    | 'remove'
    | 'told'
    | 'toldNone'
    | 'toldNoneWhy',
    string
  >;
  heldSince: (moment: string) => string;
  failures: (count: number) => string;
  pausedUntil: (moment: string) => string;
  probed: string;
  waiting: (count: string, next: string | null) => string;
  told: Record<'event' | 'of' | 'answer' | 'tries' | 'when' | 'state', string>;
  delivery: Record<'pending' | 'delivered' | 'failed', string>;
  tested: Record<'accepted' | 'refused' | 'lead', string>;
  answer: (status: number | null, ms: number) => string;
  noAnswer: string;
  event: Record<
    'title' | 'attempts' | 'no' | 'next' | 'body' | 'resend' | 'resent' | 'none',
    string
  >;
  stillSent: string;
  form: Record<
    | 'new'
    | 'lead'
    | 'url'
    | 'urlHint'
    | 'types'
    | 'typesFault'
    | 'create'
    | 'made'
    | 'madeLead'
    | 'secret'
    | 'back'
    | 'full',
    string
  >;
  faults: Record<AddressFault, string>;
  rotate: Record<
    'title' | 'lead' | 'how' | 'overlap' | 'overlapHint' | 'now' | 'nowHint' | 'submit' | 'done',
    string
  >;
  until: (moment: string) => string;
  remove: Record<'title' | 'lead', string>;
}

export const webhookTexts: Readonly<Record<Lang, WebhookTexts>> = {
  es: {
    title: 'Webhooks',
    lead: 'Direcciones de tus sistemas a las que avisamos lo que pasa.',
    none: 'Todavía no hay webhooks',
    noneWhy: 'Con un webhook tu sistema se entera de cada pago sin preguntar.',
    columns: { url: 'Dirección', events: 'Eventos', last: 'Última respuesta', state: 'Estado' },
    never: 'todavía ninguna',
    states: {
      good: 'Activo',
      shaky: 'Con fallas',
      failing: 'Sin respuesta',
      paused: 'En pausa',
      held: 'Pausado',
    },
    one: {
      created: 'Creado',
      events: 'Eventos',
      state: 'Estado',
      secret: 'Secreto',
      secretSince: 'Vigente desde el',
      waiting: 'Por entregar',
      waitingNone: 'Nada',
      test: 'Enviar un evento de prueba',
      rotate: 'Cambiar el secreto',
      pause: 'Pausar',
      resume: 'Reanudar',
      heldWhy: 'Los eventos esperan en orden, sin perderse, y salen cuando se reanude.',
      remove: 'Eliminar',
      told: 'Entregas',
      toldNone: 'Todavía no se envió ningún evento',
      toldNoneWhy:
        'Acá van a aparecer los de los últimos 30 días, con lo que respondió tu sistema.',
    },
    heldSince: (moment) => `Pausado a mano desde el ${moment}`,
    failures: (count) =>
      count === 1 ? 'Falló el último intento.' : `Fallaron los últimos ${count} intentos.`,
    pausedUntil: (moment) => `En pausa hasta el ${moment}; después se prueba con un evento.`,
    probed: 'Se prueba con un evento por vez hasta que responda.',
    waiting: (count, next) => (next === null ? count : `${count}, el primero el ${next}`),
    told: {
      event: 'Evento',
      of: 'De',
      answer: 'Respuesta',
      tries: 'Intentos',
      when: 'Último intento',
      state: 'Estado',
    },
    delivery: { pending: 'Se reintenta', delivered: 'Entregado', failed: 'Sin entregar' },
    tested: {
      accepted: 'Tu sistema recibió el evento de prueba',
      refused: 'Tu sistema no aceptó el evento de prueba',
      lead: 'Se acepta con cualquier respuesta de 200 a 299.',
    },
    answer: (status, ms) => `${status} en ${ms} ms`,
    noAnswer: 'Sin respuesta',
    event: {
      title: 'Entrega',
      attempts: 'Intentos',
      no: 'N.º',
      next: 'Próximo intento',
      body: 'Lo que se envía',
      resend: 'Enviar otra vez',
      resent: 'Se envía otra vez en este momento.',
      none: 'Todavía no se envió',
    },
    stillSent: 'El evento se está enviando; se puede enviar otra vez cuando eso termine.',
    form: {
      new: 'Crear un webhook',
      lead: 'Un POST firmado por cada evento que elijas.',
      url: 'Dirección',
      urlHint: 'La de tu sistema, que empieza con https://.',
      types: 'Eventos',
      typesFault: 'Elegí al menos un evento.',
      create: 'Crear el webhook',
      made: 'Webhook creado',
      madeLead: 'Copiá el secreto ahora: no se vuelve a mostrar.',
      secret: 'Secreto',
      back: 'Ver el webhook',
      full: 'La cuenta ya tiene 20 webhooks: eliminá uno que no se use.',
    },
    faults: {
      no_url: 'Escribí una dirección completa, como https://ejemplo.com.ar/avisos.',
      not_https: 'La dirección tiene que empezar con https://.',
      not_http: 'La dirección tiene que empezar con https:// o http://.',
      credentials: 'La dirección no puede tener usuario ni contraseña.',
      fragment: 'La dirección no puede tener un fragmento (#).',
      port: 'El puerto tiene que ser 443 o uno de 1024 a 65535.',
      not_public: 'La dirección tiene que ser pública, no de una red privada.',
      unknown_host: 'No encontramos el servidor de esa dirección.',
    },
    rotate: {
      title: '¿Cambiar el secreto?',
      lead: 'Con el secreto tu sistema comprueba que los eventos son nuestros.',
      how: 'Secreto anterior',
      overlap: 'Sigue firmando 24 horas',
      overlapHint: 'Los eventos llevan las dos firmas mientras cambiás tu sistema.',
      now: 'Deja de servir ahora',
      nowHint: 'Si alguien más puede conocerlo.',
      submit: 'Cambiar el secreto',
      done: 'Secreto nuevo',
    },
    until: (moment) => `El anterior firma también hasta el ${moment}.`,
    remove: {
      title: '¿Eliminar el webhook?',
      lead: 'Lo que esperaba para esta dirección no se envía más. No se puede deshacer.',
    },
  },
  en: {
    title: 'Webhooks',
    lead: 'Addresses of your systems that we tell what happens.',
    none: 'There are no webhooks yet',
    noneWhy: 'With a webhook your system learns of each payment without asking.',
    columns: { url: 'Address', events: 'Events', last: 'Last answer', state: 'State' },
    never: 'none yet',
    states: {
      good: 'Active',
      shaky: 'Failing',
      failing: 'No answer',
      paused: 'Resting',
      held: 'Paused',
    },
    one: {
      created: 'Created',
      events: 'Events',
      state: 'State',
      secret: 'Secret',
      secretSince: 'In use since',
      waiting: 'To be delivered',
      waitingNone: 'Nothing',
      test: 'Send a test event',
      rotate: 'Change the secret',
      pause: 'Pause',
      resume: 'Resume',
      heldWhy: 'Events wait in their order, none is lost, and go out once it is resumed.',
      remove: 'Remove',
      told: 'Deliveries',
      toldNone: 'No event was sent yet',
      toldNoneWhy: 'Those of the last 30 days will appear here, with what your system answered.',
    },
    heldSince: (moment) => `Paused by hand since ${moment}`,
    failures: (count) => (count === 1 ? 'The last try failed.' : `The last ${count} tries failed.`),
    pausedUntil: (moment) => `Paused until ${moment}; then one event probes it.`,
    probed: 'One event at a time probes it until it answers.',
    waiting: (count, next) => (next === null ? count : `${count}, the first on ${next}`),
    told: {
      event: 'Event',
      of: 'Of',
      answer: 'Answer',
      tries: 'Tries',
      when: 'Last try',
      state: 'State',
    },
    delivery: { pending: 'Being retried', delivered: 'Delivered', failed: 'Not delivered' },
    tested: {
      accepted: 'Your system took the test event',
      refused: 'Your system did not take the test event',
      lead: 'Any answer from 200 to 299 takes it.',
    },
    answer: (status, ms) => `${status} in ${ms} ms`,
    noAnswer: 'No answer',
    event: {
      title: 'Delivery',
      attempts: 'Tries',
      no: 'No.',
      next: 'Next try',
      body: 'What is sent',
      resend: 'Send again',
      resent: 'It is being sent again at this moment.',
      none: 'Not sent yet',
    },
    stillSent: 'The event is still being sent; it can be sent again once that has ended.',
    form: {
      new: 'Create a webhook',
      lead: 'A signed POST for each event that you choose.',
      url: 'Address',
      urlHint: 'That of your system, beginning with https://.',
      types: 'Events',
      typesFault: 'Choose at least one event.',
      create: 'Create the webhook',
      made: 'Webhook created',
      madeLead: 'Copy the secret now: it is not shown again.',
      secret: 'Secret',
      back: 'See the webhook',
      full: 'The account has 20 webhooks already: remove one that is not used.',
    },
    faults: {
      no_url: 'Enter a whole address, such as https://example.com/events.',
      not_https: 'The address must begin with https://.',
      not_http: 'The address must begin with https:// or http://.',
      credentials: 'The address must hold no user name or password.',
      fragment: 'The address must hold no fragment (#).',
      port: 'The port must be 443 or one from 1024 to 65535.',
      not_public: 'The address must be public, not of a private network.',
      unknown_host: 'We cannot find the server of that address.',
    },
    rotate: {
      title: 'Change the secret?',
      lead: 'By the secret your system checks that events are ours.',
      how: 'The secret before',
      overlap: 'Goes on signing for 24 hours',
      overlapHint: 'Events carry both signatures while you change your system.',
      now: 'Ends now',
      nowHint: 'If somebody else may know it.',
      submit: 'Change the secret',
      done: 'New secret',
    },
    until: (moment) => `The one before signs too until ${moment}.`,
    remove: {
      title: 'Remove the webhook?',
      lead: 'What was waiting for this address is never sent. It cannot be undone.',
    },
  },
};
